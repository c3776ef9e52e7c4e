"""A PostgreSQL server of the tests' own: started when first asked for, stopped at the end."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

NOT_INSTALLED = "PostgreSQL is not installed: apt-get install postgresql"
SETTINGS = {
    "fsync": "off",
    "listen_addresses": "",  # no port to be in the way of another: a socket in a folder is all
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
}


class Server:
    """A running server: `stop` it, and `start` it again."""

    def __init__(self, programs, folder, account):
        self.programs, self.folder, self.account = programs, folder, account
        self.database = folder / "database"
        self.running = False

    def create(self):
        self._run("initdb", "-D", self.database, "-U", "tests", "-A", "trust", "-E", "UTF8")
        self.start()

    def start(self):
        chosen = " ".join(f"-c {name}='{value}'" for name, value in SETTINGS.items())
        options = f"-k {self.folder} {chosen}"
        log = self.folder / "log"
        self._run("pg_ctl", "-D", self.database, "-l", log, "-w", "-o", options, "start")
        self.running = True

    def stop(self):
        if self.running:
            self._run("pg_ctl", "-D", self.database, "-m", "immediate", "-w", "stop")
        self.running = False

    def connect(self):
        import ibis

        return ibis.postgres.connect(host=str(self.folder), user="tests", database="postgres")

    def _run(self, program, *options):
        # A server's children keep pipes open: its words go into a file.
        with (self.folder / "words").open("w+") as words:
            done = subprocess.run(
                [self.programs / program, *options],
                check=False,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=words,
                stderr=subprocess.STDOUT,
                user=self.account,
            )
            words.seek(0)
            assert done.returncode == 0, words.read()


def _programs():
    """Where initdb and its kin are; Debian keeps them off the path."""
    program = shutil.which("initdb")
    beside = [Path(program).resolve().parent] if program else []
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name)
    )
    return next((path for path in [*beside, *debian[::-1]] if (path / "pg_ctl").exists()), None)


def _account():
    """Whom the server runs as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_uid
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")


@pytest.fixture(scope="session")
def server():
    """One for each process of pytest-xdist: they share nothing."""
    pytest.importorskip(
        "ibis", reason="Ibis is not installed: pip install ibis-framework[postgres]"
    )
    programs = _programs()
    if programs is None:
        pytest.skip(NOT_INSTALLED)
    account = _account()
    # Not pytest's own folder: the path of a socket has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="postgres-") as name:
        folder = Path(name)
        if account is not None:
            os.chown(folder, account, -1)
        server = Server(programs, folder, account)
        server.create()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture
def postgres(server):
    """A connection to the server, closed after the test."""
    connection = server.connect()
    yield connection
    connection.disconnect()

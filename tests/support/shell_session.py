"""An interactive shell in a terminal, in which a test types and presses Tab."""

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import sys
import termios
import time

CLEAR, DUMP = "\x15", "\x18\x01"
"""Keys that clear the line at the prompt (Ctrl-U), and that write it to a file (Ctrl-X Ctrl-A).

They do no harm if they are typed before the shell has taken over the terminal."""
COMMANDS = {
    "bash": ["bash", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
SETUPS = {
    "bash": r"""
        source tradeoff.bash
        dump() { printf %s "$READLINE_LINE" > part; mv part line; }
        bind -x '"\C-x\C-a": dump'
        touch ready
    """,
    "zsh": r"""
        fpath+=($PWD); autoload -Uz compinit; compinit -u -D
        dump() { print -rn -- "$BUFFER" > part; mv part line }
        zle -N dump; bindkey '^X^A' dump
        touch ready
    """,
    "fish": r"""
        source tradeoff.fish
        function dump; commandline | string collect > part; mv part line; end
        bind \cx\ca dump
        touch ready
    """,
}
"""What installs the completion and the keys in each shell."""
SCRIPTS = {"bash": "tradeoff.bash", "zsh": "_tradeoff", "fish": "tradeoff.fish"}
"""Name of the file with the completion script; zsh finds it by its name."""
TIMEOUT = 60


class ShellSession:
    """A shell that runs in a folder with this program in its path."""

    def __init__(self, shell, folder, script):
        self.folder = folder
        (folder / SCRIPTS[shell]).write_text(script)
        program = folder / "tradeoff"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tradeoff "$@"\n')
        program.chmod(0o755)
        (folder / "setup").write_text(SETUPS[shell])
        self.process, self.terminal = pty.fork()
        if not self.process:
            os.chdir(folder)
            path = f"{folder}:{os.environ['PATH']}"
            environment = {**os.environ, "PATH": path, "HOME": str(folder), "TERM": "xterm"}
            os.execvpe(shell, COMMANDS[shell], environment)  # noqa: S606 - the shell is what is tested
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self.type_keys("source ./setup\n", folder / "ready")

    def complete(self, line):
        """The line at the prompt after a line was typed and Tab was pressed."""
        written = self.folder / "line"
        self.type_keys(f"{CLEAR}{line}\t{DUMP}", written)
        completed = written.read_text().rstrip("\n")
        written.unlink()
        return completed

    def type_keys(self, keys, written):
        """Type keys, and wait for the file that they write; the screen is read and ignored."""
        os.write(self.terminal, keys.encode())
        limit = time.monotonic() + TIMEOUT
        screen = b""
        while not written.exists():
            if time.monotonic() > limit:
                raise TimeoutError(screen.decode(errors="replace"))
            if select.select([self.terminal], [], [], 0.02)[0]:
                screen += os.read(self.terminal, 65536)

    def close(self):
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def is_installed(shell):
    return shutil.which(shell) is not None

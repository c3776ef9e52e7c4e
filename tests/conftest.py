import os

# Every core has a test of its own to run: threads of BLAS would only spin while they wait.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

# The same examples on every run and machine: a red build can be repeated.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    max_examples=30,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")


@pytest.fixture
def file(tmp_path):
    def write(text, name="rows.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run and machine: a red build can be repeated.
settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    max_examples=60,
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

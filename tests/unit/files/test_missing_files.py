"""What is said of files that do not exist."""

from tradeoff.files.missing_files import missing_file


def test_a_file_of_the_same_name_with_another_extension_is_suggested(tmp_path):
    (tmp_path / "scores.csv").write_text("y,p\n")

    for name in ("scores.xlsx", "scores.parquet", "scores.dta"):
        assert f"Did you mean '{tmp_path / 'scores.csv'}'?" in str(missing_file(tmp_path / name))

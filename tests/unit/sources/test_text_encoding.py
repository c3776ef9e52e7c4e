"""Text files in other encodings than UTF-8 are read right, or the message names the option."""

import gzip

import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.sources import text_encoding
from tradeoff.sources.text_encoding import text_encoding as encoding_of

TEXT = "größe;y;p\nà;1;0,75\nb;0;0,25\n"
WAYS = pytest.mark.parametrize("way", [{}, {"memory": "400MB"}], ids=["in memory", "batches"])


def write(folder, content, name="rows.csv"):
    path = folder / name
    path.write_bytes(content)
    return path


def scores(source, **options):
    return to.evaluate(source, "p", actual="y", **options).ranking.thresholds[1:].tolist()


@WAYS
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1", "utf-32"]
)
def test_the_encoding_is_recognized(encoding, way, tmp_path):
    assert scores(write(tmp_path, TEXT.encode(encoding)), **way) == [0.75, 0.25]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_needs_no_byte_order_mark(encoding, tmp_path):
    path = write(tmp_path, TEXT.encode(encoding))

    assert encoding_of(path) == encoding
    assert scores(path) == [0.75, 0.25]


def test_a_compressed_file_is_converted_too(tmp_path):
    path = write(tmp_path, gzip.compress(TEXT.encode("utf-16")), "rows.csv.gz")

    assert scores(path) == [0.75, 0.25]


def test_another_alphabet_must_be_named(tmp_path):
    path = write(tmp_path, "город,y,p\nКазань,1,0.75\nУфа,0,0.25\n".encode("cp1251"))

    with pytest.raises(InputError, match="name its encoding, for example encoding='cp1251'"):
        scores(path)
    assert to.look(to.File(path, encoding="cp1251")).summaries[0].values == ("Казань", "Уфа")


@WAYS
def test_a_late_letter_is_reported_with_its_line(way, tmp_path):
    rows = b"1,0.75\n0,0.25\n" * 100_000
    path = write(tmp_path, b"y,p,note\n" + rows.replace(b"5\n", b"5,x\n") + b"1,0.5,\xe9\n")

    with pytest.raises(InputError, match=r"line 200,002, is not encoded in UTF-8: name its encod"):
        scores(path, segment="note", **way)
    latin = to.File(path, encoding="latin-1")
    assert scores(latin, segment="note", **way) == [0.75, 0.5, 0.25]


def test_an_encoding_that_does_not_fit_is_refused(tmp_path):
    path = write(tmp_path, TEXT.encode("cp1252"))

    with pytest.raises(InputError, match="cannot be decoded as ascii"):
        scores(to.File(path, encoding="ascii"))
    with pytest.raises(InputError, match="There is no text encoding 'utf8x'"):
        to.File(path, encoding="utf8x")


def test_bytes_that_are_no_text_are_refused(tmp_path):
    with pytest.raises(InputError, match="is not a text file: it contains zero bytes"):
        scores(write(tmp_path, b"y,p\n1,0.5\n\0\0\0\n"))


def test_messages_name_the_file_and_not_its_copy(tmp_path):
    path = write(tmp_path, "y;p\n1;0,75\n0;0,25;9\n".encode("utf-16"))

    with pytest.raises(InputError, match="more columns") as problem:
        scores(path)
    assert str(problem.value).startswith(f"{path}, line 3")


def test_a_file_that_changes_is_read_anew_and_few_copies_are_kept(tmp_path):
    for size in range(1, 12):
        path = write(tmp_path, ("y;p\n" + "1;0,75\n0;0,25\n" * size).encode("utf-16"))
        assert to.evaluate(path, "p", actual="y").ranking.rows == 2 * size
    assert len(text_encoding._COPIES) <= text_encoding.MAX_COPIES

"""A mailing from the command line: whom to contact, and the list of customers."""

import csv
import random

import pytest
from command_line import run
from report_cases import Scripts

CAMPAIGN = ["--cost-contact", "5", "--value", "30", "--unit", "customers", "--currency", "EUR"]


@pytest.fixture
def mailing(tmp_path):
    """An ugly file: an index without a name, blanks in headers, scores with many ties."""
    generator = random.Random(4)  # noqa: S311 - test data
    path = tmp_path / "caravan mailing.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["", "customer no", "took offer", "model score", "letters"])
        for index in range(800):
            score = round(generator.betavariate(1, 6), 2)
            answer = "Yes" if generator.random() < score else "No"
            writer.writerow([index, f"{index:06d}", answer, score, 1 + index % 3])
    return path


def options(path):
    return [path, "--actual", "took offer", "--positive", "Yes", "--score", "model score"]


def written_ids(path):
    with path.open() as file:
        return [row["customer no"] for row in csv.DictReader(file)]


def test_the_first_line_says_whom_to_contact_and_what_it_earns(mailing):
    code, out, err = run("gains", *options(mailing), *CAMPAIGN)

    assert (code, err) == (0, "")
    headline = " ".join(out.split("\n\n")[0].split())
    assert headline.startswith("Contact the best ")
    assert " of 800 customers (model score ≥ " in headline
    assert "this earns EUR " in headline
    assert "contacting everybody would lose EUR " in headline
    assert "rows" not in out.split("*", 2)[0]
    assert out.count("\n1 ") == 1  # one row for each decile
    assert "cum. profit, EUR" in out


def test_the_list_holds_exactly_the_customers_of_the_headline(mailing, tmp_path):
    target = tmp_path / "ids.csv"

    code, out, _ = run(
        "gains", *options(mailing), *CAMPAIGN, "--select", target, "--id", "customer no"
    )

    ids = written_ids(target)
    assert code == 0
    assert out.startswith(f"Contact the best {len(ids)} of 800 customers")
    assert f"Wrote {target}: {len(ids)} customers to contact." in " ".join(out.split()).replace(
        f"{target.parent} ", f"{target.parent}"
    )
    with mailing.open() as file:
        scores = {
            row["customer no"]: float(row["model score"])
            for row in csv.DictReader(file, delimiter=";")
        }
    assert [scores[i] for i in ids] == sorted((scores[i] for i in ids), reverse=True)
    limit = min(scores[i] for i in ids)
    assert len(ids) == sum(score >= limit for score in scores.values())  # no tie is cut


def test_a_limit_given_as_a_percentage(mailing, tmp_path):
    target = tmp_path / "ids.csv"

    code, _, _ = run(
        "gains", *options(mailing), "--top", "10%", "--select", target, "--id", "customer no"
    )

    assert code == 0
    assert 0 < len(written_ids(target)) <= 80


def test_weights_markdown_and_csv(mailing):
    for output_format, start in (("markdown", "Contact the best"), ("csv", "model,group,rows")):
        code, out, err = run(
            *("gains", *options(mailing), "--weight", "letters", *CAMPAIGN),
            *("--format", output_format, "--no-check"),
        )
        assert (code, err) == (0, "")
        assert out.startswith(start)


def test_counts_alone_say_what_contacts_earn():
    code, out, _ = run("matrix", "207 112; 600 2003", *CAMPAIGN)

    text = " ".join(out.split())
    assert code == 0
    assert text.startswith(
        "Profit Contacting the 807 customers predicted positive: this earns EUR 2,175; contacting "
        "everybody would lose EUR 5,040; contacting nobody would earn nothing."
    )


def test_costs_of_errors_of_a_matrix_are_compared_with_trivial_decisions():
    _, out, _ = run("matrix", "207 112; 600 2003", "--cost-fp", "1", "--cost-fn", "5")

    assert "these decisions             0.3970     396.99     1,160" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cost-contact", "5", "--value", "4"], "A contact costs 5 and a true positive is worth"),
        (["--value", "4", "--cost-tp", "-4"], "give only one of them"),
        (["--top", "0"], "is not a number of rows, such as 500, or a percentage, such as 10%"),
        (["--top", "150%"], "is not a number of rows, such as 500, or a percentage"),
        (["--select", "ids.csv"], "--select needs the column that identifies a row: --id COLUMN"),
        (["--id", "customer no"], "add --select FILE"),
        (["--select", "i.csv", "--id", "customer no"], "--cost-contact and --value, or --top N"),
        (
            ["--top", "5", "--select", "i.csv", "--id", "customer"],
            "There is no column 'customer'. Did you mean 'customer no'?",
        ),
        (["--top", "5", "--select", "i.xlsx", "--id", "customer no"], "end in .parquet or .csv"),
        (["--unit", ""], "A unit is a word of 1 to 40 printable characters"),
        (["--groups", "801"], "800 rows can be divided into 1 to 800 bins"),
    ],
)
def test_every_wrong_request_says_what_to_type_next(mailing, arguments, message):
    code, _, err = run("gains", *options(mailing), *arguments)

    assert code == 2
    assert message in " ".join(err.split())


def test_the_list_never_overwrites_the_data(mailing):
    before = mailing.read_bytes()

    code, _, err = run(
        "gains", *options(mailing), "--top", "5", "--select", mailing, "--id", "customer no"
    )

    assert code == 2
    assert "would be overwritten" in err
    assert mailing.read_bytes() == before


@pytest.mark.parametrize("width", ["100", "80", "60"])
def test_screens_fit_the_terminal(mailing, width):
    _, out, _ = run("gains", *options(mailing), *CAMPAIGN, COLUMNS=width)

    assert max(map(len, out.splitlines())) <= int(width)


@pytest.mark.parametrize("command", ["evaluate", "threshold"])
def test_the_unit_and_currency_are_in_every_sentence_on_rows_and_costs(mailing, command):
    code, out, _ = run(command, *options(mailing), *CAMPAIGN)

    text = " ".join(out.split())
    assert code == 0
    assert "per row" not in text
    assert "for every row" not in text
    assert "per customer" in text
    assert "EUR" in text


def test_the_report_opens_with_the_unit_and_currency(mailing, tmp_path):
    page = tmp_path / "report.html"

    code, _, _ = run("report", *options(mailing), *CAMPAIGN, "-o", page)

    text = page.read_text()
    assert code == 0
    document = Scripts(text).document()
    assert (document["unit"], document["currency"]) == ("customers", "EUR")
    assert "800 customers: " in text

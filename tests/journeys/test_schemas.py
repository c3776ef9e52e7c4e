"""Every JSON document follows the published schema of its kind."""

import json
import re
from copy import deepcopy
from functools import reduce
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from command_line import COSTS, GOLDEN, RANGE, SAH, WEATHER
from jsonschema import Draft202012Validator

import tradeoff
from tradeoff.cli import main
from tradeoff.cli.program import COMMANDS
from tradeoff.errors import UnknownName
from tradeoff.schemas import json_schema, schema_kinds

SOURCE = Path(tradeoff.__file__).parent
DATA = SOURCE / "data"
FILES = {
    # Three segments, of which x has one class; in fold 3 no row is negative.
    "parts.csv": "y,a,b,part,fold,cost\n1,.9,.3,m,1,3\n0,.2,.1,m,1,4\n1,.6,.2,f,2,1\n"
    "0,.7,.6,f,2,3\n1,.1,.6,f,2,5\n1,.3,.5,x,3,1\n1,.4,.5,x,3,2\n",
    "later.csv": "y,a,part\n1,.8,m\n0,.3,m\n1,.5,f\n0,.6,f\n0,.2,x\n1,.7,x\n",
    "one_class.csv": "y,a,b,part,fold\n1,.2,.3,m,1\n1,.4,.1,m,1\n1,.6,.2,f,2\n",
    "infinite.csv": "y,a,b\n1,inf,.3\n0,-inf,.1\n1,.6,.2\n0,.7,.6\n1,.1,.6\n0,inf,.5\n",
    "missing.csv": "y,a\n1,.9\n0,\n1,.6\n0,.7\n1,.1\n0,.5\n",
    "animals.csv": "kind,cat,dog,fox,weight\ncat,6,2,1,1\ndog,1,6,2,2\nfox,2,3,6,1\ncat,4,3,3,1\n"
    "dog,5,4,1,.5\nfox,0,1,5,1\n",
    "labels.csv": "y,a,b,c,d,kind,k,l\nyes,yes,no,yes,yes,cat,cat,dog\nno,no,no,?,,dog,fox,dog\n"
    "yes,no,yes,no,yes,fox,fox,fox\nno,no,yes,no,no,dog,dog,cat\nyes,yes,yes,yes,no,cat,dog,cat\n",
    "no_fox.csv": "kind,cat,dog,fox\ncat,6,2,1\ndog,1,6,2\ncat,2,3,6\n",
}
FEW = ["--replicates", "20"]
WEIGHT = ["--weight", "weight"]
TWO = [*SAH, "--score", "ndka"]
THREE = [*TWO, "--score", "wfns"]
PARTS = ["parts.csv", "--actual", "y", "--score", "a"]
MONTHS = ["--then", "parts.csv", "--now", "later.csv", *PARTS[1:]]
ONE_CLASS = ["one_class.csv", "--actual", "y", "--score", "a", "--positive", "1"]
INFINITE = ["infinite.csv", "--actual", "y", "--score", "a"]
REJECTED = ["missing.csv", "--actual", "y", "--score", "a", "--missing", "reject"]
WEIGHTED = [
    str(GOLDEN / "syn_a1_probabilities_data.csv"),
    *("--actual", "label", "--score", "score", *WEIGHT),
]
UNWEIGHTED = WEIGHTED[:-2]
CONSTANT = [str(GOLDEN / "syn_a6c_constant_data.csv"), "--actual", "label", "--score", "score"]
KINDS = ["--actual", "kind", "--score", "cat", "--score", "dog", "--score", "fox"]
PLAY = [
    str(DATA / "weather.arff"),
    *("--actual", "play", "--positive", "yes", "--folds", "2", "--jobs", "1"),
]
ALL_TESTS = ["--test", "mcnemar", "--test", "cochran", "--test", "equal", "--test", "venkatraman"]
AT = ["--metric", "tpr", "--at", "threshold=0.2"]

LABELS = ["labels.csv", "--actual", "y", "--positive", "yes"]
WRITTEN = {
    "labels": {
        "two classes": ["evaluate", *LABELS, "--predicted", "a"],
        "two models": ["evaluate", *LABELS, "--predicted", "a", "--predicted", "b"],
        "prevalence": ["evaluate", *LABELS, "--predicted", "a", "--prevalence", "0.1"],
        "undecided": ["evaluate", *LABELS, "--predicted", "c", "--rejected", "?"],
        "missing": ["evaluate", *LABELS, "--predicted", "d", "--missing", "reject"],
        "three classes": ["classes", "labels.csv", "--actual", "kind", "--predicted", "k"],
    },
    "label_comparison": {
        "two models": ["compare", *LABELS, "--predicted", "a", "--predicted", "b"],
        "bootstrap": [
            *("compare", *LABELS, "--predicted", "a", "--predicted", "b"),
            *("--metric", "ppv", *FEW),
        ],
        "three classes": [
            *("compare", "labels.csv", "--actual", "kind"),
            *("--predicted", "k", "--predicted", "l"),
        ],
    },
    "cutoffs": {
        "default": ["cutoffs", *SAH],
        "two models": ["cutoffs", *TWO, "--at", "0.1,0.2", "--prevalence", "0.1"],
        "out of bag": ["cutoffs", *SAH, "--out-of-bag", *FEW],
        "all": ["cutoffs", *SAH, "--all", "--no-intervals"],
        "one class": ["cutoffs", *ONE_CLASS, "--at", "0.3"],
        "infinite scores": ["cutoffs", *INFINITE, *FEW],
        "rejected": ["cutoffs", *REJECTED],
    },
    "evaluation": {
        "plain": ["evaluate", *WEATHER, *FEW],
        "everything": [
            *("evaluate", *PARTS, "--score", "b", "--fold", "fold", "--segment", "part"),
            *(*COSTS, "--prevalence", "0.02", *FEW),
        ],
        "weights": ["evaluate", *WEIGHTED, *FEW],
        "costs of rows": ["evaluate", *PARTS, "--cost-fp", "cost", "--cost-fn", "5", *FEW],
        "one class": ["evaluate", *ONE_CLASS, "--fold", "fold", "--segment", "part"],
        "rejected": ["evaluate", *REJECTED, *COSTS, *FEW],
        "infinite scores": ["evaluate", *INFINITE, *FEW],
        "nothing predicted positive": ["evaluate", *WEATHER, "--threshold", "inf", *FEW],
        "values alone": ["evaluate", *THREE, "--no-intervals"],
        "clusters": ["evaluate", *SAH, "--cluster", "age", *FEW],
        "low is positive": ["evaluate", *SAH, "--lower-is-positive", "--no-intervals"],
        "one score": ["evaluate", *CONSTANT, *FEW],
    },
    "comparison": {
        "plain": ["compare", *TWO],
        "everything": ["compare", *THREE, "--margin", "0.05", *ALL_TESTS, *AT, *FEW],
        "segments": ["compare", *SAH, "--by", "gender", *AT, *FEW],
        "one class": ["compare", *PARTS, "--by", "part"],
        "costs": ["compare", *TWO, "--metric", "cost", *COSTS, "--at", "threshold=0.2", *FEW],
        "undefined": ["compare", *TWO, "--metric", "precision", "--at", "threshold=999", *FEW],
        "clusters": ["compare", *TWO, "--cluster", "age", "--simultaneous"],
    },
    "samples": {
        "plain": ["compare", *MONTHS],
        "margin": ["compare", *MONTHS, "--margin", "0.1", *AT, *FEW],
        "clusters": ["compare", *MONTHS, "--cluster", "part"],
    },
    "decision": {
        "plain": ["threshold", *WEATHER, "--tolerance", "0.1", *FEW],
        "costs": ["threshold", *SAH, *COSTS, "--prevalence", "0.1", *FEW],
        "weights": ["threshold", *WEIGHTED, *COSTS],
        "rejected": ["threshold", *REJECTED, *FEW],
        "infinite scores": ["threshold", *INFINITE, *FEW],
        "one score": ["threshold", *CONSTANT, *FEW],
        "unchecked": ["threshold", *SAH, "--by", "tpr", "--target", "0.9", "--no-check"],
    },
    "datasets": {"all": ["datasets"], "one": ["datasets", "asah"]},
    "decisions": {
        "thresholds": ["threshold", *THREE, *FEW],
        "bands": ["threshold", *TWO, "--reject", "--coverage", "0.8", *FEW],
    },
    "band": {
        "plain": ["threshold", *SAH, "--reject", "--gamma", "2", *FEW],
        "costs": ["threshold", *WEATHER, "--reject", *COSTS, "--cost-reject", "0.3", *FEW],
        "weights": ["threshold", *WEIGHTED, "--reject", "--gamma", "3"],
        "one class": ["threshold", *ONE_CLASS, "--reject", "--capacity", "1", *FEW],
        "infinite scores": ["threshold", *INFINITE, "--reject", "--gamma", "5", *FEW],
        "unchecked": ["threshold", *WEATHER, "--reject", "--capacity", "3", "--no-check"],
    },
    "curve": {
        "plain": ["curve", *WEATHER],
        "weights": ["curve", *WEIGHTED],
        "one class": ["curve", *ONE_CLASS],
        "rejected": ["curve", *REJECTED],
        "infinite scores": ["curve", *INFINITE],
        "band": ["curve", *SAH, "--band", "simultaneous", *FEW],
        "over thresholds": ["curve", *SAH, "--x", "threshold", "--y", "precision", "--y", "lr+"],
        "costs": ["curve", *SAH, "--curve", "profit", *COSTS],
        "bins": ["curve", *SAH, "--curve", "bin_lift"],
    },
    "average": {
        "plain": ["curve", *SAH, "--fold", "gender", "--band", "t"],
        "thresholds": ["curve", *PARTS, "--fold", "fold", "--average", "threshold"],
        "pooled": ["curve", *PARTS, "--fold", "fold", "--average", "pooled"],
    },
    "smooth": {
        "binormal": ["curve", *SAH, "--smooth", "binormal"],
        "kernel": ["curve", *WEATHER, "--smooth", "kernel"],
    },
    "hull": {
        "plain": ["hull", *TWO],
        "costs": ["hull", *THREE, *RANGE, "--point", "rule=30 11; 20 52"],
        "weights": ["hull", *WEIGHTED],
        "infinite scores": ["hull", *INFINITE, "--score", "b"],
        "one score": ["hull", *CONSTANT],
    },
    "calibration_report": {
        "plain": ["calibration", *UNWEIGHTED, *FEW],
        "weights": ["calibration", *WEIGHTED, "--band", "none", *FEW],
        "one class": ["calibration", *ONE_CLASS, *FEW],
        "one score": ["calibration", *CONSTANT, "--band", "confidence", *FEW],
    },
    "classes": {
        "plain": ["classes", "animals.csv", *KINDS],
        "weights": ["classes", "animals.csv", *KINDS, *WEIGHT],
        "an absent class": ["classes", "no_fox.csv", *KINDS],
    },
    "plan": {
        "rows for an area": ["power", "--auc", "0.8", "--power", "0.9", "--prevalence", "0.2"],
        "two areas": ["power", "--auc", "0.8", "--second", "0.85", "--positives", "200"],
        "margin": [
            "power",
            "--auc",
            "0.8",
            "--second",
            "0.8",
            "--margin",
            "0.05",
            "--power",
            "0.9",
        ],
        "width of a share": ["power", "--share", "0.9", "--class-rows", "100", "--of", "all"],
        "bound of a share": ["power", "--share", "0.9", "--above", "0.8", "--power", "0.9"],
    },
    "gains": {
        "plain": ["gains", *WEATHER],
        "profit": ["gains", *TWO, "--cost-contact", "1", "--value", "3", *FEW],
        "nobody": ["gains", *WEATHER, "--cost-contact", "10", "--value", "10.1", *FEW],
        "a number": ["gains", *SAH, "--top", "10%", "--groups", "5", "--currency", "EUR"],
        "weights": ["gains", *WEIGHTED, "--cost-contact", "1", "--value", "3", *FEW],
        "infinite scores": ["gains", *INFINITE, "--cost-contact", "1", "--value", "3", *FEW],
    },
    "rows": {
        "plain": ["rows", *SAH, "--threshold", "0.5", "--outcome", "fn", "--id", "outcome"],
        "none": ["rows", *SAH, "--outcome", "fp", "--threshold", "inf"],
        "rejected": ["rows", *REJECTED, "--outcome", "rejected"],
        "a band": ["rows", *SAH, "--outcome", "rejected", "--band", "0.2,0.3"],
        "three classes": ["rows", "animals.csv", *KINDS, "--actual-class", "cat"],
    },
    "matrix": {
        "plain": ["matrix", "7 2; 4 1", "--classes", "yes,no"],
        "costs": ["matrix", "7 2; 4 1", "--cost-contact", "1", "--value", "3"],
        "no rows and costs": ["matrix", "0 0; 0 0", "--cost-fp", "1"],
        "three classes": ["matrix", "5 0 2; 0 0 0; 1 0 7"],
        "rejected": ["matrix", "7 2 1; 4 1 0", "--classes", "yes,no"],
        "shares": ["matrix", "0.4 0.1; 0.1 0.4", "--no-intervals"],
        "no rows": ["matrix", "0 0; 0 0"],
    },
    "segments": {
        "plain": ["segments", *SAH, "--segment", "gender", "--threshold", "0.3"],
        "undefined": ["segments", *PARTS, "--segment", "part", "--metric", "odds_ratio", *FEW],
        "neither is better": ["segments", *PARTS, "--segment", "part", "--metric", "prevalence"],
        "weights": ["segments", *WEIGHTED, "--segment", "label", "--metric", "auc", *FEW],
    },
    "gate": {
        "inconclusive": ["gate", *TWO],
        "several metrics": ["gate", *TWO, "--metric", "brier", *AT, *FEW],
        "pass": ["gate", *TWO, "--margin", "0.9"],
        "undefined": ["gate", *TWO, "--metric", "precision", "--at", "threshold=999", *FEW],
    },
    "overview": {
        "clear": ["look", SAH[0], "--actual", "poor", "--score", "s100b,ndka"],
        "unclear": ["look", SAH[0]],
        "problems": ["look", PARTS[0]],
    },
    "check": {
        "nothing bad": ["check", *SAH],
        "warnings": ["check", *PARTS, "--id", "cost", "--fold", "fold", "--segment", "part"],
        "errors": ["check", *ONE_CLASS],
    },
    "compat": {
        "plain": ["compat", *WEATHER],
        "weights": ["compat", *WEIGHTED],
        "one class": ["compat", *ONE_CLASS],
    },
    "validation": {"plain": ["validate"]},
    "certification": {"plain": ["validate", "--certified"]},
}
"""What commands write: cases of each kind, the usual one first."""

WRONG = {
    "labels": (["models", 0, "cells", 1, "count"], -1),
    "label_comparison": (["differences", 0, "p_value"], 1.5),
    "cutoffs": (["models", 0, "cutoffs", 0, "confusion", "true_positives"], -1),
    "evaluation": (["models", 0, "summaries", "auc", "value"], "0.58"),
    "comparison": (["differences", 0, "p_value"], 1.5),
    "samples": (["samples", 0, "rows"], "many"),
    "decision": (["threshold"], "inf"),
    "datasets": (["datasets", 0, "licence"], None),
    "decisions": (["decisions", 1, "schema"], "tradeoff/curve/1"),
    "band": (["coverage"], 1.2),
    "curve": (["columns", "true_positives", 3], "4"),
    "average": (["method"], "diagonal"),
    "smooth": (["columns", "low", 0], None),
    "hull": (["vertices", 1, "true_positive_rate"], -0.1),
    "calibration_report": (["reliability", "bins", "rows", 0], -1),
    "classes": (["cells", 0, "count"], None),
    "plan": (["solved"], "the rows"),
    "matrix": (["classes"], ["yes"]),
    "gains": (["models", 0, "groups", 0, "response_rate"], 1.2),
    "rows": (["rows", 0, "row"], 0),
    "segments": (["metrics", 0, "gaps", 0, "sure"], "yes"),
    "gate": (["verdict"], "maybe"),
    "overview": (["columns", 0, "type"], "words"),
    "check": (["findings", 0, "level"], "fatal"),
    "compat": (["tools", 0, "numbers", 0, "same"], 1),
    "validation": (["studies", 0, "numbers", 0, "published"], 0.7366),
    "certification": (["sets", 0, "numbers", 0, "results", 0, "digits"], 17),
}
"""A field of the usual case, and a value that it must not have."""

LEAVES = [
    ("evaluation", ["models", 0, "at", "confusion"]),
    ("comparison", ["differences", 0]),
    ("samples", ["samples", 0]),
    ("decision", ["honest"]),
    ("band", ["metrics", "accuracy"]),
    ("curve", ["area"]),
    ("hull", ["decision_map", 0]),
    ("calibration_report", ["decompositions", "brier"]),
    ("classes", ["pairs", 0]),
    ("matrix", ["cells", 0]),
    ("gains", ["models", 0, "groups", 0]),
    ("segments", ["metrics", 0, "estimates", 0]),
    ("gate", ["gates", 0]),
    ("overview", ["columns", 0]),
    ("check", ["findings", 0]),
    ("compat", ["tools", 0, "numbers", 0, "ours"]),
    ("validation", ["studies", 0, "numbers", 0]),
    ("certification", ["sets", 0, "numbers", 0, "results", 0]),
]


@pytest.fixture
def written(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def document(*arguments):
        done = CliRunner().invoke(main, [*arguments, "--format", "json"])
        # `check` and `gate` end with codes of their own.
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    return document


def usual(kind):
    return next(iter(WRITTEN[kind].values()))


def errors(kind, document):
    problems = Draft202012Validator(json_schema(kind)).iter_errors(document)
    return [(list(error.absolute_path), error.message) for error in problems]


def reached(document, path):
    return reduce(lambda inner, step: inner[step], path, document)


def with_value(document, path, value):
    changed = deepcopy(document)
    reached(changed, path[:-1])[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        pytest.param(kind, arguments, id=f"{kind}: {case}")
        for kind, cases in WRITTEN.items()
        for case, arguments in cases.items()
    ],
)
def test_a_document_follows_the_schema_it_names(written, kind, arguments):
    document = written(*arguments)

    assert document["schema"] == f"tradeoff/{kind}/1"
    assert errors(kind, document) == []


def test_documents_inside_a_list_of_decisions_follow_their_own_schemas(written):
    first, second = written("threshold", *TWO, "--no-check")["decisions"]
    band, other = written("threshold", *TWO, "--reject", "--gamma", "2", "--no-check")["decisions"]

    assert errors("decision", first) + errors("decision", second) == []
    assert errors("band", band) + errors("band", other) == []


def test_a_cross_validation_of_two_models_holds_a_whole_comparison(written):
    document = written("crossval", *PLAY, "--model", "naive-bayes", "--model", "tree")

    assert errors("evaluation", document) == []
    assert errors("comparison", document["comparison"]) == []


def test_every_command_that_writes_json_is_tried():
    commands = {name: main.get_command(click.Context(main), name) for name in COMMANDS}
    formats = {
        name: option.type.choices
        for name, command in commands.items()
        for option in command.params
        if option.name == "output_format"
    }
    tried = {arguments[0] for cases in WRITTEN.values() for arguments in cases.values()}

    # `metrics` writes a list of measures, which names no schema; `crossval` is tried above.
    json_too = {name for name, choices in formats.items() if "json" in choices}
    assert json_too - tried == {"metrics", "crossval"}


def test_every_document_kind_in_the_source_has_a_schema_and_vice_versa():
    named = set(re.findall(r'"tradeoff/(\w+)/1"', "".join(map(read, SOURCE.rglob("*.py")))))
    read_back = {"calibration", "classifier", "ranking", "report"}  # files that we read ourselves

    assert sorted(named - read_back) == schema_kinds()
    assert sorted(WRITTEN) == sorted(WRONG) == schema_kinds()


def read(path):
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", schema_kinds())
def test_a_schema_is_valid_and_named_after_its_kind(kind):
    schema = json_schema(kind)

    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == schema["properties"]["schema"]["const"] == f"tradeoff/{kind}/1"


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_value_is_refused_with_its_path(written, kind):
    path, wrong = WRONG[kind]

    problems = errors(kind, with_value(written(*usual(kind)), path, wrong))

    assert [place for place, _ in problems] == [path]


@pytest.mark.parametrize(("kind", "path"), LEAVES)
def test_an_unknown_field_is_refused_in_a_closed_object(written, kind, path):
    document = with_value(written(*usual(kind)), [*path, "colour"], "red")

    ((place, message),) = errors(kind, document)

    assert place == path
    assert "'colour' was unexpected" in message


@pytest.mark.parametrize("kind", WRITTEN)
def test_documents_may_have_new_top_level_fields(written, kind):
    assert errors(kind, {**written(*usual(kind)), "colour": "red"}) == []


@pytest.mark.parametrize("kind", ["evaluation", "comparison"])
def test_findings_are_required(written, kind):
    document = written(*usual(kind))
    del document["findings"]

    assert errors(kind, document) == [([], "'findings' is a required property")]


def test_an_undefined_number_needs_a_reason(written):
    document = written("curve", *ONE_CLASS)
    del document["area"]["reason"]

    assert errors("curve", document) == [(["area"], "'reason' is a required property")]


def test_an_unknown_kind_suggests_the_nearest_and_lists_all():
    with pytest.raises(UnknownName, match=r"called 'decison'\. Did you mean 'decision'\? The") as e:
        json_schema("decison")

    assert str(e.value).endswith("'segments', 'smooth' and 'validation'.")


def test_files_outside_the_schemas_folder_cannot_be_read():
    with pytest.raises(UnknownName, match="No kind of document is called"):
        json_schema("../schemas/evaluation")


def test_the_command_lists_the_kinds_with_their_titles():
    lines = CliRunner(env={"COLUMNS": "100"}).invoke(main, ["schema"]).stdout.splitlines()

    assert [line.split()[0] for line in lines] == schema_kinds()
    assert lines[0] == "average             A curve averaged over folds, point by point"


def test_the_command_prints_one_schema():
    done = CliRunner().invoke(main, ["schema", "gate"])

    assert json.loads(done.stdout) == json_schema("gate")


def test_the_command_says_which_kinds_there_are():
    done = CliRunner().invoke(main, ["schema", "gaet"])

    assert done.exit_code == 2
    assert "Did you mean 'gate'?" in done.stderr

"""Arrays of other libraries are read as NumPy's are, in every role, with the same messages."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tradeoff as to
from tradeoff.calibration.maps import CalibrationMap
from tradeoff.errors import InputError
from tradeoff.sources.columns import column_array, values_array

ACTUAL = [0, 1, 1, 0, 1, 0, 1, 0]
SCORE = [0.1, 0.9, 0.8, 0.3, 0.6, 0.7, 0.55, 0.2]
OTHER_SCORE = [0.2, 0.7, 0.4, 0.4, 0.9, 0.1, 0.3, 0.6]
WEIGHT = [1, 2, 1, 1, 1, 1, 2, 1]
GROUP = [0, 0, 1, 1, 2, 2, 3, 3]
COST = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]


class DlpackTensor:
    """Offers its values through DLPack alone, as arrays of many libraries do."""

    def __init__(self, values, device=(1, 0)):
        self.values, self.device_pair = np.asarray(values), device

    def __dlpack__(self, **options):
        if self.device_pair[0] != 1:
            raise BufferError("not in the main memory")
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device_pair


class GradientTensor:
    """Has `__array__`, which like PyTorch's refuses values that need a gradient."""

    def __init__(self, values, *, requires_grad=True):
        self.values, self.requires_grad = np.asarray(values), requires_grad

    def detach(self):
        return GradientTensor(self.values, requires_grad=False)

    def __array__(self, dtype=None, copy=None):
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return self.values if dtype is None else self.values.astype(dtype)


def arrow_series(values):
    array = pa.array(values)
    return pd.Series(array, dtype=pd.ArrowDtype(array.type))


def torch_tensor(values):
    torch = pytest.importorskip("torch", reason="PyTorch is not a dependency of tradeoff")
    tensor = torch.from_numpy(np.array(values))
    return tensor.requires_grad_() if tensor.is_floating_point() else tensor


LIBRARIES = {
    "DLPack": DlpackTensor,
    "__array__": GradientTensor,
    "pandas nullable": lambda values: pd.Series(values).convert_dtypes(),
    "pandas extension array": pd.array,
    "pandas Arrow": arrow_series,
    "Arrow array": pa.array,
    "Arrow chunks": lambda values: pa.chunked_array([values[:3], values[3:]]),
    "polars": pl.Series,
    "torch": torch_tensor,
}
ROLES = {
    "actual": lambda array: to.evaluate(array(ACTUAL), SCORE).auc,
    "boolean actual": lambda array: to.evaluate(array([v == 1 for v in ACTUAL]), SCORE).auc,
    "score": lambda array: to.evaluate(actual=ACTUAL, score=array(SCORE)).auc,
    "models": lambda array: to.evaluate(ACTUAL, {"a": array(SCORE), "b": SCORE})["a"].auc,
    "weight": lambda array: to.evaluate(ACTUAL, SCORE, weight=array(WEIGHT)).auc,
    "fold": lambda array: to.evaluate(ACTUAL, SCORE, fold=array(GROUP)).folds,
    "cluster": lambda array: to.evaluate(ACTUAL, SCORE, cluster=array(GROUP)).auc,
    "segment": lambda array: to.evaluate(ACTUAL, SCORE, segment=array(GROUP)).segments,
    "costs": lambda array: (
        to.evaluate(ACTUAL, SCORE, costs=to.Costs(false_positive=array(COST)), level=None)
        .best()
        .threshold
    ),
    "auc": lambda array: to.auc(array(ACTUAL), array(SCORE)),
    "compare": lambda array: to.compare(
        array(ACTUAL), {"a": array(SCORE), "b": array(OTHER_SCORE)}
    ).differences(),
    "gate": lambda array: to.gate(array(SCORE), array(OTHER_SCORE), actual=array(ACTUAL)).gates,
    "classes": lambda array: to.evaluate_classes(
        array(GROUP), {c: array([float(c == g) for g in GROUP]) for c in range(4)}
    ).area("hand_till"),
    "calibration map": lambda array: CalibrationMap("isotonic", knots=((0.0, 0.0), (1.0, 0.5)))(
        array(SCORE)
    ).tolist(),
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("library", LIBRARIES)
def test_an_array_of_another_library_means_what_the_list_means(library, role):
    assert ROLES[role](LIBRARIES[library]) == ROLES[role](list)


NULLABLE = {
    "Float64": lambda values: pd.array(values, dtype="Float64"),
    "pandas Arrow": arrow_series,
    "Arrow chunks": lambda values: pa.chunked_array([values[:3], values[3:]]),
    "polars": pl.Series,
}


@pytest.mark.parametrize("library", NULLABLE)
@pytest.mark.parametrize("role", ["actual", "score", "weight", "fold", "cluster", "cost"])
def test_missing_values_have_the_message_that_they_have_in_a_list(library, role):
    values = [1.0, None, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    messages = []
    for array in (NULLABLE[library], list):
        columns = {"actual": ACTUAL, "score": SCORE}
        if role == "cost":
            columns["costs"] = to.Costs(false_positive=array(values))
        else:
            columns[role] = array(values)
        with pytest.raises(InputError, match="row 2") as problem:
            to.evaluate(**columns)
        messages.append(str(problem.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("text_type", ["string[python]", "string[pyarrow]"])
def test_a_missing_text_is_a_missing_class(text_type):
    actual = pd.array(["no", pd.NA, "yes", "no"], dtype=text_type)
    with pytest.raises(InputError, match=r"1 of 4 rows has no class in 'actual' \(first: row 2\)"):
        to.evaluate(actual, [0.1, 0.2, 0.9, 0.4], positive="yes")


@pytest.mark.parametrize("library", ["DLPack", "__array__", "torch"])
def test_a_list_of_tensors_is_a_list_of_their_values(library):
    scores = [LIBRARIES[library](score) for score in SCORE]
    np.testing.assert_allclose(column_array(scores, "score"), SCORE, rtol=1e-7)


def test_a_table_of_class_scores_may_be_a_tensor():
    scores = [[0.7, 0.3], [0.2, 0.8], [0.6, 0.4], [0.9, 0.1]]
    areas = [
        to.evaluate_classes([0, 1, 1, 0], table, classes=[0, 1]).area("macro")
        for table in (DlpackTensor(scores), GradientTensor(scores), np.array(scores))
    ]
    assert areas[0] == areas[1] == areas[2]


def test_a_tensor_keeps_its_shape_until_a_column_is_needed():
    table = DlpackTensor([[0.1, 0.2], [0.3, 0.4]])
    assert values_array(table, "score").shape == (2, 2)
    with pytest.raises(InputError, match=r"its shape is \(2, 2\)\. Pass one column"):
        column_array(table, "score")


def test_a_tensor_on_another_device_is_to_be_copied_first():
    tensor = DlpackTensor(SCORE, device=(2, 0))
    tensor.device = "cuda:0"
    with pytest.raises(InputError, match=r"on the device cuda:0: copy it .* score\.cpu\(\)"):
        to.evaluate(ACTUAL, tensor)


def test_a_tensor_that_numpy_cannot_read_says_why():
    with pytest.raises(InputError, match=r"NumPy cannot read \(not in the main memory\): pass a"):
        to.evaluate(ACTUAL, DlpackTensor(SCORE, device=(99, 0)))


def test_half_precision_that_numpy_lacks_is_widened():
    torch = pytest.importorskip("torch", reason="PyTorch is not a dependency of tradeoff")
    scores = torch.tensor(SCORE, dtype=torch.bfloat16, requires_grad=True)
    assert column_array(scores, "score").dtype == np.float32


def test_a_cost_without_a_dimension_is_one_number():
    assert to.Costs(false_positive=np.array(3.0)).false_positive == 3.0
    assert "false_positive" in to.Costs(false_positive=DlpackTensor(COST)).columns

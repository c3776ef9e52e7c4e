"""pROC's areas of the aSAH markers."""

import pytest
from golden.reference import document, table

import tradeoff as to

every_marker = pytest.mark.parametrize("marker", ["s100b", "ndka"])


def evaluated(marker):
    rows = table("proc_aSAH_data.csv")
    return to.evaluate(actual=rows["poor"], score=rows[marker])


@every_marker
def test_area(marker):
    proc = document(f"proc_{marker}_summary.json")

    assert float(evaluated(marker).auc) == pytest.approx(proc["auc"], rel=1e-12)


@every_marker
def test_partial_areas_along_specificity(marker):
    evaluation, areas = evaluated(marker), document(f"proc_{marker}_summary.json")["partial_auc"]
    ranges = {key: value for key, value in areas.items() if key.startswith("spec_")}
    assert ranges

    for key, proc in ranges.items():
        left, right = (1 - float(part) for part in key.split("_")[1:])
        raw = evaluation.summary("partial_auc", low=left, high=right)
        share = evaluation.summary("partial_auc_mcclish", low=left, high=right)
        assert float(raw) == pytest.approx(proc["raw"], rel=1e-12)
        assert proc["corrected"] == "NA" or float(share) == pytest.approx(
            proc["corrected"], rel=1e-12
        )
        # pROC gives NA where the curve lies below the diagonal; here the note says so.
        assert (proc["corrected"] == "NA") == (share.note is not None)


@every_marker
def test_partial_areas_along_sensitivity(marker):
    evaluation, areas = evaluated(marker), document(f"proc_{marker}_summary.json")["partial_auc"]
    ranges = {key: value for key, value in areas.items() if key.startswith("sens_")}
    assert ranges

    for key, proc in ranges.items():
        right, left = (float(part) for part in key.split("_")[1:])
        raw = evaluation.summary("partial_auc", low=left, high=right, along="tpr")
        share = evaluation.summary("partial_auc_mcclish", low=left, high=right, along="tpr")
        assert float(raw) == pytest.approx(proc["raw"], rel=1e-12)
        assert proc["corrected"] == "NA" or float(share) == pytest.approx(
            proc["corrected"], rel=1e-12
        )

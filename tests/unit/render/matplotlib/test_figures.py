"""Charts drawn by matplotlib: artists are checked, never pixels."""

import os
import subprocess
import sys
from itertools import combinations

import matplotlib as mpl
import numpy as np
import pytest
from golden.reference import DATA
from matplotlib.figure import Figure

import tradeoff as to
from tradeoff.comparison.difference import Difference
from tradeoff.comparison.views import differences_chart
from tradeoff.errors import InputError, StorageError, UnknownName
from tradeoff.evaluation.charts import chart_names, evaluation_chart
from tradeoff.render.matplotlib.figures import draw_chart, save_charts
from tradeoff.views.matrices import matrix_chart

mpl.use("agg")
EVIL = (
    "$x^2$ and $y",
    "_hidden",
    "模型 😀",
    "שלום עולם",
    "a" * 1000,
    "tab\tand\nline",
    "100% \\$",
)


@pytest.fixture(autouse=True)
def closed():
    yield
    from matplotlib import pyplot as plt

    plt.close("all")


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    actual = rng.random(120) < 0.4
    return actual, 1 / (1 + np.exp(-rng.normal(size=120) - actual))


@pytest.fixture(scope="module")
def e(rows):
    return to.evaluate(actual=rows[0], score=rows[1], fold=np.arange(120) % 4)


@pytest.fixture(scope="module")
def sah():
    models = ["s100b", "ndka", "wfns"]
    return to.evaluate(DATA / "proc_aSAH_data.csv", actual="outcome", score=models, positive="Poor")


def axes():
    return Figure(figsize=(5, 5)).subplots()


def settled(ax):
    ax.figure.draw_without_rendering()
    return ax


def legend(ax):
    return [text.get_text().strip() for text in ax.get_legend().get_texts()]


def models(ax):
    return [line for line in ax.lines if (line.get_gid() or "").startswith("tradeoff:model")]


@pytest.mark.parametrize("name", chart_names())
def test_every_named_chart_draws(e, name):
    wishes = {"coverage": 0.8} if name == "rejection" else {}
    chart = evaluation_chart(e, name, replicates=50, **wishes)

    ax = settled(draw_chart(chart, axes()))

    assert ax.get_title(loc="left").replace("\n", " ") == chart.title
    assert ax.lines or ax.images or ax.patches
    assert ax.get_xlabel().replace("\n", " ") == chart.x.label


def test_a_drawn_curve_is_the_curve(e):
    ax = draw_chart(evaluation_chart(e, "roc"), axes())

    (line,) = models(ax)
    curve = e.curve("roc")
    assert line.get_xdata().tolist() == curve.x.tolist()
    assert line.get_ydata().tolist() == curve.y.tolist()
    assert ax.get_box_aspect() == 1


def test_steps_are_drawn_level_up_to_the_next_score(e):
    ax = draw_chart(evaluation_chart(e, "expected_cost"), axes())

    assert models(ax)[0].get_drawstyle() == "steps-post"


def test_proportions_are_shown_in_percent(e):
    ax = settled(draw_chart(evaluation_chart(e, "roc"), axes()))

    assert "20%" in [label.get_text() for label in ax.get_xticklabels()]


def test_names_from_data_are_shown_as_they_are(rows):
    e = to.evaluate(actual=rows[0], score=dict.fromkeys(EVIL, rows[1]))

    ax = settled(draw_chart(evaluation_chart(e, "roc", level=None), axes()))

    labels = legend(ax)
    assert labels[0].startswith(r"\$x^2\$ and \$y 0.810")  # escaped: no mathematics
    assert labels[1].startswith("_hidden")
    assert len(labels) == len(EVIL) + 1
    assert all(len(text) < 80 for text in labels)
    assert not any("\n" in text or "\t" in text for text in labels)


def test_names_of_classes_are_shown_as_they_are():
    matrix = to.ConfusionMatrix(7, 2, 4, 1, positive="$a$", negative="😀_\n")

    ax = settled(draw_chart(matrix_chart(matrix), axes()))

    assert ax.get_xticklabels()[0].get_text() == r"\$a\$"


def test_lines_are_distinguishable_in_greyscale(rows):
    e = to.evaluate(actual=rows[0], score={f"m{i}": rows[1] for i in range(10)})
    ax = draw_chart(evaluation_chart(e, "roc", level=None), axes())

    looks = [(line._unscaled_dash_pattern, line.get_color()) for line in models(ax)]
    assert all(a != b for a, b in combinations(looks, 2))
    assert all(a[0] != b[0] for a, b in combinations(looks[:5], 2))  # without colour


def test_bars_of_the_classes_are_distinguishable_in_greyscale(e):
    ax = draw_chart(evaluation_chart(e, "scores"), axes())

    hatches = {patch.get_hatch() for patch in ax.patches if patch.get_fill()}
    assert len(hatches) == 2


def test_fifty_models_have_a_legend_of_eight_and_a_rest(rows):
    e = to.evaluate(actual=rows[0], score={f"m{i}": rows[1] for i in range(50)})
    ax = settled(draw_chart(evaluation_chart(e, "roc", level=None)))

    assert legend(ax)[-1] == "and 42 more"
    assert len(legend(ax)) == 10  # eight models, chance, the rest
    assert ax.get_legend().get_title().get_text() == "AUC"
    box = ax.get_legend().get_window_extent()
    page = ax.figure.bbox
    assert page.x0 <= box.x0 < box.x1 <= page.x1
    assert not box.overlaps(ax.get_window_extent())


def test_the_users_matplotlib_settings_are_restored(e, tmp_path):
    before = dict(mpl.rcParams)

    draw_chart(evaluation_chart(e, "roc"))
    save_charts(evaluation_chart(e, "roc"), tmp_path / "roc.png")

    assert dict(mpl.rcParams) == before


def test_models_can_be_added_to_a_chart(e):
    ax = axes()
    for _ in range(3):
        draw_chart(evaluation_chart(e, "roc", level=None), ax)

    assert len({line.get_color() for line in models(ax)}) == 3
    assert legend(ax).count("chance") == 1


def test_lines_that_the_user_drew_stay_in_the_legend(e):
    ax = axes()
    ax.plot([0, 1], [0, 1], label="mine")
    draw_chart(evaluation_chart(e, "roc"), ax)

    assert "mine" in legend(ax)


def test_without_axes_there_is_a_new_figure_with_a_caption(e):
    from matplotlib import pyplot as plt

    first, second = draw_chart(evaluation_chart(e, "roc")), draw_chart(evaluation_chart(e, "gains"))

    assert first.figure is not second.figure
    assert plt.gcf() is second.figure
    assert "120 rows" in first.figure.get_supxlabel()


def test_annotations_do_not_overlap(sah):
    chart = evaluation_chart(sah["s100b"], "roc", threshold=[0.2, 0.21, 0.22, 0.23, 0.13])
    ax = settled(draw_chart(chart))

    boxes = [text.get_window_extent() for text in ax.texts if text.get_text().startswith("≥")]
    assert len(boxes) == 5
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert all(ax.bbox.x0 <= b.x0 and b.x1 <= ax.bbox.x1 for b in boxes)


def test_the_legend_hides_no_curve(sah):
    ax = settled(draw_chart(evaluation_chart(sah, "roc")))

    box = ax.get_legend().get_window_extent()
    for line in models(ax):
        points = ax.transData.transform(line.get_xydata())
        assert not box.count_contains(points)


# Direct labels


def text(ax, start):
    return next(t for t in ax.texts if t.get_text().startswith(start))


def drawn_points(line):
    """Points along a drawn line in pixels, close to each other."""
    points = line.axes.transData.transform(line.get_path().vertices)
    points = points[np.isfinite(points).all(axis=1)]
    index = np.linspace(0, len(points) - 1, 5000)
    return np.column_stack([np.interp(index, np.arange(len(points)), c) for c in points.T])


def distance(box, points):
    x, y = points.T
    across = np.maximum(np.maximum(box.x0 - x, x - box.x1), 0)
    return np.hypot(across, np.maximum(np.maximum(box.y0 - y, y - box.y1), 0)).min()


def is_between(box, ax):
    return ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1 and ax.bbox.y0 <= box.y0


def test_curves_that_are_apart_are_labelled_beside_their_lines(sah):
    ax = settled(draw_chart(evaluation_chart(sah, "precision_recall_gain")))

    assert ax.get_legend() is None
    assert (
        text(ax, "Area (95% CI)").get_window_extent().y0 > text(ax, "s100b").get_window_extent().y1
    )
    for line, name in zip(models(ax), ("s100b", "ndka", "wfns"), strict=True):
        box = text(ax, name).get_window_extent()
        assert is_between(box, ax)
        distances = [distance(box, drawn_points(other)) for other in models(ax)]
        assert min(distances) > 2
        assert models(ax)[int(np.argmin(distances))] is line


def test_curves_that_are_close_together_have_a_legend(rows):
    models = {"a": rows[1], "b": rows[1]}
    ax = settled(draw_chart(evaluation_chart(to.evaluate(rows[0], models), "roc")))

    assert [label.partition(" ")[0] for label in legend(ax)] == ["a", "b", "chance"]
    assert ax.get_legend().get_title().get_text() == "AUC (95% CI)"
    assert not ax.texts


def test_labels_have_enough_contrast_on_white(rows):
    e = to.evaluate(rows[0], {f"m{i}": rows[1] for i in range(8)})
    chart = evaluation_chart(e, "roc", threshold=0.5, level=None)
    ax = draw_chart(chart, axes())

    def luminance(colour):
        channels = np.array(mpl.colors.to_rgb(colour))
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return linear @ [0.2126, 0.7152, 0.0722]

    written = [t for t in ax.texts if t.get_text()]
    assert len(written) == 8
    assert all(1.05 / (luminance(t.get_color()) + 0.05) >= 4.5 for t in written)


def test_a_second_chart_on_the_same_axes_replaces_direct_labels_by_a_legend(e):
    ax = draw_chart(evaluation_chart(e, "gains"))
    assert ax.get_legend() is None

    draw_chart(evaluation_chart(e, "gains"), ax)

    assert legend(ax).count("score") == 2
    assert not ax.texts


def test_a_single_point_is_annotated_instead_of_listed(sah):
    chart = evaluation_chart(sah, "decision_map", costs=to.Costs(false_negative=4))
    ax = settled(draw_chart(chart))

    assert text(ax, "these costs: PC(+) = 0.695")
    assert not any("these costs" in label for label in legend(ax))


def test_labels_of_the_decision_map_cover_no_curve(sah):
    ax = settled(draw_chart(evaluation_chart(sah, "decision_map")))

    written = [t for t in ax.texts if "≥" in t.get_text()]
    assert len(written) >= 3
    for annotation in written:
        box = annotation.get_window_extent()
        assert all(distance(box, drawn_points(line)) > 0 for line in models(ax))


def test_forest_plots_write_the_numbers_beside_the_intervals(sah):
    ax = settled(draw_chart(evaluation_chart(sah, "areas")))

    assert ax.texts[0].get_text() == "0.731 (0.619–0.820)"
    assert all(t.get_window_extent().x1 <= ax.figure.bbox.x1 for t in ax.texts)


# Titles and captions


def test_a_title_is_never_broken_between_a_sign_and_its_number():
    e = to.evaluate(DATA / "proc_aSAH_data.csv", actual="outcome", score="s100b", positive="Poor")
    ax = settled(draw_chart(evaluation_chart(e, "matrix", threshold=0.5)))

    lines = ax.get_title(loc="left").split("\n")
    assert any("≥ 0.5" in line for line in lines)
    box = ax.title.get_window_extent() if ax.get_title() else ax._left_title.get_window_extent()
    assert box.x1 <= ax.figure.bbox.x1


@pytest.mark.parametrize("name", ["matrix", "roc", "decision_map", "hull", "risk_coverage"])
def test_captions_fit_into_their_figures(e, name):
    ax = settled(draw_chart(evaluation_chart(e, name)))

    assert ax.figure._supxlabel.get_window_extent().x1 <= ax.figure.bbox.x1


# Styles


def test_a_figure_for_a_paper_is_one_column_wide_and_grey(sah):
    for name in ("roc", "decision_map", "areas", "gains"):
        ax = settled(draw_chart(evaluation_chart(sah, name), style="paper"))
        figure = ax.figure

        assert figure.get_figwidth() == pytest.approx(3.3)
        assert not ax.get_title(loc="left")
        assert not figure.get_supxlabel()
        artists = [*ax.lines, *ax.texts, *ax.collections]
        colours = [
            mpl.colors.to_rgba_array(
                a.get_color() if hasattr(a, "get_color") else a.get_edgecolor()
            )
            for a in artists
        ]
        assert all(len(set(rgb[:3])) == 1 for rgba in colours for rgb in rgba)


def test_models_in_a_paper_differ_without_colour(rows):
    e = to.evaluate(actual=rows[0], score={f"m{i}": rows[1] for i in range(8)})
    ax = draw_chart(evaluation_chart(e, "roc", level=None), axes(), "paper")

    looks = [(line._unscaled_dash_pattern, line.get_color()) for line in models(ax)]
    assert len(looks) == 8
    assert all(a != b for a, b in combinations(looks, 2))


def test_a_paper_has_a_higher_resolution(e, tmp_path):
    from matplotlib.image import imread

    chart = evaluation_chart(e, "gains")
    save_charts(chart, tmp_path / "a.png", style="paper")
    save_charts(chart, tmp_path / "b.png", style="paper", dpi=100)

    assert imread(tmp_path / "a.png").shape[1] == 3.3 * 600
    assert imread(tmp_path / "b.png").shape[1] == 330


def test_every_result_is_plotted_in_the_style_of_a_paper(e):
    for result in (e, e.best("youden"), e.at(0.5), e.curve("roc")):
        assert result.plot(style="paper").figure.get_figwidth() == pytest.approx(3.3)


def test_an_unknown_style_suggests_a_known_one(e):
    with pytest.raises(UnknownName, match=r"called 'papr'\. Did you mean 'paper'\?"):
        e.plot("roc", style="papr")


def test_a_matrix_writes_each_count():
    ax = draw_chart(matrix_chart(to.ConfusionMatrix(7, 2, 4, 1, 1, 0)), axes())

    assert [t.get_text() for t in ax.texts][:3] == ["7\n(70%)", "2\n(20%)", "1\n(10%)"]
    assert ax.get_ylim() == (1.5, -0.5)  # the first class is the topmost


def test_fifty_classes_are_drawn_small():
    matrix = to.ClassMatrix(np.diag(np.arange(1, 51)), tuple(f"class {i}" for i in range(50)))
    ax = settled(draw_chart(matrix_chart(matrix)))

    assert len(ax.texts) == 50
    height = ax.get_window_extent().height / 50
    assert all(text.get_window_extent().height < 1.3 * height for text in ax.texts)


@pytest.mark.parametrize(
    ("actual", "score"),
    [
        ([1], [0.5]),
        ([1, 1, 1], [0.1, 0.2, 0.3]),
        ([0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5]),
        ([0, 1, 0, 1], [-np.inf, np.inf, 0.0, 1.0]),
        ([0, 1, 0, 1], [-1e300, 1e300, 0.0, 1.0]),
        ([0, 1, 0, 1], [5e-324, 1e-300, 0.0, 1.0]),
    ],
)
@pytest.mark.parametrize("name", ["roc", "gains", "lift", "det", "ks", "scores", "areas", "matrix"])
def test_degenerate_rows_are_drawn_without_a_warning(actual, score, name):
    e = to.evaluate(actual=actual, score=score)

    settled(draw_chart(evaluation_chart(e, name), axes()))


def test_a_difference_without_an_interval_is_drawn_as_a_point():
    with_interval = Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18)
    without_interval = Difference("a", "c", "auc", 0.8, 0.7)
    ax = settled(draw_chart(differences_chart([with_interval, without_interval]), axes()))

    (intervals,) = ax.collections
    assert len(intervals.get_segments()) == 1


# Files


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_the_same_chart_gives_the_same_file(e, tmp_path, suffix, start):
    first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
    for path in (first, second):
        save_charts(evaluation_chart(e, "roc", threshold=0.5), path)

    assert first.read_bytes().startswith(start)
    assert first.read_bytes() == second.read_bytes()
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_several_charts_are_one_picture(e, tmp_path):
    save_charts(
        [evaluation_chart(e, name) for name in ("roc", "gains", "scores")], tmp_path / "all.png"
    )

    assert (tmp_path / "all.png").stat().st_size > 10_000


def test_a_tiny_picture_is_still_written(e, tmp_path):
    save_charts(evaluation_chart(e, "roc"), tmp_path / "tiny.png", size=(0.6, 0.6))

    assert (tmp_path / "tiny.png").exists()


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("roc.jpg", InputError, r"ends in \.jpg: save a picture as \.png, \.svg or \.pdf\."),
        ("roc", InputError, "has no suffix"),
        ("", StorageError, "is a directory: name a file"),
        ("missing/roc.png", StorageError, "cannot be written: No such file"),
    ],
)
def test_a_path_that_cannot_be_written_is_an_error_message(e, tmp_path, name, error, message):
    with pytest.raises(error, match=message):
        save_charts(evaluation_chart(e, "roc"), tmp_path / name)


def test_a_folder_without_write_permission_is_an_error_message(e, tmp_path, monkeypatch):
    def refused(*_):  # root may write anywhere, so the refusal is made up
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tradeoff.files.atomic_write._open_unnamed_file", refused)
    with pytest.raises(StorageError, match="Permission denied"):
        save_charts(evaluation_chart(e, "roc"), tmp_path / "roc.png")


@pytest.mark.parametrize("size", [(0, 5), (5, 1e6)])
def test_impossible_sizes_are_refused(e, tmp_path, size):
    with pytest.raises(InputError, match=r"0\.5 to 200 inches"):
        save_charts(evaluation_chart(e, "roc"), tmp_path / "roc.png", size=size)


def test_saving_no_charts_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no chart to save"):
        save_charts([], tmp_path / "roc.png")


def test_a_file_is_written_without_pyplot_or_a_display(tmp_path):
    code = (
        "import sys, tradeoff as to\n"
        "from tradeoff.evaluation.charts import evaluation_chart\n"
        "from tradeoff.render.matplotlib.figures import save_charts\n"
        "assert 'matplotlib' not in sys.modules\n"
        "e = to.evaluate(actual=[0, 1, 0, 1], score=[1, 2, 3, 4])\n"
        f"save_charts(evaluation_chart(e, 'roc'), {str(tmp_path / 'roc.png')!r})\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    hidden = {key: value for key, value in os.environ.items() if key != "DISPLAY"}

    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, env=hidden)

    assert (tmp_path / "roc.png").exists()

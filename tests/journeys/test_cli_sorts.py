"""How often rows are sorted: once for each model, whatever is asked of them."""

import pytest
from click.testing import CliRunner

from tradeoff.cli.program import main
from tradeoff.core.ranking import Ranking

ROWS = "y,a,b\n" + "".join(f"{i % 2},{(i * 7 % 40) / 40},{(i * 11 % 40) / 40}\n" for i in range(40))


@pytest.mark.parametrize(
    "command", [["compare"], ["gate", "--margin", "0.5"], ["evaluate"], ["threshold"]]
)
def test_a_command_sorts_each_model_once(command, tmp_path, monkeypatch):
    (tmp_path / "rows.csv").write_text(ROWS)
    rank, sorted_models = Ranking.of.__func__, []

    def counting(cls, *columns, name="score", **choices):
        sorted_models.append(name)
        return rank(cls, *columns, name=name, **choices)

    monkeypatch.setattr(Ranking, "of", classmethod(counting))
    rows = [str(tmp_path / "rows.csv"), "--actual", "y", "--score", "a", "--score", "b"]
    done = CliRunner().invoke(main, [*command, *rows])

    assert done.exit_code in {0, 1, 3}, done.output
    assert sorted(sorted_models) == ["a", "b"]

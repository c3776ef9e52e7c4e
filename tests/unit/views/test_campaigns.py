"""Profits of campaigns from counts alone."""

import tradeoff as to
from tradeoff.views.campaigns import campaign_section
from tradeoff.wording import Wording


def test_contacted_everybody_and_nobody_are_compared():
    matrix = to.ConfusionMatrix(30, 70, 70, 830, positive="yes", negative="no")

    section = campaign_section(
        matrix, to.Costs(contact=1, value=5, fixed=20), Wording("mails", "$")
    )  # fmt: skip

    # 30 * 5 - 100 - 20 = 30; everybody: 100 * 5 - 1000 - 20.
    (sentence,) = section.lines
    assert sentence.startswith("Contacting the 100 mails predicted yes: this earns $30; contacting")
    assert sentence.endswith("everybody would lose $520; contacting nobody would earn nothing.")
    assert section.table[1:] == (
        ("predicted positive", "100", "30", "$30", "$0.0300"),
        ("everybody", "1,000", "100", "−$520", "−$0.52"),
        ("nobody", "0", "0", "$0", "$0"),
    )

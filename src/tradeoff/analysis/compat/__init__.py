"""Numbers as other tools give them, and why they differ from ours.

A new one is a decorated function in the file of its tool.
"""

from tradeoff.analysis.compat import proc, scikit_learn, scikit_learn_curves, spark, weka
from tradeoff.analysis.compat.likeness import Likeness, likenesses
from tradeoff.analysis.compat.peers import (
    COMPAT,
    TOOLS,
    Peer,
    compat,
    compat_curve,
    find_tool,
    like,
)
from tradeoff.measures import metrics, summaries

__all__ = [
    "COMPAT",
    "TOOLS",
    "Likeness",
    "Peer",
    "compat",
    "compat_curve",
    "find_tool",
    "like",
    "likenesses",
    "metrics",
    "proc",
    "scikit_learn",
    "scikit_learn_curves",
    "spark",
    "summaries",
    "weka",
]

"""Numbers as other tools give them, and why they differ from ours.

A new one is a decorated function in the file of its tool.
"""

from tradeoff.compatibility import proc, scikit_learn, spark, weka
from tradeoff.compatibility.registry import (
    COMPAT,
    TOOLS,
    Likeness,
    Peer,
    ToolComparison,
    compare_tools,
    compat,
    compat_curve,
    find_tool,
    like,
    likenesses,
)
from tradeoff.measures import metrics, summaries

__all__ = [
    "COMPAT",
    "TOOLS",
    "Likeness",
    "Peer",
    "ToolComparison",
    "compare_tools",
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

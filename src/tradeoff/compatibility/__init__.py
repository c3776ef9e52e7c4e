"""Values that other tools (scikit-learn, pROC, Weka, Spark) report, computed by their rules."""

from tradeoff.compatibility import proc, scikit_learn, spark, weka
from tradeoff.compatibility.registry import (
    COMPAT,
    TOOLS,
    ToolComparison,
    ToolMeasure,
    ToolNumber,
    compare_tools,
    compat,
    compat_curve,
    find_tool,
    tool_measure,
    tool_numbers,
)
from tradeoff.measures import metrics, summaries

__all__ = [
    "COMPAT",
    "TOOLS",
    "ToolComparison",
    "ToolMeasure",
    "ToolNumber",
    "compare_tools",
    "compat",
    "compat_curve",
    "find_tool",
    "metrics",
    "proc",
    "scikit_learn",
    "spark",
    "summaries",
    "tool_measure",
    "tool_numbers",
    "weka",
]

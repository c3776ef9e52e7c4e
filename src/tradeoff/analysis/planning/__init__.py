"""Planning a study before its rows are collected: how many, how sure, how small a difference."""

from tradeoff.analysis.planning.areas import Pilot, plan_auc, plan_auc_difference
from tradeoff.analysis.planning.plan import Plan
from tradeoff.analysis.planning.shares import plan_share

__all__ = ["Pilot", "Plan", "plan_auc", "plan_auc_difference", "plan_share"]

"""Sample size and power of a study, planned before its rows are collected."""

from tradeoff.power.auc import Pilot, plan_auc, plan_auc_difference
from tradeoff.power.plan import Plan
from tradeoff.power.shares import plan_share

__all__ = ["Pilot", "Plan", "plan_auc", "plan_auc_difference", "plan_share"]

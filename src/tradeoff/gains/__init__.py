"""Gains of contacting the highest scores: whom to contact, and what does it earn?"""

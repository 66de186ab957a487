"""Measures the engines against hand-written code and peers, as ratios within one run."""

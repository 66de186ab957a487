"""Games in lockstep with OpenSpiel: the same choices on both sides, compared at each step."""

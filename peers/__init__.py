"""Our numbers held against those of other programs, on data made to be awkward."""

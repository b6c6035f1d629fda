# The package has no types of its own; this is the part that our tests use.
AXE_SCRIPT: str

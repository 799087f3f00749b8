"""The cache of compiled programs for tests that are not about it."""
import os


def shared_or(folder):
    """XDG_CACHE_HOME of commands: that which all tests of a build share (tests/meson.build), so that clang compiles each
    program once; `folder`, of the test's own, where the script is run by hand."""
    return os.environ.get("XDG_CACHE_HOME", str(folder))

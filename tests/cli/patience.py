"""How long tests wait on the wall clock for something that should come: for what hangs, and for nothing else.

On a busy machine work may take any time. What loops for ever is ended by its processor time, which
tests/support/bounded.sh limits for every process of a test.
"""
import time

HANGS = 600  # seconds


def processor_seconds(process):
    """Of a process that runs, and of its children that have ended."""
    with open(f"/proc/{process}/stat", encoding="ascii") as stat:
        ticks = stat.read().rsplit(") ", 1)[1].split()[11:15]
    return sum(map(int, ticks)) / 100


def let_work(process, seconds):
    """Waits until the process has used so much processor time from here on."""
    end = time.monotonic() + HANGS
    enough = processor_seconds(process) + seconds
    while processor_seconds(process) < enough:
        if time.monotonic() > end:
            raise AssertionError(f"process {process} does nothing")
        time.sleep(0.01)

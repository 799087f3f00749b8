"""Processor time of grading a class: class_time.py WARPSTEP LABS [LAB...]

200 students hand in a lab: half of them the reference, the others the starter and the mutants in turn, each with a
comment of its own, so that no two programs are the same and none has been compiled before. On two idle cores a
lab takes half of the processor time that is shown. Two processes count beside each other before and after: where
they take longer than on the machine that the limits are for, the limits are wider by as much.
"""
import multiprocessing
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

STUDENTS = 200
MOST = 120  # seconds of processor time
STEPS, STEPS_SECONDS = 12_000_000, 1.0  # what they take where the limit is for


def program_of(lab):
    lines = (lab / "assignment.yaml").read_text().splitlines()
    return next(line.split(":")[1].strip() for line in lines if line.startswith("program:"))


def hand_in(lab, name, folder):
    """Students' folders, as many as there are."""
    variants = [lab / "starter", *sorted((lab / "mutants").iterdir())]
    for number in range(STUDENTS):
        student = folder / f"student_{number:03}"
        shutil.copytree(lab / "reference", student)
        chosen = lab / "reference" if number % 2 == 0 else variants[number // 2 % len(variants)]
        if chosen.is_dir():
            shutil.copytree(chosen, student, dirs_exist_ok=True)
        else:
            shutil.copy(chosen, student / (name if chosen.suffix != ".yaml" else "answers.yaml"))
        comment = "#" if name.endswith((".wsasm", ".yaml")) else "//"
        with open(student / name, "a") as file:
            file.write(f"\n{comment} {number}\n")


def seconds_of(program, lab):
    """Processor time of grading the class from nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        hand_in(lab, program_of(lab), scratch / "in")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([program, "grade", lab, "--all", scratch / "in", "--out", scratch / "out", "--jobs", "2"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=dict(os.environ, XDG_CACHE_HOME=str(scratch / "cache")))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0 or f"{STUDENTS} graded" not in done.stdout:
            sys.exit(f"{lab.name}: {done.stdout[-2000:]}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def count(_):
    before, number = time.process_time(), 1
    for _ in range(STEPS):
        number = (number * 1103515245 + 12345) & 0xffffffff
    return time.process_time() - before


def slowness():
    """How much longer this machine takes now."""
    with multiprocessing.Pool(2) as pool:
        return max(1, sum(pool.map(count, range(2))) / 2 / STEPS_SECONDS)


def main():
    program, labs = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or sorted(path.parent.name for path in labs.glob("*/assignment.yaml"))
    slow = 0
    for name in names:
        before, seconds, after = slowness(), seconds_of(program, labs / name), slowness()
        most = MOST * (before + after) / 2
        slow += seconds > most
        print(f"{'slow' if seconds > most else 'good'}  {name}: {STUDENTS} submissions in {seconds:.0f} s of processor "
              f"time, of {most:.0f}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())

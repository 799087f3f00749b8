"""Processor time of grading a class: class_time.py WARPSTEP LABS [LAB...]

200 students hand in a lab: half of them the reference, the others the starter and the mutants in turn, each with a
comment of its own, so that no two programs are the same and none has been compiled before. On two idle cores a
lab takes half of the processor time that is shown.
"""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

STUDENTS = 200
MOST = {"occupancy": 180}  # seconds of processor time; of all others:
MOST_OF_A_LAB = 120


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


def main():
    program, labs = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    names = sys.argv[3:] or sorted(path.parent.name for path in labs.glob("*/assignment.yaml"))
    slow = 0
    for name in names:
        seconds, most = seconds_of(program, labs / name), MOST.get(name, MOST_OF_A_LAB)
        slow += seconds > most
        print(f"{'slow' if seconds > most else 'good'}  {name}: {STUDENTS} submissions in {seconds:.0f} s of processor "
              f"time, of {most}", flush=True)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())

"""How `check` grows with the size of a program: bench_compile.py WARPSTEP [COUNT [SHAPE...]]

For each shape of big_programs.py, processor seconds and megabytes for a quarter of COUNT (100,000)
instructions and for all. Near-linear growth is a factor of about 4.
"""
import os
import subprocess
import sys
import tempfile

import big_programs

LIMIT = "20"


def measure(program, path):
    process = subprocess.Popen([program, "check", path, f"--max-compile-seconds={LIMIT}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used.ru_utime, used.ru_maxrss / 1024


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    print(f"{'shape':24} {count // 4:>9} {count:>9}  megabytes")
    with tempfile.TemporaryDirectory() as folder:
        for shape in sys.argv[3:] or big_programs.SHAPES:
            row = []
            for size in (count // 4, count):
                path = os.path.join(folder, shape + big_programs.ending(shape))
                with open(path, "w", encoding="ascii") as file:
                    file.write(big_programs.SHAPES[shape](size))
                code, seconds, memory = measure(program, path)
                row.append(f"{seconds:8.2f}s" if code == 0 else f"  over {LIMIT}" if seconds > 19 else
                           f"exit {code:>4}")
            print(f"{shape:24} {' '.join(row)}  {memory:.0f}", flush=True)


if __name__ == "__main__":
    main()

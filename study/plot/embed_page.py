"""Compiles texts into C: embed_page.py OUTPUT.c NAME=FILE..., each as `const char NAME[]`."""
import sys

output, *pairs = sys.argv[1:]
with open(output, "w") as out:
    out.write('#include "study/plot/page.h"\n')
    for pair in pairs:
        name, path = pair.split("=", 1)
        with open(path, "rb") as source:
            data = source.read() + b"\0"
        out.write(f"\nconst char {name}[] = {{\n")
        for at in range(0, len(data), 20):
            out.write(",".join(str(b if b < 128 else b - 256) for b in data[at : at + 20]) + ",\n")
        out.write("};\n")

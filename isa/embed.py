"""Compiles a folder into a C array that holds a GResource bundle.

embed.py configs|workloads|isa FOLDER OUTPUT.c DEPFILE

configs: the files *.yaml. workloads: the sub-folders with launch files, all their files and those of their
folder studies but *.figures, which are for the tests of the texts; of labs/ the sub-folders that have an
assignment.yaml, with what lies below them.
isa: ptx/library.ptx, which ptx/make_library.py writes, and all files under cuda/include/; with a digest of these and of
cuda/*.[ch], which is another one whenever the PTX that comes out of a CUDA source may be.

GLib's own generated C registers its bundle in writable globals, which the library does without.
"""
import hashlib
import os
import subprocess
import sys
import tempfile

kind, folder, output, depfile = sys.argv[1:]
PTX_LIBRARY = os.path.join(folder, "ptx", "make_library.py")
# What stands for a byte in a literal: three octal digits never run into the next one.
LITERAL = [chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in range(256)]


def find_files():
    """Returns (names, relative paths of files, folders looked at)."""
    if kind == "configs":
        names = sorted(f[: -len(".yaml")] for f in os.listdir(folder) if f.endswith(".yaml"))
        return names, [name + ".yaml" for name in names], [folder]
    names, files, folders = [], [], [folder]
    if kind == "isa":
        folders = []
        for path, below, found in os.walk(os.path.join(folder, "cuda", "include")):
            below.sort()
            folders.append(path)
            files += [os.path.join(os.path.relpath(path, folder), f) for f in sorted(found)
                      if not f.endswith((".py", ".pyc"))]
        return names, files, folders
    labs = os.path.join(folder, "labs")
    for path, below, found in os.walk(labs):
        below.sort()
        folders.append(path)
        lab = os.path.relpath(path, labs).split(os.sep)[0]
        if os.path.isfile(os.path.join(labs, lab, "assignment.yaml")):
            files += [os.path.join(os.path.relpath(path, folder), f) for f in sorted(found)
                      if not f.startswith(".")]
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not os.path.isdir(path):
            continue
        if not any(f.endswith(".yaml") for f in os.listdir(path)):
            folders.append(path)
            continue
        names.append(name)
        for below in (name, os.path.join(name, "studies")):
            path = os.path.join(folder, below)
            if not os.path.isdir(path):
                continue
            folders.append(path)
            files += [
                os.path.join(below, f)
                for f in sorted(os.listdir(path))
                if not f.startswith(".") and not f.endswith(".figures") and os.path.isfile(os.path.join(path, f))
            ]
    return names, files, folders


def front_end():
    """Sources of the CUDA front end."""
    cuda = os.path.join(folder, "cuda")
    return sorted(os.path.join(cuda, f) for f in os.listdir(cuda) if f.endswith((".c", ".h")))


names, files, folders = find_files()
with tempfile.TemporaryDirectory() as scratch:
    made = []
    if kind == "isa":
        made = ["ptx/library.ptx"]
        os.mkdir(os.path.join(scratch, "ptx"))
        with open(os.path.join(scratch, made[0]), "w") as library:
            subprocess.run([sys.executable, PTX_LIBRARY], stdout=library, check=True)
    listing = os.path.join(scratch, "bundle.xml")
    prefix = "/warpstep" if kind == "isa" else f"/warpstep/{kind}"
    with open(listing, "w") as out:
        out.write(f'<gresources><gresource prefix="{prefix}">\n')
        for name in made + files:
            out.write(f"<file>{name}</file>\n")
        out.write("</gresource></gresources>\n")
    bundle = os.path.join(scratch, "bundle")
    subprocess.run(
        ["glib-compile-resources", f"--sourcedir={scratch}", f"--sourcedir={folder}", f"--target={bundle}", listing],
        check=True
    )
    with open(bundle, "rb") as source:
        data = source.read()

with open(output, "w") as out:
    layer = "isa" if kind == "isa" else "sim"
    out.write(f'#include "{layer}/base/resources.h"\n\n')
    # As text, which compilers read ten times faster than numbers; the zero that C appends is not counted.
    out.write(f"const _Alignas(16) unsigned char ws_{kind}_bundle[] =\n")
    for at in range(0, len(data), 64):
        out.write('"' + "".join(LITERAL[b] for b in data[at : at + 64]) + '"\n')
    out.write(f";\nconst unsigned ws_{kind}_bundle_size = {len(data)};\n")
    if kind == "isa":
        digest = hashlib.sha256(data)
        for path in front_end():
            with open(path, "rb") as source:
                digest.update(source.read())
        out.write(f'const char ws_isa_bundle_digest[] = "{digest.hexdigest()}";\n')
    else:
        out.write(f"const char *const ws_{kind}_names[] = {{\n")
        for name in names:
            out.write(f'    "{name}",\n')
        out.write("    NULL};\n")

with open(depfile, "w") as out:
    paths = folders + [os.path.join(folder, f) for f in files]
    paths += [PTX_LIBRARY, *front_end()] if kind == "isa" else []
    out.write(output + ": " + " ".join(p.replace(" ", "\\ ") for p in paths) + "\n")

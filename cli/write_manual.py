"""Manual pages from the tables of the commands: write_manual.py COMMANDS.json DOC_FOLDER PAGE...

Each PAGE is a file to write, warpstep.1 or warpstep-COMMAND.1.
"""
import json
import os
import re
import sys

SUFFIXES = {".cu": "a kernel in CUDA C", ".ptx": "PTX", ".wsasm": "bytecode as text", ".wsbin": "bytecode as a file of asm", ".sass": "machine code as cuobjdump writes it"}
ENVIRONMENT = [
    ("NO_COLOR", "If it is set and not empty, nothing is coloured."),
    ("TERM", "Nothing is coloured if it is unset or \"dumb\"."),
    ("COLUMNS", "The width of the terminal, where it is set."),
    ("WARPSTEP_CLANG", "The clang that compiles CUDA C, with its folder."),
]


def escaped(text):
    """Text as roff takes it: what would be an escape or a request is itself."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = text.replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^\.", r"\\&.", text, flags=re.M)


def header(title, version):
    # No date: the pages are the same whenever they are made.
    return [f'.TH {title.upper()} 1 "" "warpstep {version}" "Warpstep"']


def section(name):
    return [f".SH {name}"]


def tagged(tag, text):
    return [".TP", tag, escaped(text)]


def option_tag(option):
    value = ""
    if option["value"]:
        value = f"=\\fI{escaped(option['value'])}\\fR"
    long = f"\\fB\\-\\-{escaped(option['long'])}\\fR{value}"
    return f"\\fB\\-{option['short']}\\fR, {long}" if option["short"] else long


def split_details(details):
    """(paragraphs, examples)"""
    paragraphs, examples = [], []
    for paragraph in details.strip("\n").split("\n\n"):
        if paragraph.startswith("Examples:\n"):
            examples = [line.strip() for line in paragraph.split("\n")[1:]]
        elif paragraph:
            paragraphs.append(paragraph)
    return paragraphs, examples


def exit_status(tables):
    lines = section("EXIT STATUS")
    for row in tables["exit_codes"]:
        lines += tagged(f"\\fB{row['code']}\\fR", row["meaning"])
    return lines


def environment():
    lines = section("ENVIRONMENT")
    for name, text in ENVIRONMENT:
        lines += tagged(f"\\fB{name}\\fR", text)
    return lines


def files(command, documents):
    text = command["usage"] + command["details"]
    lines = section("FILES")
    if "TARGET" in text:
        lines += tagged("\\fIlaunch.yaml\\fR", "a launch file: a program, its buffers, the size of the grid")
        for suffix, what in SUFFIXES.items():
            if suffix in text:
                lines += tagged(f"\\fI*{escaped(suffix)}\\fR", f"a program: {what}")
    if "DEVICE" in command["usage"] or any(o["value"] == "DEVICE" for o in command["options"]):
        lines += tagged("\\fI*.yaml\\fR", "a device, where one is named (warpstep help formats)")
    return lines + tagged(f"\\fI{escaped(documents)}\\fR", "the documentation")


def example_lines(examples):
    return [".EX", *(escaped(line) for line in examples), ".EE"]


def see_also(names):
    lines = section("SEE ALSO")
    for number, name in enumerate(names):
        lines.append(f".BR {escaped(name)} (1){',' if number + 1 < len(names) else ''}")
    return lines


def command_page(tables, command, documents):
    name = f"warpstep-{command['name']}"
    paragraphs, examples = split_details(command["details"])
    lines = header(name, tables["version"])
    lines += section("NAME") + [f"{escaped(name)} \\- {escaped(command['summary'])}"]
    lines += section("SYNOPSIS")
    lines += [f"\\fBwarpstep {escaped(command['name'])}\\fR [\\fIoption\\fR ...] {escaped(command['usage'])}"]
    lines += section("DESCRIPTION")
    lines += [escaped(command["summary"][0].upper() + command["summary"][1:] + ".")]
    for paragraph in paragraphs:
        lines += [".PP", escaped(paragraph)]
    lines += section("OPTIONS")
    for option in command["options"]:
        more = " May be repeated." if option["repeated"] and "repeated" not in option["help"] else ""
        lines += tagged(option_tag(option), option["help"] + ("." + more if more else ""))
    lines += tagged("\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "print what is said here in short")
    lines += exit_status(tables) + environment() + files(command, documents)
    lines += section("EXAMPLES") + example_lines(examples)
    others = [f"warpstep-{other['name']}" for other in tables["commands"] if other is not command]
    return lines + see_also(["warpstep", *others])


def main_page(tables, documents):
    lines = header("warpstep", tables["version"])
    lines += section("NAME") + ["warpstep \\- runs GPU kernels cycle by cycle on a simulated device"]
    lines += section("SYNOPSIS") + ["\\fBwarpstep\\fR \\fICOMMAND\\fR [\\fIarguments\\fR]"]
    lines += section("DESCRIPTION")
    lines += [
        "Takes a CUDA kernel, PTX or bytecode, runs it on a simulated streaming multiprocessor or a grid",
        "of them, and says where the cycles go: which warp issued when, what the others waited for,",
        "where paths split, and what limited occupancy.",
        "No GPU is needed.",
    ]
    lines += section("COMMANDS")
    group = None
    for command in tables["commands"]:
        if command["group"] != group:
            group = command["group"]
            lines.append(f".SS {escaped(group)}")
        lines += tagged(f"\\fB{escaped(command['name'])}\\fR {escaped(command['usage'])}", command["summary"])
    lines += section("OPTIONS")
    lines += tagged("\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "list the commands; behind a command, its options")
    lines += tagged("\\fB\\-\\-version\\fR", "print the version")
    lines += exit_status(tables) + environment()
    lines += section("FILES") + tagged(f"\\fI{escaped(documents)}\\fR", "the documentation")
    lines += section("EXAMPLES")
    lines += example_lines(split_details(command["details"])[1][0] for command in tables["commands"])
    return lines + see_also([f"warpstep-{command['name']}" for command in tables["commands"]])


def main():
    with open(sys.argv[1]) as file:
        tables = json.load(file)
    documents, outputs = sys.argv[2], sys.argv[3:]
    pages = {"warpstep.1": main_page(tables, documents)}
    for command in tables["commands"]:
        if not split_details(command["details"])[1]:
            sys.exit(f"cli/command_{command['name']}.c: its help has no 'Examples:'")
        pages[f"warpstep-{command['name']}.1"] = command_page(tables, command, documents)
    for output in outputs:
        with open(output, "w") as file:
            file.write("\n".join(pages[os.path.basename(output)]) + "\n")


if __name__ == "__main__":
    main()

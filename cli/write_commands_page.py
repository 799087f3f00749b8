"""docs/reference/commands.md from the tables of the commands: write_commands_page.py COMMANDS.json, on standard output."""
import json
import pathlib
import re
import sys

from write_manual import split_details


DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
# Topics that the help names: here each is a link.
TOPIC = re.compile(r"'?warpstep help (\w+)'?")


def link(match):
    [page] = DOCS.glob(f"[lru]*/{match[1]}.md")
    part = "" if page.parent.name == "reference" else f"../{page.parent.name}/"
    return f"[{match[1]}]({part}{match[1]}.md)"


def prose(text):
    return TOPIC.sub(link, text.replace("<", "\\<"))


def cell(text):
    return prose(text.replace("|", "\\|"))


def option(row):
    short = f"`-{row['short']}`, " if row["short"] else ""
    value = "=" + row["value"].replace("|", "\\|") if row["value"] else ""
    return f"| {short}`--{row['long']}{value}` | {cell(row['help'])} |"


def shared_options(commands):
    """Options that every command has, as strings."""
    rows = [{option(row) for row in command["options"]} for command in commands]
    return set.intersection(*rows)


def command_lines(command, shared):
    paragraphs, examples = split_details(command["details"])
    lines = [f"### {command['name']}", "", f"`warpstep {command['name']} [options] {command['usage']}`".replace(" `", "`"), ""]
    lines += [f"{command['summary'][0].upper()}{command['summary'][1:]}.", ""]
    for paragraph in paragraphs:
        lines += [prose(paragraph), ""]
    rows = [option(row) for row in command["options"] if option(row) not in shared]
    if rows:
        lines += ["| option | meaning |", "| --- | --- |", *rows, ""]
    if examples:
        lines += ["```sh", *examples, "```", ""]
    return lines


def main():
    with open(sys.argv[1]) as source:
        tables = json.load(source)
    commands = tables["commands"]
    shared = shared_options(commands)
    lines = ["# Commands", "", "This page is generated from the program's own tables by `cli/write_commands_page.py`; do not edit it. "
             "`warpstep", "COMMAND --help` prints the same.", ""]
    group = None
    for command in commands:
        if command["group"] != group:
            group = command["group"]
            lines += [f"## {group}", ""]
        lines += command_lines(command, shared)
    lines += ["## Options of every command", "", "| option | meaning |", "| --- | --- |", *sorted(shared), ""]
    lines += ["## Exit codes", "", "| code | meaning |", "| --- | --- |"]
    lines += [f"| {row['code']} | {cell(row['meaning'])} |" for row in tables["exit_codes"]]
    print("\n".join(lines))


if __name__ == "__main__":
    main()

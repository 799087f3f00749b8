"""Tables as data: what `calibrate` prints as Markdown, as a list of headings, texts and tables, and back."""
import json
import re

CELL = re.compile(r"(?<!\\)\|")
ONE = re.compile(r"(?<![\w.,])1 (FFMA|SM|block|lane|level|load|named barrier|sub-core|trip|warp|word)s\b")


def cells(line):
    return [cell.strip() for cell in CELL.split(line.strip()[1:-1])]


def singular(line):
    """The macros that name the rows write "1 warps"."""
    return ONE.sub(r"1 \1", line)


def from_markdown(text):
    parts = []
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        if block.startswith("## "):
            parts.append({"heading": block.removeprefix("## ")})
        elif block.startswith("|"):
            parts.append({"columns": cells(lines[0]), "rule": cells(lines[1]), "rows": [cells(singular(line)) for line in lines[2:]]})
        else:
            parts.append({"text": block})
    return parts


def row(entries):
    return "| " + " | ".join(entries) + " |"


def to_markdown(parts):
    blocks = []
    for part in parts:
        if "heading" in part:
            blocks.append("## " + part["heading"])
        elif "text" in part:
            blocks.append(part["text"])
        else:
            blocks.append("\n".join([row(part["columns"]), row(part["rule"]), *map(row, part["rows"])]))
    return "\n\n".join(blocks) + "\n"


def dumped(parts):
    """JSON with a row of a table on a line."""
    lines = []
    for part in parts:
        rows = part.get("rows")
        head = json.dumps({name: value for name, value in part.items() if name != "rows"}, ensure_ascii=False)
        if rows:
            head = head[:-1] + ', "rows": [\n' + ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows) + "\n]}"
        lines.append(head)
    return "[\n" + ",\n".join(lines) + "\n]\n"

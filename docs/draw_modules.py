"""The modules of the source and what each uses, as a picture: draw_modules.py ROOMS.txt PICTURE.svg [--check]

.ci/rooms.txt is the only source. A band is a folder, from the one that uses all others to the one that all
use; a row of a band uses the rows below it. Lines that others imply are left out: a line from a to c where
a uses b and b uses c. --check fails where the picture is another than what would be drawn.
"""
import importlib
import pathlib
import sys
from xml.sax.saxutils import escape

# From top to bottom: folders side by side, with what each does. Those with None have no modules of their own.
BANDS = [
    [("cli", "the command warpstep: options, reports as text")],
    [("grade", "coursework"), ("study", "many runs")],
    [("inspect", "views of a run")],
    [("sim", "the GPU model")],
    [("isa", "programs and how they are compiled")],
]
WIDTH, MARGIN, LABEL = 960, 16, 30
BOX_HEIGHT, ROW, GAP, PAD = 24, 50, 18, 14
CHARACTER = 7.3

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .folder { font: bold 15px ui-monospace, monospace; }
  .name { font: 12px ui-monospace, monospace; text-anchor: middle; }
  .note { fill: #59636e; }
  .band { fill: #f6f8fa; stroke: #d1d9e0; }
  .module { fill: #ffffff; stroke: #59636e; }
  .use { fill: none; stroke: #0969da; stroke-opacity: 0.55; }
  .below { stroke: #59636e; stroke-width: 1.5; marker-end: url(#tip); }
  .tip { fill: #59636e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .note { fill: #9198a1; }
    .band { fill: #151b23; stroke: #3d444d; }
    .module { fill: #0d1117; stroke: #9198a1; }
    .use { stroke: #4493f8; stroke-opacity: 0.7; }
    .below { stroke: #9198a1; }
    .tip { fill: #9198a1; }
  }
"""


def reduced(table):
    """Without what other lines imply."""
    everything = {}

    def below(module):
        if module not in everything:
            everything[module] = set().union(*({use} | below(use) for use in table[module]))
        return everything[module]

    return {module: {use for use in uses if not any(use in below(other) for other in uses)}
            for module, uses in table.items()}


def rows_of(modules, table):
    """Modules by their longest way down, the lowest row last."""
    depth = {}

    def deep(module):
        if module not in depth:
            depth[module] = max((deep(use) + 1 for use in table[module]), default=0)
        return depth[module]

    rows = [[] for _ in range(1 + max(map(deep, modules)))]
    for module in modules:
        rows[-1 - deep(module)].append(module)
    return rows


def with_bends(rows, uses):
    """A line past a row has a place in it, with the name USER>USED:ROW. (rows, lines from row to row)"""
    rows = [list(row) for row in rows]
    at = {module: number for number, row in enumerate(rows) for module in row}
    steps = {module: set() for module in at}
    for user in sorted(uses):
        for used in sorted(uses[user]):
            above = user
            for number in range(at[user] + 1, at[used]):
                bend = f"{user}>{used}:{number}"
                rows[number].append(bend)
                steps[above].add(bend)
                steps[bend] = set()
                above = bend
            steps[above].add(used)
    return rows, steps


def box_width(module):
    if ">" in module:
        return 8
    return round(len(module.split("/")[1]) * CHARACTER) + 18


def place(rows, left, width):
    """The middle of each module: a row is spread over the band."""
    middle = {}
    for row in rows:
        space = (width - sum(map(box_width, row))) / (len(row) + 1)
        x = left
        for module in row:
            x += space
            middle[module] = x + box_width(module) / 2
            x += box_width(module)
    return middle


def arranged(rows, uses, left, width):
    """Orders rows so that lines are short: each module goes to where its neighbours are, a few times."""
    near = {module: set(below) for module, below in uses.items()}
    for module, below in uses.items():
        for other in below:
            near[other].add(module)
    rows = [sorted(row) for row in rows]
    best, length = rows, None
    for sweep in range(24):
        middle = place(rows, left, width)
        now = sum(abs(middle[a] - middle[b]) for a in middle for b in uses[a])
        if length is None or now < length:
            best, length = [list(row) for row in rows], now
        for row in rows if sweep % 2 else reversed(rows):
            wanted = {module: sum(middle[other] for other in near[module]) / len(near[module]) if near[module]
                      else middle[module] for module in row}
            row.sort(key=lambda module: (wanted[module], module))
            middle.update(place([row], left, width))
    return best


def rows_that_fit(rows, width):
    """Rows too long for the band are cut in two."""
    fitting = []
    for row in rows:
        while sum(map(box_width, row)) + GAP * (len(row) + 1) > width:
            count = len(row) // 2
            fitting.append(row[:count])
            row = row[count:]
        fitting.append(row)
    return fitting


def draw_uses(middle, top, steps):
    for user in sorted(middle):
        for used in sorted(steps[user]):
            x, y, to_x, to_y = middle[user], top[user] + BOX_HEIGHT, middle[used], top[used]
            bend = (to_y - y) * 0.5
            straight = f"V{to_y + BOX_HEIGHT:.0f}" if ">" in used else ""
            yield (f'<path class="use" d="M{x:.0f},{y:.0f} C{x:.0f},{y + bend:.0f} {to_x:.0f},{to_y - bend:.0f} '
                   f'{to_x:.0f},{to_y:.0f}{straight}"/>')


def draw_modules(middle, top):
    for module in sorted(module for module in middle if ">" not in module):
        width = box_width(module)
        yield (f'<rect class="module" x="{middle[module] - width / 2:.0f}" y="{top[module]:.0f}" width="{width}" '
               f'height="{BOX_HEIGHT}" rx="4"/>')
        yield f'<text class="name" x="{middle[module]:.0f}" y="{top[module] + 16:.0f}">{module.split("/")[1]}</text>'


def draw_folder(folder, note, table, left, y, width):
    """(lines of SVG, height)"""
    modules = [module for module in table if module.startswith(folder + "/")]
    lines = [f'<text class="folder" x="{left + PAD}" y="{y + 20}">{folder}/</text>',
             f'<text class="note" x="{left + PAD + 10 * (len(folder) + 1) + 4}" y="{y + 20}">{escape(note)}</text>']
    if not modules:
        return lines, LABEL + 4
    own = {module: table[module] & set(modules) for module in modules}
    uses = reduced(own)
    rows, steps = with_bends(rows_that_fit(rows_of(modules, own), width), uses)
    rows = arranged(rows, steps, left, width)
    middle = place(rows, left, width)
    top = {module: y + LABEL + 4 + number * ROW for number, row in enumerate(rows) for module in row}
    lines += [*draw_uses(middle, top, steps), *draw_modules(middle, top)]
    return lines, LABEL + 4 + (len(rows) - 1) * ROW + BOX_HEIGHT + PAD


def draw(table):
    lines, y = [], MARGIN
    for number, band in enumerate(BANDS):
        counts = [max(1, sum(module.startswith(folder + "/") for module in table)) for folder, _ in band]
        room = WIDTH - 2 * MARGIN - GAP * (len(band) - 1)
        left, drawn = MARGIN, []
        for (folder, note), count in zip(band, counts):
            width = round(room * count / sum(counts))
            drawn.append((left, width, *draw_folder(folder, note, table, left, y, width)))
            left += width + GAP
        height = max(part[3] for part in drawn)
        for left, width, inside, _ in drawn:
            lines.append(f'<rect class="band" x="{left}" y="{y}" width="{width}" height="{height}" rx="6"/>')
            lines += inside
        y += height
        if number + 1 < len(BANDS):
            lines.append(f'<path class="below" d="M{WIDTH // 2},{y} v{GAP - 6}"/>')
            y += GAP
    modules = len(table)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + MARGIN}" width="{WIDTH}" '
        f'height="{y + MARGIN}" role="img" aria-labelledby="title text">',
        "<!-- Drawn by docs/draw_modules.py from .ci/rooms.txt: ninja -C build update-modules-picture -->",
        '<title id="title">The modules of the source and what each uses</title>',
        f'<desc id="text">{modules} modules. A folder uses those below it, a module those to which its lines go '
        "down.</desc>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="tip" d="M0,0 L8,4 L0,8 z"/></marker></defs>',
        *lines, "</svg>", ""])


def main():
    rooms, picture = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    sys.path.insert(0, str(rooms.parent))  # whose rooms.py reads the table
    sys.dont_write_bytecode = True
    table = importlib.import_module("rooms").read_table(rooms)
    drawn = draw(table)
    if "--check" not in sys.argv[3:]:
        picture.write_text(drawn)
    elif not picture.exists() or picture.read_text() != drawn:
        sys.exit(f"{picture} is out of date; run: ninja -C build update-modules-picture")


if __name__ == "__main__":
    main()

"""The pictures of README: take_pictures.py WARPSTEP SOURCES, for `ninja -C build update-pictures`

report.webp is the timeline of `warpstep report` in Chromium, step.svg the full screen of `warpstep step` in tmux,
drawn from its characters and colours. Both show the kernel that quickstart runs.
"""
import base64
import html
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

PROGRAM, SOURCES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(SOURCES / "tests/cli"))
# pylint: disable=wrong-import-position
import browser  # noqa: E402
import terminal_session  # noqa: E402

KERNEL = "with_without_divergence"
COLUMNS, ROWS = 116, 34
CELL, LINE = 8.4, 18
# The terminal's own colours, and the sixteen of SGR 30-37 and 90-97.
GROUND, TEXT = "#0d1117", "#e6edf3"
PALETTE = ["#30363d", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
           "#6e7681", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#f0f6fc"]


def take_report(path):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        command = [str(PROGRAM), "report", KERNEL, "--sms", "1", "--from", "900", "--to", "1500", "-o", str(page)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with browser.Browser(1180, 700) as view:
            view.open(page)
            view.wait("return document.querySelector('#main').getAttribute('aria-busy') != 'true'", "the page")
            view.click("#next-split")
            view.run("window.scrollTo(0, 0); document.querySelector('#timeline-part').scrollIntoView()")
            taken = view.devtools("Page.captureScreenshot", format="webp", quality=85)
            path.write_bytes(base64.b64decode(taken["data"]))


def colour_of(numbers, at):
    """(colour, place behind it) of 38;5;N, 38;2;R;G;B and the same for the ground."""
    if numbers[at + 1] == 2:
        return "#%02x%02x%02x" % tuple(numbers[at + 2:at + 5]), at + 5
    n = numbers[at + 2]
    if n < 16:
        return PALETTE[n], at + 3
    if n >= 232:
        return "#%02x%02x%02x" % ((8 + 10 * (n - 232),) * 3), at + 3
    levels = [0, 95, 135, 175, 215, 255]
    return "#%02x%02x%02x" % (levels[(n - 16) // 36], levels[(n - 16) // 6 % 6], levels[(n - 16) % 6]), at + 3


class Look:
    def __init__(self):
        self.set([0])

    def set(self, numbers):
        at = 0
        while at < len(numbers):
            n = numbers[at]
            at += 1
            if n == 0:
                self.fore = self.back = None
                self.bold = self.dim = self.reverse = self.underline = False
            elif n == 1:
                self.bold = True
            elif n == 2:
                self.dim = True
            elif n == 4:
                self.underline = True
            elif n == 7:
                self.reverse = True
            elif n == 22:
                self.bold = self.dim = False
            elif n == 27:
                self.reverse = False
            elif 30 <= n <= 37 or 90 <= n <= 97:
                self.fore = PALETTE[n - 30 if n < 90 else n - 82]
            elif 40 <= n <= 47 or 100 <= n <= 107:
                self.back = PALETTE[n - 40 if n < 100 else n - 92]
            elif n == 39:
                self.fore = None
            elif n == 49:
                self.back = None
            elif n in (38, 48):
                colour, at = colour_of(numbers, at - 1)
                if n == 38:
                    self.fore = colour
                else:
                    self.back = colour

    def colours(self):
        """(text, ground); None is the terminal's."""
        return (self.back or GROUND, self.fore or TEXT) if self.reverse else (self.fore, self.back)

    def key(self):
        return (*self.colours(), self.bold, self.dim, self.underline)


def spans_of(line, look):
    """(column, text, look) of a line of `capture-pane -e`; a span has one look."""
    spans, column = [], 0
    for part in re.split(r"(\033\[[\d;]*m|\016|\017)", line):
        if part.startswith("\033["):
            look.set([int(number or 0) for number in part[2:-1].split(";")])
        elif part and part not in "\016\017":
            spans.append((column, part, look.key()))
            column += sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in part)
    return spans


def draw_span(row, column, text, key):
    fore, back, bold, dim, underline = key
    x, y, width = column * CELL + 10, row * LINE + 10, len(text) * CELL
    if back:
        yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{LINE}" fill="{back}"/>'
    if text.strip():
        look = (f' fill="{fore}"' if fore else "") + (' font-weight="bold"' if bold else "") + \
            (' opacity="0.6"' if dim else "") + (' text-decoration="underline"' if underline else "")
        yield (f'<text x="{x:.1f}" y="{y + 13}"{look} textLength="{width:.1f}" xml:space="preserve">'
               f"{html.escape(text)}</text>")


def draw_screen(shown):
    look, drawn = Look(), []
    for row, line in enumerate(shown.split("\n")):
        for span in spans_of(line, look):
            drawn += draw_span(row, *span)
    width, height = round(COLUMNS * CELL) + 20, ROWS * LINE + 20
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title">',
        "<!-- Drawn by docs/take_pictures.py: ninja -C build update-pictures -->",
        f'<title id="title">warpstep step {KERNEL} where a warp diverges: source, bytecode, warps with their stall '
        "reasons, the last cycles, and the lanes</title>",
        f'<rect width="{width}" height="{height}" rx="6" fill="{GROUND}"/>',
        f'<g font-family="ui-monospace, DejaVu Sans Mono, monospace" font-size="14" fill="{TEXT}">', *drawn, "</g>",
        "</svg>", ""])


def take_step(path):
    command = [str(PROGRAM), "step", KERNEL, "--sms", "1"]
    with terminal_session.Terminal(command, COLUMNS, ROWS, term="screen-256color", cwd=str(SOURCES)) as terminal:
        terminal.still("Source")
        terminal.press("d")
        terminal.still("diverge")
        path.write_text(draw_screen(terminal.shown(attributes=True)))


def main():
    for module in (browser, terminal_session):
        if module.missing():
            sys.exit(module.missing())
    images = SOURCES / "docs/images"
    take_report(images / "report.webp")
    take_step(images / "step.svg")


if __name__ == "__main__":
    main()

"""The page as C: make_template.py OUTPUT.c [page.html page.css page.js embed.js]

Puts the style and the script into the page, cuts it at the marks <!--{TITLE}--> and so on where a
run's data go, and lets the browser run this script alone: its hash goes into the page's policy, and
with that of embed.js into the policy of pages around it. Without a page, all is NULL.
"""
import base64
import hashlib
import pathlib
import sys

MARKS = ["<!--{TITLE}-->", "<!--{RUN}-->", "<!--{DATA}-->", "<!--{TIMELINE}-->"]


def hash_of(script):
    if "</script" in script.lower():
        sys.exit("a script would end its element")
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def page_of(html, css, script):
    if "</style" in css.lower():
        sys.exit("the style would end its element")
    for mark, text in [("{HASH}", hash_of(script)), ("/*{STYLE}*/", css), ("/*{SCRIPT}*/", script)]:
        if html.count(mark) != 1:
            sys.exit(f"the page has not one mark {mark}")
        html = html.replace(mark, text)
    return html


def cut(html):
    parts = []
    for mark in MARKS:
        before, found, html = html.partition(mark)
        if not found:
            sys.exit(f"the page has no mark {mark}")
        parts.append(before)
    return parts + [html]


def array_of(number, text):
    data = text.encode() + b"\0"
    rows = [",".join(map(str, data[at : at + 24])) for at in range(0, len(data), 24)]
    return f"static const char part_{number}[] = {{\n" + ",\n".join(rows) + "};\n"


def main():
    output, *sources = sys.argv[1:]
    texts = [pathlib.Path(source).read_text(encoding="utf-8").strip("\n") for source in sources]
    parts = []
    if texts:
        html, css, script, embed = texts
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src '{hash_of(script)}' '{hash_of(embed)}'"
        parts = [*cut(page_of(html, css, script)), embed, policy]
    names = [f"part_{i}" for i in range(len(parts))] or ["NULL"] * (len(MARKS) + 3)
    code = '#include "inspect/page/page_template.h"\n\n#include <stddef.h>\n\n'
    code += "".join(array_of(i, part) for i, part in enumerate(parts))
    code += f"const char *const ws_run_page_template[WS_PAGE_PARTS] = {{{', '.join(names[:-2])}}};\n"
    code += f"const char *const ws_embedded_pages_script = {names[-2]};\n"
    code += f"const char *const ws_embedded_pages_csp = {names[-1]};\n"
    pathlib.Path(output).write_text(code)


main()

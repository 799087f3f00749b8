"""The page as C: embed_page.py OUTPUT.c [page.html plot.js plot.css]. Without a page, the texts are empty."""
import sys

NAMES = ["ws_page_html", "ws_page_script", "ws_page_style"]

output, *paths = sys.argv[1:]
with open(output, "w") as out:
    out.write('#include "study/plot/page.h"\n')
    for i, name in enumerate(NAMES):
        data = b""
        if paths:
            with open(paths[i], "rb") as source:
                data = source.read()
        if name != "ws_page_html" and b"</s" in data.lower():
            sys.exit(f"{paths[i]} would end its element")
        data += b"\0"
        out.write(f"\nconst char {name}[] = {{\n")
        for at in range(0, len(data), 20):
            out.write(",".join(str(b if b < 128 else b - 256) for b in data[at : at + 20]) + ",\n")
        out.write("};\n")

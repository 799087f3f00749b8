"""The manual as a site: build.py starts Sphinx with this. Nothing in it comes from the network or says when it was made."""
import os
import pathlib

from pygments.formatters import HtmlFormatter

project = "Warpstep"
version = release = os.environ["WARPSTEP_VERSION"]
author = project_copyright = ""
extensions = ["myst_parser"]
myst_heading_anchors = 4  # as GitHub makes them of headings: pages link to these
nitpicky = True
smartquotes = False  # options and code keep their characters
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # bytecode is not the assembler that Pygments knows

# Alabaster comes with Sphinx, needs no script of its own and no address outside; site.css gives it dark colours.
html_theme = "alabaster"
html_theme_options = {
    "description": "GPU kernels, cycle by cycle",
    "page_width": "76rem",
    "sidebar_width": "16rem",
    "fixed_sidebar": True,
    "font_family": "system-ui, sans-serif",
    "head_font_family": "system-ui, sans-serif",
    "code_font_family": "ui-monospace, monospace",
    "font_size": "16px",
    "show_powered_by": False,
    "show_relbars": False,
}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_title = f"Warpstep {version}"
html_static_path = ["_static"]
html_css_files = ["site.css", "dark_code.css"]
html_copy_source = html_show_sourcelink = html_show_sphinx = html_show_copyright = html_use_index = False
html_last_updated_fmt = None
html_show_search_summary = False  # would fetch pages, which a browser refuses for file://
pygments_style = "default"


def setup(app):
    """Colours of code for readers who prefer dark pages."""
    colours = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    text = f"@media (prefers-color-scheme: dark) {{\n{colours}\n}}\n"
    app.connect("build-finished", lambda app, _: pathlib.Path(app.outdir, "_static/dark_code.css").write_text(text))

"""How the documentation is built: `sphinx-build -W --keep-going -b html docs docs/_build/html`."""

import hypothesis  # noqa: F401 (it loads the strategies as a plugin, so it goes first)

from provably_fair_baccarat import __version__

project = "provably_fair_baccarat"
author = "The provably_fair_baccarat authors"
project_copyright = author
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
default_role = "code"  # in docstrings, `this` is code

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True  # a default is shown as it is written: PUNTO_BANCO, not the whole table
autodoc_default_options = {"members": True, "undoc-members": True, "exclude-members": "__new__"}
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = "provably fair baccarat"  # with spaces, so that a narrow sidebar breaks it between words
html_show_copyright = False
html_show_sphinx = False


def skip_field_aliases(_app, _what, _name, member, skip, _options):
    """Leave out what a NamedTuple says about its fields by itself."""
    return True if (getattr(member, "__doc__", None) or "").startswith("Alias for field number") else skip


def setup(app):
    app.connect("autodoc-skip-member", skip_field_aliases)

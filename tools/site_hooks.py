"""Hooks of MkDocs for mkdocs.yml: pages made of files outside docs/, and links to such files."""

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

_ROOT = Path(__file__).resolve().parent.parent
# Pages that are files in the repository's root.
_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
_LINK = re.compile(r"\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\(([^)\s#]+)(#[^)]*)?\)")


def on_files(files, config):
    """Adds the pages of the root's files, and the page of the Python package."""
    for name, page in _PAGES.items():
        files.append(File.generated(config, page, content=(_ROOT / name).read_text()))
    if (_ROOT / "apps/python" / "mmaspec" / "__init__.py").exists():
        api = "# Python\n\n::: mmaspec\n\n::: mmaspec.torch\n\n::: mmaspec.jax\n"
    else:
        api = "# Python\n\nThis version has no Python package.\n"
    files.append(File.generated(config, "api.md", content=api))
    return files


def on_page_markdown(markdown, page, config, files):
    """Points links at pages of the site; links to files that are not pages become text."""
    here = page.file.src_uri
    if here == "commands.md":
        # Optional arguments, `A [B] [C...]`, which Markdown would read as reference links.
        markdown = markdown.replace("] [", "] \\[")
    from_root = next((name for name, page_name in _PAGES.items() if page_name == here), "docs/" + here)

    def linked(match):
        text, target, anchor = match[1], match[2], match[3] or ""
        if re.match(r"[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(from_root), target))
        if not (_ROOT / path).exists():
            return match[0]  # MkDocs reports it
        if path in _PAGES:
            to = _PAGES[path]
        elif path.startswith("docs/"):
            to = path[len("docs/") :]
        else:
            return text
        if files.get_file_from_path(to) is None:
            return text if (_ROOT / path).is_dir() else match[0]
        relative = posixpath.relpath(to, posixpath.dirname(here) or ".")
        return f"[{text}]({relative}{anchor})"

    return _LINK.sub(linked, markdown)

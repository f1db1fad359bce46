"""Parts of a release: its version, its notes, the list of components, and recipes that their tools can read."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mmaspec

ROOT = Path(__file__).resolve().parents[2]
SUM = "ab" * 32


def load() -> Any:
    spec = importlib.util.spec_from_file_location("release", ROOT / "tools/release.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = load()
VERSION = release.version()


def test_one_version(command: str) -> None:
    assert mmaspec.__version__ == VERSION
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[0] == f"mmaspec {VERSION}"
    assert release.repeated() == dict.fromkeys(release.REPEATED, VERSION)
    release.check(VERSION)
    # No other file contains a version.
    assert 'dynamic = ["version"]' in (ROOT / "pyproject.toml").read_text()
    assert not re.search(r"project\([^)]*VERSION", (ROOT / "apps/web/CMakeLists.txt").read_text())


def test_python_reads_the_version_of_cmake() -> None:
    pattern = re.search(r"(?m)^regex = '(.*)'$", (ROOT / "pyproject.toml").read_text())
    assert pattern is not None
    found = re.search(pattern[1], (ROOT / "CMakeLists.txt").read_text())
    assert found is not None and found["value"] == VERSION


@pytest.mark.parametrize("file", [*release.REPEATED, release.SOURCE])
def test_another_version_is_found(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for copied in [*release.REPEATED, release.SOURCE]:
        (tmp_path / copied).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / copied, tmp_path / copied)
    text = (tmp_path / file).read_text()
    (tmp_path / file).write_text(text.replace(VERSION, "9.9.9"))
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with pytest.raises(release.Wrong, match=re.escape(file)):
        release.check(VERSION)
    (tmp_path / file).write_text("")
    with pytest.raises(release.Wrong, match=re.escape(file)):
        release.check(VERSION)


def test_one_wheel_for_later_pythons() -> None:
    # nanobind's stable ABI starts with 3.12: earlier Pythons need a wheel each, and a module must
    # not claim more compatibility than it has.
    text = (ROOT / "pyproject.toml").read_text()
    assert 'wheel.py-api = "cp312"' in text
    built = re.search(r'(?m)^build = "(.*)"$', text)
    assert built is not None and {"cp310-*", "cp311-*", "cp312-*"} <= set(built[1].split())
    module = (ROOT / "apps/python/CMakeLists.txt").read_text()
    assert "nanobind_add_module(_core STABLE_ABI" in module and "SKBUILD_SABI_VERSION AND NOT TARGET" in module
    assert "abi3audit" in (ROOT / "apps/python/build-wheel").read_text()


def test_changelog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    heads = re.findall(r"(?m)^## (.*)$", text)
    assert heads[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", head) for head in heads[1:])
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"(?m)^### (.*)$", text)) <= kinds
    for head in heads:
        name = head.split("]")[0] + "]"
        assert re.search(rf"(?m)^{re.escape(name)}: https://", text), f"{name} has no link"
    notes = release.notes(VERSION)
    assert notes.startswith("### Added") and "## [" not in notes and "https://mmaspec.example" not in notes
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n## [{VERSION}] - 2026-01-01\n")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    with pytest.raises(release.Wrong, match="says nothing"):
        release.notes(VERSION)
    with pytest.raises(release.Wrong, match="has no section"):
        release.notes("9.9.9")


def test_components() -> None:
    libraries = "libfmt-dev 9.1.0+ds1-2\nnlohmann-json3-dev 3.11.2-2\nlibboost1.74-dev 1:1.74.0-21\nother 1-1\n"
    document = release.sbom(VERSION, "2026-01-01T00:00:00Z", libraries)
    versions = {c["name"]: c.get("version") for c in document["components"]}
    assert (versions["fmt"], versions["nlohmann/json"], versions["Boost"]) == ("9.1.0", "3.11.2", "1.74.0")
    assert versions["nanobind"] is None and versions["Z3"] in (ROOT / "apps/python/build-wheel").read_text()
    names = {c["name"] for c in document["components"]}
    assert {"Z3", "fmt", "Boost", "nanobind", "zlib"} <= names and len(names) == len(release.components())
    for component in document["components"]:
        (licence,) = component["licenses"]
        assert re.fullmatch(r"[A-Za-z0-9.-]+( WITH [A-Za-z0-9.-]+)?", licence["expression"])
    validation = pytest.importorskip("cyclonedx.validation.json")
    schema = pytest.importorskip("cyclonedx.schema")
    validator = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)
    try:
        fault = validator.validate_str(json.dumps(document))
    except Exception as error:  # MissingOptionalDependencyException, for its JSON extra
        pytest.skip(str(error))
    assert fault is None, fault


def test_recipes_of_a_release(tmp_path: Path) -> None:
    url = f"https://example.net/mmaspec-{VERSION}.tar.gz"
    release.write_recipes(VERSION, SUM, url, tmp_path)
    files = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file())
    assert files == ["conda/recipe.yaml", "homebrew/mmaspec.rb", "spack/package.py"]
    for file in files:
        text = (tmp_path / file).read_text()
        assert text.count(SUM) == 1 and text.count(url) == 1 and "0" * 64 not in text
    with pytest.raises(release.Wrong, match="is not a SHA-256 checksum"):
        release.write_recipes(VERSION, "x", url, tmp_path)


def test_recipe_of_spack() -> None:
    tree = ast.parse((ROOT / "packaging/spack/package.py").read_text())
    (recipe,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    called = {
        node.func.id: node for node in ast.walk(recipe) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert {"version", "depends_on", "license", "requires"} <= set(called)


def test_recipe_of_conda() -> None:
    yaml = pytest.importorskip("yaml")
    text = (ROOT / "packaging/conda/recipe.yaml").read_text()
    assert yaml.safe_load(text)["context"]["version"] == VERSION
    rattler = pytest.importorskip("rattler_build")
    variants = rattler.VariantConfig({"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]})
    rendered = rattler.Stage0Recipe.from_yaml(text).render(variants)
    assert rendered


@pytest.mark.parametrize(
    ("file", "language"),
    [("homebrew/mmaspec.rb", "ruby"), ("nix/package.nix", "nix"), ("nix/flake.nix", "nix")],
)
def test_recipes_are_of_their_language(file: str, language: str) -> None:
    tree_sitter = pytest.importorskip("tree_sitter")
    grammar = pytest.importorskip(f"tree_sitter_{language}")
    parser = tree_sitter.Parser(tree_sitter.Language(grammar.language()))
    assert not parser.parse((ROOT / "packaging" / file).read_bytes()).root_node.has_error


@pytest.mark.parametrize("file", ["packaging/conda/recipe.yaml", "packaging/spack/package.py",
                                  "packaging/homebrew/mmaspec.rb", "packaging/nix/package.nix",
                                  "packaging/docker/Dockerfile"])
def test_recipes_have_what_cmake_looks_for(file: str) -> None:
    text = (ROOT / file).read_text().lower()
    cmake = (ROOT / "CMakeLists.txt").read_text()
    wanted = re.findall(r"(?m)^find_package\((\w+) [\d.]*\s*REQUIRED\)|^find_package\((ZLIB) REQUIRED\)", cmake)
    names = {a or b for a, b in wanted} - {"Threads"}
    assert {"Boost", "fmt", "nlohmann_json", "CLI11", "Z3", "ZLIB"} == names
    for name in ("boost", "fmt", "nlohmann", "cli11", "z3", "zlib"):
        assert name in text or name == "zlib" and "zlib1g" in text


def test_development_container() -> None:
    document = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert document["image"].startswith("debian:") and "scripts/run" in document["postCreateCommand"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "usage"),
        (["1"], "usage"),
        (["--dry-run"], "usage"),
        (["--dry-run", "0.1.0", "x"], "usage"),
        (["v0.1.0"], "usage"),
    ],
)
def test_bad_usage(arguments: list[str], says: str) -> None:
    done = subprocess.run(
        [ROOT / "scripts/release", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and says in done.stderr and not done.stdout


def clone(folder: Path) -> Path:
    """A clone in which the files that a release checks are committed as they are in the work tree."""
    made = folder / "clone"
    for arguments in (
        ["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(made)],
        ["git", "-C", str(made), "config", "user.email", "test@mmaspec.example"],
        ["git", "-C", str(made), "config", "user.name", "test"],
    ):
        if subprocess.run(arguments, capture_output=True, check=False).returncode != 0:
            pytest.skip("this is not a clone of a repository")
    return made


def test_trees_that_are_not_clean_or_of_another_version(tmp_path: Path) -> None:
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("there is no repository here")
    made = clone(tmp_path)
    shutil.copy(ROOT / "tools/release.py", made / "tools/release.py")
    shutil.copy(ROOT / "scripts/release", made / "scripts/release")

    def refused(*arguments: str) -> str:
        done = subprocess.run([made / "scripts/release", *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2, done
        return done.stderr

    (made / "new").write_text("")
    assert "the tree has changes" in refused("--dry-run", VERSION)
    (made / "new").unlink()
    if subprocess.run(["git", "-C", str(made), "status", "--porcelain"], capture_output=True).stdout:
        pytest.skip("the work tree differs from the last commit")
    assert "has the version" in refused("--dry-run", "9.9.9")
    assert "is not this commit's" in refused("--tagged", VERSION)
    subprocess.run(["git", "-C", str(made), "tag", f"v{VERSION}"], check=True)
    assert "exists already" in refused("--dry-run", VERSION)
    assert not (made / "build").exists()


def test_command_line_of_the_tool() -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, ROOT / "tools/release.py", *arguments], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    assert run("version") == (0, VERSION + "\n", "")
    assert run("check", VERSION) == (0, "", "")
    status, out, err = run("check", "9.9.9")
    assert status == 2 and not out and err == f"release: CMakeLists.txt has the version {VERSION}, not 9.9.9\n"
    assert json.loads(run("sbom")[1])["bomFormat"] == "CycloneDX"

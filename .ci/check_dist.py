"""Looks at the files that would be published: `check_dist.py DIST`, a folder with one source distribution and its wheels.

What must be in them is there, what must not be is not, and their metadata says what pyproject.toml says, in the form that a package index
takes.
"""

from __future__ import annotations

import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

from packaging.metadata import Metadata
from packaging.utils import parse_sdist_filename, parse_wheel_filename

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = re.search(r'^__version__ = "(.*)"$', (ROOT / "src/provably_fair_baccarat/__init__.py").read_text(encoding="utf-8"), re.MULTILINE)[
    1
]
IN_SDIST = [
    *("LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "pyproject.toml", "setup.py", ".ci/run"),
    *(
        "src/provably_fair_baccarat/_kernel/pfb1.h",
        "src/provably_fair_baccarat/web/page/source/protocol.js",
        "tests/conftest.py",
        "tests/rules/test_coup.py",
        "vectors/pfb1.json",
    ),
    *("vectors/schema/record.json", "docs/reference/protocol.md", "examples/verifier.mjs", "benchmarks/chains.py"),
]
IN_WHEEL = [
    path.relative_to(ROOT / "src").as_posix()
    for path in sorted((ROOT / "src").rglob("*"))
    if path.suffix in (".py", ".pyi", ".sql", ".typed")
]


def need(holds: object, what: str) -> None:
    """Stop where something does not hold."""
    if not holds:
        sys.exit(f"check_dist: {what}")


def check_metadata(text: bytes, where: str) -> None:
    """The core metadata is well formed, and says what pyproject.toml says."""
    told = Metadata.from_email(text, validate=True)  # it raises an error for whatever a package index would refuse
    need(told.name == PROJECT["name"], f"{where}: the name is {told.name}")
    need(str(told.version) == VERSION, f"{where}: the version is {told.version}, and that of the package {VERSION}")
    need(str(told.requires_python) == PROJECT["requires-python"], f"{where}: Requires-Python is {told.requires_python}")
    need(told.license_expression == PROJECT["license"], f"{where}: the licence is {told.license_expression}")
    need(told.summary == PROJECT["description"], f"{where}: the summary is {told.summary!r}")
    need(told.description_content_type == "text/markdown", f"{where}: the description is {told.description_content_type}")
    need(
        (told.description or "").strip() == (ROOT / "README.md").read_text(encoding="utf-8").strip(),
        f"{where}: the description is not README.md",
    )
    extras = {extra.replace("_", "-") for extra in PROJECT["optional-dependencies"]}
    need(set(told.provides_extra or ()) == extras, f"{where}: the extras are {told.provides_extra}")


def check_sdist(path: Path) -> None:
    """The source distribution has what its tests and docs need, and nothing that was built."""
    name, version = parse_sdist_filename(path.name)
    with tarfile.open(path) as archive:
        names = [PurePosixPath(*PurePosixPath(each).parts[1:]).as_posix() for each in archive.getnames()]
        text = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO")
        check_metadata(b"" if text is None else text.read(), path.name)
    need((name, str(version)) == (PROJECT["name"], VERSION), f"{path.name}: another name than {PROJECT['name']} {VERSION}")
    for wanted in IN_SDIST:
        need(wanted in names, f"{path.name}: no {wanted}")
    built = [each for each in names if each.endswith((".so", ".pyc", ".pyd")) or "__pycache__" in each or "_build/" in each]
    need(not built, f"{path.name}: {', '.join(built[:3])} is in it")


def check_wheel(path: Path) -> None:
    """The wheel has the package and nothing else, and its tag says what it runs on."""
    _, version, _, tags = parse_wheel_filename(path.name)
    need(str(version) == VERSION, f"{path.name}: another version than {VERSION}")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        check_metadata(archive.read(next(each for each in names if each.endswith(".dist-info/METADATA"))), path.name)
    for wanted in IN_WHEEL:
        need(wanted in names, f"{path.name}: no {wanted}")
    folders = {each.partition("/")[0] for each in names}
    need({each.partition("-")[0] for each in folders} == {"provably_fair_baccarat"}, f"{path.name}: {', '.join(folders)}")
    kernels = [each for each in names if each.startswith("provably_fair_baccarat/_kernel.") and not each.endswith(".pyi")]
    for tag in tags:
        if kernels:
            need((tag.interpreter, tag.abi) == ("cp311", "abi3"), f"{path.name}: a kernel with the tag {tag}")
            need(len(kernels) == 1 and ".abi3." in kernels[0] + ".abi3." * kernels[0].endswith(".pyd"), f"{path.name}: {kernels}")
        else:
            need(tag.platform == "any", f"{path.name}: the tag {tag} without a kernel")


def main(folder: str) -> None:
    """Look at everything in the folder."""
    sdists, wheels = sorted(Path(folder).glob("*.tar.gz")), sorted(Path(folder).glob("*.whl"))
    need(len(sdists) == 1 and wheels, f"{folder} has {len(sdists)} source distributions and {len(wheels)} wheels")
    check_sdist(sdists[0])
    for wheel in wheels:
        check_wheel(wheel)
    sys.stdout.write(f"{', '.join(path.name for path in (*sdists, *wheels))}: as they must be\n")


if __name__ == "__main__":
    main(sys.argv[1])

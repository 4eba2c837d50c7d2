"""Fetches the page's third-party parts, each by name, version and checksum, into the folder that is committed."""

import base64
import hashlib
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

VENDOR = Path(__file__).parent.parent / "src/docmind/server/static/vendor"
SUMS = "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the npm registry, and which of its files the page needs."""

    name: str
    version: str
    sha512: str
    """Of the package's archive, in base64, as the registry's own listing has it."""
    files: dict[str, str]
    """Where a file, or every file of a folder, lies in the package, and where it goes."""


PACKAGES = (
    Package(
        "chart.js",
        "4.6.1",
        "hJyniucsFmq//EvXYvJ6c6mahPoI3kaxdjVH8awTaJ/fDNWeSqqqArixMJWkWNN6fcYvPU3HneSANFNYtRi61g==",
        {"dist/chart.umd.min.js": "chart.js", "LICENSE.md": "LICENSE.md"},
    ),
    Package(
        "dompurify",
        "3.4.17",
        "B/pSlYVHQ58kqISD/yDjuJ1yfzI34m1gF4lAod2bwSRhiN4K5Cl3H8Af7hqB2PmTL911tdEudnnXn5FnhRoz0w==",
        {"dist/purify.es.mjs": "purify.js", "LICENSE": "LICENSE"},
    ),
    Package(
        "katex",
        "0.19.1",
        "jG8uKntjSEcm2EpQOh0XturpPuuC9r3Sq5HLHdsFdWZT27E672SF19QEi+of0/YeOy15lDgRhKvr5614uRrEfA==",
        {
            "dist/katex.min.js": "katex.js",
            "dist/katex.min.css": "katex.css",
            "dist/fonts/*.woff2": "fonts",
            "LICENSE": "LICENSE",
        },
    ),
    Package(
        "markdown-it",
        "15.0.3",
        "+Az7Ojz3iRGu8KYMvJ6xVhvrxP3eE+vEtJX75Ow88XBpcQNV/0lGX5ZynIIBftREo4DC2jsveAMDaeltmm8QvQ==",
        {"dist/browser/markdown-it.esm.min.mjs": "markdown-it.js", "LICENSE": "LICENSE"},
    ),
    Package(
        "swagger-ui-dist",
        "5.35.0",
        "U06rpMtW9V3XPGOBeamTUSr0Z09jMX4IJuANpE/EZbAhw0G8CgwrzU4YmXkn/h0wCDNsXdGarTNNHC3sU8yVUQ==",
        {
            "swagger-ui-bundle.js": "swagger-ui.js",
            "swagger-ui-bundle.js.LICENSE.txt": "LICENSE.bundled.txt",
            "swagger-ui.css": "swagger-ui.css",
            "LICENSE": "LICENSE",
            "NOTICE": "NOTICE",
        },
    ),
)


def main() -> None:
    for package in PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            place(package, unpack(fetch(package, Path(folder))))
        print(f"{package.name} {package.version}")
    (VENDOR / SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in sums(VENDOR).items()))


def fetch(package: Package, folder: Path) -> Path:
    """The package's archive; anything but the very bytes that were pinned is an error."""
    subprocess.run(
        ["npm", "pack", "--silent", f"{package.name}@{package.version}"], cwd=folder, check=True, capture_output=True
    )
    (archive,) = folder.glob("*.tgz")
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != package.sha512:
        raise SystemExit(f"{package.name} {package.version} has the checksum {found}, not the one that is pinned.")
    return archive


def unpack(archive: Path) -> Path:
    with tarfile.open(archive) as packed:
        packed.extractall(archive.parent, filter="data")
    return archive.parent / "package"


def place(package: Package, unpacked: Path) -> None:
    for pattern, target in package.files.items():
        for found in sorted(unpacked.glob(pattern)):
            name = f"{target}/{found.name}" if "*" in pattern else target
            written = VENDOR / package.name / name
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_bytes(found.read_bytes())


def sums(folder: Path) -> dict[str, str]:
    """The checksum of every vendored file, by its path."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name != SUMS)
    return {file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


if __name__ == "__main__":
    main()

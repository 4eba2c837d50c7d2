"""Builds and runs what Dockerfile and compose.yaml describe, and asks the service whether it is ready.

    python scripts/test_image.py

With a Docker that runs, by Docker: the image and all that compose.yaml puts beside it. Elsewhere on Linux, as root, by
carrying out the Dockerfile's own instructions in clean folders that take the place of the file system (chroot), with
this machine's programs and Python in place of the base image; nothing beside the service is started then. Where
neither can be had, a line says so and nothing is tested.
"""

import json
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml  # type: ignore[import-untyped]

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_S = 120
LENT = ("usr", "bin", "lib", "lib64", "sbin", "dev", "proc", "sys")
"""What a base image has and this machine lends, to be read only."""
PASSED_ON = ("PIP_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_")
PORT = "8000"


def main() -> int:
    if answers("docker", "info"):
        with_docker()
    elif sys.platform == "linux" and os.geteuid() == 0 and answers("unshare", "--mount", "true"):
        in_clean_folders()
    else:
        print("No Docker runs here, and this is not root on Linux, so the image was not tested.", file=sys.stderr)
    return 0


def answers(*command: str, environment: dict[str, str] | None = None) -> bool:
    try:
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def with_docker() -> None:
    """As compose.yaml's own first lines tell people to."""
    environment = os.environ | {"POSTGRES_PASSWORD": secrets.token_hex(16)}
    compose = ["docker", "compose", "--project-name", f"docmind-test-{secrets.token_hex(4)}"]
    try:
        for step in ("run --build --rm docmind keys create --workspace W", "up --detach --wait"):
            subprocess.run([*compose, *shlex.split(step)], cwd=ROOT, env=environment, check=True)
        print("Docker built the image, and the service is ready with all that stands beside it.")
    finally:
        subprocess.run([*compose, "down", "--volumes", "--rmi", "local"], cwd=ROOT, env=environment, check=False)


@dataclass
class Stage:
    """A part of the build: a folder that is a whole file system to what runs in it."""

    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"

    def command(self, *command: str) -> list[str]:
        """Whatever is mounted for it is gone again with its process."""
        mounts = " && ".join(f"mount --rbind {shlex.quote(one)} {shlex.quote(f'{self.root}{one}')}" for one in lent())
        inside = f"cd {shlex.quote(self.folder)} && exec {shlex.join(command)}"
        enter = shlex.join(["chroot", f"--userspec={self.user}", str(self.root), "/bin/sh", "-c", inside])
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", f"{mounts} && exec {enter}"]

    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name.upper().startswith(PASSED_ON)}
        usual = {"PATH": f"{sys.base_prefix}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}
        return kept | usual | self.variables

    def run(self, *command: str) -> None:
        subprocess.run(self.command(*command), env=self.environment(), check=True)

    def path(self, inside: str) -> Path:
        return self.root / (Path(self.folder) / inside).as_posix().lstrip("/")


def lent() -> list[str]:
    """The folders of this machine that are shown, Python's own among them."""
    folders = [f"/{name}" for name in LENT if not Path(f"/{name}").is_symlink() and Path(f"/{name}").is_dir()]
    return folders if sys.base_prefix.startswith("/usr") else [*folders, sys.base_prefix]


def in_clean_folders() -> None:
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="docmind-image-") as folder:
        image = build(Path(folder))
        with running(image) as check:
            wait_for(image, check)
    print(f"The Dockerfile's instructions make a service that is ready ({time.monotonic() - begun:.0f} s).")


def build(folder: Path) -> Stage:
    """Carry out the Dockerfile; returns its last stage."""
    stages: dict[str, Stage] = {}
    stage = Stage(folder)
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    for line in lines:
        instruction, _, rest = line.partition(" ")
        if instruction == "FROM":
            _, _, name = rest.partition(" AS ")
            stage = stages[name] = base(folder / (name or "image"))
        elif instruction == "RUN":
            stage.run("/bin/sh", "-c", rest)
        elif instruction == "COPY":
            copy(stage, stages, shlex.split(rest))
        elif instruction == "WORKDIR":
            stage.folder = rest
            stage.path(".").mkdir(parents=True, exist_ok=True)
        elif instruction == "ENV":
            for name, value in (pair.split("=", 1) for pair in shlex.split(rest)):
                stage.variables[name] = value.replace("$PATH", stage.environment()["PATH"])
        elif instruction == "USER":
            stage.user = rest
    return stage


def base(root: Path) -> Stage:
    """A file system with nothing of its own but empty folders and a copy of the system's settings."""
    root.mkdir()
    for name in LENT:
        here = Path("/", name)
        if here.is_symlink():
            (root / name).symlink_to(here.readlink())
    for lent_folder in lent():
        (root / lent_folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for name in ("tmp", "opt", "root", "var/tmp"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "tmp").chmod(0o1777)
    # Names of hosts and users, certificates, and where pip finds packages.
    shutil.copytree("/etc", root / "etc", symlinks=True)
    return Stage(root)


def copy(stage: Stage, stages: dict[str, Stage], words: list[str]) -> None:
    origin = ROOT
    if words[0].startswith("--from="):
        origin = stages[words.pop(0).removeprefix("--from=")].root
    *names, target = words
    for name in names:
        source, into = origin / name.lstrip("/"), stage.path(target)
        # Of a folder its content is copied; a file goes into a folder where the target says that it is one.
        if source.is_dir():
            shutil.copytree(source, into, symlinks=True, dirs_exist_ok=True)
        else:
            into = into / source.name if target.endswith(("/", ".")) else into
            into.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, into)


@contextmanager
def running(image: Stage) -> Iterator[list[str]]:
    """The service as the image starts it, on a port that is free; gives the check that compose.yaml watches it with."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    (entry,) = json.loads(instruction("ENTRYPOINT"))
    arguments = [port if word == PORT else word for word in json.loads(instruction("CMD"))]
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["docmind"]["healthcheck"]["test"]
    # Without a key it does not open to others.
    image.run(entry, "keys", "create", "--workspace", "W")
    with subprocess.Popen(image.command(entry, *arguments), env=image.environment()) as service:
        try:
            yield [word.replace(f":{PORT}/", f":{port}/") for word in composed[1:]]
            assert service.poll() is None, "the service ended by itself"
        finally:
            service.terminate()


def wait_for(image: Stage, check: list[str]) -> None:
    latest = time.monotonic() + PATIENCE_S
    while not answers(*image.command(*check), environment=image.environment()):
        if time.monotonic() > latest:
            raise SystemExit(f"The service was not ready after {PATIENCE_S} seconds.")
        time.sleep(1)


def instruction(name: str) -> str:
    """The last of this kind in the Dockerfile."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    return next(line.removeprefix(f"{name} ") for line in reversed(lines) if line.startswith(f"{name} "))


if __name__ == "__main__":
    raise SystemExit(main())

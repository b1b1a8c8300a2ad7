# SPDX-License-Identifier: Apache-2.0
"""llama.cpp built by its own CMake, and its programs as commands."""

import os
import pathlib
import re
import subprocess
import sys

TARGETS = ("test-backend-ops", "test-llama-archs", "llama-quantize", "llama-results", "llama-simple")
KNOWN = pathlib.Path(__file__).with_name("findings.txt")
FINDINGS = re.compile(r"aclsim: run: check: (\d+) errors?, (\d+) warnings?")


class Tools:
    """The programs of llama.cpp. If they run under the checker, its findings are counted."""

    def __init__(self, folder, check):
        self.folder = folder
        self.check = check
        self.errors = self.warnings = 0

    def command(self, program, *arguments):
        checker = ["aclsim", "run", "--check", "--level", "warning", "--suppressions", KNOWN, "--"] if self.check else []
        return [*checker, self.folder / "bin" / program, *arguments]

    def run(self, program, *arguments, devices=1, timeout=1800, cwd=None):
        """The exit code (None if it hung), stdout and stderr."""
        environment = {**os.environ, "ACLSIM_DEVICES": str(devices), "GGML_NO_BACKTRACE": "1"}
        try:
            done = subprocess.run(["stdbuf", "-oL", *self.command(program, *arguments)], env=environment, cwd=cwd,
                                  timeout=timeout, capture_output=True, text=True, errors="replace", check=False)
        except subprocess.TimeoutExpired as late:
            return None, (late.stdout or b"").decode(errors="replace"), (late.stderr or b"").decode(errors="replace")
        for errors, warnings in FINDINGS.findall(done.stderr)[-1:]:
            self.errors += int(errors)
            self.warnings += int(warnings)
            if int(errors) or int(warnings):
                print(done.stderr[-4000:])
        return done.returncode, done.stdout, done.stderr


def build(given):
    folder = given.work / ("build-graph" if given.graph else "build")
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "build.log"
    print(f"try_llama: building in {folder}; what it says is in {log}", flush=True)
    with open(log, "w", encoding="utf-8") as output:
        for command in (
            ["cmake", "-S", given.llama, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DGGML_CANN=on",
             f"-DUSE_ACL_GRAPH={'on' if given.graph else 'off'}", "-DLLAMA_CURL=off", "-DLLAMA_OPENSSL=off",
             "-DLLAMA_BUILD_SERVER=off"],
            ["cmake", "--build", folder, "-j", str(given.jobs), "--target", *TARGETS],
        ):
            if subprocess.run(command, stdout=output, stderr=output, check=False).returncode != 0:
                sys.exit(f"try_llama: {' '.join(map(str, command[:2]))} failed; see the end of {log}")
    return Tools(folder, given.check)

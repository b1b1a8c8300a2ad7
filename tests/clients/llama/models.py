# SPDX-License-Identifier: Apache-2.0
"""Small models whose logits and tokens on the emulated device must match the CPU's.

The CPU uses the same weights in f32: for other types it rounds activations to 8 or 16 bits, more than the device does."""

import pathlib
import re
import subprocess
import sys

PROMPT = "Once upon a time there was a small machine that did what a large one does, only slower"
ERROR = re.compile(r"NMSE=(\S+)")
# Share of the mean square of the logits. The device rounds activations to 16 bits if weights have fewer bits.
LIMITS = {"F16": 1e-5, "Q8_0": 1e-4, "Q4_0": 1e-4}
# The backend writes outside of the result if a matrix of 8 or 4 bits has more than 65,535 rows, as the last matrix of
# qwen2 has, and several tokens request logits.
MODELS = {"llama": ("F16", "Q8_0", "Q4_0"), "qwen2": ("F16",)}
ATTEMPTS = 10  # the program often ends before its logger has written the last lines
# The configurations: number of devices, and options of the program.
WAYS = {
    "one device": (1, ["-dev", "CANN0", "-fa", "on"]),
    "one device, no flash attention": (1, ["-dev", "CANN0", "-fa", "off"]),
    "two devices": (2, ["-dev", "CANN0,CANN1", "-sm", "layer", "-fa", "on"]),
}


class Model:
    """One model in one type, and the CPU's results for it. Its path is the same in both folders, because the program
    that compares requires it."""

    def __init__(self, tools, work, source, kind):
        self.tools, self.kind = tools, kind
        self.exact, self.typed = work / f"{source.stem}.{kind}.exact", work / f"{source.stem}.{kind}"
        for folder in (self.exact, self.typed):
            folder.mkdir(parents=True, exist_ok=True)
        self.convert(source, self.typed / "model.gguf", kind)
        self.convert(self.typed / "model.gguf", self.exact / "model.gguf", "F32")
        self.must(self.results(self.exact, ["-dev", "none"], 1))
        self.expected = self.generate(self.exact, 0, 1)

    def convert(self, source, target, kind):
        self.must(self.tools.run("llama-quantize", "--pure", "--allow-requantize", source, target, kind))

    def results(self, folder, way, devices, *more):
        arguments = ["-m", "model.gguf", "-ngl", "99", "-t", "2", "-p", PROMPT, "-o", self.exact / "results.gguf", *way, *more]
        return self.tools.run("llama-results", *arguments, cwd=folder, devices=devices)

    def logits_error(self, way, devices):
        for _ in range(ATTEMPTS):
            code, output, errors = self.results(self.typed, way, devices, "--check")
            said = ERROR.search(output + errors)
            if said:
                return float(said[1])
            if code not in (0, 1):
                break
        raise RuntimeError(f"exit code {code}: {errors.strip()[-1000:]}")

    def generate(self, folder, layers, devices):
        """The continuation of the prompt with the likeliest token at each step."""
        return self.must(self.tools.run("llama-simple", "-m", "model.gguf", "-n", "48", "-ngl", str(layers), PROMPT,
                                        cwd=folder, devices=devices))

    def must(self, done):
        code, output, errors = done
        if code != 0:
            raise RuntimeError(f"exit code {code}: {errors.strip()[-1000:]}")
        return output


def run(tools, work, llama):
    folder = work / "models"
    folder.mkdir(parents=True, exist_ok=True)
    passed = failed = 0
    for architecture, kinds in MODELS.items():
        source = folder / f"{architecture}.gguf"
        make = pathlib.Path(__file__).with_name("make_model.py")
        subprocess.run([sys.executable, "-B", make, llama, source, "--architecture", architecture], check=True)
        for kind in kinds:
            limit = LIMITS[kind]
            model = Model(tools, folder, source, kind)
            for way, (devices, arguments) in WAYS.items():
                error = model.logits_error(arguments, devices)
                same = model.generate(model.typed, 99, devices) == model.expected
                good = error <= limit and same
                passed, failed = passed + good, failed + (not good)
                print(f"  {architecture} {kind}, {way}: error of the logits {error:.1e} (limit {limit:.0e}), "
                      f"{'the same 48 tokens' if same else 'OTHER TOKENS'}", flush=True)
    print(f"try_llama: models: {passed} ways to run one agree with the processor, {failed} do not")
    return failed == 0 and tools.errors == 0

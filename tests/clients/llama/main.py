# SPDX-License-Identifier: Apache-2.0
"""The implementation of scripts/try_llama."""

import argparse
import pathlib
import sys

import architectures
import build
import models
import operators

PARTS = ("operators", "architectures", "models")


def chosen(text):
    parts = text.split(",")
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is none of {', '.join(PARTS)}")
    return parts


def options():
    parser = argparse.ArgumentParser(prog="try_llama", description=(
        "Builds llama.cpp with its CANN backend against an install tree and tries it."))
    parser.add_argument("llama", type=pathlib.Path, metavar="LLAMA_CPP", help="a checkout of llama.cpp; it is not changed")
    parser.add_argument("--prefix", type=pathlib.Path, default="install", help="the install tree (default: install/)")
    parser.add_argument("--work", type=pathlib.Path, default="build-llama",
                        help="where it is built and tried (default: build-llama/)")
    parser.add_argument("--graph", action="store_true", help="with USE_ACL_GRAPH: graphs are captured and replayed")
    parser.add_argument("--check", action="store_true", help="everything runs under aclsim run --check")
    parser.add_argument("--only", type=chosen, default=PARTS, metavar="PART,...", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--ops", default="", metavar="OP,...", help="operators of llama.cpp's test (default: all)")
    parser.add_argument("--jobs", type=int, default=2, help="of the build (default: 2)")
    return parser.parse_args()


def main():
    given = options()
    if not (given.prefix / "set_env.sh").exists():
        sys.exit(f"try_llama: {given.prefix} is no install tree; cmake --install build-dev --prefix {given.prefix}")
    if not (given.llama / "ggml" / "src" / "ggml-cann").is_dir():
        sys.exit(f"try_llama: {given.llama} has no ggml/src/ggml-cann")
    given.llama, given.work = given.llama.resolve(), given.work.resolve()
    tools = build.build(given)
    passed = True
    if "operators" in given.only:
        passed &= operators.run(tools, given.work, given.ops)
    if "architectures" in given.only:
        passed &= architectures.run(tools, given.llama)
    if "models" in given.only:
        passed &= models.run(tools, given.work, given.llama)
    print("try_llama: all as expected" if passed else "try_llama: NOT all as expected")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Replaces the symbolic links of an install tree, because a wheel cannot contain any.

Usage: wheel_links.py TREE

- Another name of a library becomes a linker script that refers to it, also in the folders that are links to
  the folder of libraries. A third-party library gets the name of the link, which is its SONAME.
- A link to a header or to a folder of headers becomes headers that include the ones it leads to. A program
  that reaches a header by two paths still sees it once.
- Any other link becomes a copy.
"""

import os
import pathlib
import shutil
import sys


def links_in(tree):
    for folder, folders, files in os.walk(tree):
        for name in folders + files:
            path = pathlib.Path(folder, name)
            if path.is_symlink():
                yield path


def files_behind(link, target):
    """Each file that the link leads to, as the path through the link and the path of the file itself."""
    if not target.is_dir():
        yield link, target
        return
    if target.name == "lib64":
        for path in target.glob("lib*.so"):
            for folder in (link, link / "stub"):
                yield folder / path.name, path.resolve()
        return
    for folder, _, files in os.walk(target, followlinks=True):
        for name in files:
            path = pathlib.Path(folder, name)
            yield link / path.relative_to(target), path.resolve()


def put(place, target):
    """Writes to `place` what leads to the file `target`, or a copy of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    path = os.path.relpath(target, place.parent)
    if target.suffix in (".h", ".hpp", ".cuh"):
        place.write_text('#include "%s"\n' % path)
    elif place.name.startswith("lib") and place.suffix == ".so":
        place.write_text("INPUT(%s)\n" % path)
    elif ".so." in place.name:
        target.rename(place)
    else:
        shutil.copy2(target, place)


def main():
    tree = pathlib.Path(sys.argv[1]).resolve()
    links = list(links_in(tree))
    plan = [pair for link in links for pair in files_behind(link, link.resolve(strict=True))]
    for link in links:
        link.unlink()
    for place, target in plan:
        put(place, target)


main()

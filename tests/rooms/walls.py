#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An include that crosses a wall between rooms does not compile.

walls.py WALLS SOURCE_DIR COMPILER

WALLS is the file that aclsim_write_walls (cmake/Rooms.cmake) wrote: for each room library its room,
the rooms that it names, and the include path with which its files are compiled. The check asks the
compiler which headers of the source tree it finds with that path. They must be exactly the headers of
the room itself and of the rooms that it names.
"""
import pathlib
import re
import subprocess
import sys
import typing

FOLDERS = ("device_sim", "runtime", "tools", "tests", "bench", "pyacl")
QUOTED_INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]*)"', re.MULTILINE)


class Room(typing.NamedTuple):
    target: str
    path: str
    sees: list[str]
    include_path: list[str]

    def may_include(self, header: str) -> bool:
        return any(header.startswith(room + "/") for room in [self.path, *self.sees])


def read_rooms(walls: str) -> list[Room]:
    rooms = []
    for line in pathlib.Path(walls).read_text().splitlines():
        target, path, sees, include_path = line.split("\t")
        rooms.append(Room(target, path, *([x for x in field.split("|") if x]
                                          for field in (sees, include_path))))
    return rooms


def visible(compiler: str, include_path: list[str], headers: list[str]) -> set[str]:
    """The headers that `#include "..."` finds."""
    source = "".join(f'#if __has_include("{header}")\nfound_{number}\n#endif\n'
                     for number, header in enumerate(headers))
    output = subprocess.run(
        [compiler, *(f"-I{folder}" for folder in include_path), "-x", "c++", "-std=c++20", "-E", "-"],
        input=source, stdout=subprocess.PIPE, check=True, text=True).stdout
    return {headers[int(number)] for number in re.findall(r"^found_(\d+)$", output, re.MULTILINE)}


def leaks(room: Room, seen: set[str]) -> list[str]:
    return [f"{room.path}: #include \"{header}\" compiles; {room.target} does not name its room"
            for header in sorted(seen) if not room.may_include(header)]


def gaps(room: Room, seen: set[str], headers: list[str]) -> list[str]:
    return [f"{room.path}: #include \"{header}\" does not compile; {room.target} names its room"
            for header in headers if room.may_include(header) and header not in seen]


def detours(room: Room, source_dir: pathlib.Path) -> list[str]:
    """Includes that need no include path: they would climb over any wall."""
    found = []
    for file in sorted((source_dir / room.path).rglob("*")):
        if file.suffix in (".h", ".cpp"):
            for header in QUOTED_INCLUDE.findall(file.read_text()):
                if header.startswith("/") or ".." in header.split("/"):
                    found.append(f'{file.relative_to(source_dir)}: #include "{header}" goes around '
                                 "the walls; write it from the top of the source tree")
    return found


def check_that_a_leak_is_seen(compiler: str, rooms: list[Room], headers: list[str],
                              source_dir: pathlib.Path) -> list[str]:
    """The first room is the lowest: with the whole tree on its path it must not pass."""
    lowest = rooms[0]
    if leaks(lowest, visible(compiler, [*lowest.include_path, str(source_dir)], headers)):
        return []
    return [f"a leak in the walls of {lowest.path} would not be seen"]


def main(walls: str, source: str, compiler: str) -> int:
    source_dir = pathlib.Path(source)
    rooms = read_rooms(walls)
    if not rooms:
        print(f"{walls}: no room has a library")
        return 1
    headers = sorted(str(file.relative_to(source_dir))
                     for folder in FOLDERS for file in (source_dir / folder).rglob("*.h"))
    problems = check_that_a_leak_is_seen(compiler, rooms, headers, source_dir)
    for room in rooms:
        seen = visible(compiler, room.include_path, headers)
        problems += leaks(room, seen) + gaps(room, seen, headers) + detours(room, source_dir)
    print("\n".join(problems) or f"{len(rooms)} rooms, {len(headers)} headers: every wall holds")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

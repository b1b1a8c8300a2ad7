# SPDX-License-Identifier: Apache-2.0
"""Imported by programs of test_exit.py: functions for threads that outlive the program, and calls
during the finalization of the interpreter. They are in a separate module, because a thread keeps the
globals of its frames alive, which would then not be destroyed."""

import sys
import threading

import acl

started = threading.Event()
never = threading.Event()


def serve(arguments=None):
    while True:
        acl.rt.process_report(50)


def idle():
    never.wait(100)


def wait(*arguments):
    started.set()
    never.wait(100)


class Calls:
    """(function, *arguments), ...: called when the interpreter destroys the program's objects."""

    def __init__(self, *calls):
        self.calls = calls
        self.print = print
        self.is_finalizing = sys.is_finalizing

    def __del__(self):
        assert self.is_finalizing()
        self.print(*[call(*arguments) for call, *arguments in self.calls], flush=True)

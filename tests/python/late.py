# SPDX-License-Identifier: Apache-2.0
"""What programs of test_exit.py import: functions for threads that outlive the program, and calls
while the interpreter is finalizing. In a module of its own, because a thread keeps the globals that
its frames see, and then nothing of them is taken apart."""

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
    """(function, *arguments), ...: called when the interpreter takes the program apart."""

    def __init__(self, *calls):
        self.calls = calls
        self.print = print
        self.is_finalizing = sys.is_finalizing

    def __del__(self):
        assert self.is_finalizing()
        self.print(*[call(*arguments) for call, *arguments in self.calls], flush=True)

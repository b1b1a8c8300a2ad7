# SPDX-License-Identifier: Apache-2.0
"""pytest --aclsim-check: runs the tests under the order checker of the emulator.

    pytest -p pytest_aclsim --aclsim-check [--aclsim-fail-on error|warning|note]

A test fails if a finding of that level or above occurs during it, even if an earlier test had the same
finding. Its failure, also in the file of --junitxml, contains the findings with rule, places and fix.
pytest prints the whole report to stderr at the end; ACLSIM_CHECK_REPORT=FILE also writes it to a file.
"""
import ctypes
import os

import pytest

LEVELS = ("error", "warning", "note")


def pytest_addoption(parser):
    group = parser.getgroup("aclsim", "the ACL emulator")
    group.addoption("--aclsim-check", action="store_true",
                    help="fail tests during which the order checker finds something")
    group.addoption("--aclsim-fail-on", choices=LEVELS, default="error",
                    help="the least level of such findings (default: error)")


def pytest_configure(config):
    if not config.getoption("--aclsim-check"):
        return
    # The runtime reads it once, at the first ACL call.
    os.environ["ACLSIM_CHECK"] = "1"
    level = config.getoption("--aclsim-fail-on")
    config.pluginmanager.register(Checks(level), "aclsim-checks")


def library_function(name):
    """A function of the ACL library; None if no library with this function is loaded."""
    try:
        return getattr(ctypes.CDLL("libascendcl.so", mode=os.RTLD_NOLOAD | os.RTLD_NOW), name)
    except (OSError, AttributeError):
        return None


class Checks:
    """Attributes a failure to the phase (setup, call, teardown) of the test in which the finding occurred."""

    def __init__(self, level):
        self.level = level
        self.mark = ctypes.c_uint64()

    def found(self):
        """The findings since the last call, in the form of the text report."""
        since = library_function("aclsimCheckFindingsSince")
        if since is None:
            return ""
        text = ctypes.create_string_buffer(1 << 16)
        size = ctypes.c_size_t(len(text))
        if since(self.level.encode(), ctypes.byref(self.mark), text, size) != 0:
            return ""
        return text.value.decode(errors="replace")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        self.found()  # discards findings outside of tests
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        text = self.found()
        if not text:
            return
        head = f"the order checker found something at {self.level} or above"
        if report.passed:
            report.outcome = "failed"
            report.longrepr = f"{head}:\n{text}"
        elif hasattr(report.longrepr, "addsection"):
            report.longrepr.addsection(head, text)
        else:
            report.sections.append((head, text))

# SPDX-License-Identifier: Apache-2.0
"""pytest --aclsim-check: the order checker of the emulator beside the tests.

    pytest -p pytest_aclsim --aclsim-check [--aclsim-fail-on error|warning|note]

A test during which something is found at that level or above fails, even if an earlier test found
the same. The whole report comes on stderr when pytest ends; ACLSIM_CHECK_REPORT=FILE writes it to a
file as well.
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
    # Read once, when the first ACL call is made.
    os.environ["ACLSIM_CHECK"] = "1"
    level = config.getoption("--aclsim-fail-on")
    config.pluginmanager.register(Checks(level), "aclsim-checks")


def count_findings(level):
    """How often something was found so far; None where no ACL library is loaded that says so."""
    try:
        library = ctypes.CDLL("libascendcl.so", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        function = library.aclsimCheckOccurrences
    except (OSError, AttributeError):
        return None
    count = ctypes.c_uint64()
    if function(level.encode(), ctypes.byref(count)) != 0:
        return None
    return count.value


class Checks:
    def __init__(self, level):
        self.level = level

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        item.aclsim_before = count_findings(self.level) or 0
        yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        if call.when != "teardown" or not report.passed:
            return
        more = (count_findings(self.level) or 0) - item.aclsim_before
        if more > 0:
            times = "once" if more == 1 else f"{more} times"
            report.outcome = "failed"
            report.longrepr = (f"the order checker found something at {self.level} or above, "
                               f"{times}; its report comes when pytest ends")

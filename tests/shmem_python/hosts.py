# SPDX-License-Identifier: Apache-2.0
"""Two hosts: network namespaces of this machine with a cable between them."""

import os
import shutil
import subprocess


class NotHere(Exception):
    """This system lets tests make no network namespaces, or has no `ip`."""


def ip(*words):
    done = subprocess.run(["ip", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        raise NotHere("ip %s: %s" % (" ".join(words), done.stderr.strip()))
    return done.stdout


class TwoHosts:
    """While it is entered."""

    addresses = ("10.231.9.1", "10.231.9.2")

    def __init__(self):
        if not shutil.which("ip"):
            raise NotHere("there is no ip (iproute2)")
        self.names = ["aclsim-%d-%s" % (os.getpid(), letter) for letter in "ab"]
        try:
            self._make()
        except NotHere:
            self.__exit__()
            raise

    def _make(self):
        for name in self.names:
            ip("netns", "add", name)
        ip("link", "add", "cable", "netns", self.names[0], "type", "veth",
           "peer", "name", "cable", "netns", self.names[1])
        for name, address in zip(self.names, self.addresses):
            ip("-n", name, "addr", "add", address + "/24", "dev", "cable")
            for link in ("lo", "cable"):
                ip("-n", name, "link", "set", link, "up")
        for name in self.names:  # the system notices a moment later that both ends are up
            while "state UP" not in ip("-n", name, "link", "show", "cable"):
                pass

    def prefix(self, host):
        """The prefix of a command that runs on that host."""
        return ["ip", "netns", "exec", self.names[host]]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)

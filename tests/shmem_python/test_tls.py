# SPDX-License-Identifier: Apache-2.0
"""TLS of the store, as a Python program sets it."""

import shutil
import subprocess

import pytest

MEET = """
import pathlib
def info_of(mine, believed):
    return "tlsCert: %s/cert.pem; tlsCaFile: %s/ca.pem" % (mine, believed)
def key_of(folder):
    return pathlib.Path(folder, "key.pem").read_text()
def init(seconds=20):
    attributes = shmem.InitAttr()
    shmem.shmem_set_attributes(me, pes, 1 << 20, "tcp://%s:%s" % (host, port), attributes)
    shmem.shmem_set_timeout(attributes, seconds)
    return shmem.shmem_init(attributes)
def fails(text):
    assert init() == -1
    message = acl.get_recent_err_msg()
    assert text in message, message
assert acl.rt.set_device(me) == 0
right, wrong = os.environ.get("TEST_RIGHT"), os.environ.get("TEST_WRONG")
"""


class Certificates:
    """An authority (ca.pem), and a PE's certificate and key, which has a password."""

    def __init__(self, folder):
        self.folder = str(folder)

        def run(*words):
            subprocess.run(["openssl", *words], cwd=self.folder, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=authority",
            "-keyout", "ca.key", "-out", "ca.pem")
        run("req", "-newkey", "rsa:2048", "-subj", "/CN=pe", "-passout", "pass:secret",
            "-keyout", "key.pem", "-out", "request.pem")
        run("x509", "-req", "-days", "2", "-set_serial", "2", "-in", "request.pem",
            "-CA", "ca.pem", "-CAkey", "ca.key", "-out", "cert.pem")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    if not shutil.which("openssl"):
        pytest.skip("there is no openssl to make certificates with")
    return {"TEST_" + name: Certificates(tmp_path_factory.mktemp(name)).folder
            for name in ("RIGHT", "WRONG")}


HANDLED = """
calls = []
def decrypt(cipher):
    calls.append(cipher)
    return cipher[::-1]
"""


@pytest.mark.parametrize("settings", [
    "shmem.register_decrypt_handler(decrypt); shmem.set_conf_store_tls_key(key_of(right), 'terces', None)",
    "shmem.set_conf_store_tls_key(key_of(right), 'terces', None); shmem.register_decrypt_handler(decrypt)",
    "shmem.set_conf_store_tls_key(key_of(right), 'terces', decrypt)"])
def test_pes_meet_over_tls_with_a_key_whose_password_a_handler_decrypts(run_pes, folders, settings):
    run_pes(MEET + HANDLED + """
assert shmem.set_conf_store_tls(True, info_of(right, right)) == 0
%s
assert init() == 0
assert set(calls) == {"terces"}
word = shmem.shmem_calloc(1, 4)
shmem.shmem_int32_p(word, me + 1, (me + 1) %% pes)
shmem.sim.barrier_all()
assert shmem.shmem_int32_g(word, me) == (me - 1) %% pes + 1
end()
""" % settings, 2, **folders).expect_success()


def test_plain_text_and_wrong_certificates_are_refused_at_once(run_pes, folders):
    run_pes(MEET + HANDLED + """
def use(folder, believed):
    assert shmem.set_conf_store_tls(True, info_of(folder, believed)) == 0
    assert shmem.set_conf_store_tls_key(key_of(folder), "terces", decrypt) == 0
if me == 1:
    assert init() == -6
    assert "speaks TLS" in acl.get_recent_err_msg()
    use(wrong, right)
    assert init() == -6
    assert "TLS failed" in acl.get_recent_err_msg()
    use(right, wrong)
    assert init() == -6
    assert "TLS failed" in acl.get_recent_err_msg()
use(right, right)
assert init(60) == 0
end()
""", 2, **folders).expect_success()


def test_a_pe_with_tls_does_not_join_where_plain_text_is_spoken(run_pes, folders):
    run_pes(MEET + HANDLED + """
if me == 1:
    assert shmem.set_conf_store_tls(True, info_of(right, right)) == 0
    assert shmem.set_conf_store_tls_key(key_of(right), "terces", decrypt) == 0
    assert init() == -6
    assert shmem.set_conf_store_tls(False, "") == 0
assert init(60) == 0
end()
""", 2, **folders).expect_success()


def test_what_tls_needs_and_does_not_have_is_minus_1(run_pes, folders):
    job = run_pes(MEET + HANDLED + """
for info in ("", "tlsCert: a.pem", "tlsCaFile: a.pem", "cert: a", "x" * 10241):
    assert shmem.set_conf_store_tls(True, info) == -1, info
assert shmem.set_conf_store_tls(True, info_of(right, right)) == 0
fails("there is no private key")
key = key_of(right)
def raising(cipher):
    raise KeyError("not mine")
for handler in (raising, lambda cipher: 5, lambda cipher: "x" * 4096, lambda cipher: None):
    assert shmem.set_conf_store_tls_key(key, "terces", handler) == 0
    fails("the decrypt handler has failed")
assert shmem.set_conf_store_tls_key(key, "terces", None) == 0
fails("the decrypt handler has failed")
assert shmem.set_conf_store_tls_key(key, "x" * (10 << 20) + "x", decrypt) == 0
fails("10485761 bytes")
assert calls == []
assert shmem.set_conf_store_tls_key(key, "guess", decrypt) == 0
fails("the private key cannot be used")
assert shmem.set_conf_store_tls_key("no key", "", None) == 0
fails("the private key cannot be used")
assert shmem.set_conf_store_tls(True, info_of("/nowhere", right)) == 0
assert shmem.set_conf_store_tls_key(key, "terces", decrypt) == 0
fails("the certificate '/nowhere/cert.pem' cannot be used")
assert shmem.set_conf_store_tls(False, "") == 0
assert init() == 0
end()
""", 1, **folders).expect_success()
    assert "not mine" in job.err[0] and "nobody has registered a handler" in job.err[0]

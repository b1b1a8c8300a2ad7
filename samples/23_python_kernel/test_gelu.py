# SPDX-License-Identifier: Apache-2.0
"""A kernel tested with numpy: any length, any number of blocks."""
import struct
import unittest

import acl
import numpy as np

HOST_TO_DEVICE, DEVICE_TO_HOST = 1, 2


def check(result):
    *outputs, ret = result if isinstance(result, tuple) else (result,)
    if ret != 0:
        raise RuntimeError("code %d: %s" % (ret, acl.get_recent_err_msg()))
    return outputs[0] if len(outputs) == 1 else outputs


class Gelu(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        check(acl.init())
        check(acl.rt.set_device(0))
        cls.stream = check(acl.rt.create_stream())
        cls.binary = check(acl.rt.binary_load_from_file("out/fatbin/kernels/kernels.o", []))
        cls.kernel = check(acl.rt.binary_get_function(cls.binary, "gelu"))

    @classmethod
    def tearDownClass(cls):
        check(acl.rt.binary_unload(cls.binary))
        check(acl.rt.destroy_stream(cls.stream))
        check(acl.rt.reset_device(0))
        check(acl.finalize())

    def run_kernel(self, x, blocks):
        device = [check(acl.rt.malloc(x.nbytes, 0)) for _ in range(2)]
        check(acl.rt.memcpy(device[0], x.nbytes, x.ctypes.data, x.nbytes, HOST_TO_DEVICE))
        arguments = struct.pack("QQQ", device[0], device[1], x.size)
        host = np.frombuffer(arguments, dtype=np.uint8)
        check(acl.rt.launch_kernel_with_host_args(self.kernel, blocks, self.stream, [],
                                                  host.ctypes.data, host.nbytes, [], 0))
        check(acl.rt.synchronize_stream(self.stream))
        y = np.empty_like(x)
        check(acl.rt.memcpy(y.ctypes.data, y.nbytes, device[1], y.nbytes, DEVICE_TO_HOST))
        for memory in device:
            check(acl.rt.free(memory))
        return y

    def test_random_lengths(self):
        random = np.random.default_rng(7)
        for count in (1, 15, 16, 511, 512, 513, 5000):
            for blocks in (1, 3, 8):
                with self.subTest(count=count, blocks=blocks):
                    x = random.normal(scale=3, size=count).astype(np.float16)
                    wide = x.astype(np.float64)
                    right = wide / (1 + np.exp(-1.702 * wide))
                    y = self.run_kernel(x, blocks)
                    np.testing.assert_allclose(y.astype(np.float64), right, rtol=2e-3, atol=1e-6)


if __name__ == "__main__":
    unittest.main()

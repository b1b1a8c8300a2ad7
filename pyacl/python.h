// SPDX-License-Identifier: Apache-2.0
// CPython's limited API of version 3.8: one build serves 3.8 and every later version.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>

namespace pyacl {

// Access of a memoryview (PyBUF_WRITE); headers before 3.11 hide it from the limited API.
inline constexpr int kWritable = 0x200;

}  // namespace pyacl

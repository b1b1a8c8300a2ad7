// SPDX-License-Identifier: Apache-2.0
// The reference of bench/python/calls.py: the shortest wrapper of a C function, and the C functions
// themselves in a loop.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <chrono>

#include "acl/acl.h"

namespace {

PyObject* get_device(PyObject*, PyObject*) {
  int32_t device = 0;
  const aclError code = aclrtGetDevice(&device);
  return Py_BuildValue("(ii)", device, code);
}

/// copy_and_wait(dst, src, size, kind, stream, times) -> seconds
PyObject* copy_and_wait(PyObject*, PyObject* args) {
  unsigned long long dst = 0;
  unsigned long long src = 0;
  unsigned long long stream = 0;
  Py_ssize_t size = 0;
  int kind = 0;
  int times = 0;
  if (!PyArg_ParseTuple(args, "KKniKi", &dst, &src, &size, &kind, &stream, &times)) return nullptr;
  const auto bytes = static_cast<size_t>(size);
  const auto pointer = [](unsigned long long number) { return reinterpret_cast<void*>(number); };
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) {
    if (aclrtMemcpyAsync(pointer(dst), bytes, pointer(src), bytes,
                         static_cast<aclrtMemcpyKind>(kind), pointer(stream)) != ACL_SUCCESS ||
        aclrtSynchronizeStream(pointer(stream)) != ACL_SUCCESS) {
      PyErr_SetString(PyExc_RuntimeError, "a call failed");
      return nullptr;
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return PyFloat_FromDouble(took.count());
}

PyMethodDef methods[] = {{"get_device", get_device, METH_NOARGS, nullptr},
                         {"copy_and_wait", copy_and_wait, METH_VARARGS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "bench_python_floor",
                          nullptr,
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_bench_python_floor() { return PyModule_Create(&definition); }

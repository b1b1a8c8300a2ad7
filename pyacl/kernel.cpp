// SPDX-License-Identifier: Apache-2.0
#include "pyacl/kernel.h"

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "pyacl/interpreter.h"
#include "pyacl/table.h"

namespace pyacl {
namespace {

thread_local bool running = false;
PyTypeObject* context_type = nullptr;

/// The name of the function, valid until the process ends.
const char* lasting_name(PyObject* function) {
  static std::mutex& mutex = *new std::mutex;
  static std::set<std::string>& names = *new std::set<std::string>;
  std::string name = "python kernel";
  PyObject* const attribute = PyObject_GetAttrString(function, "__qualname__");
  PyObject* const text = attribute ? PyUnicode_AsUTF8String(attribute) : nullptr;
  if (text) name = PyBytes_AsString(text);
  PyErr_Clear();
  Py_XDECREF(text);
  Py_XDECREF(attribute);
  const std::lock_guard guard(mutex);
  return names.insert(name).first->c_str();
}

/// A KernelContext; a new reference.
PyObject* make_context(const aclsimKernelContext& context) {
  PyObject* const object = PyStructSequence_New(context_type);
  if (!object) return nullptr;
  PyObject* const fields[] = {
      PyLong_FromUnsignedLong(context.blockIndex), PyLong_FromUnsignedLong(context.numBlocks),
      PyLong_FromLong(context.deviceId), PyLong_FromUnsignedLong(context.streamId),
      PyLong_FromUnsignedLong(context.taskId)};
  Py_ssize_t at = 0;
  for (PyObject* const field : fields) PyStructSequence_SetItem(object, at++, field);
  if (!PyErr_Occurred()) return object;
  Py_DECREF(object);
  return nullptr;
}

/// Converts the kernel's return value to a device error code: None is 0.
std::int32_t code_of(PyObject* function, PyObject* result) {
  long code = 0;
  if (result && result != Py_None) code = PyLong_AsLong(result);
  if (result && (PyErr_Occurred() || code < INT32_MIN || code > INT32_MAX)) {
    PyErr_Clear();
    PyErr_Format(
        PyLong_Check(result) ? PyExc_OverflowError : PyExc_TypeError,
        "acl.sim.launch_kernel: the kernel returned %R; expected None or an int of 32 bits",
        result);
  }
  if (!result || PyErr_Occurred()) {
    PyErr_WriteUnraisable(function);
    return -1;
  }
  return static_cast<std::int32_t>(code);
}

std::int32_t run_kernel(const aclsimKernelContext* context, const void* args) {
  auto* const closure = *static_cast<Closure* const*>(args);
  std::int32_t code = -1;  // also if the interpreter has ended
  call_python([&] {
    PyObject* const where = make_context(*context);
    PyObject* result = nullptr;
    const bool before = std::exchange(running, true);  // a kernel may wait while another one runs
    if (where) {
      result = PyObject_CallFunctionObjArgs(closure->function, where, closure->argument, nullptr);
    }
    running = before;
    code = code_of(closure->function, result);
    Py_XDECREF(result);
    Py_XDECREF(where);
  });
  return code;
}

}  // namespace

bool in_kernel() { return running; }

aclError launch_kernel(Kernel kernel, Object args, std::uint32_t blocks, aclrtStream stream) {
  Closure* const closure = hold(kernel.object, args.object);
  if (!closure) return ACL_ERROR_INTERNAL_ERROR;
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = lasting_name(kernel.object);
  launch.kernel = run_kernel;
  launch.numBlocks = blocks;
  launch.args = &closure;
  launch.argsSize = sizeof closure;
  count_held();
  launch.release = give_back;
  launch.owner = closure;
  return without_gil<Gil::released>(aclsimLaunchKernel, &launch, stream);
}

bool add_kernel_types(PyObject* module) {
  static PyStructSequence_Field fields[] = {{"block_index", "0 .. num_blocks - 1"},
                                            {"num_blocks", nullptr},
                                            {"device_id", nullptr},
                                            {"stream_id", "as acl.rt.stream_get_id says"},
                                            {"task_id", "counts the tasks of the stream"},
                                            {nullptr, nullptr}};
  static PyStructSequence_Desc description = {"acl.sim.KernelContext",
                                              "Where a kernel finds itself.", fields, 5};
  if (!context_type) context_type = PyStructSequence_NewType(&description);
  if (!context_type) return false;
  PyObject* const object = reinterpret_cast<PyObject*>(context_type);
  Py_INCREF(object);
  return PyModule_AddObject(module, "KernelContext", object) == 0;
}

}  // namespace pyacl

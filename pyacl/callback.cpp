// SPDX-License-Identifier: Apache-2.0
#include "pyacl/adapters.h"
#include "pyacl/interpreter.h"
#include "pyacl/table.h"

namespace pyacl {
namespace {

PyObject* exception_function = nullptr;  // guarded by the GIL

/// Calls function(argument). An exception goes to sys.unraisablehook.
void call(PyObject* function, PyObject* argument) {
  PyObject* const result = PyObject_CallFunctionObjArgs(function, argument, nullptr);
  if (result) {
    Py_DECREF(result);
  } else {
    PyErr_WriteUnraisable(function);
  }
}

void on_callback(void* data) {
  auto* const closure = static_cast<Closure*>(data);
  call_python([&] { call(closure->function, closure->argument); });
}

void on_exception(aclrtExceptionInfo* info) {
  call_python([&] {
    PyObject* const function = exception_function;
    PyObject* const number = PyLong_FromVoidPtr(info);
    if (function && number) {
      Py_INCREF(function);  // the program may replace it during the call
      call(function, number);
      Py_DECREF(function);
    }
    Py_XDECREF(number);
  });
}

}  // namespace

aclError launch_callback(Function<"Callable[[Any], object]"> function, Object user_data,
                         aclrtCallbackBlockType block, aclrtStream stream) {
  Closure* const closure = hold(function.object, user_data.object);
  if (!closure) return ACL_ERROR_INTERNAL_ERROR;
  count_held();
  return without_gil<Gil::released>(aclsimLaunchCallback, on_callback, closure, give_back, block,
                                    stream);
}

aclError set_exception_info_callback(
    Optional<Function<"Optional[Callable[[int], object]]">> function) {
  PyObject* const wanted = function.value.object;
  PyObject* const before = exception_function;
  Py_XINCREF(wanted);
  exception_function = wanted;
  const aclError code =
      without_gil<Gil::released>(aclrtSetExceptionInfoCallback, wanted ? on_exception : nullptr);
  if (code == ACL_SUCCESS) {
    Py_XDECREF(before);
  } else {
    exception_function = before;
    Py_XDECREF(wanted);
  }
  return code;
}

aclError reset_all() {
  const aclError code = without_gil<Gil::released>(aclsimResetAll);
  if (code == ACL_SUCCESS) {  // the runtime has dropped these registrations
    set_exception_info_callback({});
    forget_allocators();
  }
  return code;
}

}  // namespace pyacl

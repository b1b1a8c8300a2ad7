// SPDX-License-Identifier: Apache-2.0
// The module shmem._pyshmem, which is made from the rows. The parts written in Python are in
// package/.
#include <string>

#include "acl/acl_sim.h"
#include "pyacl/interpreter.h"
#include "pyshmem/buffers.h"
#include "pyshmem/table.h"

namespace pyshmem {
namespace {

const Rows& all_rows() {
  static const Rows& rows = []() -> const Rows& {
    auto& made = *new Rows;  // functions refer to them as long as the process lives
    add_session(made);
    add_memory(made);
    add_transfers(made);
    add_waits(made);
    return made;
  }();
  return rows;
}

/// The first parameter and the documentation of a function, in the form that inspect.signature()
/// reads.
std::string documentation(const Row& row, int count) {
  std::string parameters = row.signature.parameters;
  if (row.required < count) parameters += "=None";
  return std::string(row.signature.name) + "(" + parameters + ")\n--\n\n" + row.text;
}

int count_of(const Row& row) {
  int count = 0;
  while (row.hints[count]) ++count;
  return count;
}

bool add_function(PyObject* module, PyObject* module_name, const Row& row) {
  auto& text = *new std::string(documentation(row, count_of(row)));
  const auto function = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(row.function));
  auto& method =
      *new PyMethodDef{row.signature.name, function, METH_VARARGS | METH_KEYWORDS, text.c_str()};
  PyObject* const self = PyCapsule_New(const_cast<Row*>(&row), nullptr, nullptr);
  PyObject* const made = self ? PyCFunction_NewEx(&method, self, module_name) : nullptr;
  Py_XDECREF(self);
  return made && PyModule_AddObject(module, row.signature.name, made) == 0;
}

PyObject* describe(const Row& row) {
  const int count = count_of(row);
  PyObject* const hints = pyacl::give_list(static_cast<std::size_t>(count), [&](std::size_t i) {
    return pyacl::give_text(row.hints[i]);
  });
  if (!hints) return nullptr;
  return Py_BuildValue("{s:s,s:s,s:N,s:s,s:i,s:s}", "name", row.signature.name, "parameters",
                       row.signature.parameters, "parameter_types", hints, "result_type",
                       row.result_hint, "required", row.required, "text", row.text);
}

/// The table from which the stubs and the tests are made.
PyObject* functions(PyObject*, PyObject*) {
  const Rows& rows = all_rows();
  return pyacl::give_list(rows.size(), [&](std::size_t i) { return describe(rows[i]); });
}

PyMethodDef methods[] = {
    {"_functions", functions, METH_NOARGS, "The rows of the table, as dicts."},
    {"_make_capsule", make_capsule, METH_VARARGS, "(address, shape, code, bits, owner) -> capsule"},
    {"_require_readable", require_readable, METH_VARARGS, "(address, bytes): or ValueError"},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "shmem._pyshmem",
                          "Functions of libshmem.so. Pointers are ints, tensors or arrays.",
                          -1,
                          methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace pyshmem

PyMODINIT_FUNC PyInit__pyshmem() {
  using namespace pyshmem;
  PyObject* const module = PyModule_Create(&definition);
  PyObject* const name = PyUnicode_FromString("shmem");
  bool done = module && name && pyacl::watch_interpreter();
  for (const Row& row : all_rows()) done = done && add_function(module, name, row);
  Py_XDECREF(name);
  if (done) {
    aclsimCheckHostMemory(1);  // numbers of a program are addresses: they must not end it
    return module;
  }
  Py_XDECREF(module);
  return nullptr;
}

// SPDX-License-Identifier: Apache-2.0
// The module `acl` and its submodules, created from the table.
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "pyacl/adapters.h"
#include "pyacl/interpreter.h"
#include "pyacl/kernel.h"
#include "pyacl/refusals.h"
#include "pyacl/table.h"

namespace pyacl {
namespace {

/// "acl.rt" of "acl.rt.malloc".
std::string_view module_of(std::string_view name) { return name.substr(0, name.rfind('.')); }

const char* short_name(const char* name) { return std::strrchr(name, '.') + 1; }

/// "malloc(size, policy, /)", followed by "dev_ptr, ret = acl.rt.malloc(size, policy)".
std::string documentation(const Row& row) {
  std::string parameters = row.parameters;
  if (row.optional_count != 0) parameters += "=None";  // at most one parameter, the last
  std::string text = short_name(row.name);
  text += "(" + parameters + (row.parameter_count != 0 ? ", /)" : ")") + "\n--\n\n";
  if (std::strcmp(row.results, "None") != 0) text += std::string(row.results) + " = ";
  text += std::string(row.name) + "(" + row.parameters + ")";
  if (*row.c_function) text += std::string("\n\nC function: ") + row.c_function;
  return text;
}

/// "results = acl.mdl.load_from_file(...)", and a note that it is refused.
std::string documentation(const Refusal& row) {
  std::string text = short_name(row.name) + std::string("(*arguments)\n--\n\n");
  if (*row.kinds) text += std::string(row.results) + " = ";
  return text + row.name + "(...)\n\nNot emulated: answers with 207000.";
}

PyMethodDef method_of(const char* name, PyCFunctionWithKeywords with_keywords,
                      std::string documentation) {
  auto& text = *new std::string(std::move(documentation));  // lives as long as the function
  // The cast that CPython requires: the flags specify the actual signature.
  const auto function = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(with_keywords));
  return {short_name(name), function, METH_VARARGS | METH_KEYWORDS, text.c_str()};
}

/// Adds the functions that are present; the methods live as long as the process.
bool add_functions(PyObject* module, std::string_view name) {
  auto& methods = *new std::vector<PyMethodDef>;
  for (const Row& row : rows()) {
    if (module_of(row.name) != name || !present(row)) continue;
    methods.push_back(method_of(row.name, row.function, documentation(row)));
  }
  for (std::size_t i = 0; i < refusal_count(); ++i) {
    const Refusal& row = refusal(i);
    if (module_of(row.name) != name) continue;
    methods.push_back(method_of(row.name, refusal_function(i), documentation(row)));
  }
  methods.push_back({});
  return PyModule_AddFunctions(module, methods.data()) == 0;
}

/// Adds a spec, so that importlib.util.find_spec("acl.rt") works.
bool add_spec(PyObject* module, const char* name) {
  PyObject* const machinery = PyImport_ImportModule("importlib.machinery");
  if (!machinery) return false;
  PyObject* const spec = PyObject_CallMethod(machinery, "ModuleSpec", "sO", name, Py_None);
  Py_DECREF(machinery);
  if (!spec) return false;
  const bool done = PyObject_SetAttrString(module, "__spec__", spec) == 0;
  Py_DECREF(spec);
  return done;
}

/// After `import acl`, the statement `import acl.rt` finds the submodule in sys.modules.
PyObject* add_part(PyObject* acl, const char* name, const char* text) {
  PyObject* const part = PyImport_AddModule(name);  // borrowed
  if (!part || !add_spec(part, name) || !add_functions(part, name) ||
      PyModule_SetDocString(part, text) != 0) {
    return nullptr;
  }
  Py_INCREF(part);
  if (PyModule_AddObject(acl, std::strrchr(name, '.') + 1, part) == 0) return part;
  Py_DECREF(part);
  return nullptr;
}

PyObject* names(const char* const* hints, int count) {
  return give_list(static_cast<std::size_t>(count),
                   [&](std::size_t i) { return give_text(hints[i]); });
}

PyObject* describe(const Row& row) {
  PyObject* const dict = PyDict_New();
  const bool done =
      dict && set_item(dict, "name", give_text(row.name)) &&
      set_item(dict, "parameters", give_text(row.parameters)) &&
      set_item(dict, "parameter_types", names(row.parameter_hints, row.parameter_count)) &&
      set_item(dict, "optional", PyLong_FromLong(row.optional_count)) &&
      set_item(dict, "results", give_text(row.results)) &&
      set_item(dict, "result_types", names(row.result_hints, row.result_count)) &&
      set_item(dict, "c_function", give_text(row.c_function)) &&
      set_item(dict, "present", PyBool_FromLong(present(row))) &&
      set_item(dict, "emulated", PyBool_FromLong(present(row)));
  if (done) return dict;
  Py_XDECREF(dict);
  return nullptr;
}

PyObject* describe(const Refusal& row) {
  PyObject* const dict = PyDict_New();
  const bool done = dict && set_item(dict, "name", give_text(row.name)) &&
                    set_item(dict, "parameters", give_text("")) &&
                    set_item(dict, "parameter_types", PyList_New(0)) &&
                    set_item(dict, "optional", PyLong_FromLong(0)) &&
                    set_item(dict, "results", give_text(row.results)) &&
                    set_item(dict, "result_types", refusal_types(row)) &&
                    set_item(dict, "c_function", give_text("")) &&
                    set_item(dict, "present", PyBool_FromLong(1)) &&
                    set_item(dict, "emulated", PyBool_FromLong(0));
  if (done) return dict;
  Py_XDECREF(dict);
  return nullptr;
}

PyObject* make_module() {
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT,
      "acl",
      "The Ascend runtime (pyACL), on an emulated machine. ACL errors are return codes.",
      0,  // created again, with its submodules, if a program removes it from sys.modules
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      nullptr};
  PyObject* const acl = PyModule_Create(&definition);
  if (!acl) return nullptr;
  PyObject* sim = nullptr;
  if (add_functions(acl, "acl") && add_part(acl, "acl.rt", "Devices, streams, events, memory.") &&
      add_part(acl, "acl.mdl", "Offline models: not emulated, each function refuses.") &&
      add_part(acl, "acl.op", "Single operators: not emulated, each function refuses.") &&
      add_part(acl, "acl.media", "Memory for media functions; those themselves refuse.") &&
      add_part(acl, "acl.util", "Addresses, bytes, arrays and threads.") &&
      (sim = add_part(acl, "acl.sim", "What the emulator adds: kernels, a look at the machine.")) &&
      add_kernel_types(sim) && watch_interpreter()) {
    aclsimCheckHostMemory(1);  // any number can be an address: a wrong one must not end the process
    return acl;
  }
  Py_DECREF(acl);
  return nullptr;
}

}  // namespace

Typed<"List[Dict[str, Any]]"> functions() {
  const Rows all = rows();
  return {give_list(all.count + refusal_count(), [&](std::size_t i) {
    return i < all.count ? describe(all.first[i]) : describe(refusal(i - all.count));
  })};
}

}  // namespace pyacl

PyMODINIT_FUNC PyInit_acl() { return pyacl::make_module(); }

// SPDX-License-Identifier: Apache-2.0
// Init and finalize, TLS, logs, and information about the library.
#include <algorithm>
#include <cstring>
#include <string>

#include "acl/acl_rt.h"
#include "pyacl/interpreter.h"
#include "pyshmem/table.h"
#include "shmem/shmem.h"

namespace pyshmem {
namespace {

int init(int rank, int ranks, std::uint64_t bytes, const char* address, int engine,
         std::uint32_t init_timeout, std::uint32_t create_timeout, std::uint32_t control_timeout) {
  aclshmemx_init_attr_t attr;
  attr.my_pe = rank;
  attr.n_pes = ranks;
  attr.local_mem_size = bytes;
  std::strncpy(attr.ip_port, address, sizeof attr.ip_port - 1);
  attr.option_attr.data_op_engine_type = static_cast<data_op_engine_type_t>(engine);
  attr.option_attr.shm_init_timeout = init_timeout;
  attr.option_attr.shm_create_timeout = create_timeout;
  attr.option_attr.control_operation_timeout = control_timeout;
  return aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &attr);
}

int init_with_id(int mype, int npes, std::uint64_t bytes, const void* id) {
  aclshmemx_uniqueid_t uid;
  std::memcpy(&uid, id, sizeof uid);
  aclshmemx_init_attr_t attr;
  const int code =
      aclshmemx_set_attr_uniqueid_args(mype, npes, static_cast<std::int64_t>(bytes), &uid, &attr);
  return code != 0 ? code : aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_UNIQUEID, &attr);
}

PyObject* init_using_unique_id(int mype, int npes, std::uint64_t bytes, PyObject* uid) {
  if (!PyBytes_Check(uid)) {
    PyErr_SetString(PyExc_TypeError, "shmem_init_using_unique_id: argument 4 (uid) must be bytes");
    return nullptr;
  }
  if (PyBytes_Size(uid) < static_cast<Py_ssize_t>(sizeof(aclshmemx_uniqueid_t))) {
    return PyLong_FromLong(ACLSHMEM_INVALID_PARAM);
  }
  const void* const id = PyBytes_AsString(uid);
  PyThreadState* const state = PyEval_SaveThread();
  const int code = init_with_id(mype, npes, bytes, id);
  PyEval_RestoreThread(state);
  return PyLong_FromLong(code);
}

PyObject* unique_id() {
  aclshmemx_uniqueid_t uid{};
  if (aclshmemx_get_uniqueid(&uid) != 0) return raise_failed("get_unique_id");
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(&uid), sizeof uid);
}

PyObject* version() {
  int major = 0;
  int minor = 0;
  aclshmem_info_get_version(&major, &minor);
  return Py_BuildValue("(ii)", major, minor);
}

PyObject* name() {
  char text[ACLSHMEM_MAX_NAME_LEN] = {};
  aclshmem_info_get_name(text);
  return pyacl::give_text(text);
}

PyObject* older_name() { return PyUnicode_FromString("SHMEM v1.1.1"); }

// --- what the library calls ---

PyObject* logger = nullptr;      // under the GIL; never given back, a thread may be calling it
PyObject* registered = nullptr;  // the same; what decrypts passwords
PyObject* of_key = nullptr;      // the same, where the key came with one

void log_line(int level, const char* text) {
  pyacl::call_python([&] {
    PyObject* const answer = logger ? PyObject_CallFunction(logger, "is", level, text) : nullptr;
    if (!answer && PyErr_Occurred()) PyErr_WriteUnraisable(logger);
    Py_XDECREF(answer);
  });
}

/// The handler's answer, or null with an exception.
PyObject* ask(PyObject* handler, const char* cipher, std::size_t length) {
  if (handler) {
    return PyObject_CallFunction(handler, "s#", cipher, static_cast<Py_ssize_t>(length));
  }
  PyErr_SetString(PyExc_RuntimeError,
                  "the private key has a password, and nobody has registered a handler for it");
  return nullptr;
}

/// -1: no handler, an exception, or a text that does not fit.
int decrypted(const char* cipher, std::size_t length, char* plain, std::size_t& room) {
  int code = -1;
  pyacl::call_python([&] {
    PyObject* const handler = of_key ? of_key : registered;
    PyObject* const answer = ask(handler, cipher, length);
    PyObject* const bytes =
        answer && PyUnicode_Check(answer) ? PyUnicode_AsUTF8String(answer) : nullptr;
    const auto size = bytes ? static_cast<std::size_t>(PyBytes_Size(bytes)) : room;
    if (bytes && size < room) {
      std::memcpy(plain, PyBytes_AsString(bytes), size + 1);
      room = size;
      code = 0;
    }
    if (PyErr_Occurred()) PyErr_WriteUnraisable(handler);
    Py_XDECREF(bytes);
    Py_XDECREF(answer);
  });
  return code;
}

/// Keeps a callable, or none for None: false with TypeError for anything else.
bool keep(PyObject* function, PyObject*& kept, const char* of) {
  if (function != Py_None && !PyCallable_Check(function)) {
    PyErr_Format(PyExc_TypeError, "%s: the handler must be callable or None", of);
    return false;
  }
  Py_INCREF(function);
  kept = function == Py_None ? nullptr : function;
  return true;
}

PyObject* set_extern_logger(PyObject* function) {
  if (!keep(function, logger, "set_extern_logger")) return nullptr;
  return PyLong_FromLong(aclshmemx_set_extern_logger(logger ? log_line : nullptr));
}

PyObject* register_decrypt_handler(PyObject* function) {
  return keep(function, registered, "register_decrypt_handler") ? PyLong_FromLong(0) : nullptr;
}

PyObject* set_tls_key(const char* key, const char* password, PyObject* function) {
  if (function && !keep(function, of_key, "set_conf_store_tls_key")) return nullptr;
  const auto length = [](const char* text) {
    return static_cast<std::uint32_t>(std::strlen(text));
  };
  return PyLong_FromLong(
      aclshmemx_set_config_store_tls_key(key, length(key), password, length(password), decrypted));
}

int set_tls(bool enable, const char* info) {
  return aclshmemx_set_conf_store_tls(enable, info, static_cast<std::uint32_t>(std::strlen(info)));
}

void add_init(Rows& rows) {
  rows.push_back(row<Value, Value, Value, Value, Value, Value, Value, Value>(
      "_init",
      "my_rank, n_ranks, local_mem_size, ip_port, engine, init_timeout, create_timeout, "
      "control_timeout",
      init, ""));
  const char* const ends =
      "Ends this PE and frees its allocations; all PEs call it. Returns 0, also before init; -4 if "
      "a PE\n"
      "was lost, -7 if one did not arrive.";
  for (const char* const end_name :
       {"shmem_finalize", "shmem_finialize", "aclshmem_finalize", "aclshmem_finialize"}) {
    rows.push_back(row<>(end_name, "", static_cast<int (*)()>(aclshmem_finalize), ends));
  }
  rows.push_back(row<Value>(
      "aclshmemx_finalize", "instance_id", static_cast<int (*)(std::uint64_t)>(aclshmemx_finalize),
      "As aclshmem_finalize for instance 0; -4 for other instances, which do not exist."));
  rows.push_back(row<>("_init_status", "", aclshmemx_init_status, ""));
  for (const char* const uid_name : {"shmem_get_unique_id", "aclshmem_get_unique_id"}) {
    rows.push_back(giving("bytes", row<>(uid_name, "", unique_id,
                                         "Makes an id of 136 bytes that identifies a job. PE 0 "
                                         "calls it, and the program carries the id to\n"
                                         "the others. Raises RuntimeError if no port is free.")));
  }
  for (const char* const uid_name :
       {"shmem_init_using_unique_id", "aclshmem_init_using_unique_id"}) {
    rows.push_back(
        giving("int", row<Value, Value, Value, Bytes>(
                          uid_name, "mype, npes, mem_size, uid", init_using_unique_id,
                          "As shmem_init, with a unique id. mem_size: bytes of each PE's heap. "
                          "Returns 0 or a code; -1 for a\n"
                          "uid of fewer than 136 bytes. Raises TypeError if uid is not bytes.")));
  }
}

void add_settings(Rows& rows) {
  rows.push_back(row<Value, Value>(
      "set_conf_store_tls", "enable, tls_info", set_tls,
      "Sets TLS for the store, before init. tls_info: 'tlsCert: FILE; tlsCaFile: FILE,...'.\n"
      "Returns 0; -1 without a certificate or an authority."));
  rows.push_back(giving(
      "int", row<Value, Value, Decrypts>("set_conf_store_tls_key",
                                         "tls_pk, tls_pk_pw, py_decrypt_func", set_tls_key,
                                         "Sets a private key in PEM format, its encrypted "
                                         "password, and the function that decrypts it; None:\n"
                                         "the function of register_decrypt_handler. Returns 0.")));
  rows.push_back(giving(
      "int", row<Decrypts>("register_decrypt_handler", "py_decrypt_func", register_decrypt_handler,
                           "Registers the function that decrypts a password (str); None removes "
                           "it. Returns 0. The function is\n"
                           "called only with TLS.")));
  rows.push_back(row<Value>("set_log_level", "level", aclshmemx_set_log_level,
                            "Sets the level: 0 debug, 1 info, 2 warning, 3 error, 4 fatal. "
                            "SHMEM_LOG_LEVEL has precedence, and\n"
                            "init sets 3. Returns 0; -1 for other levels."));
  rows.push_back(giving("int", row<Logs>("set_extern_logger", "func", set_extern_logger,
                                         "Registers func(level, text), which any thread calls for "
                                         "each line of the log; None removes it.\n"
                                         "Returns 0.")));
  for (const char* const version_name : {"shmem_info_get_version", "aclshmem_info_get_version"}) {
    rows.push_back(giving("Tuple[int, int]", row<>(version_name, "", version,
                                                   "Returns (major, minor), which is (1, 1).")));
  }
  rows.push_back(giving("str", row<>("aclshmem_info_get_name", "", name, "\"ACLSHMEM v1.1.1\".")));
  rows.push_back(giving("str", row<>("shmem_info_get_name", "", older_name, "\"SHMEM v1.1.1\".")));
  for (const char* const exit_name : {"shmem_global_exit", "aclshmem_global_exit"}) {
    rows.push_back(row<Value>(exit_name, "status", aclshmem_global_exit,
                              "Ends the processes of all PEs with this status (its lowest 8 bits), "
                              "as exit() in C does; no effect\n"
                              "before init. The call may return before the process ends."));
  }
  rows.push_back(row<>("get_ffts_config", "", util_get_ffts_config,
                       "Returns a number that is passed to kernels; 0 before init."));
  rows.push_back(
      row<Value, Value, Value>("mte_set_ub_params", "offset, size, event", aclshmemx_set_mte_config,
                               "Stores the staging buffer of device-side copies: offset and size "
                               "in bytes, and the number of an\n"
                               "event. Returns 0; -5 before init. The values have no effect."));
  const char* const all =
      "Returns when all PEs have called it and all their earlier operations are complete. An "
      "addition of\n"
      "the emulator to the Python functions. Errors are logged.";
  rows.push_back(row<>("_barrier_all", "", aclshmem_barrier_all, all));
  rows.push_back(row<Value>("_barrier", "team", aclshmem_barrier, all));
}

}  // namespace

void add_session(Rows& rows) {
  add_init(rows);
  add_settings(rows);
}

}  // namespace pyshmem

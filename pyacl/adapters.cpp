// SPDX-License-Identifier: Apache-2.0
#include "pyacl/adapters.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pyacl/table.h"

namespace pyacl {
namespace {

int dimensions(const List<std::int64_t>& dims) { return static_cast<int>(dims.size); }

/// The text with the names that Python programs use for the C functions in it.
std::string with_python_names(std::string_view text) {
  static const auto* const names = [] {
    auto* const made = new std::unordered_map<std::string_view, std::string_view>;
    for (const Row& row : rows()) {
      if (*row.c_function != '\0') made->emplace(row.c_function, row.name);
    }
    return made;
  }();
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = std::find_if_not(begin, text.end(), in_name);
    const std::string_view word = text.substr(at, static_cast<std::size_t>(end - begin));
    const auto known = names->find(word);
    result += known == names->end() ? word : known->second;
    at += word.size();
    if (at < text.size()) result += text[at++];
  }
  return result;
}

/// The dict key of the member that the attribute uses.
const char* attribute_key(aclrtStreamAttr type) {
  switch (type) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      return "failureMode";
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      return "overflowSwitch";
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      return "userCustomTag";
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      return "cacheOpInfoSwitch";
    case ACL_STREAM_ATTR_PRIORITY:
      return "streamPriority";
  }
  return "reserve";
}

}  // namespace

// ---- init, versions, data types ----

aclError init(Optional<const char*> config_path) { return aclInit(config_path.value); }

Typed<"str"> get_recent_err_msg() {
  const char* const message = aclGetRecentErrMsg();
  return {give_text(with_python_names(message ? message : "").c_str())};
}

void app_log(aclLogLevel level, const char* message) { aclAppLog(level, "", "", 0, "%s", message); }

aclError get_version_str(const char* package, Text<ACL_PKG_VERSION_MAX_SIZE>* version) {
  return aclsysGetVersionStr(const_cast<char*>(package), version->text);
}

aclError get_cann_attribute_list(Typed<"List[int]">* list, std::size_t* count) {
  const aclCannAttr* attributes = nullptr;
  const aclError code = without_gil<Gil::kept>(aclGetCannAttributeList, &attributes, count);
  list->object = give_list(code == ACL_SUCCESS ? *count : 0,
                           [&](std::size_t i) { return give_value(attributes[i]); });
  return code;
}

// ---- tensor descriptions ----

aclTensorDesc* create_tensor_desc(aclDataType type, List<std::int64_t> dims, aclFormat format) {
  return aclCreateTensorDesc(type, dimensions(dims), dims.data, format);
}

// ---- device, context, streams ----

namespace {
/// Reads, once a context exists, whether the schedule is a controlled one. Before that the
/// machine, and so the schedule, does not exist.
aclError note_schedule(aclError code) {
  static bool noted = false;  // harmless if two threads read it at once
  if (code == ACL_SUCCESS && !__atomic_exchange_n(&noted, true, __ATOMIC_RELAXED)) {
    aclsimMachine machine{};
    machine.size = sizeof machine;
    if (aclsimGetMachine(&machine) == ACL_SUCCESS && machine.seeded != 0) always_release = true;
  }
  return code;
}
}  // namespace

aclError set_device(std::int32_t device) { return note_schedule(aclrtSetDevice(device)); }

aclError create_context(std::int32_t device, aclrtContext* context) {
  return note_schedule(aclrtCreateContext(context, device));
}

aclError get_primary_ctx_state(std::int32_t device, std::int32_t* active, std::uint32_t*) {
  return aclrtGetPrimaryCtxState(device, nullptr, active);
}

aclError device_get_uuid(std::int32_t device, Typed<"bytes">* uuid) {
  aclrtUuid value{};
  const aclError code = without_gil<Gil::kept>(aclrtDeviceGetUuid, device, &value);
  uuid->object = PyBytes_FromStringAndSize(value.bytes, sizeof value.bytes);
  return code;
}

aclError set_stream_attribute(aclrtStream stream, aclrtStreamAttr type,
                              Typed<"Dict[str, Any]"> value) {
  static constexpr Signature kSignature{"acl.rt.set_stream_attribute",
                                        "stream, stm_attr_type, value"};
  const Argument at{kSignature, 2};
  aclrtStreamAttrValue attribute{};
  if (!PyDict_Check(value.object)) {
    raise_wrong_type(at, "dict", value.object);
    return ACL_SUCCESS;
  }
  const char* const key = attribute_key(type);
  PyObject* const named = PyDict_GetItemString(value.object, key);
  PyObject* const item = named ? named : value.object;
  Py_INCREF(item);
  const bool taken = take_union(item, named ? at.at_key(key) : at, &attribute, sizeof attribute);
  Py_DECREF(item);
  if (!taken) return ACL_SUCCESS;
  return without_gil<Gil::kept>(aclrtSetStreamAttribute, stream, type, &attribute);
}

aclError get_stream_attribute(aclrtStream stream, aclrtStreamAttr type,
                              Typed<"Dict[str, int]">* value) {
  aclrtStreamAttrValue attribute{};
  const aclError code = without_gil<Gil::kept>(aclrtGetStreamAttribute, stream, type, &attribute);
  PyObject* const dict = PyDict_New();
  if (!dict) return code;
  PyObject* const number = type == ACL_STREAM_ATTR_FAILURE_MODE
                               ? PyLong_FromUnsignedLong(attribute.failureMode)
                               : PyLong_FromUnsignedLong(attribute.reserve[0]);
  if (set_item(dict, attribute_key(type), number)) {
    value->object = dict;
  } else {
    Py_DECREF(dict);
  }
  return code;
}

// ---- notify ----

aclError notify_batch_reset(List<aclrtNotify> notifies) {
  return aclrtNotifyBatchReset(notifies.data, notifies.size);
}

aclError notify_get_export_key(aclrtNotify notify, std::size_t length, std::uint64_t flags,
                               Text<128>* key) {
  return aclrtNotifyGetExportKey(notify, key->text, std::min(length, sizeof key->text), flags);
}

aclError notify_set_import_pid(aclrtNotify notify, List<std::int32_t> pids) {
  return aclrtNotifySetImportPid(notify, pids.data, pids.size);
}

// ---- memory ----

aclError mem_set_pid_to_shareable_handle(std::uint64_t handle, List<std::int32_t> pids) {
  return aclrtMemSetPidToShareableHandle(handle, pids.data, pids.size);
}

aclError mem_get_allocation_granularity(const aclrtPhysicalMemProp* prop,
                                        aclrtMemGranularityOptions option, std::size_t* size) {
  aclrtPhysicalMemProp copy = *prop;
  return aclrtMemGetAllocationGranularity(&copy, option, size);
}

aclError ipc_mem_get_export_key(void* ptr, std::size_t size, std::size_t length,
                                std::uint64_t flags, Text<128>* key) {
  return aclrtIpcMemGetExportKey(ptr, size, key->text, std::min(length, sizeof key->text), flags);
}

aclError ipc_mem_set_import_pid(const char* key, List<std::int32_t> pids) {
  return aclrtIpcMemSetImportPid(key, pids.data, pids.size);
}

// ---- kernels ----

aclError get_function_name(aclrtFuncHandle function, std::uint32_t most, Text<1024>* name) {
  const auto room = static_cast<std::uint32_t>(sizeof name->text);
  return aclrtGetFunctionName(function, std::min(most, room), name->text);
}

aclError launch_kernel_with_host_args(aclrtFuncHandle function, std::uint32_t blocks,
                                      aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* args,
                                      std::size_t size, List<aclrtPlaceHolderInfo> holders,
                                      std::size_t count) {
  count = std::min(count, holders.size);
  return aclrtLaunchKernelWithHostArgs(function, blocks, stream, cfg, args, size,
                                       count != 0 ? holders.data : nullptr, count);
}

aclError get_group_info_detail(const aclrtGroupInfo* info, std::int32_t group, aclrtGroupAttr attr,
                               std::uint64_t* value) {
  std::size_t size = 0;
  return aclrtGetGroupInfoDetail(info, group, attr, value, sizeof *value, &size);
}

// ---- acl.sim ----

aclError get_machine(aclsimMachine* machine) {
  machine->size = sizeof *machine;
  return aclsimGetMachine(machine);
}

aclError get_stats(aclsimStats* stats) {
  stats->size = sizeof *stats;
  return aclsimGetStats(stats);
}

}  // namespace pyacl

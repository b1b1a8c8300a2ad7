// SPDX-License-Identifier: Apache-2.0
// Functions with a Python signature that does not follow from the C function's type: results in
// another order, counts that follow from a list, text that C writes into a buffer.
#pragma once

#include "acl/acl_rt_allocator.h"
#include "pyacl/marshal.h"

namespace pyacl {

// ---- init, versions, data types ----
aclError init(Optional<const char*> config_path);
/// Never null; empty if there is no message.
Typed<"str"> get_recent_err_msg();
void app_log(aclLogLevel level, const char* message);
aclError get_version_str(const char* package, Text<ACL_PKG_VERSION_MAX_SIZE>* version);
aclError get_cann_attribute_list(Typed<"List[int]">* list, std::size_t* count);

// ---- tensor descriptions ----
aclTensorDesc* create_tensor_desc(aclDataType type, List<std::int64_t> dims, aclFormat format);

// ---- device, context, streams ----
aclError set_device(std::int32_t device);
aclError create_context(std::int32_t device, aclrtContext* context);
/// The order of results is active, flags, unlike in C. The flags are 0, because C has none.
aclError get_primary_ctx_state(std::int32_t device, std::int32_t* active, std::uint32_t* flags);
aclError device_get_uuid(std::int32_t device, Typed<"bytes">* uuid);
aclError set_stream_attribute(aclrtStream stream, aclrtStreamAttr type,
                              Typed<"Dict[str, Any]"> value);
aclError get_stream_attribute(aclrtStream stream, aclrtStreamAttr type,
                              Typed<"Dict[str, int]">* value);

// ---- notify ----
aclError notify_batch_reset(List<aclrtNotify> notifies);
aclError notify_get_export_key(aclrtNotify notify, std::size_t length, std::uint64_t flags,
                               Text<128>* key);
aclError notify_set_import_pid(aclrtNotify notify, List<std::int32_t> pids);

// ---- memory ----
aclError mem_set_pid_to_shareable_handle(std::uint64_t handle, List<std::int32_t> pids);
aclError mem_get_allocation_granularity(const aclrtPhysicalMemProp* prop,
                                        aclrtMemGranularityOptions option, std::size_t* size);
aclError ipc_mem_get_export_key(void* ptr, std::size_t size, std::size_t length,
                                std::uint64_t flags, Text<128>* key);
aclError ipc_mem_set_import_pid(const char* key, List<std::int32_t> pids);

// ---- kernels ----
aclError get_function_name(aclrtFuncHandle function, std::uint32_t most, Text<1024>* name);
aclError launch_kernel_with_host_args(aclrtFuncHandle function, std::uint32_t blocks,
                                      aclrtStream stream, aclrtLaunchKernelCfg* cfg, void* args,
                                      std::size_t size, List<aclrtPlaceHolderInfo> holders,
                                      std::size_t count);
aclError get_group_info_detail(const aclrtGroupInfo* info, std::int32_t group, aclrtGroupAttr attr,
                               std::uint64_t* value);

// ---- acl.util ----
void* bytes_to_ptr(Bytes data);
using Array = Typed<"ndarray">;
using Address = Typed<"int">;
using Shape = Typed<"Union[int, List[int], Tuple[int, ...]]">;
Typed<"bytes"> ptr_to_bytes(const void* ptr, std::uint64_t size);
Address numpy_to_ptr(Array array);
void numpy_contiguous_to_ptr(Array array, Address* ptr, Array* contiguous);
Array ptr_to_numpy(void* ptr, Shape shape, std::int32_t typenum);
/// Starts a thread that calls function(arguments); `id` is its pthread_self().
aclError start_thread(Function<"Callable[[Any], object]"> function, Object arguments,
                      std::uint64_t* id);
/// Waits until the function has returned. 100000 for an id that start_thread did not return. While
/// the interpreter finalizes, no thread starts (500000), and this function waits for no thread.
aclError stop_thread(std::uint64_t id);

// ---- callbacks ----
aclError launch_callback(Function<"Callable[[Any], object]"> function, Object user_data,
                         aclrtCallbackBlockType block, aclrtStream stream);
aclError set_exception_info_callback(
    Optional<Function<"Optional[Callable[[int], object]]">> function);

// ---- allocators ----
aclError allocator_register(aclrtStream stream, aclrtAllocatorDesc desc);
aclError allocator_unregister(aclrtStream stream);
/// alloc(obj, size) -> block, free(obj, block), alloc_advise(obj, size, addr) -> block,
/// get_addr(block) -> int. A block is any object; None means that no memory is available.
aclError allocator_set_obj(aclrtAllocatorDesc desc, Object object);
aclError allocator_set_alloc(aclrtAllocatorDesc desc,
                             Function<"Callable[[Any, int], Any]"> function);
aclError allocator_set_free(aclrtAllocatorDesc desc,
                            Function<"Callable[[Any, Any], object]"> function);
aclError allocator_set_alloc_advise(aclrtAllocatorDesc desc,
                                    Function<"Callable[[Any, int, int], Any]"> function);
aclError allocator_set_get_addr(aclrtAllocatorDesc desc, Function<"Callable[[Any], int]"> function);
aclError allocator_destroy(aclrtAllocatorDesc desc);
/// Called after aclsimResetAll.
void forget_allocators();

// ---- acl.sim ----
aclError get_machine(aclsimMachine* machine);
aclError get_stats(aclsimStats* stats);
aclError reset_all();
/// A dict for every row of the table, including functions that are absent from the modules.
Typed<"List[Dict[str, Any]]"> functions();

}  // namespace pyacl

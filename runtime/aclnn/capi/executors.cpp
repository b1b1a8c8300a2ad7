// SPDX-License-Identifier: Apache-2.0
// aclnn/acl_meta.h: executors; aclnn/aclnn_base.h; and the functions that clients find with dlsym.
#include "runtime/aclnn/plan/executors.h"

#include "acl/acl.h"
#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/plan/executor.h"

using aclnn::Among;

namespace {

aclnnStatus set_member(const char* function, aclOpExecutor* executor, Among among,
                       std::size_t member, aclTensorList* tensors, void* address) {
  aclTensor* tensor = nullptr;
  const aclnnStatus found = aclnn::guarded(function, [&] {
    if (!tensors) aclnn::fail(aclnn::kInnerNullPointer, "tensors is null");
    aclnn::require(member < tensors->tensors.size(), "relativeIndex is {}; expected less than {}",
                   member, tensors->tensors.size());
    tensor = const_cast<aclTensor*>(tensors->tensors[member]);
    aclnn::require(tensor != nullptr, "member {} of tensors is null", member);
  });
  if (found != OK) return found;
  return aclnn::set_address(function, executor, among, tensor, address);
}

}  // namespace

aclnnStatus aclnnInit(const char* configPath) {
  const aclError error = aclInit(configPath);
  if (error == ACL_SUCCESS || error == ACL_ERROR_REPEAT_INITIALIZE) return OK;
  return aclnn::kRuntimeError;
}

aclnnStatus aclnnFinalize() { return OK; }

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  return aclnn::set_repeatable("aclSetAclOpExecutorRepeatable", executor);
}
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  return aclnn::destroy_executor("aclDestroyAclOpExecutor", executor);
}

// The tensor's handle identifies it; the index is ignored, as by the vendor's built-in operators.
aclnnStatus aclSetTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor, void* addr) {
  return aclnn::set_address("aclSetTensorAddr", executor, Among::all, tensor, addr);
}
aclnnStatus aclSetInputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                  void* addr) {
  return aclnn::set_address("aclSetInputTensorAddr", executor, Among::inputs, tensor, addr);
}
aclnnStatus aclSetOutputTensorAddr(aclOpExecutor* executor, const size_t, aclTensor* tensor,
                                   void* addr) {
  return aclnn::set_address("aclSetOutputTensorAddr", executor, Among::outputs, tensor, addr);
}
aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor* executor, size_t, const size_t relativeIndex,
                                    aclTensorList* tensors, void* addr) {
  return set_member("aclSetDynamicTensorAddr", executor, Among::all, relativeIndex, tensors, addr);
}
aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return set_member("aclSetDynamicInputTensorAddr", executor, Among::inputs, relativeIndex, tensors,
                    addr);
}
aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return set_member("aclSetDynamicOutputTensorAddr", executor, Among::outputs, relativeIndex,
                    tensors, addr);
}

aclnnStatus AclSetTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                             void* addr) {
  return aclSetTensorAddr(executor, index, tensor, addr);
}
aclnnStatus AclSetInputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                  void* addr) {
  return aclSetInputTensorAddr(executor, index, tensor, addr);
}
aclnnStatus AclSetOutputTensorAddr(aclOpExecutor* executor, const size_t index, aclTensor* tensor,
                                   void* addr) {
  return aclSetOutputTensorAddr(executor, index, tensor, addr);
}
aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                    const size_t relativeIndex, aclTensorList* tensors,
                                    void* addr) {
  return aclSetDynamicTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}
aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                         const size_t relativeIndex, aclTensorList* tensors,
                                         void* addr) {
  return aclSetDynamicInputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}
aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor* executor, size_t irIndex,
                                          const size_t relativeIndex, aclTensorList* tensors,
                                          void* addr) {
  return aclSetDynamicOutputTensorAddr(executor, irIndex, relativeIndex, tensors, addr);
}

aclnnStatus aclDumpOpTensors(const char* opType, const char* opName, aclTensor** tensors,
                             size_t inputTensorNum, size_t outputTensorNum, aclrtStream stream) {
  return aclnn::dump_tensors(opName && *opName ? opName : opType,
                             {tensors, inputTensorNum, outputTensorNum}, stream,
                             __builtin_return_address(0));
}

// Scratch and executors that a client caches for each thread: there is nothing to keep here, which
// these answers say.
extern "C" {
ACL_META_API int InitHugeMemThreadLocal(void*, bool);
ACL_META_API void UnInitHugeMemThreadLocal(void*, bool);
ACL_META_API void ReleaseHugeMem(void*, bool);
ACL_META_API void InitPTACacheThreadLocal();
ACL_META_API void UnInitPTACacheThreadLocal();
ACL_META_API void SetPTAHashKey(uint64_t);
ACL_META_API void SetPTACacheHashKey(uint8_t*, size_t);
ACL_META_API aclOpExecutor* PTAGetExecCache(uint64_t, uint64_t*);
ACL_META_API aclOpExecutor* PTAFindExecCache(uint8_t*, size_t, uint64_t*);
ACL_META_API bool CanUsePTACache(const char*);
}

int InitHugeMemThreadLocal(void*, bool) { return 0; }
void UnInitHugeMemThreadLocal(void*, bool) {}
void ReleaseHugeMem(void*, bool) {}
void InitPTACacheThreadLocal() {}
void UnInitPTACacheThreadLocal() {}
void SetPTAHashKey(uint64_t) {}
void SetPTACacheHashKey(uint8_t*, size_t) {}
aclOpExecutor* PTAGetExecCache(uint64_t, uint64_t*) { return nullptr; }
aclOpExecutor* PTAFindExecCache(uint8_t*, size_t, uint64_t*) { return nullptr; }
bool CanUsePTACache(const char*) { return false; }

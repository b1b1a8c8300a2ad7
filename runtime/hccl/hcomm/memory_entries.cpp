// SPDX-License-Identifier: Apache-2.0
// hccl_res.h: the memory of communicators, and their contexts.
#include <cstring>

#include "hccl/hccl_res.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/comm/registry.h"
#include "runtime/hccl/hcomm/resources.h"

using namespace hccl;

namespace {

std::string tag_of(const char* tag, const char* argument) {
  const std::size_t length = strnlen(tag, HCCL_RES_TAG_MAX_LEN + 1);
  if (length > HCCL_RES_TAG_MAX_LEN) {
    fail(HCCL_E_PARA, "{} is longer than {} characters", argument, HCCL_RES_TAG_MAX_LEN);
  }
  return {tag, length};
}

std::string context_tag(const char* tag) { return tag_of(tag ? tag : "", "ctxTag"); }

void require_engine(CommEngine engine) {
  if (engine >= COMM_ENGINE_CPU && engine <= COMM_ENGINE_CCU) return;
  fail(HCCL_E_PARA, "engine is {}, which is none (CommEngine)", static_cast<int>(engine));
}

void require_size(std::uint64_t size, const char* argument) {
  if (size == 0) fail(HCCL_E_PARA, "{} is 0", argument);
}

std::shared_ptr<Resources> resources_of(HcclComm comm) {
  return Resources::of(Registry::instance().find(comm));
}

}  // namespace

extern "C" {

HcclResult HcclGetHcclBuffer(HcclComm comm, void** buffer, uint64_t* size) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      auto& address = require_out(buffer, "buffer");
      auto& bytes = require_out(size, "size");
      const auto resources = resources_of(comm);
      address = resources->buffer();
      bytes = resources->buffer_bytes();
    });
  });
}

HcclResult HcclCommMemReg(HcclComm comm, const char* memTag, const CommMem* mem,
                          HcclMemHandle* memHandle) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    require_input(memTag, "memTag");
    require_input(mem, "mem");
    auto& handle = require_out(memHandle, "memHandle");
    require_input(mem->addr, "mem->addr");
    std::string tag = tag_of(memTag, "memTag");
    if (tag.empty() || tag.starts_with(Region::kBufferTag)) {
      fail(HCCL_E_PARA, "memTag is \"{}\"; expected a name that does not begin with {}", tag,
           Region::kBufferTag);
    }
    if (mem->type != COMM_MEM_TYPE_DEVICE && mem->type != COMM_MEM_TYPE_HOST) {
      fail(HCCL_E_PARA, "mem->type is {}; expected device (0) or host (1)",
           static_cast<int>(mem->type));
    }
    require_size(mem->size, "mem->size");
    const auto resources = resources_of(comm);
    handle =
        resources->add_memory(Region::at(caller, std::move(tag), mem->type, mem->addr, mem->size));
  });
}

/* As in the real library, memory that is not registered is ignored. */
HcclResult HcclCommDeregMem(HcclComm comm, const char* memTag, const void* memHandle) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    require_input(memTag, "memTag");
    require_input(memHandle, "memHandle");
    resources_of(comm)->remove_memory(memTag, const_cast<void*>(memHandle));
  });
}

HcclResult HcclEngineCtxCreate(HcclComm comm, const char* ctxTag, CommEngine engine, uint64_t size,
                               void** ctx) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      auto& out = require_out(ctx, "ctx");
      const std::string tag = context_tag(ctxTag);
      require_engine(engine);
      require_size(size, "size");
      out = resources_of(comm)->contexts().create(tag, engine, size);
    });
  });
}

HcclResult HcclEngineCtxGet(HcclComm comm, const char* ctxTag, CommEngine engine, void** ctx,
                            uint64_t* size) {
  return guarded(__func__, [&] {
    require_input(comm, "comm");
    auto& address = require_out(ctx, "ctx");
    auto& bytes = require_out(size, "size");
    const std::string tag = context_tag(ctxTag);
    const auto block = resources_of(comm)->contexts().find(tag, engine, HCCL_E_NOT_FOUND);
    address = block.address;
    bytes = block.bytes;
  });
}

HcclResult HcclEngineCtxCopy(HcclComm comm, CommEngine engine, const char* ctxTag,
                             const void* srcCtx, uint64_t size, uint64_t dstCtxOffset) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(srcCtx, "srcCtx");
      const std::string tag = context_tag(ctxTag);
      require_size(size, "size");
      resources_of(comm)->contexts().copy(tag, engine, dstCtxOffset, srcCtx, size);
    });
  });
}

HcclResult HcclEngineCtxDestroy(HcclComm comm, const char* ctxTag, CommEngine engine) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      const std::string tag = context_tag(ctxTag);
      resources_of(comm)->contexts().destroy(tag, engine);
    });
  });
}

}  // extern "C"

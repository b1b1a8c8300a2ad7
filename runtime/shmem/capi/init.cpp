// SPDX-License-Identifier: Apache-2.0
// host/init/shmem_host_init.h, host/utils/shmem_log.h
#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/base/log.h"
#include "runtime/shmem/capi/init.h"
#include "runtime/shmem/links/tls.h"
#include "runtime/shmem/pe/pe.h"
#include "shmem/host/init/shmem_host_init.h"
#include "shmem/host/utils/shmem_log.h"

namespace shmem {
namespace {

constexpr std::uint32_t kEngines = 0xf;
constexpr std::size_t kMostPassword = 4096;  // with the terminating zero

/// Checks the members that identify the PE and its job.
void require_job(const aclshmemx_init_attr_t& attr) {
  const auto range = ACLSHMEM_INVALID_VALUE;
  if (attr.my_pe < 0) fail(range, "my_pe is {}; expected 0 or more", attr.my_pe);
  if (attr.n_pes <= 0 || attr.n_pes > ACLSHMEM_MAX_PES) {
    fail(range, "n_pes is {}; expected 1 to {}", attr.n_pes, ACLSHMEM_MAX_PES);
  }
  if (attr.my_pe >= attr.n_pes) {
    fail(ACLSHMEM_INVALID_PARAM, "my_pe is {}; expected less than n_pes, {}", attr.my_pe,
         attr.n_pes);
  }
  if (attr.local_mem_size == 0 || attr.local_mem_size > ACLSHMEM_MAX_LOCAL_SIZE) {
    fail(range, "local_mem_size is {}; expected 1 to {}", attr.local_mem_size,
         ACLSHMEM_MAX_LOCAL_SIZE);
  }
}

void require_sound(const aclshmemx_init_attr_t& attr) {
  require_job(attr);
  const auto range = ACLSHMEM_INVALID_VALUE;
  const auto& options = attr.option_attr;
  if (options.shm_init_timeout == 0) fail(range, "shm_init_timeout is 0; expected seconds");
  if (options.control_operation_timeout == 0) {
    fail(range, "control_operation_timeout is 0; expected seconds");
  }
  const auto engines = static_cast<std::uint32_t>(options.data_op_engine_type);
  if (engines == 0 || (engines & ~kEngines) != 0) {
    fail(range, "data_op_engine_type is {:#x}; expected bits of {:#x}", engines, kEngines);
  }
}

int require_device() {
  std::int32_t device = -1;
  if (aclrtGetDevice(&device) != ACL_SUCCESS) {
    fail(ACLSHMEM_INNER_ERROR, "this thread has no device; call aclrtSetDevice first");
  }
  return device;
}

/// Checks all attributes. Returns the device.
int require_all(const aclshmemx_init_attr_t& attr) {
  require_sound(attr);
  if (attr.instance_id != 0) {
    fail(ACLSHMEM_NOT_SUPPORTED, "instance_id is {}; only instance 0 is emulated",
         attr.instance_id);
  }
  return require_device();
}

std::span<const std::byte> bytes_of(const aclshmemx_uniqueid_t& uid) {
  if (uid.version != ACLSHMEM_UNIQUEID_VERSION) {
    fail(ACLSHMEM_INVALID_PARAM, "the unique id has version {}; expected {}", uid.version,
         ACLSHMEM_UNIQUEID_VERSION);
  }
  return std::as_bytes(std::span(uid.internal));
}

/// Returns the unique id in comm_args if it can be the id of a job.
const aclshmemx_uniqueid_t* usable_id(const void* comm_args) {
  const auto* const uid = static_cast<const aclshmemx_uniqueid_t*>(comm_args);
  if (!uid || uid->version != ACLSHMEM_UNIQUEID_VERSION) return nullptr;
  const bool zeros = std::all_of(std::begin(uid->internal), std::end(uid->internal),
                                 [](char byte) { return byte == 0; });
  return zeros ? nullptr : uid;
}

/// Returns nothing if ip_port is not an address and comm_args is a unique id, which is used
/// instead.
std::optional<Address> address_in(const aclshmemx_init_attr_t& attr) {
  const std::size_t length = strnlen(attr.ip_port, sizeof attr.ip_port);
  try {
    return parse_address({attr.ip_port, length});
  } catch (const Error&) {
    if (!usable_id(attr.comm_args)) throw;
    return std::nullopt;
  }
}

/// `wrong`: the error that this PE fails with in any case. Only PEs that use MPI get here with an
/// error.
Met meet(aclshmemx_bootstrap_t flags, const aclshmemx_init_attr_t& attr, const JoinSpec& joining,
         const std::exception_ptr& wrong) {
  switch (flags) {
    case ACLSHMEMX_INIT_WITH_DEFAULT:
      if (const auto address = address_in(attr)) return meet_at(*address, joining);
      return meet_by_unique_id(bytes_of(*usable_id(attr.comm_args)), joining);
    case ACLSHMEMX_INIT_WITH_UNIQUEID:
      if (!attr.comm_args) {
        fail(ACLSHMEM_INVALID_PARAM, "comm_args is NULL; expected an aclshmemx_uniqueid_t");
      }
      return meet_by_unique_id(bytes_of(*static_cast<aclshmemx_uniqueid_t*>(attr.comm_args)),
                               joining);
    case ACLSHMEMX_INIT_WITH_MPI:
      return meet_by_mpi(attr.comm_args, joining, wrong);
    default:
      fail(ACLSHMEM_INVALID_PARAM,
           "bootstrap_flags is {}; expected 1 (DEFAULT), 2 (MPI) or 8 (UNIQUEID)",
           static_cast<int>(flags));
  }
}

void finalize() {
  const sim::LockGuard guard(Pe::initialising());
  const auto me = Pe::find();
  if (!me) return;
  // This PE ends even if the other PEs fail.
  try {
    me->barrier_all();
  } catch (...) {
    Pe::set(nullptr);
    me->abandon();
    throw;
  }
  Pe::set(nullptr);
  me->leave();
}

/// Decrypts with the program's handler.
std::optional<std::string> decrypted(aclshmem_decrypt_handler handler, const std::string& cipher) {
  std::string plain(kMostPassword, 0);
  std::size_t length = plain.size();
  if (handler(cipher.data(), cipher.size(), plain.data(), length) != 0) return std::nullopt;
  if (length >= plain.size()) return std::nullopt;
  plain.resize(length);
  return plain;
}

}  // namespace

void initialize(aclshmemx_bootstrap_t flags, const aclshmemx_init_attr_t& attr) {
  const sim::LockGuard guard(Pe::initialising());
  if (Pe::find()) {
    fail(ACLSHMEM_INNER_ERROR, "SHMEM is initialised; expected aclshmem_finalize before");
  }
  set_log_level(static_cast<int>(Level::error));
  int device = -1;
  std::exception_ptr wrong;
  try {
    device = require_all(attr);
  } catch (const std::exception&) {
    if (flags != ACLSHMEMX_INIT_WITH_MPI) throw;
    // the other processes of the MPI job must not wait for this one
    wrong = std::current_exception();
  }
  PeSpec spec;
  spec.my_pe = attr.my_pe;
  spec.n_pes = attr.n_pes;
  spec.heap_bytes = attr.local_mem_size;
  const std::uint32_t seconds = attr.option_attr.shm_init_timeout;
  spec.init_timeout = std::chrono::seconds(seconds ? seconds : DEFAULT_TIMEOUT);
  spec.control_timeout = std::chrono::seconds(attr.option_attr.control_operation_timeout);
  Met met = meet(flags, attr, {spec.my_pe, spec.n_pes, spec.heap_bytes, spec.init_timeout}, wrong);
  const auto group = met.group;
  const Pe::Becoming becoming;
  try {
    auto pe = std::make_shared<Pe>(std::move(met), spec, device);
    pe->barrier_all();
    Pe::set(std::move(pe));
  } catch (const std::exception& error) {
    group->give_up(fmt::format("PE {} gave up: {}", spec.my_pe, error.what()));
    throw;
  }
}

}  // namespace shmem

using namespace shmem;

extern "C" {

int aclshmemx_init_status(void) {
  // read first, because it becomes false after the PE is set
  const bool heap_made = Pe::Becoming::heap_made();
  if (Pe::find()) return ACLSHMEM_STATUS_IS_INITIALIZED;
  return heap_made ? ACLSHMEM_STATUS_SHM_CREATED : ACLSHMEM_STATUS_NOT_INITIALIZED;
}

int aclshmemx_init_attr(aclshmemx_bootstrap_t bootstrap_flags, aclshmemx_init_attr_t* attributes) {
  return guarded(__func__, [&] {
    if (!attributes) fail(ACLSHMEM_INVALID_PARAM, "attributes is NULL");
    initialize(bootstrap_flags, *attributes);
  });
}

int aclshmemx_get_uniqueid(aclshmemx_uniqueid_t* uid) {
  return guarded(__func__, [&] {
    aclshmemx_uniqueid_t made{};
    made.version = ACLSHMEM_UNIQUEID_VERSION;
    aclshmemx_uniqueid_t& out = require_out(uid, "uid");
    make_unique_id(std::as_writable_bytes(std::span(made.internal)));
    out = made;
  });
}

int aclshmemx_set_attr_uniqueid_args(int my_pe, int n_pes, int64_t local_mem_size,
                                     aclshmemx_uniqueid_t* uid,
                                     aclshmemx_init_attr_t* aclshmem_attr) {
  return guarded(__func__, [&] {
    aclshmemx_init_attr_t& out = require_out(aclshmem_attr, "aclshmem_attr");
    if (!uid) fail(ACLSHMEM_INVALID_PARAM, "uid is NULL");
    aclshmemx_init_attr_t attr = out;  // the other members stay as the caller has set them
    attr.my_pe = my_pe;
    attr.n_pes = n_pes;
    attr.local_mem_size = local_mem_size < 0 ? 0 : static_cast<std::uint64_t>(local_mem_size);
    attr.comm_args = uid;
    require_job(attr);
    out = attr;
  });
}

int aclshmem_finalize(void) { return guarded(__func__, finalize); }

int aclshmemx_finalize(uint64_t instance_id) {
  return guarded(__func__, [&] {
    if (instance_id != 0) fail(ACLSHMEM_INNER_ERROR, "instance {} does not exist", instance_id);
    finalize();
  });
}

aclshmem_instance_ctx* aclshmemx_instance_ctx_get(void) {
  refuse_unsupported(__func__, "several instances");
  return nullptr;
}

void aclshmem_info_get_version(int* major, int* minor) {
  if (major) *major = ACLSHMEM_MAJOR_VERSION;
  if (minor) *minor = ACLSHMEM_MINOR_VERSION;
}

void aclshmem_info_get_name(char* name) {
  if (name) std::strcpy(name, "ACLSHMEM v1.1.1");
}

void aclshmem_global_exit(int status) {
  guarded(__func__, [&] {
    if (const auto me = Pe::find()) me->exit_all(status);
  });
}

int32_t aclshmemx_set_conf_store_tls(bool enable, const char* tls_info,
                                     const uint32_t tls_info_len) {
  return guarded(__func__, [&] {
    if (!enable) return set_tls(std::nullopt);
    set_tls(tls_info ? std::string(tls_info, strnlen(tls_info, tls_info_len)) : std::string());
  });
}

int32_t aclshmemx_set_config_store_tls_key(const char* tls_pk, const uint32_t tls_pk_len,
                                           const char* tls_pk_pw, const uint32_t tls_pk_pw_len,
                                           const aclshmem_decrypt_handler decrypt_handler) {
  return guarded(__func__, [&] {
    const auto text = [](const char* begin, std::size_t length) {
      return begin ? std::string(begin, length) : std::string();
    };
    Decrypt decrypt;
    if (decrypt_handler) {
      decrypt = [decrypt_handler](const std::string& cipher) {
        return decrypted(decrypt_handler, cipher);
      };
    }
    set_tls_key(text(tls_pk, tls_pk_len), text(tls_pk_pw, tls_pk_pw_len), std::move(decrypt));
  });
}

int32_t aclshmemx_set_log_level(int level) {
  return guarded(__func__, [&] {
    if (!set_log_level(level)) {
      fail(ACLSHMEM_INVALID_PARAM, "level is {}; expected 0 (debug) to 4 (fatal)", level);
    }
  });
}

int32_t aclshmemx_set_extern_logger(void (*func)(int level, const char* msg)) {
  set_logger(func);
  return ACLSHMEM_SUCCESS;
}

void aclshmemx_get_prof(aclshmem_prof_pe_t** out_profs, bool verbose) {
  if (out_profs) *out_profs = nullptr;
  if (out_profs || verbose) refuse_unsupported(__func__, "cycles of devices");
}

}  // extern "C"

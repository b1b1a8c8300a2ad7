// SPDX-License-Identifier: Apache-2.0
// shmem_api.h: the functions of the first versions, implemented by the newer functions. Some of its
// types have the names of newer types, so the newer functions that are called are declared here.
#include "shmem/shmem_api.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/shmem/capi/older_init.h"

namespace {

/// The handler that decrypts passwords if the call that sets the key has none.
std::atomic<shmem_decrypt_handler>& registered_handler() {
  static std::atomic<shmem_decrypt_handler> handler{nullptr};
  return handler;
}

/// Looks the handler up when it is needed: a program may register it after it has set the key.
int by_registered(const char* cipher, size_t length, char* plain, size_t& room) {
  const shmem_decrypt_handler handler = registered_handler();
  return handler ? handler(cipher, length, plain, room) : -1;
}

/// A program that means milliseconds most likely asks for more than this.
constexpr std::uint32_t kLongTimeout = 600;

}  // namespace

extern "C" {

// The newer functions that are called.
int aclshmemx_init_status(void);
int aclshmem_finalize(void);
void aclshmem_info_get_version(int* major, int* minor);
void aclshmem_global_exit(int status);
int32_t aclshmemx_set_conf_store_tls(bool enable, const char* info, const uint32_t size);
int32_t aclshmemx_set_config_store_tls_key(const char*, const uint32_t, const char*, const uint32_t,
                                           const shmem_decrypt_handler);
int32_t aclshmemx_set_log_level(int level);
int32_t aclshmemx_set_extern_logger(void (*func)(int, const char*));
void* aclshmem_malloc(size_t size);
void* aclshmem_calloc(size_t nmemb, size_t size);
void* aclshmem_align(size_t alignment, size_t size);
void aclshmem_free(void* ptr);
int aclshmem_my_pe(void);
int aclshmem_n_pes(void);
int aclshmem_team_my_pe(int team);
int aclshmem_team_n_pes(int team);
int aclshmem_team_split_strided(int parent, int start, int stride, int size, int* team);
int aclshmem_team_split_2d(int parent, int range, int* x, int* y);
int aclshmem_team_translate_pe(int from, int pe, int to);
void aclshmem_team_destroy(int team);
void* aclshmem_ptr(void* ptr, int pe);
void aclshmem_putmem(void* dst, void* src, size_t bytes, int32_t pe);
void aclshmem_getmem(void* dst, void* src, size_t bytes, int32_t pe);
void aclshmemx_putmem_signal(void*, void*, size_t, void*, int32_t, int, int);
int aclshmemx_set_mte_config(uint64_t offset, uint32_t size, uint32_t id);
void aclshmemx_getmem_on_stream(void* dst, void* src, size_t bytes, int32_t pe, aclrtStream stream);
uint64_t util_get_ffts_config(void);
void aclshmem_barrier(int team);
void aclshmem_barrier_all(void);
void aclshmemx_barrier_on_stream(int team, aclrtStream stream);
void aclshmemx_barrier_all_on_stream(aclrtStream stream);

// --- init ---

int shmem_set_attr(int my_rank, int n_ranks, uint64_t local_mem_size, const char* ip_port,
                   shmem_init_attr_t** attributes) {
  static sim::Mutex mutex;
  static std::string address GUARDED_BY(mutex);
  static shmem_init_attr_t attr GUARDED_BY(mutex);
  if (const int code = shmem::check_older(my_rank, n_ranks, local_mem_size, ip_port, attributes)) {
    return code;
  }
  const sim::LockGuard guard(mutex);
  address = ip_port;
  constexpr std::uint32_t kSeconds = 120;
  attr = {my_rank,
          n_ranks,
          address.c_str(),
          local_mem_size,
          {(1 << 16) + static_cast<int>(sizeof(shmem_init_attr_t)), SHMEM_DATA_OP_MTE, kSeconds,
           kSeconds, kSeconds}};
  *attributes = &attr;
  return SHMEM_SUCCESS;
}

int shmem_set_data_op_engine_type(shmem_init_attr_t* attributes, data_op_engine_type_t value) {
  if (const int code = shmem::require_attributes(__func__, attributes)) return code;
  attributes->option_attr.data_op_engine_type = value;
  return SHMEM_SUCCESS;
}

int shmem_set_timeout(shmem_init_attr_t* attributes, uint32_t value) {
  if (const int code = shmem::require_attributes(__func__, attributes)) return code;
  if (value > kLongTimeout) {
    std::fprintf(
        stderr,
        "aclsim: shmem_set_timeout: %u is taken as seconds, as in the headers; pages of the "
        "vendor say milliseconds\n",
        value);
  }
  auto& options = attributes->option_attr;
  options.shm_init_timeout = value;
  options.shm_create_timeout = value;
  options.control_operation_timeout = value;
  return SHMEM_SUCCESS;
}

int shmem_init_attr(shmem_init_attr_t* attributes) {
  if (const int code = shmem::require_attributes(__func__, attributes)) return code;
  const auto& options = attributes->option_attr;
  return shmem::initialize_older({attributes->my_rank, attributes->n_ranks, attributes->ip_port,
                                  attributes->local_mem_size, options.data_op_engine_type,
                                  options.shm_init_timeout, options.shm_create_timeout,
                                  options.control_operation_timeout});
}

int shmem_init_status(void) { return aclshmemx_init_status(); }
int shmem_finalize(void) { return aclshmem_finalize(); }
void shmem_info_get_version(int* major, int* minor) { aclshmem_info_get_version(major, minor); }
void shmem_info_get_name(char* name) {
  if (name) std::strcpy(name, "SHMEM v1.1.1");
}
void shmem_global_exit(int status) { aclshmem_global_exit(status); }
int32_t shmem_set_conf_store_tls(bool enable, const char* tls_info, const uint32_t tls_info_len) {
  return aclshmemx_set_conf_store_tls(enable, tls_info, tls_info_len);
}
int32_t shmem_set_config_store_tls_key(const char* tls_pk, const uint32_t tls_pk_len,
                                       const char* tls_pk_pw, const uint32_t tls_pk_pw_len,
                                       const shmem_decrypt_handler decrypt_handler) {
  return aclshmemx_set_config_store_tls_key(tls_pk, tls_pk_len, tls_pk_pw, tls_pk_pw_len,
                                            decrypt_handler ? decrypt_handler : by_registered);
}
int32_t shmem_register_decrypt_handler(const shmem_decrypt_handler handler) {
  registered_handler() = handler;
  return SHMEM_SUCCESS;
}
int32_t shmem_set_log_level(int level) { return aclshmemx_set_log_level(level); }
int32_t shmem_set_extern_logger(void (*func)(int, const char*)) {
  return aclshmemx_set_extern_logger(func);
}

// --- heap and teams ---

void* shmem_malloc(size_t size) { return aclshmem_malloc(size); }
void* shmem_calloc(size_t nmemb, size_t size) { return aclshmem_calloc(nmemb, size); }
void* shmem_align(size_t alignment, size_t size) { return aclshmem_align(alignment, size); }
void shmem_free(void* ptr) { aclshmem_free(ptr); }

int shmem_my_pe(void) { return aclshmem_my_pe(); }
int shmem_n_pes(void) { return aclshmem_n_pes(); }
int shmem_team_my_pe(shmem_team_t team) { return aclshmem_team_my_pe(team); }
int shmem_team_n_pes(shmem_team_t team) { return aclshmem_team_n_pes(team); }
int shmem_team_split_strided(shmem_team_t parent_team, int pe_start, int pe_stride, int pe_size,
                             shmem_team_t* new_team) {
  return aclshmem_team_split_strided(parent_team, pe_start, pe_stride, pe_size, new_team);
}
int shmem_team_split_2d(shmem_team_t parent_team, int x_range, shmem_team_t* x_team,
                        shmem_team_t* y_team) {
  return aclshmem_team_split_2d(parent_team, x_range, x_team, y_team);
}
int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  return aclshmem_team_translate_pe(src_team, src_pe, dest_team);
}
void shmem_team_destroy(shmem_team_t team) { aclshmem_team_destroy(team); }
int shmem_team_get_config(shmem_team_t team, shmem_team_config_t* config) {
  if (!config || aclshmem_team_n_pes(team) < 0) return SHMEM_INVALID_PARAM;
  config->num_contexts = 0;
  return SHMEM_SUCCESS;
}

// --- transfers ---

void* shmem_ptr(void* ptr, int pe) { return aclshmem_ptr(ptr, pe); }
void shmem_putmem(void* dst, void* src, size_t elem_size, int32_t pe) {
  aclshmem_putmem(dst, src, elem_size, pe);
}
void shmem_getmem(void* dst, void* src, size_t elem_size, int32_t pe) {
  aclshmem_getmem(dst, src, elem_size, pe);
}
void shmem_putmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe) {
  aclshmem_putmem(dst, src, elem_size, pe);
}
void shmem_getmem_nbi(void* dst, void* src, size_t elem_size, int32_t pe) {
  aclshmem_getmem(dst, src, elem_size, pe);
}
void shmem_putmem_signal(void* dst, void* src, size_t elem_size, void* sig_addr, int32_t signal,
                         int sig_op, int pe) {
  aclshmemx_putmem_signal(dst, src, elem_size, sig_addr, signal, sig_op, pe);
}
void shmem_putmem_signal_nbi(void* dst, void* src, size_t elem_size, void* sig_addr, int32_t signal,
                             int sig_op, int pe) {
  aclshmemx_putmem_signal(dst, src, elem_size, sig_addr, signal, sig_op, pe);
}
int shmem_mte_set_ub_params(uint64_t offset, uint32_t ub_size, uint32_t event_id) {
  return aclshmemx_set_mte_config(offset, ub_size, event_id);
}
void shmemx_getmem_on_stream(void* dst, void* src, size_t elem_size, int32_t pe,
                             aclrtStream stream) {
  aclshmemx_getmem_on_stream(dst, src, elem_size, pe, stream);
  if (stream) aclrtSynchronizeStream(stream);
}

#define SHMEM_DEFINE(NAME, TYPE)                                                                  \
  void aclshmem_##NAME##_put(TYPE* dest, TYPE* source, size_t nelems, int pe);                    \
  void aclshmem_##NAME##_get(TYPE* dest, TYPE* source, size_t nelems, int pe);                    \
  void aclshmem_##NAME##_p(TYPE* dst, const TYPE value, int pe);                                  \
  TYPE aclshmem_##NAME##_g(TYPE* src, int32_t pe);                                                \
  void aclshmem_##NAME##_put_signal(TYPE*, TYPE*, size_t, uint8_t*, int32_t, int, int);           \
  void shmem_put_##NAME##_mem(TYPE* dest, TYPE* source, size_t nelems, int pe) {                  \
    aclshmem_##NAME##_put(dest, source, nelems, pe);                                              \
  }                                                                                               \
  void shmem_put_##NAME##_mem_nbi(TYPE* dest, TYPE* source, size_t nelems, int pe) {              \
    aclshmem_##NAME##_put(dest, source, nelems, pe);                                              \
  }                                                                                               \
  void shmem_get_##NAME##_mem(TYPE* dest, TYPE* source, size_t nelems, int pe) {                  \
    aclshmem_##NAME##_get(dest, source, nelems, pe);                                              \
  }                                                                                               \
  void shmem_get_##NAME##_mem_nbi(TYPE* dest, TYPE* source, size_t nelems, int pe) {              \
    aclshmem_##NAME##_get(dest, source, nelems, pe);                                              \
  }                                                                                               \
  void shmem_##NAME##_p(TYPE* dst, const TYPE value, int pe) {                                    \
    aclshmem_##NAME##_p(dst, value, pe);                                                          \
  }                                                                                               \
  TYPE shmem_##NAME##_g(TYPE* src, int32_t pe) { return aclshmem_##NAME##_g(src, pe); }           \
  void shmem_put_##NAME##_mem_signal(TYPE* dst, TYPE* src, size_t elem_size, uint8_t* sig_addr,   \
                                     int32_t signal, int sig_op, int pe) {                        \
    aclshmem_##NAME##_put_signal(dst, src, elem_size, sig_addr, signal, sig_op, pe);              \
  }                                                                                               \
  void shmem_put_##NAME##_mem_signal_nbi(TYPE* dst, TYPE* src, size_t elem_size,                  \
                                         uint8_t* sig_addr, int32_t signal, int sig_op, int pe) { \
    aclshmem_##NAME##_put_signal(dst, src, elem_size, sig_addr, signal, sig_op, pe);              \
  }
SHMEM_TYPE_FUNC(SHMEM_DEFINE)
#undef SHMEM_DEFINE

// --- order ---

uint64_t shmemx_get_ffts_config(void) { return util_get_ffts_config(); }
void shmem_barrier(shmem_team_t team) { aclshmem_barrier(team); }
void shmem_barrier_all(void) { aclshmem_barrier_all(); }
void shmemx_barrier_on_stream(shmem_team_t team, aclrtStream stream) {
  aclshmemx_barrier_on_stream(team, stream);
  if (stream) aclrtSynchronizeStream(stream);
}
void shmemx_barrier_all_on_stream(aclrtStream stream) {
  aclshmemx_barrier_all_on_stream(stream);
  if (stream) aclrtSynchronizeStream(stream);
}

}  // extern "C"

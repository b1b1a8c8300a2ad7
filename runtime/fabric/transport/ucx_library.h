// SPDX-License-Identifier: Apache-2.0
#pragma once
#if ACLSIM_HAVE_UCX

#include <ucp/api/ucp.h>

#include <string>
#include <vector>

namespace fabric {

/// The functions of libucp that are used.
#define FABRIC_UCX_FUNCTIONS(with)                                                              \
  with(ucp_config_read) with(ucp_config_modify) with(ucp_config_release) with(ucp_init_version) \
      with(ucp_worker_create) with(ucp_worker_get_address) with(ucp_worker_release_address)     \
          with(ucp_worker_progress) with(ucp_worker_get_efd) with(ucp_worker_arm)               \
              with(ucp_am_recv_data_nbx) with(ucp_worker_set_am_recv_handler) with(ucp_mem_map) \
                  with(ucp_mem_unmap) with(ucp_rkey_pack) with(ucp_rkey_buffer_release)         \
                      with(ucp_ep_rkey_unpack) with(ucp_rkey_destroy) with(ucp_ep_create)       \
                          with(ucp_ep_close_nbx) with(ucp_get_nbx) with(ucp_am_send_nbx)        \
                              with(ucp_request_free) with(ucs_status_string)

struct Ucx {
#define FABRIC_UCX_MEMBER(function) decltype(&::function) function = nullptr;
  FABRIC_UCX_FUNCTIONS(FABRIC_UCX_MEMBER)
#undef FABRIC_UCX_MEMBER
};

/// libucp. It is opened by the first call and never closed. Throws FabricError(broken) with
/// installation advice.
const Ucx& ucx();
/// UCX's text for a status, for example "Connection reset by remote peer".
class UcxVariables {
 public:
  UcxVariables() = default;
  ~UcxVariables();
  UcxVariables(const UcxVariables&) = delete;
  UcxVariables& operator=(const UcxVariables&) = delete;
  /// Unless the user has set it.
  void set(const char* name, const char* value);

 private:
  std::vector<const char*> set_;
};

std::string text_of(ucs_status_t status);

}  // namespace fabric

#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shmem/host/shmem_host_def.h"

namespace shmem {

/// The common part of init under the newer and the older names.
void initialize(aclshmemx_bootstrap_t flags, const aclshmemx_init_attr_t& attr);

}  // namespace shmem

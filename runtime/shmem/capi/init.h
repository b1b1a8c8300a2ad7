// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shmem/host/shmem_host_def.h"

namespace shmem {

/// What init does, under its newer and its older names.
void initialize(aclshmemx_bootstrap_t flags, const aclshmemx_init_attr_t& attr);

}  // namespace shmem

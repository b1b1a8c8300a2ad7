// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>

#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/store/hosted_store.h"
#include "runtime/shmem/links/address.h"

namespace shmem {

/// The data with which this PE joins the others.
struct JoinSpec {
  int my_pe = 0;
  int n_pes = 1;
  std::uint64_t heap_bytes = 0;    // has to be equal on all PEs
  std::chrono::seconds timeout{};  // limit of the time that PEs wait for each other
};

/// The result of a bootstrap. PE 0 holds the store.
struct Met {
  std::shared_ptr<fabric::HostedStore> store;
  std::shared_ptr<fabric::Group> group;
};

/// Bootstraps at an address that all PEs know and PE 0 listens at. Raise ACLSHMEM_INNER_ERROR if no
/// process listens there, ACLSHMEM_BOOTSTRAP_ERROR if the port is taken or the PE has joined
/// already, ACLSHMEM_TIMEOUT_ERROR with the PEs that did not arrive.
Met meet_at(const Address& address, const JoinSpec& joining);

/// Makes an identity that the program carries to the other PEs. The store is opened by this call
/// and kept for PE 0.
void make_unique_id(std::span<std::byte> bytes);
Met meet_by_unique_id(std::span<const std::byte> bytes, const JoinSpec& joining);

/// Bootstraps the processes of an MPI communicator (an MPI_Comm*; null: all), which broadcasts an
/// identity. Raises the errors of MpiJob too, ACLSHMEM_INVALID_PARAM if MPI has another rank or
/// another number of processes, and ACLSHMEM_BOOTSTRAP_ERROR if PE 0 has failed before. A process
/// with an earlier error `wrong` takes part in the broadcast, so that the others do not wait for
/// it, and then raises that error.
Met meet_by_mpi(const void* communicator, const JoinSpec& joining, std::exception_ptr wrong);

}  // namespace shmem

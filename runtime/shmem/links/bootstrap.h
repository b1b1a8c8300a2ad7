// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>

#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/store/rendezvous.h"
#include "runtime/shmem/links/address.h"

namespace shmem {

/// What this PE says when the PEs meet.
struct Coming {
  int my_pe = 0;
  int n_pes = 1;
  std::uint64_t heap_bytes = 0;    // has to be the same for all
  std::chrono::seconds timeout{};  // they wait so long for each other
};

/// PEs that have found each other. PE 0 holds the store.
struct Met {
  std::shared_ptr<fabric::Rendezvous> store;
  std::shared_ptr<fabric::Group> group;
};

/// At an address that all PEs know, where PE 0 listens. Raise ACLSHMEM_INNER_ERROR when nobody
/// listens there, ACLSHMEM_BOOTSTRAP_ERROR for a port that is taken and a PE that is there already,
/// ACLSHMEM_TIMEOUT_ERROR with the PEs that did not come.
Met meet_at(const Address& address, const Coming& coming);

/// An identity that the program carries to the other PEs; the store is opened here and kept for
/// PE 0.
void make_unique_id(std::span<std::byte> bytes);
Met meet_by_unique_id(std::span<const std::byte> bytes, const Coming& coming);

/// The processes of an MPI communicator (an MPI_Comm*; null: all), which carries such an identity.
/// Raises what MpiJob does too, ACLSHMEM_INVALID_PARAM where MPI has another number or another
/// count of processes, and ACLSHMEM_BOOTSTRAP_ERROR where PE 0 has failed before. A process for
/// which something is `wrong` already takes part so far that nobody waits for it, and raises that.
Met meet_by_mpi(const void* communicator, const Coming& coming, std::exception_ptr wrong);

}  // namespace shmem

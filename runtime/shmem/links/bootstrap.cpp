// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/bootstrap.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "runtime/fabric/base/timekeeper.h"
#include "runtime/fabric/store/held_stores.h"
#include "runtime/shmem/base/error.h"
#include "runtime/shmem/links/interfaces.h"
#include "runtime/shmem/links/mpi.h"
#include "runtime/shmem/links/tls.h"

namespace shmem {
namespace {

using fabric::FabricError;
using fabric::HostedStore;
using fabric::Identity;
using fabric::RootInfo;

std::string job_secret() {
  const char* const secret = std::getenv("ACLSIM_JOB_SECRET");
  return secret ? secret : "";
}

bool is_numeric(const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, host.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

/// Depends only on the port, which distinguishes the jobs of one host: PEs may use different names
/// for the host.
Identity::Nonce nonce_of(const Address& address) {
  fabric::Writer writer;
  writer.text("shmem").number(address.port);
  const fabric::Bytes bytes = writer.take();
  return Identity::nonce_of(bytes);
}

/// Stores of the unique ids that this process has made, until its PE has joined.
fabric::HeldStores& held_stores() {
  static auto* const all = new fabric::HeldStores;  // programs call in until the process exits
  return *all;
}

std::unique_ptr<fabric::Store> join(const Identity& identity,
                                    const std::vector<fabric::StorePlace>& places,
                                    const JoinSpec& joining, fabric::Moment end) {
  try {
    return fabric::join_store(
        identity, places,
        {.rank = joining.my_pe, .ranks = joining.n_pes, .end = end, .tls = tls_of_store()});
  } catch (const FabricError& error) {
    const std::string who = fmt::format("PE {}", joining.my_pe);
    if (error.status() == fabric::Status::timed_out) {
      fail(ACLSHMEM_INNER_ERROR, "{} did not find PE 0 within {} s: {}", who,
           joining.timeout.count(), error.what());
    }
    fail(ACLSHMEM_BOOTSTRAP_ERROR, "{} was refused: {}", who, error.what());
  }
}

Met form(std::unique_ptr<fabric::Store> store, std::shared_ptr<HostedStore> held,
         const JoinSpec& joining, fabric::Moment end) {
  fabric::GroupSpec spec;
  spec.rank = joining.my_pe;
  spec.size = joining.n_pes;
  spec.agreed = fmt::format("heaps of {} bytes", joining.heap_bytes);
  return {std::move(held), fabric::Group::form(std::move(store), spec, end)};
}

std::shared_ptr<HostedStore> open_store(const Identity::Nonce& nonce, const std::string& where,
                                        std::uint16_t port,
                                        Identity::Users users = Identity::Users::any) {
  try {
    return HostedStore::open(nonce, job_secret(), where, port, tls_of_store(), users);
  } catch (const FabricError& error) {
    fail(ACLSHMEM_BOOTSTRAP_ERROR, "PE 0 cannot listen at port {}: {}", port, error.what());
  }
}

}  // namespace

// Any process of the host can guess the nonce of an address. A secret, or certificates, prove more.
Met meet_at(const Address& address, const JoinSpec& joining) {
  const fabric::Moment end = fabric::Timekeeper::real().in(joining.timeout);
  const Identity::Nonce nonce = nonce_of(address);
  const bool protected_otherwise = !job_secret().empty() || tls_of_store();
  const auto users = protected_otherwise ? Identity::Users::any : Identity::Users::same;
  std::shared_ptr<HostedStore> held;
  if (joining.my_pe == 0) {
    held = open_store(nonce, is_numeric(address.host) ? address.host : "::", address.port, users);
  }
  auto store =
      join(Identity(nonce, job_secret(), users), {{address.host, address.port}}, joining, end);
  return form(std::move(store), std::move(held), joining, end);
}

void make_unique_id(std::span<std::byte> bytes) {
  std::string where = "::";
  std::uint16_t port = 0;
  if (const char* const session = std::getenv("SHMEM_UID_SESSION_ID"); session && *session) {
    const Address address = parse_place(session, session, "SHMEM_UID_SESSION_ID");
    if (is_numeric(address.host)) where = address.host;
    port = address.port;
  }
  auto held = open_store(Identity::draw_nonce(), where, port);
  RootInfo info = held->root_info();
  const char* const wanted = std::getenv("SHMEM_UID_SOCK_IFNAME");
  if (port == 0 && wanted && *wanted)
    info.addresses = choose_addresses(interface_addresses(), wanted);
  while (info.addresses.size() > 1 && info.pack().size() > bytes.size()) info.addresses.pop_back();
  const fabric::Bytes packed = info.pack();
  if (packed.size() > bytes.size()) {
    fail(ACLSHMEM_INNER_ERROR, "the unique id needs {} bytes and has {}", packed.size(),
         bytes.size());
  }
  std::fill(bytes.begin(), bytes.end(), std::byte{0});
  std::memcpy(bytes.data(), packed.data(), packed.size());
  held_stores().keep(std::move(held));
}

Met meet_by_unique_id(std::span<const std::byte> bytes, const JoinSpec& joining) {
  const fabric::Moment end = fabric::Timekeeper::real().in(joining.timeout);
  const RootInfo info = RootInfo::unpack(bytes);
  std::shared_ptr<HostedStore> held = held_stores().find(info.nonce);
  if (held && joining.my_pe != 0) {
    fail(ACLSHMEM_INVALID_PARAM,
         "my_pe is {}; the process that called aclshmemx_get_uniqueid has to be PE 0",
         joining.my_pe);
  }
  std::vector<fabric::StorePlace> places;
  for (const std::string& address : info.addresses) places.push_back({address, info.port});
  Met met =
      form(join(Identity(info.nonce, job_secret()), places, joining, end), held, joining, end);
  held_stores().drop(info.nonce);
  return met;
}

namespace {

constexpr std::size_t kIdentityBytes = 124;
using Carried = std::array<std::byte, kIdentityBytes>;  // all zeros: process 0 has failed

/// Returns the identity that process 0 broadcasts, and stores an error of this process in `wrong`.
Carried prepare(const MpiJob& job, const JoinSpec& joining, std::exception_ptr& wrong) {
  Carried identity{};
  if (wrong) return identity;
  try {
    if (job.rank() != joining.my_pe || job.size() != joining.n_pes) {
      fail(ACLSHMEM_INVALID_PARAM, "my_pe is {} of {}; by MPI this process is {} of {}",
           joining.my_pe, joining.n_pes, job.rank(), job.size());
    }
    if (job.rank() == 0) make_unique_id(identity);
  } catch (const std::exception&) {
    wrong = std::current_exception();
    identity.fill(std::byte{0});
  }
  return identity;
}

Carried share(const void* communicator, const JoinSpec& joining, fabric::Moment end,
              std::exception_ptr& wrong) {
  const MpiJob job(communicator);
  Carried identity = prepare(job, joining, wrong);
  job.broadcast(identity, end);  // before an error is raised, so that no process waits in vain
  return identity;
}

}  // namespace

Met meet_by_mpi(const void* communicator, const JoinSpec& joining, std::exception_ptr wrong) {
  const fabric::Moment end = fabric::Timekeeper::real().in(joining.timeout);
  Carried identity{};
  try {
    identity = share(communicator, joining, end, wrong);
  } catch (const std::exception&) {
    if (!wrong) throw;  // otherwise the first error is raised
  }
  if (wrong) std::rethrow_exception(wrong);
  if (identity == Carried{}) {
    fail(ACLSHMEM_BOOTSTRAP_ERROR, "PE 0 has no unique id for this job: its init has failed");
  }
  return meet_by_unique_id(identity, joining);
}

}  // namespace shmem

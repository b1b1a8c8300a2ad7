// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/mpi.h"

#include <dlfcn.h>

#include <string>

#include "runtime/shmem/base/error.h"

namespace shmem {
namespace {

// Handles are pointers to objects of the library in Open MPI, and ints in MPICH and those with its
// binary interface, of which these are the values.
constexpr int kMpichWorld = 0x44000000;
constexpr int kMpichByte = 0x4c00010d;

template <class Function>
Function* find(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  if (!found) {
    fail(ACLSHMEM_DL_FUNC_FAILED, "the program has no {}; expected one that is linked with MPI",
         name);
  }
  return reinterpret_cast<Function*>(found);
}

void require_success(int code, const char* call) {
  if (code != 0) fail(ACLSHMEM_BOOTSTRAP_ERROR, "{} failed with {}", call, code);
}

/// "Open MPI v4.1.4, package: ...", "MPICH Version: ...".
std::string library_version() {
  constexpr int kMost = 8192;  // more than any library's MPI_MAX_LIBRARY_VERSION_STRING
  std::string text(kMost, 0);
  int length = 0;
  const char* const call = "MPI_Get_library_version";
  require_success(find<int(char*, int*)>(call)(text.data(), &length), call);
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find('\n'));
}

void initialise() {
  int done = 0;
  require_success(find<int(int*)>("MPI_Initialized")(&done), "MPI_Initialized");
  if (done == 0)
    require_success(find<int(int*, char***)>("MPI_Init")(nullptr, nullptr), "MPI_Init");
}

template <class Handle>
void send_to_all(std::span<std::byte> bytes, Handle type, Handle communicator) {
  using Broadcast = int(void*, int, Handle, int, Handle);
  const int count = static_cast<int>(bytes.size());
  require_success(find<Broadcast>("MPI_Bcast")(bytes.data(), count, type, 0, communicator),
                  "MPI_Bcast");
}

}  // namespace

template <class Handle>
void MpiJob::look(Handle communicator) {
  require_success(find<int(Handle, int*)>("MPI_Comm_rank")(communicator, &rank_), "MPI_Comm_rank");
  require_success(find<int(Handle, int*)>("MPI_Comm_size")(communicator, &size_), "MPI_Comm_size");
}

MpiJob::MpiJob(const void* communicator) {
  const std::string version = library_version();
  is_open_mpi_ = version.find("Open MPI") != std::string::npos;
  const bool is_mpich =
      version.find("MPICH") != std::string::npos || version.find("Intel") != std::string::npos;
  if (!is_open_mpi_ && !is_mpich) {
    fail(ACLSHMEM_DL_FUNC_FAILED,
         "the program's MPI is '{}'; expected Open MPI, MPICH or one of its kind", version);
  }
  initialise();
  if (is_open_mpi_) {
    pointer_ = communicator ? *static_cast<void* const*>(communicator)
                            : dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    look(pointer_);
  } else {
    number_ = communicator ? *static_cast<const int*>(communicator) : kMpichWorld;
    look(number_);
  }
}

void MpiJob::broadcast(std::span<std::byte> bytes) const {
  if (is_open_mpi_) {
    send_to_all<void*>(bytes, dlsym(RTLD_DEFAULT, "ompi_mpi_byte"), pointer_);
  } else {
    send_to_all<int>(bytes, kMpichByte, number_);
  }
}

}  // namespace shmem

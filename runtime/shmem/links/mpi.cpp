// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/mpi.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runtime/shmem/base/error.h"
#include "runtime/shmem/links/mpi_plugin.h"

namespace shmem {
namespace {

namespace fs = std::filesystem;

void require_success(int code, const char* call) {
  if (code != 0) fail(ACLSHMEM_BOOTSTRAP_ERROR, "{} failed with {}", call, code);
}

int take_name(dl_phdr_info* info, std::size_t, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(info->dlpi_name);
  return 0;
}

/// The libraries of MPI that the program has loaded.
std::vector<std::string> loaded_mpi() {
  std::vector<std::string> names;
  dl_iterate_phdr(take_name, &names);
  std::erase_if(names, [](const std::string& name) {
    const std::string file = fs::path(name).filename().string();
    return !file.starts_with("libmpi.so") && !file.starts_with("libmpich.so");
  });
  return names;
}

/// Interpreters load MPI with local visibility. The plug-in has to find its functions nevertheless.
void show_loaded_mpi_to_all() {
  for (const std::string& name : loaded_mpi())
    dlopen(name.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/// "Open MPI v4.1.4, package: ...", "MPICH Version: ...".
std::string library_version() {
  using GetVersion = int(char*, int*);
  constexpr int kMost = 8192;  // larger than MPI_MAX_LIBRARY_VERSION_STRING of any library
  const char* const call = "MPI_Get_library_version";
  auto* const get = reinterpret_cast<GetVersion*>(dlsym(RTLD_DEFAULT, call));
  if (!get) {
    fail(ACLSHMEM_DL_FUNC_FAILED,
         "the program has loaded no MPI (there is no {}); expected one that is linked with it",
         call);
  }
  std::string text(kMost, 0);
  int length = 0;
  require_success(get(text.data(), &length), call);
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find('\n'));
}

const char* plugin_name(const std::string& version) {
  const auto says = [&](const char* word) { return version.find(word) != std::string::npos; };
  if (says("Open MPI")) return "aclshmem_bootstrap_openmpi.so";
  if (says("MPICH") || says("Intel")) return "aclshmem_bootstrap_mpich.so";
  fail(ACLSHMEM_DL_FUNC_FAILED,
       "the program's MPI is '{}'; expected Open MPI, MPICH or one with MPICH's binary interface",
       version);
}

/// The folder that contains this library.
fs::path own_folder() {
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&own_folder), &own);
  return fs::path(own.dli_fname).parent_path();
}

const ShmemMpiPlugin& load_plugin() {
  show_loaded_mpi_to_all();
  const std::string version = library_version();
  const fs::path path = own_folder() / plugin_name(version);
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fail(ACLSHMEM_DL_FUNC_FAILED,
         "the plug-in for '{}' cannot be loaded ({}); expected a build of SHMEM on a system that "
         "has this MPI's headers",
         version, dlerror());
  }
  using Get = decltype(aclshmem_bootstrap_mpi_plugin);
  auto* const get = reinterpret_cast<Get*>(dlsym(library, "aclshmem_bootstrap_mpi_plugin"));
  if (!get) fail(ACLSHMEM_DL_FUNC_FAILED, "{} is no plug-in for MPI", path.string());
  return *get();
}

}  // namespace

bool has_mpi() { return !loaded_mpi().empty(); }

MpiJob::MpiJob(const void* communicator) : plugin_(load_plugin()), communicator_(communicator) {
  require_success(plugin_.initialise(), "MPI_Init");
  require_success(plugin_.look(communicator, &rank_, &size_), "MPI_Comm_rank or MPI_Comm_size");
}

void MpiJob::broadcast(std::span<std::byte> bytes, fabric::Moment end) const {
  const auto go_on = [](void* context) {
    constexpr auto kBetween = std::chrono::microseconds(100);
    const fabric::Moment limit = *static_cast<fabric::Moment*>(context);
    fabric::Timekeeper::real().pause(kBetween, limit);
    return fabric::Timekeeper::real().passed(limit) ? 0 : 1;
  };
  auto carried = std::make_unique<std::vector<std::byte>>(bytes.begin(), bytes.end());
  int done = 0;
  const int code = plugin_.broadcast(communicator_, carried->data(), static_cast<int>(bytes.size()),
                                     go_on, &end, &done);
  if (done == 0) (void)carried.release();  // MPI still uses it and gives no notice when it stops
  require_success(code, "MPI_Ibcast or MPI_Test");
  if (done == 0) {
    fail(ACLSHMEM_TIMEOUT_ERROR,
         "process {} of MPI waited in vain for the unique id of process 0 (shm_init_timeout)",
         rank_);
  }
  std::copy(carried->begin(), carried->end(), bytes.begin());
}

}  // namespace shmem

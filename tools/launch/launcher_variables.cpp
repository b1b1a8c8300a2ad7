// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/launcher_variables.h"

#include <algorithm>
#include <iterator>

namespace launch {
namespace {

/// The names of a launcher's variables; null: it has no such variable.
struct Names {
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;
};

constexpr Names kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", nullptr},
};

}  // namespace

Variables variables_from_launcher(const Environment& environment) {
  const auto* const by =
      std::find_if(std::begin(kLaunchers), std::end(kLaunchers), [&](const Names& names) {
        return !environment(names.rank).empty() && !environment(names.size).empty();
      });
  if (by == std::end(kLaunchers)) return {};
  const auto value = [&](const char* name) { return name ? environment(name) : std::string(); };
  const std::string rank = value(by->rank), size = value(by->size);
  const std::string local = value(by->local_rank), local_size = value(by->local_size);
  Variables all = {{"RANK", rank},
                   {"RANK_ID", rank},
                   {"WORLD_SIZE", size},
                   {"RANK_SIZE", size},
                   {"LOCAL_RANK", local},
                   {"DEVICE_ID", local},
                   {"ASCEND_DEVICE_ID", local},
                   {"LOCAL_WORLD_SIZE", local_size}};
  std::erase_if(all, [&](const auto& one) {
    return one.second.empty() || !environment(one.first.c_str()).empty();
  });
  return all;
}

}  // namespace launch

// SPDX-License-Identifier: Apache-2.0
// host/team/shmem_host_team.h
#include "shmem/host/team/shmem_host_team.h"

#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/base/log.h"
#include "runtime/shmem/pe/pe.h"

using namespace shmem;

extern "C" {

int aclshmem_my_pe(void) {
  const auto me = Pe::find();
  return me ? me->spec().my_pe : -1;
}

int aclshmem_n_pes(void) {
  const auto me = Pe::find();
  return me ? me->spec().n_pes : -1;
}

int aclshmem_team_my_pe(aclshmem_team_t team) {
  const auto me = Pe::find();
  return me ? me->teams().my_pe(team) : -1;
}

int aclshmem_team_n_pes(aclshmem_team_t team) {
  const auto me = Pe::find();
  return me ? me->teams().n_pes(team) : -1;
}

int aclshmem_team_split_strided(aclshmem_team_t parent_team, int pe_start, int pe_stride,
                                int pe_size, aclshmem_team_t* new_team) {
  return guarded(__func__, [&] {
    aclshmem_team_t& out = require_out(new_team, "new_team");
    out = ACLSHMEM_TEAM_INVALID;
    out = Pe::get()->teams().split_strided(parent_team, pe_start, pe_stride, pe_size);
  });
}

int aclshmem_team_split_2d(aclshmem_team_t parent_team, int x_range, aclshmem_team_t* x_team,
                           aclshmem_team_t* y_team) {
  return guarded(__func__, [&] {
    aclshmem_team_t& x = require_out(x_team, "x_team");
    aclshmem_team_t& y = require_out(y_team, "y_team");
    x = y = ACLSHMEM_TEAM_INVALID;
    const Teams::Pair made = Pe::get()->teams().split_2d(parent_team, x_range);
    x = made.x;
    y = made.y;
  });
}

int aclshmem_team_translate_pe(aclshmem_team_t src_team, int src_pe, aclshmem_team_t dest_team) {
  const auto me = Pe::find();
  return me ? me->teams().translate(src_team, src_pe, dest_team) : -1;
}

void aclshmem_team_destroy(aclshmem_team_t team) {
  guarded(__func__, [&] {
    if (!Pe::get()->teams().destroy(team)) {
      log(Level::warning, fmt::format("aclshmem_team_destroy: team {} cannot be destroyed", team));
    }
  });
}

int aclshmem_team_get_config(aclshmem_team_t team, aclshmem_team_config_t* config) {
  return guarded(__func__, [&] {
    aclshmem_team_config_t& out = require_out(config, "config");
    if (!Pe::get()->teams().find(team)) {
      fail(ACLSHMEM_INVALID_PARAM, "team {} does not exist", team);
    }
    out = {};
  });
}

}  // extern "C"

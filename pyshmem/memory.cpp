// SPDX-License-Identifier: Apache-2.0
// The heap, teams, and functions that return numbers.
#include <cstring>

#include "acl/acl_rt.h"
#include "pyshmem/table.h"
#include "shmem/shmem.h"

namespace pyshmem {
namespace {

OrNone malloc_or_none(std::size_t size) { return {aclshmem_malloc(size)}; }
OrNone calloc_or_none(std::size_t count, std::size_t size) {
  return {aclshmem_calloc(count, size)};
}
OrNone align_or_none(std::size_t alignment, std::size_t size) {
  return {aclshmem_align(alignment, size)};
}
OrNone ptr_or_none(void* ptr, int peer) { return {aclshmem_ptr(ptr, peer)}; }
OrRaise malloc_or_raise(std::size_t size) { return {aclshmem_malloc(size)}; }
OrRaise calloc_or_raise(std::size_t count, std::size_t size) {
  return {aclshmem_calloc(count, size)};
}
OrRaise align_or_raise(std::size_t alignment, std::size_t size) {
  return {aclshmem_align(alignment, size)};
}

constexpr int kWorld = ACLSHMEM_TEAM_WORLD;

/// The team that was given; the world without one.
int team_of(PyObject* team, const char* function, bool& wrong) {
  static constexpr long long kMost = 0x7fffffff;
  if (!team) return kWorld;
  long long number = 0;
  const pyacl::Signature signature{function, "team_id"};
  wrong = !take_signed(team, Argument{signature, 0}, -kMost - 1, kMost, number);
  return static_cast<int>(number);
}

template <int (*query)(aclshmem_team_t)>
PyObject* ask_team(PyObject* team, const char* function) {
  bool wrong = false;
  const int number = team_of(team, function, wrong);
  return wrong ? nullptr : PyLong_FromLong(query(number));
}
PyObject* my_pe(PyObject* team) { return ask_team<aclshmem_team_my_pe>(team, "my_pe"); }
PyObject* pe_count(PyObject* team) { return ask_team<aclshmem_team_n_pes>(team, "pe_count"); }

int split_strided(int parent, int start, int stride, int size) {
  int team = ACLSHMEM_TEAM_INVALID;
  const int code = aclshmem_team_split_strided(parent, start, stride, size, &team);
  return code == ACLSHMEM_SUCCESS ? team : code;
}

PyObject* split_2d(int parent, int x_range) {
  int x = -1;
  int y = -1;
  if (aclshmem_team_split_2d(parent, x_range, &x, &y) != ACLSHMEM_SUCCESS) {
    return raise_failed("team_split_2d");
  }
  return Py_BuildValue("(ii)", x, y);
}

PyObject* team_contexts(int team) {
  aclshmem_team_config_t config{};
  if (aclshmem_team_get_config(team, &config) != ACLSHMEM_SUCCESS) {
    return raise_failed("get team config");
  }
  return PyLong_FromLong(config.num_contexts);
}

void* heap_base(int side) {
  return aclshmemx_get_heap_base(static_cast<aclshmem_mem_type_t>(side));
}

void add_heap(Rows& rows) {
  const char* const makes =
      "All PEs call it with the same sizes, in the same order: it has a barrier. Sizes are in "
      "bytes,\n"
      "rounded up to 16; an alignment is a power of two of at most 1 GiB. Returns None and logs an "
      "error\n"
      "if there is no room, the size is 0, a PE did not arrive, or SHMEM is not initialised.";
  const char* const raises =
      "All PEs call it with the same sizes, in the same order: it has a barrier. Sizes are in "
      "bytes,\n"
      "rounded up to 16; an alignment is a power of two of at most 1 GiB. Raises RuntimeError if "
      "there is\n"
      "no room, the size is 0, a PE did not arrive, or SHMEM is not initialised.";
  const char* const frees =
      "Frees memory of malloc, calloc or align, after a barrier of all PEs. None and 0 are "
      "ignored,\n"
      "without a barrier; other addresses are logged.";
  rows.push_back(row<Value>("shmem_malloc", "size", malloc_or_none, makes));
  rows.push_back(row<Value, Value>("shmem_calloc", "nmemb, size", calloc_or_none, makes));
  rows.push_back(row<Value, Value>("shmem_align", "alignment, size", align_or_none, makes));
  rows.push_back(row<Value>("aclshmem_malloc", "size", malloc_or_raise, raises));
  rows.push_back(row<Value, Value>("aclshmem_calloc", "nmemb, size", calloc_or_raise, raises));
  rows.push_back(row<Value, Value>("aclshmem_align", "alignment, size", align_or_raise, raises));
  rows.push_back(row<Symmetric>("shmem_free", "ptr", aclshmem_free, frees));
  rows.push_back(row<Symmetric>("aclshmem_free", "ptr", aclshmem_free, frees));
  rows.push_back(row<Symmetric, Value>("shmem_ptr", "ptr, peer", ptr_or_none,
                                       "Returns the address of the same place at PE `peer`, valid "
                                       "in this process; None if it does not exist."));
  rows.push_back(row<Symmetric, Value>("aclshmem_ptr", "ptr, peer", aclshmem_ptr,
                                       "Returns the address of the same place at PE `peer`, valid "
                                       "in this process; 0 if it does not exist."));
  rows.push_back(row<Value>("_heap_base", "mem_type", heap_base, ""));
}

void add_teams(Rows& rows) {
  const char* const number =
      "Returns the number of this PE; -1 before init and if it is not in the team.";
  const char* const size = "Returns the number of PEs; -1 before init and for an unknown team.";
  rows.push_back(row<>("get_my_pe", "", aclshmem_my_pe, number));
  rows.push_back(row<>("get_pe_count", "", aclshmem_n_pes, size));
  rows.push_back(giving("int", row<Whole>("my_pe", "team_id", my_pe, number, 1)));
  rows.push_back(giving("int", row<Whole>("pe_count", "team_id", pe_count, size, 1)));
  rows.push_back(row<Value>("team_my_pe", "team_id", aclshmem_team_my_pe, number));
  rows.push_back(row<Value>("get_team_my_pe", "team", aclshmem_team_my_pe, number));
  rows.push_back(row<Value>("team_n_pes", "team_id", aclshmem_team_n_pes, size));
  rows.push_back(row<Value>("get_team_pe_count", "team", aclshmem_team_n_pes, size));
  rows.push_back(row<Value, Value, Value, Value>(
      "team_split_strided", "parent, start, stride, size", split_strided,
      "Makes a team of PEs start, start + stride, ... of the parent, in the parent's numbering. "
      "All PEs of\n"
      "the parent call it. Returns the team's id; -1 in a PE that is not in it; or a negative code "
      "(-1: an\n"
      "argument, -4: too many teams, -5: before init)."));
  rows.push_back(giving("Tuple[int, int]",
                        row<Value, Value>("team_split_2d", "parent, x_range", split_2d,
                                          "Returns (x_team, y_team): this PE's row of x_range PEs "
                                          "of the parent, and its column. Raises\n"
                                          "RuntimeError for an x_range below 1, an unknown team, "
                                          "more than 64 teams, and before init.")));
  rows.push_back(row<Value, Value, Value>(
      "team_translate_pe", "src_team, src_pe, dest_team", aclshmem_team_translate_pe,
      "Returns the number in dest_team of PE src_pe of src_team; -1 if it is not a member."));
  rows.push_back(row<Value>("team_destroy", "team", aclshmem_team_destroy,
                            "Frees the id in this PE. Team 0 stays; an unknown team is logged."));
  rows.push_back(giving("int", row<Value>("_team_contexts", "team", team_contexts, "")));
}

}  // namespace

void add_memory(Rows& rows) {
  add_heap(rows);
  add_teams(rows);
}

}  // namespace pyshmem

// SPDX-License-Identifier: Apache-2.0
// Put, get and signals.
#include "acl/acl_rt.h"
#include "pyshmem/table.h"
#include "shmem/shmem.h"

namespace pyshmem {
namespace {

#define PUT_TEXT(UNIT)                                                                             \
  "Copies to PE `pe`. dst: an address of this PE; the same place at `pe` is written. src: memory " \
  "of\n"                                                                                           \
  "this process. " UNIT                                                                            \
  " Errors (a wrong PE, an address outside of the heap) are logged,\n"                             \
  "and nothing is transferred."
#define GET_TEXT(UNIT)                                                                            \
  "Copies from PE `pe`. src: an address of this PE; the same place at `pe` is read. dst: memory " \
  "of\n"                                                                                          \
  "this process. " UNIT                                                                           \
  " Errors (a wrong PE, a place outside of the heap) are logged,\nand nothing is moved."
#define PUT_LATER_TEXT(UNIT)                                                                      \
  "As the function without _nbi. Complete after the next barrier or quiet; src must not change\n" \
  "before. " UNIT
#define GET_LATER_TEXT(UNIT) \
  "As the function without _nbi. Complete after the next barrier or quiet. " UNIT
#define SIGNAL_TEXT(UNIT)                                                                          \
  "Copies to PE `pe`, then changes a word of 32 bits there: a PE that sees the new word sees the " \
  "data. " UNIT                                                                                    \
  "\n"                                                                                             \
  "sig: an address of this PE; the word at the same place of `pe` is changed. sig_op: 0 sets it "  \
  "to\n"                                                                                           \
  "`signal`, 1 adds `signal`; other values have no effect. Errors are logged."
#define OF_BYTES "elem_size: bytes."
#define OF_ELEMENTS(BITS) "elem_size: elements of " #BITS " bits."
#define OF_COUNT(BITS) "nelems: elements of " #BITS " bits."
constexpr const char* kStrided =
    "Copies nelems elements: every dst-th of dest, every sst-th of source. Errors are logged.";

constexpr const char* kMove = "dst, src, elem_size, pe";
constexpr const char* kWithSignal = "dst, src, elem_size, sig, signal, sig_op, pe";
constexpr const char* kElementsWithSignal = "dst, src, nelems, sig, signal, sig_op, pe";
constexpr const char* kWithStrides = "dest, source, dst, sst, nelems, pe";

void add_bytes(Rows& rows) {
  const auto put = [&](const char* name, auto function, const char* text) {
    rows.push_back(row<Symmetric, Source, Count<1>, Value>(name, kMove, function, text));
  };
  const auto get = [&](const char* name, auto function, const char* text) {
    rows.push_back(row<Target, Symmetric, Count<1>, Value>(name, kMove, function, text));
  };
  const auto signal = [&](const char* name, auto function) {
    rows.push_back(row<Symmetric, Source, Count<1>, Symmetric, Value, Value, Value>(
        name, kWithSignal, function, SIGNAL_TEXT(OF_BYTES)));
  };
  put("shmem_putmem", aclshmem_putmem, PUT_TEXT(OF_BYTES));
  put("aclshmem_putmem", aclshmem_putmem, PUT_TEXT(OF_BYTES));
  put("shmem_putmem_nbi", aclshmem_putmem_nbi, PUT_LATER_TEXT(OF_BYTES));
  put("aclshmem_putmem_nbi", aclshmem_putmem_nbi, PUT_LATER_TEXT(OF_BYTES));
  get("shmem_getmem", aclshmem_getmem, GET_TEXT(OF_BYTES));
  get("aclshmem_getmem", aclshmem_getmem, GET_TEXT(OF_BYTES));
  get("shmem_getmem_nbi", aclshmem_getmem_nbi, GET_LATER_TEXT(OF_BYTES));
  get("aclshmem_getmem_nbi", aclshmem_getmem_nbi, GET_LATER_TEXT(OF_BYTES));
  signal("shmem_putmem_signal", aclshmemx_putmem_signal);
  signal("aclshmemx_putmem_signal", aclshmemx_putmem_signal);
  signal("shmem_putmem_signal_nbi", aclshmemx_putmem_signal_nbi);
  signal("aclshmemx_putmem_signal_nbi", aclshmemx_putmem_signal_nbi);
}

template <class T>
void add_element(Rows& rows, const char* name, auto put) {
  rows.push_back(row<Symmetric, Value, Value>(name, "dst, value, pe", put,
                                              "Writes one element at PE `pe`. Errors are logged."));
}

void add_typed(Rows& rows) {
  const char* const reads =
      "Reads one element of PE `pe`. Returns 0 and logs a line after an error.";
#define SHMEM_ROWS(NAME, TYPE)                                                               \
  add_element<TYPE>(rows, "shmem_" #NAME "_p", aclshmem_##NAME##_p);                         \
  add_element<TYPE>(rows, "aclshmem_" #NAME "_p", aclshmem_##NAME##_p);                      \
  rows.push_back(                                                                            \
      row<Symmetric, Value>("shmem_" #NAME "_g", "src, pe", aclshmem_##NAME##_g, reads));    \
  rows.push_back(                                                                            \
      row<Symmetric, Value>("aclshmem_" #NAME "_g", "src, pe", aclshmem_##NAME##_g, reads)); \
  rows.push_back(row<Symmetric, Source, Value, Value, Value, Value>(                         \
      "aclshmem_" #NAME "_iput", kWithStrides, aclshmem_##NAME##_iput, kStrided));           \
  rows.push_back(row<Target, Symmetric, Value, Value, Value, Value>(                         \
      "aclshmem_" #NAME "_iget", kWithStrides, aclshmem_##NAME##_iget, kStrided));
  ACLSHMEM_TYPE_FUNC(SHMEM_ROWS)
#undef SHMEM_ROWS
}

void add_sized(Rows& rows) {
#define SHMEM_ROWS(BITS)                                                                         \
  rows.push_back(row<Symmetric, Source, Count<BITS / 8>, Value>(                                 \
      "aclshmem_put" #BITS, kMove, aclshmem_put##BITS, PUT_TEXT(OF_ELEMENTS(BITS))));            \
  rows.push_back(row<Symmetric, Source, Count<BITS / 8>, Value>(                                 \
      "aclshmem_put" #BITS "_nbi", kMove, aclshmem_put##BITS##_nbi,                              \
      PUT_LATER_TEXT(OF_ELEMENTS(BITS))));                                                       \
  rows.push_back(row<Target, Symmetric, Count<BITS / 8>, Value>(                                 \
      "aclshmem_get" #BITS, kMove, aclshmem_get##BITS, GET_TEXT(OF_ELEMENTS(BITS))));            \
  rows.push_back(row<Target, Symmetric, Count<BITS / 8>, Value>(                                 \
      "aclshmem_get" #BITS "_nbi", kMove, aclshmem_get##BITS##_nbi,                              \
      GET_LATER_TEXT(OF_ELEMENTS(BITS))));                                                       \
  rows.push_back(row<Symmetric, Source, Value, Value, Value, Value>(                             \
      "aclshmem_iput" #BITS, kWithStrides, aclshmem_iput##BITS, kStrided));                      \
  rows.push_back(row<Target, Symmetric, Value, Value, Value, Value>(                             \
      "aclshmem_iget" #BITS, kWithStrides, aclshmem_iget##BITS, kStrided));                      \
  rows.push_back(row<Symmetric, Source, Count<BITS / 8>, Symmetric, Value, Value, Value>(        \
      "aclshmemx_put" #BITS "_signal", kElementsWithSignal, aclshmem_put##BITS##_signal,         \
      SIGNAL_TEXT(OF_COUNT(BITS))));                                                             \
  rows.push_back(row<Symmetric, Source, Count<BITS / 8>, Symmetric, Value, Value, Value>(        \
      "aclshmemx_put" #BITS "_signal_nbi", kElementsWithSignal, aclshmem_put##BITS##_signal_nbi, \
      SIGNAL_TEXT(OF_COUNT(BITS))));
  ACLSHMEM_SIZE_FUNC(SHMEM_ROWS)
#undef SHMEM_ROWS
}

void add_streams(Rows& rows) {
  const char* const later =
      "A task of the stream (0: the library's stream). The memory is used when the task runs, so "
      "it is not\n"
      "copied before: arrays in host memory are refused and logged. elem_size: bytes.";
  rows.push_back(row<Symmetric, Symmetric, Value, Value, Stream>(
      "aclshmemx_putmem_on_stream", "dst, src, elem_size, pe, stream", aclshmemx_putmem_on_stream,
      later));
  rows.push_back(row<Symmetric, Symmetric, Value, Value, Stream>(
      "aclshmemx_getmem_on_stream", "dst, src, elem_size, pe, stream", aclshmemx_getmem_on_stream,
      later));
  rows.push_back(row<Symmetric, Value, Value, Value, Stream>(
      "aclshmemx_signal_op_on_stream", "sig_addr, signal, sig_op, pe, stream",
      aclshmemx_signal_op_on_stream,
      "Changes a word of 32 bits at PE `pe`, as a task of the stream."));
  rows.push_back(row<Symmetric, Value, Value, Stream>(
      "aclshmemx_signal_wait_until_on_stream", "sig_addr, cmp, cmp_val, stream",
      aclshmemx_signal_wait_until_on_stream,
      "Lets the stream wait until the comparison of the word is true; the call returns "
      "immediately. cmp: a\n"
      "CmpOp."));
  rows.push_back(row<Stream>(
      "aclshmemx_quiet_on_stream", "stream", aclshmemx_quiet_on_stream,
      "Lets the stream wait until all operations that this PE has begun are complete."));
}

}  // namespace

void add_transfers(Rows& rows) {
  add_bytes(rows);
  add_typed(rows);
  add_sized(rows);
  add_streams(rows);
}

}  // namespace pyshmem

// SPDX-License-Identifier: Apache-2.0
// Waits for words that other PEs change.
#include "pyshmem/table.h"
#include "shmem/shmem.h"

namespace pyshmem {
namespace {

constexpr const char* kWait =
    "Returns when the comparison of the words is true. There is no time limit; if a PE dies, the "
    "wait\n"
    "ends and logs an error. Arrays and results are addresses: status (ints; elements with a value "
    "other\n"
    "than 0 are left out; 0: none is left out), indices and res_out (size_t). cmp: a CmpOp. "
    "Raises\n"
    "ValueError for a null ivar or res_out.";
constexpr const char* kTest =
    "Checks once. Arrays and results are addresses: status (ints; elements with a value other than "
    "0 are\n"
    "left out; 0: none is left out), indices and res_out (an int for test and test_all_vector, "
    "otherwise\n"
    "size_t). cmp: a CmpOp. Raises ValueError for a null ivar or res_out.";

constexpr const char* kAll = "ivars, nelems, status, cmp, cmp_value";
constexpr const char* kAny = "ivars, nelems, status, cmp, cmp_value, res_out";
constexpr const char* kSome = "ivars, nelems, indices, status, cmp, cmp_value, res_out";
constexpr const char* kAllVector = "ivars, nelems, status, cmp, cmp_values";
constexpr const char* kAnyVector = "ivars, nelems, status, cmp, cmp_values, res_out";
constexpr const char* kSomeVector = "ivars, nelems, indices, status, cmp, cmp_values, res_out";

/// The functions of one type, in the order in which the header has them.
template <class T>
struct Functions {
  void (*wait)(T*, T);
  void (*until)(T*, int, T);
  void (*all)(T*, std::size_t, const int*, int, T);
  void (*any)(T*, std::size_t, const int*, int, T, std::size_t*);
  void (*some)(T*, std::size_t, std::size_t*, const int*, int, T, std::size_t*);
  void (*all_vector)(T*, std::size_t, const int*, int, T*);
  void (*any_vector)(T*, std::size_t, const int*, int, T*, std::size_t*);
  void (*some_vector)(T*, std::size_t, std::size_t*, const int*, int, T*, std::size_t*);
  void (*test)(T*, int, T, int*);
  void (*test_any)(T*, std::size_t, const int*, int, T, std::size_t*);
  void (*test_some)(T*, std::size_t, std::size_t*, const int*, int, T, std::size_t*);
  void (*test_all_vector)(T*, std::size_t, const int*, int, T*, int*);
  void (*test_any_vector)(T*, std::size_t, const int*, int, T*, std::size_t*);
  void (*test_some_vector)(T*, std::size_t, std::size_t*, const int*, int, T*, std::size_t*);
};

/// Their names, in the same order.
struct Names {
  const char* text[14];
};

template <class T>
void add(Rows& rows, const Names& names, const Functions<T>& f) {
  const auto& name = names.text;
  const auto any = [&](const char* of, auto function, const char* text) {
    rows.push_back(row<Needed, Value, Host, Value, Value, Needed>(of, kAny, function, text));
  };
  const auto some = [&](const char* of, auto function, const char* text) {
    rows.push_back(
        row<Needed, Value, Needed, Host, Value, Value, Needed>(of, kSome, function, text));
  };
  const auto any_vector = [&](const char* of, auto function, const char* text) {
    rows.push_back(row<Needed, Value, Host, Value, Needed, Needed>(of, kAnyVector, function, text));
  };
  const auto some_vector = [&](const char* of, auto function, const char* text) {
    rows.push_back(
        row<Needed, Value, Needed, Host, Value, Needed, Needed>(of, kSomeVector, function, text));
  };
  rows.push_back(row<Needed, Value>(name[0], "ivar, cmp_value", f.wait, kWait));
  rows.push_back(row<Needed, Value, Value>(name[1], "ivar, cmp, cmp_value", f.until, kWait));
  rows.push_back(row<Needed, Value, Host, Value, Value>(name[2], kAll, f.all, kWait));
  any(name[3], f.any, kWait);
  some(name[4], f.some, kWait);
  rows.push_back(row<Needed, Value, Host, Value, Needed>(name[5], kAllVector, f.all_vector, kWait));
  any_vector(name[6], f.any_vector, kWait);
  some_vector(name[7], f.some_vector, kWait);
  rows.push_back(
      row<Needed, Value, Value, Needed>(name[8], "ivar, cmp, cmp_value, res_out", f.test, kTest));
  any(name[9], f.test_any, kTest);
  some(name[10], f.test_some, kTest);
  rows.push_back(row<Needed, Value, Host, Value, Needed, Needed>(name[11], kAnyVector,
                                                                 f.test_all_vector, kTest));
  any_vector(name[12], f.test_any_vector, kTest);
  some_vector(name[13], f.test_some_vector, kTest);
}

}  // namespace

void add_waits(Rows& rows) {
  rows.push_back(row<Needed, Value, Value>("aclshmem_signal_wait_until", "sig_addr, cmp, cmp_val",
                                           aclshmem_signal_wait_until, kWait));
#define SHMEM_ROWS(NAME, TYPE)                                                                     \
  add<TYPE>(                                                                                       \
      rows,                                                                                        \
      {{"aclshmem_" #NAME "_wait", "aclshmem_" #NAME "_wait_until",                                \
        "aclshmem_" #NAME "_wait_until_all", "aclshmem_" #NAME "_wait_until_any",                  \
        "aclshmem_" #NAME "_wait_until_some", "aclshmem_" #NAME "_wait_until_all_vector",          \
        "aclshmem_" #NAME "_wait_until_any_vector", "aclshmem_" #NAME "_wait_until_some_vector",   \
        "aclshmem_" #NAME "_test", "aclshmem_" #NAME "_test_any", "aclshmem_" #NAME "_test_some",  \
        "aclshmem_" #NAME "_test_all_vector", "aclshmem_" #NAME "_test_any_vector",                \
        "aclshmem_" #NAME "_test_some_vector"}},                                                   \
      {aclshmem_##NAME##_wait, aclshmem_##NAME##_wait_until, aclshmem_##NAME##_wait_until_all,     \
       aclshmem_##NAME##_wait_until_any, aclshmem_##NAME##_wait_until_some,                        \
       aclshmem_##NAME##_wait_until_all_vector, aclshmem_##NAME##_wait_until_any_vector,           \
       aclshmem_##NAME##_wait_until_some_vector, aclshmem_##NAME##_test,                           \
       aclshmem_##NAME##_test_any, aclshmem_##NAME##_test_some, aclshmem_##NAME##_test_all_vector, \
       aclshmem_##NAME##_test_any_vector, aclshmem_##NAME##_test_some_vector});
  ACLSHMEM_P2P_SYNC_TYPE_FUNC(SHMEM_ROWS)
#undef SHMEM_ROWS
}

}  // namespace pyshmem

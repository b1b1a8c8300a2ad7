// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/word_order.h"

#include <algorithm>

namespace acl {

order::Variable::Update update_of(sim::WordChange how, std::uint64_t value) {
  switch (how) {
    case sim::WordChange::set:
      return [value](std::uint64_t) { return value; };
    case sim::WordChange::add_32:
      return [value](std::uint64_t old) { return (old + value) & 0xFFFF'FFFFu; };
    case sim::WordChange::set_bits:
      return [value](std::uint64_t old) { return old | value; };
    case sim::WordChange::keep_bits:
      return [value](std::uint64_t old) { return old & value; };
    case sim::WordChange::raise:
      return [value](std::uint64_t old) { return std::max(old, value); };
  }
  return [value](std::uint64_t) { return value; };
}

order::Variable::Test test_of(const sim::WordTest& test) {
  return [test](std::uint64_t value) { return test.holds(value); };
}

}  // namespace acl

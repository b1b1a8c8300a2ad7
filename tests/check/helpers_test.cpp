// SPDX-License-Identifier: Apache-2.0
// Calls that the program makes through functions of its own: the chain of calls is the place.
#include <array>
#include <string>

#include "tests/check/cases.h"

using namespace check;

namespace {

struct Helpers {
  [[gnu::noinline]] static void copy_by(aclrtStream stream, void* to, const void* from) {
    REQUIRE_ACL(aclrtMemcpyAsync(to, kSize, from, kSize, ACL_MEMCPY_DEFAULT, stream));
  }
  /// A helper of a helper.
  [[gnu::noinline]] static void copy_by_two(aclrtStream stream, void* to, const void* from) {
    copy_by(stream, to, from);
    REQUIRE(stream != nullptr);
  }
  [[gnu::noinline]] static void copy_from_one_place(aclrtStream stream, void* to,
                                                    const void* from) {
    REQUIRE_ACL(aclrtMemcpyAsync(to, kSize, from, kSize, ACL_MEMCPY_DEFAULT, stream));
  }
};

std::string findings_after(std::uint64_t& mark) {
  std::array<char, 16384> text{};
  REQUIRE_ACL(aclsimCheckFindingsSince("error", &mark, text.data(), text.size()));
  return text.data();
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::string line(int number) { return "helpers_test.cpp:" + std::to_string(number); }

}  // namespace

TEST_CASE("two races through one helper are two findings that name its callers", "[helpers]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  std::uint64_t mark = 0;
  findings_after(mark);
  const int first = __LINE__ + 1;
  Helpers::copy_by(desk.a, desk.x, desk.in);
  Helpers::copy_by(desk.b, desk.out, desk.x);
  Helpers::copy_by(desk.a, desk.y, desk.in);
  Helpers::copy_by(desk.b, desk.out, desk.y);
  CHECK(found_from("error") == 2);
  const std::string text = findings_after(mark);
  INFO(text);
  CHECK(count_of(text, "error: data race") == 2);
  for (int i = 0; i < 4; ++i)
    CHECK(count_of(text, line(first + i) + ": note: called from here") == 1);
}

TEST_CASE("races whose earlier accesses differ in their callers are two findings", "[helpers]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  Helpers::copy_by(desk.a, desk.x, desk.in);
  Helpers::copy_by(desk.a, desk.y, desk.in);
  for (const void* from : {static_cast<void*>(desk.x), static_cast<void*>(desk.y)})
    Helpers::copy_by(desk.b, desk.out, from);
  CHECK(found_from("error") == 2);
}

TEST_CASE("a helper of a helper is named up to the calls that differ", "[helpers]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  std::uint64_t mark = 0;
  findings_after(mark);
  const int first = __LINE__ + 1;
  Helpers::copy_by_two(desk.a, desk.x, desk.in);
  Helpers::copy_by_two(desk.b, desk.out, desk.x);
  Helpers::copy_by_two(desk.a, desk.y, desk.in);
  Helpers::copy_by_two(desk.b, desk.out, desk.y);
  CHECK(found_from("error") == 2);
  const std::string text = findings_after(mark);
  INFO(text);
  CHECK(count_of(text, line(first + 3) + ": note: called from here") == 1);
}

TEST_CASE("a function that one place calls is named alone, and repetitions are counted",
          "[helpers]") {
  if (!bugs_may_run()) return;
  const Desk desk;
  std::uint64_t mark = 0;
  findings_after(mark);
  for (int i = 0; i < 4; ++i)
    Helpers::copy_from_one_place(i % 2 == 0 ? desk.a : desk.b, desk.x, desk.in);
  const std::string text = findings_after(mark);
  INFO(text);
  CHECK(found_from("error") == 1);
  CHECK(count_of(text, "called from here") == 0);
  CHECK(count_of(text, "seen 3 times") == 1);
}

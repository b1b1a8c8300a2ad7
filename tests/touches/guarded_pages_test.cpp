// SPDX-License-Identifier: Apache-2.0
// The rules of the pages that tasks use: who may touch them, and when.
#include "runtime/acl/touches/guarded_pages.h"

#include <map>

#include "runtime/acl/touches/toucher.h"
#include "tests/support/catch.h"

using namespace acl;

namespace {

constexpr std::uintptr_t kPage = 4096;
constexpr std::uintptr_t kBase = 0x100000;

/// The protection of pages, as the system would have it.
struct Pages {
  std::map<std::uintptr_t, PageAccess> at;  // missing: never changed, so open
  GuardedPages rules{[this](std::uintptr_t begin, std::size_t size, PageAccess access) {
    CHECK(begin % kPage == 0);
    CHECK(size % kPage == 0);
    for (std::uintptr_t page = begin; page < begin + size; page += kPage) at[page] = access;
  }};

  /// The access to the page with this number, which agrees with the rules.
  PageAccess page(std::uintptr_t number) {
    const std::uintptr_t address = kBase + number * kPage;
    const auto found = at.find(address);
    const PageAccess access = found == at.end() ? PageAccess::all : found->second;
    CHECK(rules.access_at(address + 100) == access);
    return access;
  }
};

PendingUse use(std::uintptr_t first_page, std::uintptr_t pages, bool writes, std::uint32_t number,
               order::Actor stream = 1) {
  return {kBase + first_page * kPage, pages * kPage, writes, {stream, number}};
}

constexpr PageAccess kNone = PageAccess::none, kReads = PageAccess::reads, kAll = PageAccess::all;

}  // namespace

TEST_CASE("a page allows what all uses of it allow", "[touches]") {
  Pages pages;
  CHECK(pages.rules.add(use(0, 3, false, 1)));
  CHECK(pages.rules.add(use(2, 2, true, 2)));
  CHECK(pages.page(0) == kReads);
  CHECK(pages.page(1) == kReads);
  CHECK(pages.page(2) == kNone);
  CHECK(pages.page(3) == kNone);
  CHECK(pages.page(4) == kAll);
  pages.rules.remove(use(2, 2, true, 2));
  CHECK(pages.page(2) == kReads);
  CHECK(pages.page(3) == kAll);
  pages.rules.remove(use(0, 3, false, 1));
  CHECK(pages.page(0) == kAll);
  CHECK(pages.rules.empty());
}

TEST_CASE("parts of a page close the whole page", "[touches]") {
  Pages pages;
  pages.rules.add({kBase + 4000, 200, true, {1, 1}});
  CHECK(pages.page(0) == kNone);
  CHECK(pages.page(1) == kNone);
  CHECK(pages.page(2) == kAll);
}

TEST_CASE("the bytes stay closed until the last task that uses them is over", "[touches]") {
  Pages pages;
  CHECK(pages.rules.add(use(0, 1, true, 1)));
  CHECK_FALSE(pages.rules.add(use(0, 1, true, 5)));
  CHECK(pages.rules.uses().size() == 1);
  pages.rules.remove(use(0, 1, true, 1));
  CHECK(pages.page(0) == kNone);
  pages.rules.remove(use(0, 1, true, 5));
  CHECK(pages.page(0) == kAll);
}

TEST_CASE("a touch opens all pages of a task until they are closed again", "[touches]") {
  Pages pages;
  pages.rules.add(use(0, 3, true, 1));
  pages.rules.add(use(2, 3, true, 1, 2));
  CHECK_FALSE(pages.rules.touch(kBase + 9 * kPage, true));
  CHECK(pages.rules.touch(kBase + kPage + 7, false));
  CHECK(pages.page(0) == kAll);
  CHECK(pages.page(2) == kNone);  // the other task's
  CHECK_FALSE(pages.rules.touch(kBase, true));
  CHECK(pages.rules.touch(kBase + 2 * kPage, true));
  CHECK(pages.page(2) == kAll);
  CHECK(pages.page(4) == kAll);
  pages.rules.close_again();
  CHECK(pages.page(0) == kNone);
  CHECK(pages.page(4) == kNone);
}

TEST_CASE("reads of what a task reads are allowed, and open nothing", "[touches]") {
  Pages pages;
  pages.rules.add(use(0, 2, false, 1));
  CHECK_FALSE(pages.rules.touch(kBase, false));
  CHECK(pages.page(0) == kReads);
  CHECK(pages.rules.touch(kBase, true));
  CHECK(pages.page(1) == kAll);
}

TEST_CASE("a read opens what a task writes, but not for writes what another one reads",
          "[touches]") {
  Pages pages;
  pages.rules.add(use(0, 1, true, 1));
  pages.rules.add(use(0, 1, false, 1, 2));
  CHECK(pages.rules.touch(kBase, false));
  CHECK(pages.page(0) == kReads);
  CHECK(pages.rules.touch(kBase, true));
  CHECK(pages.page(0) == kAll);
}

TEST_CASE("the next task closes what a touch has opened", "[touches]") {
  Pages pages;
  pages.rules.add(use(0, 1, true, 1));
  pages.rules.touch(kBase, true);
  pages.rules.add(use(0, 1, true, 2));
  CHECK(pages.page(0) == kNone);
}

TEST_CASE("admitted functions keep a page open until the last one leaves", "[touches]") {
  Pages pages;
  pages.rules.add(use(0, 1, true, 1));
  pages.rules.add(use(1, 1, true, 1));
  pages.rules.admit(use(0, 1, true, 1));
  pages.rules.admit(use(0, 1, true, 1));
  CHECK(pages.page(0) == kAll);
  CHECK(pages.page(1) == kNone);
  pages.rules.leave(use(0, 1, true, 1));
  pages.rules.close_again();
  CHECK(pages.page(0) == kAll);
  pages.rules.leave(use(0, 1, true, 1));
  CHECK(pages.page(0) == kNone);
}

TEST_CASE("a function may leave after its use was removed", "[touches]") {
  Pages pages;
  pages.rules.add(use(0, 1, true, 1));
  pages.rules.admit(use(0, 1, true, 1));
  pages.rules.remove(use(0, 1, true, 1));
  pages.rules.leave(use(0, 1, true, 1));
  pages.rules.add(use(0, 1, true, 2));
  pages.rules.leave(use(0, 1, true, 1));
  CHECK(pages.page(0) == kNone);
}

TEST_CASE("further uses than the limit are not guarded", "[touches]") {
  Pages pages;
  for (std::uint32_t i = 0; i < GuardedPages::kMost; ++i) pages.rules.add(use(i, 1, true, 1));
  CHECK_FALSE(pages.rules.add(use(GuardedPages::kMost, 1, true, 1)));
  CHECK(pages.page(GuardedPages::kMost) == kAll);
  CHECK(pages.page(0) == kNone);
}

TEST_CASE("kernels and parts of kernels are the device, functions are the host", "[touches]") {
  struct Row {
    bool runs_kernel, in_function, own_thread;
    Toucher expected;
  };
  for (const Row& row : {
           Row{false, false, false, Toucher::host},   // code of the program
           Row{true, false, false, Toucher::device},  // a host thread that waits runs a kernel
           Row{false, true, false, Toucher::host},    // a callback in a thread of the program
           Row{true, true, false, Toucher::device},   // a callback that waits runs a kernel
           Row{false, false, true, Toucher::device},  // a worker runs a part of a kernel
           Row{true, false, true, Toucher::device},   // a worker runs a kernel
           Row{false, true, true, Toucher::host},     // a host function
           Row{true, true, true, Toucher::device},
       }) {
    CHECK(toucher_of(row.runs_kernel, row.in_function, row.own_thread) == row.expected);
  }
}

TEST_CASE("a function may touch what is over, and what waits for it", "[touches]") {
  // A task before the function, whether its stream waits for the function or not.
  CHECK(admits_function(true, true, false));
  CHECK(admits_function(false, true, false));
  // A task behind the function.
  CHECK(admits_function(true, false, true));
  CHECK_FALSE(admits_function(false, false, true));
  // A task of another stream.
  CHECK_FALSE(admits_function(true, false, false));
}

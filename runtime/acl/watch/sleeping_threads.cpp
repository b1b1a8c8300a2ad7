// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/sleeping_threads.h"

#include <dirent.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace acl::watch {
namespace {

/// Takes the next word from the text.
std::string_view next_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

std::optional<std::uint64_t> number_of(std::string_view word, int base) {
  if (base == 16 && word.starts_with("0x")) word.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) return {};
  return number;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::optional<FutexSleep> futex_sleep_in(std::string_view line) {
  if (number_of(next_word(line), 10) != SYS_futex) return {};
  std::array<std::uint64_t, 4> arguments{};
  for (std::uint64_t& argument : arguments) {
    const auto number = number_of(next_word(line), 16);
    if (!number) return {};
    argument = *number;
  }
  const auto [word, operation, expected, timeout] = arguments;
  const auto command = static_cast<int>(operation) & FUTEX_CMD_MASK;
  const bool sleeps = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ||
                      command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
  if (!sleeps || timeout != 0) return {};
  return FutexSleep{word, (operation & FUTEX_PRIVATE_FLAG) == 0};
}

bool is_private(std::string_view maps, std::uintptr_t address) {
  while (!maps.empty()) {
    std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    std::string_view range = next_word(line);
    const std::size_t dash = range.find('-');
    if (dash == range.npos) continue;
    const auto begin = number_of(range.substr(0, dash), 16);
    const auto end = number_of(range.substr(dash + 1), 16);
    if (!begin || !end || address < *begin || address >= *end) continue;
    const std::string_view rights = next_word(line);
    return rights.size() == 4 && rights[3] == 'p';
  }
  return false;
}

// The state follows the name of the thread, which may hold anything.
bool another_thread_runs() {
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/task"), closedir);
  while (const dirent* const entry = folder ? readdir(folder.get()) : nullptr) {
    const auto thread = static_cast<pid_t>(std::atoi(entry->d_name));
    if (thread == 0 || thread == self) continue;
    const std::string stat = content("/proc/self/task/" + std::to_string(thread) + "/stat");
    const std::size_t name_end = stat.rfind(')');
    if (name_end == stat.npos || name_end + 2 >= stat.size()) continue;  // it has ended
    const char state = stat[name_end + 2];
    if (state != 'S' && state != 'I' && state != 'X' && state != 'Z') return true;
  }
  return !folder;
}

bool sleeps_until_woken(pid_t thread) {
  const auto sleep =
      futex_sleep_in(content("/proc/self/task/" + std::to_string(thread) + "/syscall"));
  if (!sleep) return false;
  return !sleep->shared || is_private(content("/proc/self/maps"), sleep->word);
}

}  // namespace acl::watch

// SPDX-License-Identifier: Apache-2.0
// Readers with broken files: inputs of earlier crashes, and a fixed number of mutated good files
// for each target. The same targets run under libFuzzer (docs/development.md).
//   ACLSIM_TEST_FUZZ_TARGET    only this target
//   ACLSIM_TEST_FUZZ_RUNS      mutants of each file
//   ACLSIM_TEST_SEED           seed of the mutations
//   ACLSIM_TEST_FUZZ_KEEP      a file that contains the current input if the process dies
//   ACLSIM_TEST_FUZZ_CORPUS    a folder to write the good files to, one folder for each target
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"
#include "tools/trace/formats/format_table.h"

namespace {

namespace fs = std::filesystem;

std::string setting(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value ? value : otherwise;
}

std::string content(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// One to four small changes.
std::string mutated(std::string bytes, std::mt19937_64& random) {
  for (int wounds = 1 + static_cast<int>(random() % 4); wounds > 0 && !bytes.empty(); --wounds) {
    const std::size_t at = random() % bytes.size();
    const std::size_t length = std::min<std::size_t>(1 + random() % 12, bytes.size() - at);
    switch (random() % 6) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = static_cast<char>('0' + random() % 10);
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(random() % bytes.size(), length));
        break;
      case 4:
        bytes.insert(at, "18446744073709551615");
        break;
      default:
        if (random() % 8 == 0) bytes.resize(at);
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("inputs that once broke a reader are refused or read", "[fuzz]") {
  const fs::path folder = fs::path(ACLSIM_SOURCE_DIR) / "tests/fuzz/crashes";
  int seen = 0;
  for (const fuzz::Target& target : fuzz::targets()) {
    if (!fs::exists(folder / target.name)) continue;
    for (const auto& entry : fs::directory_iterator(folder / target.name)) {
      INFO(entry.path());
      target.run(content(entry.path()));
      ++seen;
    }
  }
  CHECK(seen > 0);
}

TEST_CASE("no mutant of a good file breaks a reader", "[fuzz]") {
  const int count = std::stoi(setting("ACLSIM_TEST_FUZZ_RUNS", "250"));
  const std::string keep = setting("ACLSIM_TEST_FUZZ_KEEP", "");
  const std::string only = setting("ACLSIM_TEST_FUZZ_TARGET", "");
  std::mt19937_64 random(support::first_seed());
  std::fprintf(stderr, "mutants with ACLSIM_TEST_SEED=%llu\n",
               static_cast<unsigned long long>(support::first_seed()));
  std::uint64_t mutant = 0;
  for (const fuzz::Target& target : fuzz::targets()) {
    if (!only.empty() && target.name != only) continue;
    for (const std::string& seed : fuzz::seeds(target.name)) {
      target.run(seed);
      for (int i = 0; i < count; ++i) {
        const std::string bytes = mutated(seed, random);
        if (!support::in_share(mutant++)) continue;
        if (!keep.empty()) write(keep, bytes);
        target.run(bytes);
      }
      SUCCEED();
    }
  }
}

TEST_CASE("each target has good files to begin with", "[fuzz]") {
  const std::string corpus = setting("ACLSIM_TEST_FUZZ_CORPUS", "");
  for (const fuzz::Target& target : fuzz::targets()) {
    const auto seeds = fuzz::seeds(target.name);
    const trace::Format* const format = trace::find_format(target.name);
    INFO(target.name);
    if (!format || !format->available || format->available()) CHECK_FALSE(seeds.empty());
    if (corpus.empty()) continue;
    fs::create_directories(fs::path(corpus) / target.name);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      write(fs::path(corpus) / target.name / std::to_string(i), seeds[i]);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
// Readers against broken files: the crashes of before, and a fixed number of mutated look-alikes.
// The same target runs under libFuzzer (see tests/CMakeLists.txt); the number of mutants is
// ACLSIM_FUZZ_RUNS.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/fuzz_target.h"
#include "tests/trace/lookalike.h"
#include "tools/trace/aclt_writer.h"
#include "tools/trace/chakra_writer.h"
#include "tools/trace/generate.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/readers.h"

namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> all{lookalike::aclt(), lookalike::ascend_timeline(0),
                               lookalike::graph_debug(), lookalike::kineto(), lookalike::chrome()};
  trace::GenerateOptions options;
  options.kind = "racy";
  all.push_back(trace::to_aclt(trace::generate(options)));
  const support::TempDir dir;
  if (trace::has_protobuf()) {
    options.kind = "sends";
    trace::write_chakra(trace::generate(options), (dir.path() / "s.et").string());
    all.push_back(dir.read("s.0.et"));
  }
#if ACLSIM_HAVE_SQLITE
  lookalike::write_msprof_db((dir.path() / "s.db").string(), 0);
  all.push_back(dir.read("s.db"));
#endif
  return all;
}

/// One to four small wounds.
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
  const std::filesystem::path folder = std::string(ACLSIM_SOURCE_DIR) + "/tests/trace/crashes";
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    INFO(entry.path());
    fuzz::read_any(bytes.str());
    SUCCEED();
  }
}

TEST_CASE("no mutant of a trace breaks a reader", "[fuzz]") {
  const char* const runs = std::getenv("ACLSIM_FUZZ_RUNS");
  const int count = runs ? std::atoi(runs) : 400;
  const std::string last = "fuzz-last";  // what was read when the process died
  std::mt19937_64 random(20261121);
  for (const std::string& seed : seeds()) {
    fuzz::read_any(seed);
    for (int i = 0; i < count; ++i) {
      const std::string bytes = mutated(seed, random);
      if (std::getenv("ACLSIM_FUZZ_KEEP")) std::ofstream(last, std::ios::binary) << bytes;
      fuzz::read_any(bytes);
    }
    SUCCEED();
  }
}

// SPDX-License-Identifier: Apache-2.0
// More planted mistakes, so that each rule has one. The rules of the code are compared with the
// page.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "ascendc/impl/opcodes.h"
#include "ascendc/kernel_operator.h"
#include "ascendc/lib/matmul_intf.h"
#include "tests/ascendc/planted.h"
#include "tests/support/catch.h"

namespace planted {
namespace {

using namespace AscendC;

PLANTED(gets_more_than_the_buffer) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  buffer.Get<float>(good ? 64 : 128);
}
/// The program allocates memory and perhaps frees it while the kernel runs.
PLANTED(reads_what_the_program_frees) {
  void* memory = nullptr;
  const auto host = [](const auto& calls) {
    std::thread([&] {
      aclrtSetDevice(0);
      calls();
    }).join();
  };
  host([&] {
    aclrtMalloc(&memory, 32, ACL_MEM_MALLOC_HUGE_FIRST);
    if (!good) aclrtFree(memory);
  });
  GlobalTensor<float> words;
  words.SetGlobalBuffer(static_cast<__gm__ float*>(memory), 8);
  words.GetValue(0);
  if (good) host([&] { aclrtFree(memory); });
}
PLANTED(multiplies_without_depth) {
  TPipe pipe;
  TCubeTiling tiling{};
  tiling.M = tiling.N = tiling.Ka = tiling.Kb = 16;
  tiling.singleCoreM = tiling.singleCoreN = tiling.baseM = tiling.baseN = tiling.baseK = 16;
  tiling.singleCoreK = good ? 16 : 0;
  SetSysWorkspace(x + 3072 * sizeof(float));
  using Matrix = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  Matmul<Matrix, Matrix, Matrix> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<float*>(x), 1024);
  product.SetTensorA(tensor);
  product.SetTensorB(tensor[256]);
  product.IterateAll(tensor[512]);
  product.End();
}
PLANTED(counts_cross_flags_too_far) {
  CrossCoreSetFlag<0, PIPE_MTE3>(good ? 15 : 16);
  CrossCoreWaitFlag(15);
}
PLANTED(leaves_flag_of_cube_core) {
  if ASCEND_IS_AIC
    CrossCoreSetFlag<2, PIPE_FIX>(4);
  if (good && g_coreType == AIV) CrossCoreWaitFlag(4);
}
PLANTED(sets_flag_on_one_of_two) {
  if ASCEND_IS_AIV {
    if (good || GetSubBlockIdx() == 1) CrossCoreSetFlag<2, PIPE_MTE3>(5);
  } else if (good) {
    CrossCoreWaitFlag(5);
  }
}
PLANTED(meets_on_vector_cores_alone) {
  if (good)
    SyncAll();
  else
    CrossCoreSetFlag<0, PIPE_MTE3>(1), CrossCoreWaitFlag(1);
}
PLANTED(tells_cores_of_no_other_kind) {
  if (good) return;
  CrossCoreSetFlag<2, PIPE_MTE3>(1);
}
PLANTED(meets_vector_cores_on_a_cube_core) {
  if ASCEND_IS_AIC {
    if (!good) CrossCoreSetFlag<1, PIPE_FIX>(1);
  }
}
PLANTED(divides_by_a_size_of_zero) {
  volatile int32_t size = good ? 4 : 0;
  const int32_t parts = 64 / size;
  Place(x).to.SetValue(0, static_cast<float>(parts));
}
PLANTED(meets_over_too_many_blocks) {
  if (!good) SyncAll();
}
PLANTED(places_tensor_in_global_memory) {
  const LocalTensor<float> tensor(good ? TPosition::VECCALC : TPosition::GM, 0, kCount);
}
enum class Uses {
  sets,
  gets,
  refers,
  adds,
  copies_in,
  copies_out,
  fills,
  sets_global,
  copies_global,
  dumps,
  gathers
};
template <Uses uses>
PLANTED(uses_empty_tensor) {
  Place p(x);
  LocalTensor<float> local;
  GlobalTensor<float> global;
  Duplicate(p.b, 1.0F, kCount);
  PipeBarrier<PIPE_ALL>();
  if (good) local = p.a;
  if (good) global = p.to;
  if constexpr (uses == Uses::sets) local[8].SetValue(1, 1.0F);
  if constexpr (uses == Uses::gets)
    p.b.SetValue(0, 1.0F), good ? p.b.GetValue(0) : local.GetValue(0);
  if constexpr (uses == Uses::refers) local(1) = 1.0F;
  if constexpr (uses == Uses::adds) Add(p.b, good ? p.b : local[8], p.b, 8);
  if constexpr (uses == Uses::copies_in) DataCopy(local, p.from, kCount);
  if constexpr (uses == Uses::copies_out) DataCopy(p.to, good ? p.b : local, kCount);
  if constexpr (uses == Uses::fills) Duplicate(local, 1.0F, kCount);
  if constexpr (uses == Uses::sets_global) global.SetValue(1, 1.0F);
  if constexpr (uses == Uses::copies_global) DataCopy(global, p.b, kCount);
  if constexpr (uses == Uses::gathers) {
    const LocalTensor<uint32_t> offsets(TPosition::VECCALC, 2048, 8);
    Duplicate(p.a, 1.0F, kCount);
    Duplicate(offsets, 0U, 8);
    PipeBarrier<PIPE_ALL>();
    Gather(p.b, local, offsets, 0, 8);
  }
  if constexpr (uses == Uses::dumps) DumpTensor(good ? p.b : local, 0, 8);
}
// The translation of __ubuf__ float shared[64].
PLANTED(copies_into_an_array) {
  static_cast<float*>(
      aclsimLocalArray(ACLSIM_MEMORY_UB, &planted_kernel, 256, "shared", ACLSIM_SITE))[0] = 1;
  const auto end =
      static_cast<uint32_t>(aclsimLocalSize(static_cast<uint32_t>(TPosition::VECCALC)));
  const LocalTensor<float> tensor(TPosition::VECCALC, end - 256 - (good ? 256 : 32), kCount);
  DataCopy(tensor, Place(x).from, kCount);
}
// Values that no template passes, but generated code may.
PLANTED(orders_the_scalar_unit) { aclsimPipeBarrier(good ? PIPE_V : PIPE_S, ACLSIM_SITE); }
PLANTED(issues_what_is_no_instruction) {
  aclsimInstruction instruction{};
  instruction.size = sizeof instruction;
  instruction.opcode = ACLSIM_CUBE_LAST;
  if (!good) aclsimIssue(&instruction);
}

PLANTED(asks_an_object_without_context) {
  Hccl<> hccl;
  if (!good) hccl.GetRankId();
}

const Planted kMorePlanted[] = {
    ROW(gets_more_than_the_buffer, 507035, "argument"),
    ROW(multiplies_without_depth, 507035, "matmul", 1, ACLSIM_CORES_MIX_1_1),
    ROW(counts_cross_flags_too_far, 507035, "flag-range"),
    ROW(leaves_flag_of_cube_core, 0, "flag-left", 2, ACLSIM_CORES_MIX_1_2),
    ROW(sets_flag_on_one_of_two, 0, "flag-left", 2, ACLSIM_CORES_MIX_1_2),
    ROW(divides_by_a_size_of_zero, 0, "division"),
    ROW(meets_on_vector_cores_alone, 0, "flag-cores", 2, ACLSIM_CORES_VECTOR),
    ROW(tells_cores_of_no_other_kind, 507035, "flag-mode", 2, ACLSIM_CORES_MIX_0_1),
    ROW(meets_vector_cores_on_a_cube_core, 507015, "flag-mode", 2, ACLSIM_CORES_MIX_1_2),
    ROW(meets_over_too_many_blocks, 507035, "barrier-too-wide", 4096),
    ROW(places_tensor_in_global_memory, 507035, "local-position"),
#define EMPTY(USES) \
  { "empty_" #USES, uses_empty_tensor<Uses::USES>, 507035, "tensor-empty" }
    EMPTY(sets),
    EMPTY(gets),
    EMPTY(refers),
    EMPTY(adds),
    EMPTY(copies_in),
    EMPTY(copies_out),
    EMPTY(fills),
    EMPTY(sets_global),
    EMPTY(copies_global),
    EMPTY(dumps),
    EMPTY(gathers),
    ROW(copies_into_an_array, 0, "array-overlap"),
    ROW(asks_an_object_without_context, 507035, "collective"),
    ROW(orders_the_scalar_unit, 507035, "barrier"),
    ROW(reads_what_the_program_frees, 0, "gm-freed"),
    ROW(issues_what_is_no_instruction, 507035, "unknown-instruction"),
};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The literals from `at` on, up to the end of the argument or of the statement.
void add_literals(const std::string& text, std::size_t at, std::set<std::string>& rules) {
  for (; at < text.size() && text[at] != ',' && text[at] != ';' && text[at] != ')'; ++at) {
    if (text[at] != '"') continue;
    const std::size_t end = text.find('"', at + 1);
    rules.insert(text.substr(at + 1, end - at - 1));
    at = end;
  }
}

/// The names of rules that the sources hand to a finding.
std::set<std::string> rules_of_code() {
  std::set<std::string> rules;
  const std::string folder = std::string(ACLSIM_SOURCE_DIR) + "/runtime/ascendc";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = text_of(entry.path());
    for (const std::string word : {"violated(", "found_once(", ".rule = "}) {
      for (std::size_t at = text.find(word); at != std::string::npos;
           at = text.find(word, at + 1)) {
        add_literals(text, at + word.size(), rules);
      }
    }
  }
  return rules;
}

/// The rules of the planted mistakes of another test.
void add_rules_of_test(const std::string& path, std::set<std::string>& rules) {
  static const std::regex row(R"re((?:ROW|CUBE)\(\w+, \w+, "([a-z-]+)")re");
  const std::string text = text_of(std::string(ACLSIM_SOURCE_DIR) + "/tests/" + path);
  for (auto it = std::sregex_iterator(text.begin(), text.end(), row); it != std::sregex_iterator();
       ++it) {
    rules.insert((*it)[1]);
  }
}

/// The rules that have a usual repair.
std::set<std::string> rules_with_repair() {
  std::set<std::string> rules;
  std::istringstream source(
      text_of(std::string(ACLSIM_SOURCE_DIR) + "/runtime/ascendc/launch/repairs.cpp"));
  const std::string begin = "    {\"";
  for (std::string line; std::getline(source, line);) {
    if (!line.starts_with(begin)) continue;
    rules.insert(line.substr(begin.size(), line.find('"', begin.size()) - begin.size()));
  }
  return rules;
}

/// The words in the first column of the table.
std::set<std::string> rules_of_page() {
  std::set<std::string> rules;
  std::istringstream page(text_of(std::string(ACLSIM_SOURCE_DIR) + "/docs/kernels.md"));
  bool there = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) there = line == "## Checks";
    if (!there || !line.starts_with("| `")) continue;
    std::istringstream column(line.substr(2, line.find(" | ") - 2));
    for (std::string word; std::getline(column, word, '`');) {
      if (word.find_first_of(", ") == std::string::npos && !word.empty()) rules.insert(word);
    }
  }
  return rules;
}

}  // namespace
}  // namespace planted

TEST_CASE("what is found seldom is found, too, and the repaired twins are clean", "[planted]") {
  for (const planted::Planted& mistake : planted::kMorePlanted) {
    DYNAMIC_SECTION(mistake.name) { planted::check(mistake); }
  }
}

TEST_CASE("each rule that the code knows is explained, and has a kernel with that mistake",
          "[planted]") {
  const std::set<std::string> of_code = planted::rules_of_code();
  std::set<std::string> of_kernels;
  for (const auto& mistake : planted::first_kernels()) of_kernels.insert(mistake.rule);
  for (const auto& mistake : planted::kMorePlanted) of_kernels.insert(mistake.rule);
  planted::add_rules_of_test("ascendc_cube/mutex_3510_test.cpp", of_kernels);
  planted::add_rules_of_test("ascendc_cube/planted_cube_test.cpp", of_kernels);
  planted::add_rules_of_test("ascendc_registers/planted_registers_test.cpp", of_kernels);
  CHECK(of_code == planted::rules_of_page());
  CHECK(of_code == of_kernels);
  CHECK(of_code == planted::rules_with_repair());
}

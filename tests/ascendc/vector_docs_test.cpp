// SPDX-License-Identifier: Apache-2.0
// Compares docs/vector_instructions.md with the rows.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/rows.h"
#include "tests/support/catch.h"

namespace {

namespace unit = ascendc::vector;

std::string types(std::uint32_t set) {
  std::string text;
  for (std::uint8_t element = 1; element < 32; ++element) {
    if ((set >> element & 1U) == 0) continue;
    text += (text.empty() ? "" : " ") + std::string(unit::element_name(element));
  }
  return text.empty() ? "-" : text;
}

std::string modes(std::uint32_t set) {
  static const char* const kNames[] = {"NONE",  "RINT",  "FLOOR", "CEIL",
                                       "ROUND", "TRUNC", "ODD",   "HYBRID"};
  if (set == ACLSIM_ANY_MODE) return "any";
  std::string text;
  for (unsigned mode = 0; mode < 8; ++mode) {
    if ((set >> mode & 1U) != 0) text += (text.empty() ? "" : " ") + std::string(kNames[mode]);
  }
  return text.empty() ? "-" : text;
}

std::string page() {
  std::string text =
      "# Vector instructions\n\nFor authors of AscendC kernels: look up the operands and element "
      "types that each vector\ninstruction accepts.\n\nThis page is generated from the rows of "
      "`include/ascendc/impl/vector_rows.h`; [kernels](kernels.md#vector-instructions)\ndescribes "
      "the results. "
      "To regenerate it, run `test_ascendc_vector "
      "\"[vector][docs]\"` with ACLSIM_TEST_WRITE=1.\n\n"
      "| instruction | operands | types on 2201 | types on 3510 |\n|---|---|---|---|\n";
  for (const unit::InstructionRow& row : unit::all_rows()) {
    if (*row.operands == 0 || (row.flags & ACLSIM_PAIRS) != 0) continue;
    text += std::string("| ") + row.name + " | " + row.operands + " | " + types(row.old_types) +
            " | " + types(row.new_types) + " |\n";
  }
  text +=
      "\n## With two types\n\n| instruction | to | from | modes on 2201 | modes on 3510 |\n"
      "|---|---|---|---|---|\n";
  for (const unit::Pair& pair : unit::all_pairs()) {
    text += std::string("| ") + unit::row_of(pair.opcode)->name + " | " +
            unit::element_name(pair.dst) + " | " + unit::element_name(pair.src) + " | " +
            modes(pair.old_modes) + " | " + modes(pair.new_modes) + " |\n";
  }
  return text;
}

TEST_CASE("the page of vector instructions is that of the rows", "[vector][docs]") {
  const std::string path = std::string(ACLSIM_SOURCE_DIR) + "/docs/vector_instructions.md";
  if (std::getenv("ACLSIM_TEST_WRITE") != nullptr) std::ofstream(path) << page();
  std::ifstream in(path);
  std::stringstream there;
  there << in.rdbuf();
  CHECK(there.str() == page());
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Compares docs/kernel_functions.md with the rows. function_tests.py lists the test of each
// function.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ascendc/impl/function_rows.h"
#include "ascendc/impl/library_sizes.h"
#include "ascendc/impl/limit_rows.h"
#include "ascendc/impl/reg_rows.h"
#include "runtime/ascendc/core/arch.h"
#include "runtime/ascendc/library/call.h"
#include "runtime/ascendc/vector/rows.h"
#include "tests/support/catch.h"

namespace functions {
namespace {

struct Function {
  std::string of, name, where, particular;
};
const std::vector<Function> kFunctions = {
#define FUNCTION(of, name, where, particular) {of, name, where, particular},
    ACLSIM_FUNCTION_ROWS(FUNCTION)
#undef FUNCTION
};

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string limits_text() {
  std::string text =
      "| function | argument | from | to | multiple of | finding |\n|---|---|---|---|---|---|\n";
  const auto row = [&](const char* functions, const char* argument, std::uint64_t least,
                       std::uint64_t most, std::uint64_t step, const char* word) {
    text += std::string("| ") + functions + " | " + argument + " | " + number(least) + " | " +
            (most == ACLSIM_NO_MOST ? "no fixed limit" : number(most)) + " | " +
            (step == ACLSIM_OF_ELEMENT ? "the element size" : number(step)) + " | `" + word +
            "` |\n";
  };
#define LIMIT(name, functions, argument, least, most, step, word) \
  row(functions, argument, least, most, step, word);
  ACLSIM_LIMIT_ROWS(LIMIT)
#undef LIMIT
  return text;
}

std::string types_text() {
  std::string text = "| function | element types |\n|---|---|\n";
  const auto row = [&](const char* name, std::uint32_t set) {
    text += std::string("| ") + name + " |";
    for (std::uint8_t element = 1; element < 32; ++element) {
      if ((set >> element & 1U) != 0)
        text += std::string(" ") + ascendc::vector::element_name(element);
    }
    text += " |\n";
  };
#define TYPES(name) row(#name, ACLSIM_SET_OF(ACLSIM_TYPES_##name));
  ACLSIM_TYPE_ROWS(TYPES)
#undef TYPES
  return text;
}

std::string memories_text() {
  std::string text = "| memory | bytes on 2201 | bytes on 3510 |\n|---|---|---|\n";
  for (std::size_t i = 0; i < ascendc::kMemories; ++i) {
    const ascendc::MemoryRow& old = ascendc::arch_of(2201).memories[i];
    text += std::string("| ") + old.name + " | " + number(old.bytes) + " | " +
            number(ascendc::arch_of(3510).memories[i].bytes) + " |\n";
  }
  return text;
}

std::string escaped(std::string name) {
  for (std::size_t at = 0; (at = name.find('|', at)) != std::string::npos; at += 2)
    name.insert(at, 1, '\\');
  return name;
}

std::string functions_text() {
  std::string text = "| class | function | on | remarks |\n|---|---|---|---|\n";
  for (const Function& each : kFunctions) {
    text += "| " + (each.of.empty() ? "-" : each.of) + " | `" + escaped(each.name) + "` | " +
            each.where + " | " + (each.particular.empty() ? "-" : each.particular) + " |\n";
  }
  return text;
}

std::string library_types(std::uint32_t set) {
  std::string text;
  for (std::uint8_t element = 1; element < 32; ++element) {
    if ((set >> element & 1U) == 0) continue;
    text += (text.empty() ? "" : " ") +
            std::string(element == ACLSIM_BOOL ? "bool" : ascendc::vector::element_name(element));
  }
  return text.empty() ? "-" : text;
}

std::string library_text() {
  std::string text =
      "| function | operands | types on 2201 | types on 3510 | least temporary bytes | in place |\n"
      "|---|---|---|---|---|---|\n";
  for (const ascendc::library::Row& row : ascendc::library::all_rows()) {
    std::string operands;
    for (const std::string& name : row.operands) operands += (operands.empty() ? "" : ",") + name;
    text += std::string("| `") + row.name + "` | " + operands + " | " +
            library_types(row.old_types) + " | " + library_types(row.new_types) + " | " +
            number(aclsim_library::least_temporary(row.number)) + " | " +
            ((row.flags & ACLSIM_IN_PLACE) != 0 ? "yes" : "no") + " |\n";
  }
  return text;
}

std::string registers_text() {
  std::string text = "| function | element types | remarks |\n|---|---|---|\n";
  const auto row = [&](const char* name, const std::string& types, const std::string& remarks) {
    text += std::string("| `") + name + "` | " + types + " | " + (remarks.empty() ? "-" : remarks) +
            " |\n";
  };
#define REGISTERS(name, shape, operation, types) \
  row(#name, library_types(ACLSIM_SET_OF(types)), "");
  ACLSIM_REG_ROWS(REGISTERS)
#undef REGISTERS
#define REGISTERS(name, types, remarks) row(#name, types, remarks);
  ACLSIM_REG_OTHER_ROWS(REGISTERS)
#undef REGISTERS
  return text;
}

/// The sources of each destination, in the order of the rows.
std::string casts_text() {
  std::string text = "| from | to |\n|---|---|\n";
  for (std::uint8_t source = 1; source < 32; ++source) {
    std::string targets;
#define CAST(to, from)                                                        \
  if (source == ACLSIM_##from) {                                              \
    targets += std::string(" ") + ascendc::vector::element_name(ACLSIM_##to); \
  }
    ACLSIM_REG_CASTS(CAST)
#undef CAST
    if (targets.empty()) continue;
    text += std::string("| ") + ascendc::vector::element_name(source) + " |" + targets + " |\n";
  }
  return text;
}

std::string page() {
  std::string events;
  for (std::uint32_t event = 0; event < ascendc::kEvents; ++event) {
    events += std::string(event == 0        ? ""
                          : event % 10 == 0 ? ",\n"
                                            : ", ") +
              ascendc::event_of(event)->name;
  }
  return "# Functions of kernels\n\nFor authors of AscendC kernels: look up the limits, element "
         "types and support of each "
         "function\nbeside the [vector instructions](vector_instructions.md).\n\nThis page is "
         "generated from the rows of "
         "`include/ascendc/impl/limit_rows.h` and `function_rows.h`,\nand from the tables of "
         "`runtime/ascendc/core/arch.cpp`. "
         "[kernels](kernels.md#checks) lists the other checks.\nTo regenerate it, run "
         "`test_ascendc "
         "\"[functions][docs]\"` with ACLSIM_TEST_WRITE=1.\n\n## Limits\n\nA value outside of "
         "these limits ends the kernel "
         "with the finding in the last column. A length of 0 or 0 blocks is valid and does "
         "nothing.\n\n" +
         limits_text() +
         "\n## Element types\n\nThe compiler refuses other types. `DataCopy` and `DataCopyPad` "
         "accept "
         "every type, because they move "
         "bytes.\n\n" +
         types_text() +
         "\n## Memories\n\nA local tensor must begin at a multiple of 32 bytes and fit into "
         "its memory (else `local-exceeded`).\n\n" +
         memories_text() + "\n## Events\n\nEach event has flags 0 to " +
         number(ACLSIM_MOST_EVENT_ID) + ":\n" + events + ".\n\n## All functions\n\n" +
         functions_text() +
         "\n## The high-level library\n\nThe types are types of the first source. A call whose "
         "temporary memory is smaller ends the kernel; the host\nfunctions `Get...MaxMinTmpSize` "
         "return these sizes. Destinations that overlap a source, or temporary memory\nthat "
         "overlaps another operand, are an error (`overlap`), unless the function works in "
         "place.\n\n" +
         library_text() +
         "\n## Registers\n\nThe functions of `AscendC::Reg` (the older name of the namespace is "
         "`AscendC::MicroAPI`) exist on architecture 3510\nonly; on 2201 the compiler refuses each "
         "by its name. \"bytes\" means elements of any type, by their size.\n"
         "[kernels](kernels.md#registers-of-the-vector-unit) describes the checks of a call.\n\n" +
         registers_text() + "\n`Cast` converts:\n\n" + casts_text();
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the page of kernel functions is that of the rows", "[functions][docs]") {
  const std::string path = std::string(ACLSIM_SOURCE_DIR) + "/docs/kernel_functions.md";
  if (std::getenv("ACLSIM_TEST_WRITE") != nullptr) std::ofstream(path) << page();
  CHECK(read(path) == page());
}

TEST_CASE("each function that has a limit or a set of types has a row", "[functions]") {
  const auto has_row = [](const std::string& name) {
    return std::any_of(kFunctions.begin(), kFunctions.end(),
                       [&](const Function& each) { return each.name == name || each.of == name; });
  };
  const auto each_of = [&](std::string functions) {
    std::stringstream list(functions);
    for (std::string name; std::getline(list, name, ',');) {
      name.erase(0, name.find_first_not_of(' '));
      CAPTURE(name);
      CHECK((has_row(name) || name == "ShapeInfo"));
    }
  };
#define LIMIT(name, functions, argument, least, most, step, word) each_of(functions);
  ACLSIM_LIMIT_ROWS(LIMIT)
#undef LIMIT
#define TYPES(name) each_of(#name);
  ACLSIM_TYPE_ROWS(TYPES)
#undef TYPES
}

}  // namespace functions

// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bandwidth_test.h"

namespace bandwidth {
namespace {

struct TypeRow {
  const char* word;
  HcclDataType type;
  uint32_t bytes;
};

const TypeRow kTypes[] = {
    {"int8", HCCL_DATA_TYPE_INT8, 1},     {"int16", HCCL_DATA_TYPE_INT16, 2},
    {"int32", HCCL_DATA_TYPE_INT32, 4},   {"int64", HCCL_DATA_TYPE_INT64, 8},
    {"uint8", HCCL_DATA_TYPE_UINT8, 1},   {"uint16", HCCL_DATA_TYPE_UINT16, 2},
    {"uint32", HCCL_DATA_TYPE_UINT32, 4}, {"uint64", HCCL_DATA_TYPE_UINT64, 8},
    {"fp16", HCCL_DATA_TYPE_FP16, 2},     {"bfp16", HCCL_DATA_TYPE_BFP16, 2},
    {"fp32", HCCL_DATA_TYPE_FP32, 4},     {"fp64", HCCL_DATA_TYPE_FP64, 8},
};

struct OpRow {
  const char* word;
  HcclReduceOp op;
};

const OpRow kOps[] = {{"sum", HCCL_REDUCE_SUM},
                      {"prod", HCCL_REDUCE_PROD},
                      {"max", HCCL_REDUCE_MAX},
                      {"min", HCCL_REDUCE_MIN}};

[[noreturn]] void refuse(char option, const char* value, const char* expected) {
  std::fprintf(stderr, "-%c is '%s'; expected %s\n", option, value, expected);
  std::exit(2);
}

const uint64_t kMostBytes = 16ULL << 30;

// strtoull() accepts signs and spaces, but they are not part of a number here.
bool begins_with_digit(const char* text) { return *text >= '0' && *text <= '9'; }

// "64", "8K", "64M", "1G".
uint64_t bytes(char option, const char* text) {
  char* end = nullptr;
  uint64_t value = std::strtoull(text, &end, 10);
  const char* const units = "KMG";
  const char* const unit = *end != '\0' ? std::strchr(units, *end) : nullptr;
  const int shift = unit != nullptr ? static_cast<int>(10 * (unit - units + 1)) : 0;
  if (unit != nullptr) ++end;
  if (!begins_with_digit(text) || *end != '\0' || value == 0 || value > kMostBytes >> shift) {
    refuse(option, text, "a number of bytes up to 16G, such as 8, 64K, 64M or 1G");
  }
  return value << shift;
}

uint32_t number(char option, const char* text, uint32_t least, uint32_t most = 1000000) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (!begins_with_digit(text) || *end != '\0' || value < least || value > most) {
    const std::string range = std::to_string(least) + " to " + std::to_string(most);
    refuse(option, text, ("a number from " + range).c_str());
  }
  return static_cast<uint32_t>(value);
}

template <class Row, size_t N>
const Row& row_of(char option, const char* word, const Row (&rows)[N], const char* expected) {
  for (const Row& row : rows) {
    if (std::strcmp(row.word, word) == 0) return row;
  }
  refuse(option, word, expected);
}

void print_help(const char* program, const Collective& collective) {
  std::printf(
      "usage: %s [options]\n"
      "Measures %s over all ranks and checks what it gives.\n"
      "  -b BYTES  first size (8); -e BYTES last size (64M); K, M and G are understood.\n"
      "            A size is that of the larger buffer of a rank\n"
      "  -f N      the next size is N times as large (2); -i BYTES it is larger by as much\n"
      "  -n N      calls that are measured (20); -w N calls before them (5)\n"
      "  -d TYPE   int8 int16 int32 int64 uint8 uint16 uint32 uint64 fp16 bfp16 fp32 fp64 (fp32)\n"
      "  -o OP     sum prod max min (sum)%s\n"
      "  -r RANK   the root (0)%s\n"
      "  -c 0|1    whether results are checked (1)\n"
      "  -p N      devices that this process uses, or that a host has (all)\n"
      "Ranks are processes where RANK_TABLE_FILE and RANK_ID say so, as under\n"
      "`aclsim run --ranks 8 -- %s`, and where mpirun has started them; otherwise they are the\n"
      "devices of this process.\n",
      program, collective.name, collective.reduces ? "" : "; not used here",
      collective.has_root ? "" : "; not used here", program);
}

}  // namespace

uint32_t size_of(HcclDataType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return row.bytes;
  }
  return 1;
}

Options read_options(int argc, char** argv, const Collective& collective) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const char* const word = argv[i];
    if (std::strcmp(word, "-h") == 0 || std::strcmp(word, "--help") == 0) {
      print_help(argv[0], collective);
      std::exit(0);
    }
    const char option = word[0] == '-' && word[1] != '\0' && word[2] == '\0' ? word[1] : '\0';
    if (option == '\0' || std::strchr("befinwdorcp", option) == nullptr) {
      std::fprintf(stderr, "'%s' is no option; see %s -h\n", word, argv[0]);
      std::exit(2);
    }
    if (i + 1 >= argc) refuse(option, "", "a value behind it");
    const char* const value = argv[i + 1];
    switch (option) {
      case 'b':
        options.first = bytes(option, value);
        break;
      case 'e':
        options.last = bytes(option, value);
        break;
      case 'f':
        options.factor = number(option, value, 2);
        break;
      case 'i':
        options.step = bytes(option, value);
        break;
      case 'n':
        options.iterations = number(option, value, 1);
        break;
      case 'w':
        options.warmups = number(option, value, 0);
        break;
      case 'd':
        options.type = row_of(option, value, kTypes, "a type; see -h").type;
        break;
      case 'o':
        options.op = row_of(option, value, kOps, "sum, prod, max or min").op;
        break;
      case 'r':
        options.root = number(option, value, 0);
        break;
      case 'c':
        options.check = number(option, value, 0, 1) != 0;
        break;
      default:
        options.devices = number(option, value, 1);
    }
  }
  if (options.first > options.last) {
    std::fprintf(stderr, "-b is more than -e: %llu and %llu bytes\n",
                 static_cast<unsigned long long>(options.first),
                 static_cast<unsigned long long>(options.last));
    std::exit(2);
  }
  return options;
}

}  // namespace bandwidth

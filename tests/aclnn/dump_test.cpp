// SPDX-License-Identifier: Apache-2.0
// Dumps of operators' tensors: arrays with the tensors' types and shapes, for any strides.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "acl/acl_dump.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_exp.h"
#include "tests/aclnn/world.h"
#include "tests/support/temp_dir.h"

using aclnntest::Device;
using aclnntest::Floats;
using aclnntest::message;
using catch_compat::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

/// A dump of the operators' data, for a scope.
struct Dumping {
  explicit Dumping(const std::string& members) {
    const std::string config = dir.path() / "config.json";
    std::ofstream(config) << R"({"dump": {"dump_path": ")" << (dir.path() / "data").string()
                          << R"(", "dump_op_switch": "on", )" << members << "}}";
    OK_ACL(aclmdlInitDump());
    OK_ACL(aclmdlSetDump(config.c_str()));
  }
  ~Dumping() { aclmdlFinalizeDump(); }
  Dumping(const Dumping&) = delete;
  Dumping& operator=(const Dumping&) = delete;

  /// The content of files, by their names.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    if (!fs::exists(dir.path() / "data")) return found;
    for (const auto& entry : fs::recursive_directory_iterator(dir.path() / "data")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      found[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
    }
    return found;
  }
  /// The one whose name begins and ends so.
  std::string file(const std::string& begin, const std::string& end) const {
    for (const auto& [name, content] : files()) {
      if (name.starts_with(begin) && name.ends_with(end)) return content;
    }
    return "";
  }
  support::TempDir dir;
};

std::vector<float> floats_of(const std::string& array) {
  const std::size_t begin = array.find('\n') + 1;
  std::vector<float> values((array.size() - begin) / sizeof(float));
  std::memcpy(values.data(), array.data() + begin, values.size() * sizeof(float));
  return values;
}

aclTensor* matrix(void* memory, aclDataType type, int64_t rows, int64_t columns, int64_t row_step,
                  int64_t column_step) {
  const int64_t dims[] = {rows, columns}, strides[] = {row_step, column_step}, storage[] = {64};
  return aclCreateTensor(dims, 2, type, strides, 0, ACL_FORMAT_ND, storage, 1, memory);
}

}  // namespace

TEST_CASE("a dump has an operator's tensors as arrays of their type and shape", "[aclnn]") {
  const Device device;
  const Floats a({0, 1, 2, 3, 4, 5}), b(std::vector<float>(6));
  const Dumping dump(R"("dump_mode": "all")");
  aclTensor* const x = matrix(a.memory(), ACL_FLOAT, 3, 2, 1, 3);  // transposed
  aclTensor* const y = matrix(b.memory(), ACL_FLOAT, 3, 2, 2, 1);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  REQUIRE(aclnnCastGetWorkspaceSize(x, ACL_FLOAT, y, &workspace, &executor) == OK);
  REQUIRE(aclnnCast(nullptr, 0, executor, device.stream()) == OK);
  device.wait();
  CHECK(dump.files().size() == 2);
  for (const char* const part : {".input.0.npy", ".output.1.npy"}) {
    const std::string array = dump.file("Cast.", part);
    CHECK_THAT(array, ContainsSubstring("'<f4'") && ContainsSubstring("(3,2,)"));
    CHECK(floats_of(array) == std::vector<float>{0, 3, 1, 4, 2, 5});
  }
  aclDestroyTensor(x);
  aclDestroyTensor(y);
}

TEST_CASE("a dump has numbers of the type bf16 as floats", "[aclnn]") {
  const Device device;
  const Floats a({1, -2, 0.5F, 3}), b({0, 0});
  const Dumping dump(R"("dump_mode": "output")");
  aclTensor* const x = matrix(a.memory(), ACL_FLOAT, 2, 2, 2, 1);
  aclTensor* const y = matrix(b.memory(), ACL_BF16, 2, 2, 2, 1);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  REQUIRE(aclnnCastGetWorkspaceSize(x, ACL_BF16, y, &workspace, &executor) == OK);
  REQUIRE(aclnnCast(nullptr, 0, executor, device.stream()) == OK);
  device.wait();
  CHECK(floats_of(dump.file("Cast.", ".output.1.npy")) == std::vector<float>{1, -2, 0.5F, 3});
  aclDestroyTensor(x);
  aclDestroyTensor(y);
}

TEST_CASE("aclDumpOpTensors writes the tensors that it is given, in the order of the stream",
          "[aclnn]") {
  const Device device;
  const Floats a({0, 0}), b({7, 8});
  aclTensor* tensors[] = {a.tensor(), b.tensor()};
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  const Dumping dump(R"("dump_mode": "all")");
  REQUIRE(aclnnExpGetWorkspaceSize(tensors[0], tensors[0], &workspace, &executor) == OK);
  REQUIRE(aclnnExp(nullptr, 0, executor, device.stream()) == OK);
  CHECK(aclDumpOpTensors("MyOp", "layer_1", tensors, 1, 1, device.stream()) == OK);
  device.wait();
  CHECK(floats_of(dump.file("layer_1.", ".input.0.npy")) == std::vector<float>{1, 1});
  CHECK(floats_of(dump.file("layer_1.", ".output.1.npy")) == std::vector<float>{7, 8});
  CHECK(aclDumpOpTensors(nullptr, nullptr, tensors, 1, 1, device.stream()) == 161001);
  CHECK(aclDumpOpTensors("MyOp", "layer_1", nullptr, 1, 0, device.stream()) == 161001);
  for (aclTensor* tensor : tensors) aclDestroyTensor(tensor);
}

TEST_CASE("aclDumpOpTensors does nothing while nothing is dumped", "[aclnn]") {
  const Device device;
  const Floats a({1});
  aclTensor* tensor = a.tensor();
  CHECK(aclDumpOpTensors("MyOp", "layer", &tensor, 1, 0, device.stream()) == OK);
  CHECK(aclDumpOpTensors("MyOp", "layer", nullptr, 1, 0, device.stream()) == OK);
  aclDestroyTensor(tensor);
}

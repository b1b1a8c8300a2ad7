// SPDX-License-Identifier: Apache-2.0
// An operator as the machine sees it: an op with ranges, a slice with shapes, work across mapped
// pieces.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "acl/acl_prof.h"
#include "aclnnop/aclnn_exp.h"
#include "tests/aclnn/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using aclnntest::Device;
using aclnntest::Floats;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::size_t kPiece = std::size_t{2} << 20;

/// Pieces of physical memory, mapped side by side.
class Mapped {
 public:
  explicit Mapped(std::size_t pieces) : size_(pieces * kPiece) {
    OK_ACL(aclrtReserveMemAddress(&address_, size_, 0, nullptr, 1));
    aclrtPhysicalMemProp prop{};
    prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
    prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
    prop.memAttr = ACL_HBM_MEM_HUGE;
    prop.location.id = 0;
    prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    for (std::size_t i = 0; i < pieces; ++i) {
      aclrtDrvMemHandle handle = nullptr;
      OK_ACL(aclrtMallocPhysical(&handle, kPiece, &prop, 0));
      OK_ACL(aclrtMapMem(at(i), kPiece, 0, handle, 0));
      handles_.push_back(handle);
    }
  }
  ~Mapped() {
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      aclrtUnmapMem(at(i));
      aclrtFreePhysical(handles_[i]);
    }
    aclrtReleaseMemAddress(address_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  void* address() const { return address_; }

 private:
  void* at(std::size_t piece) const { return static_cast<char*>(address_) + piece * kPiece; }
  const std::size_t size_;
  void* address_ = nullptr;
  std::vector<aclrtDrvMemHandle> handles_;
};

aclnnStatus enqueue_exp(void* from, void* to, int64_t count, aclrtStream stream) {
  aclTensor* const x =
      aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, from);
  aclTensor* const y =
      aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, to);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  aclnnStatus status = aclnnExpGetWorkspaceSize(x, y, &workspace, &executor);
  if (status == OK) status = aclnnExp(nullptr, 0, executor, stream);
  aclDestroyTensor(x);
  aclDestroyTensor(y);
  return status;
}

}  // namespace

TEST_CASE("operators work across pieces of memory that are mapped side by side", "[aclnn]") {
  const Device device;
  const Mapped memory(3);
  constexpr int64_t kCount = 2 * kPiece / sizeof(float);
  const std::vector<float> ones(kCount, 1.0F);
  auto* const from = static_cast<char*>(memory.address()) + kPiece / 2;
  for (std::size_t done = 0; done < kCount * sizeof(float); done += kPiece / 2) {
    OK_ACL(
        aclrtMemcpy(from + done, kPiece / 2, ones.data(), kPiece / 2, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  CHECK(enqueue_exp(from, from, kCount, device.stream()) == OK);
  device.wait();
  float last = 0;
  OK_ACL(aclrtMemcpy(&last, sizeof last, from + kCount * sizeof last - sizeof last, sizeof last,
                     ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(last == Approx(2.7182818F));
  // Behind the last piece nothing is mapped.
  CHECK(enqueue_exp(from, from, kCount + kPiece, device.stream()) == 361001);
}

TEST_CASE("a view that leaves its allocation is refused, also where another one follows",
          "[aclnn]") {
  const Device device;
  const Floats a(std::vector<float>(128)), b(std::vector<float>(128));
  CHECK(enqueue_exp(a.memory(), a.memory(), 128 + 64, device.stream()) == 361001);
  device.wait();
}

// ---- listeners ----

namespace {

/// Columns of a matrix of 8 x 4 floats, as a view whose rows lie apart.
struct Columns {
  Columns(void* matrix, int64_t first, int64_t count) {
    const int64_t dims[] = {8, count}, strides[] = {4, 1}, storage[] = {32};
    tensor = aclCreateTensor(dims, 2, ACL_FLOAT, strides, first, ACL_FORMAT_ND, storage, 1, matrix);
  }
  ~Columns() { aclDestroyTensor(tensor); }
  Columns(const Columns&) = delete;
  Columns& operator=(const Columns&) = delete;
  aclTensor* tensor;
};

/// Writes columns [0, 2) on one stream and [first, first + 2) on another stream without a wait.
int two_streams(int64_t first) {
  CHILD_EXPECT(aclInit(nullptr) == ACL_SUCCESS && aclrtSetDevice(0) == ACL_SUCCESS);
  void *from = nullptr, *to = nullptr;
  CHILD_EXPECT(aclrtMalloc(&from, 128, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtMalloc(&to, 128, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtMemset(from, 128, 0, 128) == ACL_SUCCESS);
  for (const int64_t begin : {int64_t{0}, first}) {
    aclrtStream stream = nullptr;
    CHILD_EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
    const Columns x(from, begin, 2), y(to, begin, 2);
    uint64_t workspace = 0;
    aclOpExecutor* executor = nullptr;
    CHILD_EXPECT(aclnnExpGetWorkspaceSize(x.tensor, y.tensor, &workspace, &executor) == OK);
    CHILD_EXPECT(aclnnExp(nullptr, 0, executor, stream) == OK);
  }
  CHILD_EXPECT(aclrtSynchronizeDevice() == ACL_SUCCESS);
  return 0;
}

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

CHILD_PROGRAM(writes_the_same_column) { return two_streams(1); }
CHILD_PROGRAM(writes_other_columns) { return two_streams(2); }

TEST_CASE("the checker knows which bytes of a view an operator writes", "[aclnn]") {
  const auto wrong = support::run_racing_child("writes_the_same_column", {{"ACLSIM_CHECK", "1"}});
  CHECK_THAT(wrong.output, ContainsSubstring("data race") && ContainsSubstring("Exp on stream"));
  const auto right = support::run_child("writes_other_columns", {{"ACLSIM_CHECK", "1"}});
  CHECK_THAT(right.output, !ContainsSubstring("data race"));
  CHECK(right.clean());
}

TEST_CASE("timelines and recordings name operators, their shapes and types", "[aclnn]") {
  const support::TempDir folder;
  const std::string timeline = folder.path() / "timeline.json";
  const std::string record = folder.path() / "run.aclt.jsonl";
  const auto result = support::run_child(
      "writes_other_columns", {{"ACLSIM_TIMELINE", timeline}, {"ACLSIM_RECORD", record}});
  REQUIRE(result.clean());
  CHECK_THAT(content(timeline), ContainsSubstring(R"("name":"Exp")") &&
                                    ContainsSubstring(R"("Input Shapes":"[8, 2]")") &&
                                    ContainsSubstring(R"("Output Data Types":"FLOAT")") &&
                                    ContainsSubstring("aclnnExp"));
  CHECK_THAT(content(record), ContainsSubstring(R"("n":"Exp")") &&
                                  ContainsSubstring(R"("Input Data Types":"FLOAT")"));
}

namespace {

/// The content of all files below a folder whose names begin so.
std::string contents(const std::filesystem::path& folder, const std::string& begin) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(begin)) all += content(entry.path());
  }
  return all;
}

}  // namespace

TEST_CASE("profiles count operators by type, and have their shapes on the timeline", "[aclnn]") {
  const Device device;
  const Floats a({0, 0}), b({0, 0});
  const support::TempDir folder;
  const std::string path = folder.path().string();
  OK_ACL(aclprofInit(path.c_str(), path.size()));
  std::uint32_t id = 0;
  aclprofConfig* const config =
      aclprofCreateConfig(&id, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_ACL_API | ACL_PROF_TASK_TIME);
  OK_ACL(aclprofStart(config));
  for (int i = 0; i < 3; ++i) CHECK(enqueue_exp(a.memory(), b.memory(), 2, device.stream()) == OK);
  device.wait();
  OK_ACL(aclprofStop(config));
  OK_ACL(aclprofDestroyConfig(config));
  OK_ACL(aclprofFinalize());
  CHECK_THAT(contents(folder.path(), "op_statistic"), ContainsSubstring(R"("Exp",3,)"));
  CHECK_THAT(contents(folder.path(), "msprof_"),
             ContainsSubstring(R"("name":"Exp")") && ContainsSubstring(R"("Input Shapes":"[2]")"));
}

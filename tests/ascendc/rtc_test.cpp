// SPDX-License-Identifier: Apache-2.0
// Compilation of kernels at run time, as a program uses it.
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "acl/acl_rt_compile.h"
#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/temp_dir.h"

namespace {

constexpr const char* kSource = R"(
#include "kernel_operator.h"
#include "parts/addend.h"
using namespace AscendC;
extern "C" __global__ __vector__ void add_addend(__gm__ int32_t* x)
{
  x[GetBlockIdx()] += kAddend;
}
namespace generic {
template <typename T, int kFactor>
__global__ __vector__ void scale(__gm__ T* x)
{
  x[GetBlockIdx()] *= kFactor;
}
template <typename T>
__global__ __mix__(1, 2) void tell_kinds(__gm__ T* x)
{
  if ASCEND_IS_AIC {
    x[0] = 1;
  } else {
    x[1 + GetSubBlockIdx()] = 2;
  }
}
}  // namespace generic
)";
constexpr const char* kHeader = "constexpr int32_t kAddend = 5;\n";
constexpr const char* kHeaderName = "parts/addend.h";

/// A program that ends with its scope.
class Program {
 public:
  explicit Program(const char* source, const char* name = "kernels.asc") {
    const char* header = kHeader;
    const char* header_name = kHeaderName;
    REQUIRE(aclrtcCreateProg(&handle_, source, name, 1, &header, &header_name) == 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() {
    CHECK(aclrtcDestroyProg(&handle_) == 0);
    CHECK(handle_ == nullptr);
  }
  aclrtcProg get() const { return handle_; }
  int compile(std::vector<const char*> options = {"--npu-arch=dav-2201"}) const {
    return aclrtcCompileProg(handle_, static_cast<int>(options.size()), options.data());
  }
  std::string log() const {
    std::size_t size = 0;
    REQUIRE(aclrtcGetCompileLogSize(handle_, &size) == 0);
    REQUIRE(size > 0);
    std::string text(size, '?');
    REQUIRE(aclrtcGetCompileLog(handle_, text.data()) == 0);
    CHECK(text.back() == '\0');
    text.pop_back();
    return text;
  }
  std::string binary() const {
    std::size_t size = 0;
    REQUIRE(aclrtcGetBinDataSize(handle_, &size) == 0);
    std::string bytes(size, '\0');
    REQUIRE(aclrtcGetBinData(handle_, bytes.data()) == 0);
    return bytes;
  }
  const char* lowered(const char* expression) const {
    const char* name = nullptr;
    REQUIRE(aclrtcGetLoweredName(handle_, expression, &name) == 0);
    return name;
  }

 private:
  aclrtcProg handle_ = nullptr;
};

/// A compiled program on the device.
class Loaded {
 public:
  explicit Loaded(const std::string& bytes) {
    REQUIRE(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &handle_) == 0);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() { CHECK(aclrtBinaryUnLoad(handle_) == 0); }
  void run(const char* name, std::uint32_t blocks, void* x) const {
    CAPTURE(name);
    aclrtFuncHandle function = nullptr;
    REQUIRE(aclrtBinaryGetFunction(handle_, name, &function) == 0);
    void* arguments[] = {&x};
    REQUIRE(aclrtLaunchKernelWithArgsArray(function, blocks, nullptr, nullptr, arguments) == 0);
    REQUIRE(aclrtSynchronizeStream(nullptr) == 0);
  }

 private:
  aclrtBinHandle handle_ = nullptr;
};

}  // namespace

TEST_CASE("a source that is compiled at run time runs its kernels and instances", "[rtc]") {
  const Program program(kSource);
  const char* const kDoubles = "generic::scale<int32_t, 2>";
  const char* const kTriples = "&generic::scale<int32_t, 3>";
  const char* const kTells = "generic::tell_kinds<int32_t>";
  for (const char* const each : {kDoubles, kTriples, kTells, kDoubles})
    CHECK(aclrtcAddNameExpr(program.get(), each) == 0);
  CHECK(program.log() == "");
  const int code = program.compile();
  CHECK(program.log() == "");
  REQUIRE(code == 0);
  CHECK(std::string(program.lowered(kDoubles)) == "_ZN7generic5scaleIiLi2EEEvPT_");
  CHECK(std::string(program.lowered(kTriples)) == "_ZN7generic5scaleIiLi3EEEvPT_");

  const Device device;
  Said said;
  const auto memory = device.memory(std::vector<std::int32_t>{1, 2, 3, 4});
  {
    const Loaded loaded(program.binary());
    loaded.run("add_addend", 4, memory.data());
    loaded.run(program.lowered(kDoubles), 3, memory.data());
    loaded.run(program.lowered(kTriples), 1, memory.data());
  }
  CHECK(memory.host() == std::vector<std::int32_t>{36, 14, 16, 9});
  {
    const Loaded loaded(program.binary());
    loaded.run(program.lowered(kTells), 1, memory.data());
  }
  CHECK(memory.host() == std::vector<std::int32_t>{1, 2, 2, 9});
  CHECK(said.text() == "");
}

TEST_CASE("the log has the compiler's messages, with the name of the program", "[rtc]") {
  const Program program("\nextern \"C\" __global__ void bad() { int x = nothing; }\n", "dir/bad");
  CHECK(program.compile() == ACL_ERROR_RTC_COMPILATION);
  const std::string log = program.log();
  CAPTURE(log);
  CHECK(log.starts_with("bad.asc:2:"));
  CHECK(contains(log, "nothing"));
  CHECK(!contains(log, "aclrtc-"));
  CHECK(contains(aclGetRecentErrMsg(), "aclrtcGetCompileLog"));
  std::size_t size = 1;
  CHECK(aclrtcGetBinDataSize(program.get(), &size) == ACL_ERROR_RTC_INVALID_PROG);
  CHECK(size == 0);
}

TEST_CASE("a program that uses what nothing defines does not link", "[rtc]") {
  const Program program(
      "__aicore__ int somewhere(); extern \"C\" __global__ __vector__ void asks(__gm__ int* x) { "
      "*x = somewhere(); }");
  CHECK(program.compile() == ACL_ERROR_RTC_LINKING);
  CHECK(contains(program.log(), "somewhere"));
}

TEST_CASE("a name that is no kernel does not compile, and the message shows it", "[rtc]") {
  const Program program(kSource);
  CHECK(aclrtcAddNameExpr(program.get(), "generic::absent<int>") == 0);
  CHECK(program.compile() == ACL_ERROR_RTC_COMPILATION);
  CHECK(contains(program.log(), "name expression 0:1:"));
}

TEST_CASE("names are added before the compilation and lowered behind it", "[rtc]") {
  const Program program(kSource);
  const char* name = "untouched";
  CHECK(aclrtcAddNameExpr(program.get(), "add_addend") == 0);
  CHECK(aclrtcGetLoweredName(program.get(), "add_addend", &name) ==
        ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  CHECK(name == nullptr);
  REQUIRE(program.compile() == 0);
  CHECK(aclrtcAddNameExpr(program.get(), "generic::scale<int, 2>") ==
        ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION);
  CHECK(std::string(program.lowered("add_addend")) == "add_addend");
  CHECK(aclrtcGetLoweredName(program.get(), "generic::scale<int, 2>", &name) ==
        ACL_ERROR_RTC_NAME_EXPR_NOT_VALID);
}

TEST_CASE("a program is compiled again with other options", "[rtc]") {
  const Program program("#ifndef ANSWER\n#error no answer\n#endif\n");
  CHECK(program.compile() == ACL_ERROR_RTC_COMPILATION);
  CHECK(contains(program.log(), "no answer"));
  CHECK(program.compile({"-D", "ANSWER=42"}) == 0);
  CHECK(program.log() == "");
  CHECK(
      program.binary().starts_with("\x7f"
                                   "ELF"));
}

TEST_CASE("a compilation leaves no files", "[rtc]") {
  const support::TempDir folder;
  const char* const before = getenv("TMPDIR");
  const std::string kept = before ? before : "";
  setenv("TMPDIR", folder.path().c_str(), 1);
  const Program good("");
  const Program bad("?");
  CHECK(good.compile() == 0);
  CHECK(bad.compile() == ACL_ERROR_RTC_COMPILATION);
  CHECK(std::filesystem::is_empty(folder.path()));
  setenv("TMPDIR", (folder.path() / "absent").c_str(), 1);
  CHECK(good.compile() == ACL_ERROR_RTC_PROG_CREATION_FAILURE);
  before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
}

TEST_CASE("wrong arguments of a compilation at run time are named", "[rtc]") {
  aclrtcProg program = nullptr;
  const auto create = [&](const char* source, int count, const char** texts, const char** names) {
    return aclrtcCreateProg(&program, source, nullptr, count, texts, names);
  };
  const char* text = "";
  const char* none = nullptr;
  CHECK(aclrtcCreateProg(nullptr, "", "", 0, nullptr, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(create(nullptr, 0, nullptr, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(create("", -1, nullptr, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(create("", 1, nullptr, &text) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(create("", 1, &text, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(create("", 1, &none, &text) == ACL_ERROR_RTC_INVALID_INPUT);
  for (const char* name : {"", "/etc/a.h", "../a.h", "a/../../b.h", "a/"}) {
    CAPTURE(name);
    CHECK(create("", 1, &text, &name) == ACL_ERROR_RTC_INVALID_INPUT);
    CHECK(contains(aclGetRecentErrMsg(), "without '..'"));
  }
  CHECK(program == nullptr);

  REQUIRE(create("", 0, nullptr, nullptr) == 0);
  for (const char* option : {"", "-o", "-c", "-x", "-"}) {
    CAPTURE(option);
    CHECK(aclrtcCompileProg(program, 1, &option) == ACL_ERROR_RTC_INVALID_OPTION);
  }
  CHECK(aclrtcCompileProg(program, 1, &none) == ACL_ERROR_RTC_INVALID_OPTION);
  CHECK(aclrtcCompileProg(program, 1, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcCompileProg(program, -1, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcAddNameExpr(program, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcAddNameExpr(program, "") == ACL_ERROR_RTC_NAME_EXPR_NOT_VALID);
  CHECK(aclrtcGetLoweredName(program, "a", nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcGetBinDataSize(program, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcGetBinData(program, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcGetCompileLogSize(program, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcGetCompileLog(program, nullptr) == ACL_ERROR_RTC_INVALID_INPUT);

  const aclrtcProg ended = program;
  CHECK(aclrtcDestroyProg(nullptr) == ACL_ERROR_RTC_INVALID_INPUT);
  CHECK(aclrtcDestroyProg(&program) == 0);
  program = ended;
  CHECK(aclrtcDestroyProg(&program) == ACL_ERROR_RTC_INVALID_PROG);
  CHECK(aclrtcCompileProg(ended, 0, nullptr) == ACL_ERROR_RTC_INVALID_PROG);
  std::size_t size = 0;
  CHECK(aclrtcGetCompileLogSize(nullptr, &size) == ACL_ERROR_RTC_INVALID_PROG);
}

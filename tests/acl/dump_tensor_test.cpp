// SPDX-License-Identifier: Apache-2.0
// Dumps of tensors that a program describes, into files and to a function.
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sstream>

#include "tests/acl/dump_world.h"

using namespace world;
using namespace dumptest;

namespace {

/// A variable of the environment, for a scope.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

std::string text_of(const void* address) {
  std::ostringstream text;
  text << address;
  return text.str();
}

acldumpTensorInfo tensor(void* address, std::size_t size, aclDataType type,
                         std::vector<std::uint64_t> shape) {
  acldumpTensorInfo info{};
  info.type = ACL_DUMP_TENSOR_INPUT;
  info.tensorSize = size;
  info.dataType = type;
  info.tensorAddr = static_cast<std::int64_t*>(address);
  info.addrType = ACL_DUMP_ADDR_RAW;
  info.placement = ACL_DUMP_PLACEMENT_DEVICE;
  info.shapeNum = static_cast<std::uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), info.shape);
  return info;
}

// The arguments of one callback.
struct Chunk {
  std::string file;
  std::string data;
  std::int64_t offset;
  std::uint32_t last;
  std::int32_t flag;
};
std::mutex chunks_mutex;
std::vector<Chunk> chunks;
std::int32_t answer = 0;

std::int32_t take_chunk(const acldumpChunk* chunk, std::int32_t length) {
  const std::lock_guard guard(chunks_mutex);
  if (length != static_cast<std::int32_t>(sizeof *chunk + chunk->bufLen)) return -1;
  const char* const data = reinterpret_cast<const char*>(chunk) + offsetof(acldumpChunk, dataBuf);
  chunks.push_back({chunk->fileName, std::string(data, chunk->bufLen), chunk->offset,
                    chunk->isLastChunk, chunk->flag});
  return answer;
}

struct Callback {
  explicit Callback(std::int32_t flag = 0, std::int32_t result = 0) {
    chunks.clear();
    answer = result;
    REQUIRE_ACL(acldumpRegCallback(take_chunk, flag));
  }
  ~Callback() { acldumpUnregCallback(); }
};

}  // namespace

// ---- tensors of a program -----------------------------------------------------------------------

TEST_CASE("tensors are saved as arrays of their type and shape") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device(1);
  const DeviceMemory memory(64);
  store(memory, 1.5F);
  float on_host[6] = {0, 1, 2, 3, 4, 5};
  acldumpTensorInfo tensors[4] = {
      tensor(memory, 4, ACL_FLOAT, {1}), tensor(on_host, sizeof on_host, ACL_FLOAT, {2, 3}),
      tensor(on_host, 8, ACL_BF16, {4}), tensor(on_host, 8, ACL_FLOAT, {7})};
  tensors[1].type = ACL_DUMP_TENSOR_OUTPUT;
  tensors[2].type = ACL_DUMP_TENSOR_WORKSPACE;
  for (int i = 1; i < 4; ++i) tensors[i].placement = ACL_DUMP_PLACEMENT_HOST;
  REQUIRE_ACL(acldumpSaveExceptionInfo("net/op.1", "tag", tensors, 4));
  char path[4096];
  REQUIRE_ACL(acldumpGetExceptionInfoPath(path, sizeof path));
  CHECK(fs::path(path) == dir.path() / "extra-info" / "data-dump" / "1");
  const auto files = files_in(path);
  REQUIRE(files.size() == 4);
  const Array first(files.at("net_op.1.tag.input.0.npy"));
  CHECK(first.type == "<f4");
  CHECK(first.shape == "1,");
  const float expected = 1.5F;
  CHECK(std::memcmp(first.data.data(), &expected, 4) == 0);
  const Array second(files.at("net_op.1.tag.output.1.npy"));
  CHECK(second.type == "<f4");
  CHECK(second.shape == "2,3,");
  CHECK(second.data == std::string(reinterpret_cast<char*>(on_host), sizeof on_host));
  CHECK(Array(files.at("net_op.1.tag.workspace.2.npy")).type == "|u1");  // NumPy has no bfloat16
  CHECK(Array(files.at("net_op.1.tag.input.3.npy")).shape == "8,");      // the shape does not fit
}

TEST_CASE("a tensor is given by its address, or behind one pointer or two") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const DeviceMemory memory(64);
  const DeviceMemory pointer(64);
  const DeviceMemory pointer_to_pointer(64);
  store(memory, 77);
  store<void*>(pointer, memory);
  store<void*>(pointer_to_pointer, pointer);
  int on_host = 78;
  int* host_pointer = &on_host;
  int** host_pointer_to_pointer = &host_pointer;
  acldumpTensorInfo tensors[6] = {tensor(memory, 4, ACL_INT32, {1}),
                                  tensor(pointer, 4, ACL_INT32, {1}),
                                  tensor(pointer_to_pointer, 4, ACL_INT32, {1}),
                                  tensor(&on_host, 4, ACL_INT32, {1}),
                                  tensor(&host_pointer, 4, ACL_INT32, {1}),
                                  tensor(&host_pointer_to_pointer, 4, ACL_INT32, {1})};
  constexpr acldumpTensorAddressType kTypes[] = {ACL_DUMP_ADDR_RAW, ACL_DUMP_ADDR_PTR,
                                                 ACL_DUMP_ADDR_PTR_PTR};
  for (int i = 0; i < 6; ++i) {
    tensors[i].addrType = kTypes[i % 3];
    if (i >= 3) tensors[i].placement = ACL_DUMP_PLACEMENT_HOST;
  }
  REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, tensors, 6));
  const auto files = files_in(dir.path());
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    const std::string name = "op.input." + std::to_string(i) + ".npy";
    CHECK(Array(file_with(files, name)).data == bytes(i < 3 ? 77 : 78));
  }
}

TEST_CASE("a tensor of any size on the device is given by its address") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const DeviceMemory memory(1 << 16);
  REQUIRE_ACL(aclrtMemset(memory, memory.size(), 9, memory.size()));
  const acldumpTensorInfo info = tensor(memory, memory.size(), ACL_UINT8, {memory.size()});
  REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, &info, 1));
  CHECK(Array(file_with(files_in(dir.path()), "op.input.0.npy")).data ==
        std::string(memory.size(), 9));
}

TEST_CASE("wrong tensors are refused and nothing is written") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const DeviceMemory memory(64);
  const DeviceMemory zero(64);
  store<void*>(zero, nullptr);
  int on_host = 0;
  const acldumpTensorInfo good = tensor(memory, 64, ACL_INT8, {64});
  const auto saved = [](acldumpTensorInfo info) {
    return acldumpSaveExceptionInfo("op", nullptr, &info, 1);
  };
  CHECK_CODE(acldumpSaveExceptionInfo(nullptr, "", &good, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acldumpSaveExceptionInfo("", "", &good, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acldumpSaveExceptionInfo("op", "", nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acldumpSaveExceptionInfo("op", "", &good, 0), ACL_ERROR_INVALID_PARAM);
  auto wrong = good;
  wrong.type = static_cast<acldumpTensorType>(3);
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  wrong = good;
  wrong.placement = ACL_DUMP_PLACEMENT_END;
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  wrong = good;
  wrong.addrType = static_cast<acldumpTensorAddressType>(-1);
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  wrong = good;
  wrong.shapeNum = ACL_DUMP_MAX_SHAPE_NUM + 1;
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  wrong = good;
  wrong.tensorAddr = nullptr;
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  wrong = good;
  wrong.tensorSize = 65;
  CHECK_CODE(saved(wrong), ACL_ERROR_RT_PARAM_INVALID);
  wrong = good;
  wrong.tensorAddr = reinterpret_cast<std::int64_t*>(&on_host);
  CHECK_CODE(saved(wrong), ACL_ERROR_RT_PARAM_INVALID);
  wrong = good;
  wrong.tensorAddr = zero.as<std::int64_t>();
  for (const auto type : {ACL_DUMP_ADDR_PTR, ACL_DUMP_ADDR_PTR_PTR}) {
    wrong.addrType = type;
    CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  }
  CHECK(files_in(dir.path()).empty());
}

TEST_CASE("one wrong tensor among good ones leaves no file") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const DeviceMemory memory(64);
  acldumpTensorInfo tensors[2] = {tensor(memory, 64, ACL_INT8, {64}),
                                  tensor(memory, 65, ACL_INT8, {65})};
  CHECK_CODE(acldumpSaveExceptionInfo("op", nullptr, tensors, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_THAT(aclGetRecentErrMsg(), catch_compat::ContainsSubstring("tensors[1].tensorAddr is "));
  CHECK(files_in(dir.path()).empty());
  {
    const Callback callback;
    CHECK_CODE(acldumpSaveExceptionInfo("op", nullptr, tensors, 2), ACL_ERROR_RT_PARAM_INVALID);
    CHECK(chunks.empty());
  }
  tensors[1].tensorSize = 64;
  REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, tensors, 2));
  CHECK(files_in(dir.path()).size() == 2);
}

TEST_CASE("host memory that cannot be read is named, and leaves no file") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(pages != MAP_FAILED);
  void* const barred = static_cast<char*>(pages) + page;
  REQUIRE(mprotect(barred, page, PROT_NONE) == 0);
  void* pointer = barred;
  acldumpTensorInfo info = tensor(barred, 8, ACL_INT8, {8});
  info.placement = ACL_DUMP_PLACEMENT_HOST;
  const auto refused = [&](void* address, acldumpTensorAddressType type, std::size_t size,
                           const std::string& text) {
    info.tensorAddr = static_cast<std::int64_t*>(address);
    info.addrType = type;
    info.tensorSize = size;
    CHECK_CODE(acldumpSaveExceptionInfo("op", nullptr, &info, 1), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_THAT(aclGetRecentErrMsg(), catch_compat::ContainsSubstring(text));
  };
  const std::string there = text_of(barred);
  refused(barred, ACL_DUMP_ADDR_RAW, 8,
          "tensors[0].tensorAddr is " + there + ", where the host cannot read 8");
  refused(pages, ACL_DUMP_ADDR_RAW, page + 1, "where the host cannot read");
  refused(barred, ACL_DUMP_ADDR_PTR, 8, "tensors[0].tensorAddr is " + there);
  refused(&pointer, ACL_DUMP_ADDR_PTR, 8, "what tensors[0].tensorAddr points to is " + there);
  CHECK(files_in(dir.path()).empty());
  const Callback callback;
  refused(barred, ACL_DUMP_ADDR_RAW, 8, there);
  CHECK(chunks.empty());
  munmap(pages, 2 * page);
}

TEST_CASE("an array that cannot be written to its end leaves no file") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const DeviceMemory memory(1 << 16);
  const acldumpTensorInfo info = tensor(memory, memory.size(), ACL_UINT8, {memory.size()});
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limited{1000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limited);
  const aclError code = acldumpSaveExceptionInfo("op", nullptr, &info, 1);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK_CODE(code, ACL_ERROR_INVALID_FILE);
  CHECK_THAT(aclGetRecentErrMsg(), catch_compat::ContainsSubstring("(File too large)"));
  CHECK(files_in(dir.path()).empty());
}

TEST_CASE("the folder of saved tensors needs room for its name") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  char path[4096];
  REQUIRE_ACL(acldumpGetExceptionInfoPath(path, sizeof path));
  const std::size_t length = std::strlen(path);
  CHECK(fs::path(path) == dir.path() / "extra-info" / "data-dump" / "0");
  CHECK_CODE(acldumpGetExceptionInfoPath(path, length), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acldumpGetExceptionInfoPath(path, length + 1), ACL_SUCCESS);
  CHECK_CODE(acldumpGetExceptionInfoPath(nullptr, 100), ACL_ERROR_INVALID_PARAM);
}

// ---- to a function ------------------------------------------------------------------------------

TEST_CASE("a function that is registered gets the data instead of files") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  constexpr std::size_t kSize = (std::size_t{2} << 20) + 5;
  const DeviceMemory memory(kSize);
  REQUIRE_ACL(aclrtMemset(memory, kSize, 7, kSize));
  const acldumpTensorInfo info = tensor(memory, kSize, ACL_UINT8, {kSize});
  {
    const Callback callback(5);
    REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, &info, 1));
  }
  CHECK(files_in(dir.path()).empty());
  REQUIRE(chunks.size() == 4);
  std::string whole;
  for (const Chunk& chunk : chunks) {
    CHECK(chunk.file == chunks[0].file);
    CHECK(chunk.offset == static_cast<std::int64_t>(whole.size()));
    CHECK(chunk.flag == 5);
    CHECK(chunk.last == (&chunk == &chunks.back() ? 1 : 0));
    whole += chunk.data;
  }
  CHECK(Array(whole).data == std::string(kSize, 7));
  chunks.clear();
  REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, &info, 1));
  CHECK(chunks.empty());
  CHECK(files_in(dir.path()).size() == 1);
}

TEST_CASE("a tensor without bytes is one chunk") {
  acldumpTensorInfo info = tensor(nullptr, 0, ACL_FLOAT, {0});
  const Callback callback;
  REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, &info, 1));
  REQUIRE(chunks.size() == 1);
  CHECK(chunks[0].last == 1);
  CHECK(Array(chunks[0].data).shape == "0,");
}

TEST_CASE("a function that fails ends the dump") {
  acldumpTensorInfo info = tensor(nullptr, 0, ACL_FLOAT, {0});
  const Callback callback(0, 1);
  CHECK_CODE(acldumpSaveExceptionInfo("op", nullptr, &info, 1), ACL_ERROR_INTERNAL_ERROR);
  CHECK_CODE(acldumpRegCallback(nullptr, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("data of operators goes to the function too") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 5);
  const Dumping dump(R"("dump_op_switch": "on")");
  const Callback callback;
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(dump.files().empty());
  const std::lock_guard guard(chunks_mutex);
  REQUIRE(chunks.size() == 2);
  CHECK(chunks[1].data == bytes(6));
}

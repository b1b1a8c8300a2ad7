// SPDX-License-Identifier: Apache-2.0
// Dumps: of what operators work on, of arguments, and of tensors that a program describes.
#include "acl/acl_dump.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/acl/world.h"
#include "tests/support/temp_dir.h"

using namespace world;
namespace fs = std::filesystem;

namespace {

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// All files below a folder, by their path in it.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), folder).string()] = bytes_of(entry.path());
    }
  }
  return files;
}

/// The content of the one file whose name holds `part`.
std::string file_with(const std::map<std::string, std::string>& files, const std::string& part) {
  std::vector<std::string> found;
  for (const auto& [name, content] : files) {
    if (name.find(part) != std::string::npos) found.push_back(content);
  }
  INFO(part);
  REQUIRE(found.size() == 1);
  return found[0];
}

/// A .npy file in pieces.
struct Array {
  std::string type;
  std::string shape;
  std::string data;

  explicit Array(const std::string& file) {
    REQUIRE(file.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t size =
        static_cast<unsigned char>(file[8]) + 256u * static_cast<unsigned char>(file[9]);
    CHECK((10 + size) % 64 == 0);
    const std::string head = file.substr(10, size);
    CHECK(head.back() == '\n');
    type = between(head, "'descr': '", "'");
    shape = between(head, "'shape': (", ")");
    data = file.substr(10 + size);
  }
  static std::string between(const std::string& text, const std::string& from, const char* to) {
    const std::size_t start = text.find(from) + from.size();
    return text.substr(start, text.find(to, start) - start);
  }
};

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

/// A dump that a configuration turns on, for a scope.
struct Dumping {
  support::TempDir dir;
  explicit Dumping(const std::string& members) {
    REQUIRE_ACL(aclmdlInitDump());
    set(members);
  }
  ~Dumping() { aclmdlFinalizeDump(); }
  void set(const std::string& members) {
    const std::string text =
        R"({"dump": {"dump_path": ")" + folder().string() + "\", " + members + "}}";
    REQUIRE_ACL(aclmdlSetDump(dir.write("dump.json", text).c_str()));
  }
  fs::path folder() const { return dir.path() / "data"; }
  std::map<std::string, std::string> files() const { return files_in(folder()); }
};

/// out = in + 1, as a kernel that declares what it touches.
std::int32_t add_one(const aclsimKernelContext*, const void* args) {
  const auto* const pointers = static_cast<int* const*>(args);
  *pointers[1] = *pointers[0] + 1;
  return *pointers[1] == 13 ? ACL_ERROR_RT_VECTOR_CORE_EXCEPTION : 0;
}

void launch_add_one(const DeviceMemory& in, const DeviceMemory& out, const char* name) {
  void* const pointers[] = {in, out};
  const aclsimMemRange ranges[] = {{in, sizeof(int), ACLSIM_ACCESS_READ},
                                   {out, sizeof(int), ACLSIM_ACCESS_WRITE}};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = name;
  launch.kernel = add_one;
  launch.numBlocks = 1;
  launch.args = pointers;
  launch.argsSize = sizeof pointers;
  launch.ranges = ranges;
  launch.numRanges = 2;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
}

std::string bytes(int value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }

acldumpTensorInfo tensor(void* address, std::size_t size, aclDataType type,
                         std::vector<std::uint64_t> shape) {
  acldumpTensorInfo info{};
  info.type = ACL_DUMP_TENSOR_INPUT;
  info.tensorSize = size;
  info.dataType = type;
  info.tensorAddr = static_cast<std::int64_t*>(address);
  info.addrType = ACL_DUMP_ADDR_PTR;
  info.placement = ACL_DUMP_PLACEMENT_DEVICE;
  info.shapeNum = static_cast<std::uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), info.shape);
  return info;
}

// What a callback was given.
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

// ---- data of operators
// ---------------------------------------------------------------------------

TEST_CASE("a dump writes what operators read and wrote") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 41);
  const Dumping dump(R"("dump_op_switch": "on", "dump_mode": "all")");
  launch_add_one(in, out, "add/one");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  const auto files = dump.files();
  REQUIRE(files.size() == 2);
  const Array read_data(file_with(files, ".input."));
  const Array written(file_with(files, ".output."));
  CHECK(read_data.data == bytes(41));
  CHECK(written.data == bytes(42));
  CHECK(written.type == "|u1");
  CHECK(written.shape == "4,");
  CHECK(files.begin()->first.find("/0/add_one.") != std::string::npos);
}

TEST_CASE("a dump writes outputs alone unless told otherwise") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  Dumping dump(R"("dump_op_switch": "on")");
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE(dump.files().size() == 1);
  CHECK(Array(file_with(dump.files(), ".output.")).data == bytes(2));
  dump.set(R"("dump_op_switch": "on", "dump_mode": "input")");
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(Array(file_with(dump.files(), ".input.")).data == bytes(1));
}

TEST_CASE("memory that is worked on in place is dumped as it was before, and after") {
  const Device device;
  const DeviceMemory memory(64);
  store(memory, 41);
  const Dumping dump(R"("dump_op_switch": "on", "dump_mode": "all")");
  void* const pointers[] = {memory, memory};
  const aclsimMemRange range{memory, sizeof(int), ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "in_place";
  launch.kernel = add_one;
  launch.numBlocks = 1;
  launch.args = pointers;
  launch.argsSize = sizeof pointers;
  launch.ranges = &range;
  launch.numRanges = 1;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, nullptr));
  REQUIRE_ACL(aclrtSynchronizeDevice());
  const auto files = dump.files();
  CHECK(files.size() == 2);
  CHECK(Array(file_with(files, ".input.0.npy")).data == bytes(41));
  CHECK(Array(file_with(files, ".output.0.npy")).data == bytes(42));
}

TEST_CASE("a list names the operators of a dump") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  Dumping dump(R"("dump_list": [{"model_name": "m", "layer": ["this"]}])");
  launch_add_one(in, out, "this");
  launch_add_one(in, out, "that");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE(dump.files().size() == 1);
  CHECK(dump.files().begin()->first.find("this") != std::string::npos);
  dump.set(R"("dump_list": [{"model_name": "m"}])");
  launch_add_one(in, out, "that");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(dump.files().size() == 2);
}

TEST_CASE("nothing is dumped before a configuration and after the end") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  support::TempDir dir;
  {
    const Dumping dump(R"("dump_op_switch": "off")");
    launch_add_one(in, out, "op");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    CHECK(dump.files().empty());
    CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  }
  launch_add_one(in, out, "op");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
}

TEST_CASE("memory that is freed before its dump is left out") {
  const Device device;
  const DeviceMemory in(64);
  const Dumping dump(R"("dump_op_switch": "on", "dump_mode": "all")");
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  {
    const DeviceMemory gone(64);
    const aclsimMemRange range{gone, 64, ACLSIM_ACCESS_READ};
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "op";
    launch.kernel = [](const aclsimKernelContext*, const void*) { return 0; };
    launch.numBlocks = 1;
    launch.ranges = &range;
    launch.numRanges = 1;
    REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  }
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(dump.files().empty());
}

TEST_CASE("a failed operator leaves its arguments, and its memory where that is asked for") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  for (const char* const scene : {"aic_err_brief_dump", "aic_err_norm_dump"}) {
    const bool memory = scene != std::string("aic_err_brief_dump");
    Dumping dump(R"("dump_scene": ")" + std::string(scene) + '"');
    store(in, 1);
    launch_add_one(in, out, "good");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    store(in, 12);
    launch_add_one(in, out, "bad");
    CHECK_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    const auto files = dump.files();
    CHECK(files.size() == (memory ? 3 : 1));
    void* const pointers[] = {in, out};
    CHECK(Array(file_with(files, ".args.npy")).data ==
          std::string(reinterpret_cast<const char*>(pointers), sizeof pointers));
    if (memory) CHECK(Array(file_with(files, ".memory.1.npy")).data == bytes(13));
    CHECK(acldumpGetPath(memory ? AIC_ERR_NORM_DUMP : AIC_ERR_BRIEF_DUMP) ==
          dump.folder().string());
    CHECK(acldumpGetPath(AIC_ERR_DETAIL_DUMP) == nullptr);
  }
}

TEST_CASE("the folders of dumps are known while they are on") {
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  CHECK(acldumpGetPath(static_cast<acldumpType>(0)) == nullptr);
  CHECK(acldumpGetPath(static_cast<acldumpType>(6)) == nullptr);
  const char* path = nullptr;
  std::string folder;
  {
    const Dumping dump(R"("dump_op_switch": "on", "dump_debug": "on")");
    folder = dump.folder().string();
    path = acldumpGetPath(DATA_DUMP);
    REQUIRE(path != nullptr);
    CHECK(path == folder);
    CHECK(acldumpGetPath(OVERFLOW_DUMP) == folder);
    CHECK(acldumpGetPath(AIC_ERR_BRIEF_DUMP) == nullptr);
  }
  CHECK(path == folder);  // still readable
}

TEST_CASE("a dump is initialised, configured and finalised in this order") {
  CHECK_CODE(aclmdlSetDump("x"), ACL_ERROR_DUMP_NOT_RUN);
  CHECK_CODE(aclmdlFinalizeDump(), ACL_ERROR_DUMP_NOT_RUN);
  REQUIRE_ACL(aclmdlInitDump());
  CHECK_CODE(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
  CHECK_CODE(aclmdlSetDump(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclmdlFinalizeDump());
}

TEST_CASE("the configuration of aclInit turns a dump on, until aclFinalize") {
  const support::TempDir dir;
  const fs::path folder = dir.path() / "data";
  const std::string config = dir.write(
      "acl.json", R"({"dump": {"dump_op_switch": "on", "dump_path": ")" + folder.string() + "\"}}");
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  for (std::size_t round = 1; round <= 2; ++round) {
    REQUIRE_ACL(aclInit(config.c_str()));
    CHECK_CODE(aclmdlInitDump(), ACL_ERROR_DUMP_ALREADY_RUN);
    CHECK(acldumpGetPath(DATA_DUMP) == folder.string());
    launch_add_one(in, out, "during");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    REQUIRE_ACL(aclFinalize());
    CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
    launch_add_one(in, out, "after");
    REQUIRE_ACL(aclrtSynchronizeDevice());
    CHECK(files_in(folder).size() == round);
  }
  REQUIRE_ACL(aclInit(config.c_str()));
  REQUIRE_ACL(aclmdlFinalizeDump());  // or the program ends it
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  REQUIRE_ACL(aclFinalize());
}

TEST_CASE("aclInit refuses a wrong dump, and can be called again") {
  const support::TempDir dir;
  const std::string good = R"("dump_path": ")" + (dir.path() / "data").string() + '"';
  for (const std::string& dump : {std::string("1"), std::string(R"({"dump_mode": "all"})"),
                                  R"({"dump_mode": "some", )" + good + '}'}) {
    INFO(dump);
    const std::string config = dir.write("acl.json", R"({"dump": )" + dump + '}');
    CHECK_CODE(aclInit(config.c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
    CHECK(recent_message().find("aclInit") == 0);
    CHECK_CODE(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  }
  const std::string file = dir.write("acl.json", R"({"dump": {}})");  // asks for nothing
  REQUIRE_ACL(aclInit(file.c_str()));
  CHECK(acldumpGetPath(DATA_DUMP) == nullptr);
  REQUIRE_ACL(aclmdlInitDump());
  REQUIRE_ACL(aclFinalize());
  REQUIRE_ACL(aclmdlFinalizeDump());  // what the program began is the program's
}

TEST_CASE("wrong configurations of a dump are refused") {
  const support::TempDir dir;
  const std::string good = R"("dump_path": ")" + (dir.path() / "data").string() + '"';
  REQUIRE_ACL(aclmdlInitDump());
  CHECK_CODE(aclmdlSetDump((dir.path() / "none").c_str()), ACL_ERROR_INVALID_FILE);
  CHECK_CODE(aclmdlSetDump(dir.path().c_str()), ACL_ERROR_INVALID_FILE);
  for (const char* const text : {"", "{", "[]", "1"}) {
    CHECK_CODE(aclmdlSetDump(dir.write("dump.json", text).c_str()), ACL_ERROR_PARSE_FILE);
  }
  const std::string file = dir.write("file", "x");
  for (const std::string& text :
       {std::string(R"({})"), std::string(R"({"dump": 1})"), std::string(R"({"dump": {}})"),
        std::string(R"({"dump": {"dump_path": 1}})"), R"({"dump": {"dump_path": ")" + file + "\"}}",
        R"({"dump": {"dump_mode": "some", )" + good + "}}",
        R"({"dump": {"dump_op_switch": true, )" + good + "}}",
        R"({"dump": {"dump_scene": "x", )" + good + "}}",
        R"({"dump": {"dump_list": 1, )" + good + "}}",
        R"({"dump": {"dump_list": [1], )" + good + "}}",
        R"({"dump": {"dump_list": [{"layer": 1}], )" + good + "}}",
        R"({"dump": {"dump_list": [{"layer": [1]}], )" + good + "}}"}) {
    INFO(text);
    CHECK_CODE(aclmdlSetDump(dir.write("dump.json", text).c_str()), ACL_ERROR_INVALID_DUMP_CONFIG);
  }
  REQUIRE_ACL(aclmdlFinalizeDump());
}

// ---- arguments
// -----------------------------------------------------------------------------------

TEST_CASE("arguments of launches are written, one line each") {
  const Device device;
  const DeviceMemory in(64);
  const DeviceMemory out(64);
  store(in, 1);
  const support::TempDir dir;
  launch_add_one(in, out, "before");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, (dir.path() / "args").c_str()));
  launch_add_one(in, out, "with \"ranges\"");
  launch(
      nullptr, [] {}, "without");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  REQUIRE_ACL(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
  launch_add_one(in, out, "after");
  REQUIRE_ACL(aclrtSynchronizeDevice());
  std::istringstream text(file_with(files_in(dir.path()), "op_args_"));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["op"] == "with \"ranges\"");
  CHECK(lines[0]["device"] == 0);
  CHECK(lines[0]["blocks"] == 1);
  CHECK(lines[0]["args"].get<std::string>().size() == 4 * sizeof(void*));
  REQUIRE(lines[0]["ranges"].size() == 2);
  CHECK(lines[0]["ranges"][1]["bytes"] == sizeof(int));
  CHECK(lines[0]["ranges"][0]["read"] == true);
  CHECK(lines[0]["ranges"][0]["written"] == false);
  CHECK(lines[0]["ranges"][1]["read"] == false);
  CHECK(lines[0]["ranges"][1]["written"] == true);
  CHECK(lines[1]["op"] == "without");
  CHECK(lines[1]["ranges"].empty());
}

TEST_CASE("the dump of arguments is on or off") {
  const support::TempDir dir;
  const std::string file = dir.write("file", "x");
  const std::string path = dir.path().string();
  CHECK_CODE(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS), ACL_ERROR_DUMP_NOT_RUN);
  CHECK_CODE(aclopStartDumpArgs(0, path.c_str()), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(2, path.c_str()), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, ""), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, file.c_str()), ACL_ERROR_INVALID_FILE);
  REQUIRE_ACL(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()));
  CHECK_CODE(aclopStartDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS, path.c_str()),
             ACL_ERROR_DUMP_ALREADY_RUN);
  CHECK_CODE(aclopStopDumpArgs(3), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclopStopDumpArgs(ACL_OP_DUMP_OP_AICORE_ARGS));
}

// ---- tensors of a program
// ------------------------------------------------------------------------

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

TEST_CASE("a tensor may be given by the address of its address, or as a value") {
  const support::TempDir dir;
  const Variable work("ASCEND_WORK_PATH", dir.path().string());
  const Device device;
  const DeviceMemory memory(64);
  const DeviceMemory table(64);
  store(memory, 77);
  store<void*>(table, memory);
  acldumpTensorInfo tensors[2] = {tensor(table, 4, ACL_INT32, {1}),
                                  tensor(nullptr, 4, ACL_INT32, {1})};
  tensors[0].addrType = ACL_DUMP_ADDR_PTR_PTR;
  tensors[1].addrType = ACL_DUMP_ADDR_RAW;
  tensors[1].tensorAddr = reinterpret_cast<std::int64_t*>(std::uintptr_t{78});
  REQUIRE_ACL(acldumpSaveExceptionInfo("op", nullptr, tensors, 2));
  const auto files = files_in(dir.path());
  CHECK(Array(file_with(files, "op.input.0.npy")).data == bytes(77));
  CHECK(Array(file_with(files, "op.input.1.npy")).data == bytes(78));
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
  wrong.addrType = ACL_DUMP_ADDR_RAW;
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
  wrong = good;
  wrong.tensorSize = 65;
  CHECK_CODE(saved(wrong), ACL_ERROR_RT_PARAM_INVALID);
  wrong = good;
  wrong.tensorAddr = reinterpret_cast<std::int64_t*>(&on_host);
  CHECK_CODE(saved(wrong), ACL_ERROR_RT_PARAM_INVALID);
  wrong = good;
  wrong.addrType = ACL_DUMP_ADDR_PTR_PTR;
  wrong.tensorAddr = zero.as<std::int64_t>();
  CHECK_CODE(saved(wrong), ACL_ERROR_INVALID_PARAM);
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

// ---- to a function
// -------------------------------------------------------------------------------

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

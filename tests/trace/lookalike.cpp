// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/lookalike.h"

#include <fmt/format.h>

#include <vector>

#if ACLSIM_HAVE_SQLITE
#include <sqlite3.h>

#include <stdexcept>
#endif

namespace lookalike {
namespace {

constexpr std::int64_t kBegin = 1736408883704643212;  // no double holds it in microseconds
constexpr std::uint32_t kWhole = 4294967295;

constexpr std::int64_t kOfCollective = 109;  // the connection of its task and of its call

struct Task {
  std::int64_t start, end;
  int stream, task;
  std::uint32_t context;
  const char* runtime_type;   // as databases call it
  const char* hardware_type;  // as timelines do
  const char* name;
  std::int64_t called;  // by the host; 0: as the task before
  const char* part = "";
  int plane = 0;
  std::int64_t notify = -1;
};

/// In true time, from kBegin; the clock of rank 1 is added by the writers.
std::vector<Task> tasks(int rank) {
  const int peer = 1 - rank;
  const std::int64_t mine = (std::int64_t{rank} << 32) | 84;
  const std::int64_t theirs = (std::int64_t{peer} << 32) | 84;
  return {
      {1'000, 50'000, 2, 1, kWhole, "KERNEL_AIVEC", "AI_VECTOR_CORE", "Add1", 1},
      {50'000, 50'020, 2, 2, kWhole, "EVENT_RECORD", "EVENT_RECORD_SQE", "EVENT_RECORD", 2},
      {50'040, 50'060, 2, 3, kWhole, "EVENT_RECORD", "PLACE_HOLDER_SQE", "EVENT_RECORD", 3},
      {10'000, 50'440, 3, 1, kWhole, "EVENT_WAIT", "EVENT_WAIT_SQE", "EVENT_WAIT", 4},
      {50'500, 90'000, 3, 2, kWhole, "KERNEL_AICORE", "AI_CORE", "MatMul2", 5},
      {90'000, 90'020, 3, 3, kWhole, "EVENT_RECORD", "EVENT_RECORD_SQE", "EVENT_RECORD", 6},
      {95'000, 95'020, 2, 4, kWhole, "EVENT_WAIT", "EVENT_WAIT_SQE", "EVENT_WAIT", 7},
      {95'500, 96'500, 2, 5, kWhole, "MEMCPY_ASYNC", "PCIE_DMA_SQE", "MEMCPY_ASYNC", 8},
      {100'000, 230'000, 4, 1, kWhole, "AI_CORE", nullptr, "AI_CORE", 9},
      {100'100, 100'700, 4, 1, 0, "SDMA", "SDMA", "SDMA", 0, "Reduce_Inline", 0},
      {101'000, 101'720, 4, 1, 1, "Write Value", "Write Value", "Write Value", 0, "Notify_Record",
       1, theirs},
      {101'800, 101'000 + kNotifyDelay, 4, 1, 2, "Notify Wait", "Notify Wait", "Notify Wait", 0,
       "Notify_Wait", 1, mine},
      {102'200, 228'000, 4, 1, 3, "SDMA", "SDMA", "SDMA", 0, "Memcpy", 1},
  };
}

std::int64_t clock(int rank) { return kBegin + (rank == 1 ? kClockAhead : 0); }

/// Microseconds with all digits.
std::string micros(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

std::string joined(const std::vector<std::string>& events) {
  return fmt::format("[{}]", fmt::join(events, ",\n"));
}

std::string device_slice(const Task& task, int rank, std::int64_t connection) {
  const int pid = (3096504 << 10) | (13 << 5) | rank;
  return fmt::format(
      R"({{"name":"{}","pid":{},"tid":{},"ts":"{}","dur":{},"ph":"X","args":{{"Model Id":4294967295,)"
      R"("Task Type":"{}","Physic Stream Id":{},"Task Id":{},"Batch Id":0,"Subtask Id":{},)"
      R"("connection_id":{}}}}})",
      task.name, static_cast<std::uint32_t>(pid), task.stream, micros(clock(rank) + task.start),
      micros(task.end - task.start), task.hardware_type, task.stream, task.task, task.context,
      connection);
}

std::string part_slice(const Task& task, int rank) {
  const int pid = (3096504 << 10) | (15 << 5) | rank;
  const bool memory = task.notify < 0;
  return fmt::format(
      R"J({{"name":"{0}","pid":{1},"tid":{2},"ts":"{3}","dur":{4},"ph":"X",)J"
      R"J("args":{{"notify_id":"{5}","stream id":{6},"task id":{7},"context id":{8},)J"
      R"J("task type":"{0}","src rank":{9},"dst rank":{10},"size(Byte)":{11}}}}})J",
      task.part, static_cast<std::uint32_t>(pid), task.plane + 1, micros(clock(rank) + task.start),
      micros(task.end - task.start), memory ? "18446744073709551615" : std::to_string(task.notify),
      task.stream, task.task, task.context, rank,
      task.plane == 0 ? kWhole : static_cast<std::uint32_t>(1 - rank), memory ? 65536 : 0);
}

std::string call_slice(std::int64_t called, std::int64_t connection, int rank) {
  const int pid = (3096504 << 10) | (7 << 5) | rank;
  return fmt::format(
      R"({{"name":"AscendCL@aclrtCall","pid":{},"tid":3099702,"ts":"{}","dur":0.5,"ph":"X",)"
      R"("args":{{"Thread Id":3099702,"level":"acl","connection_id":{}}}}})",
      static_cast<std::uint32_t>(pid), micros(clock(rank) + called * 1'000), connection);
}

struct Part0 {
  std::int64_t start, end;
  int stream, task;
  const char* type;
  const char* part = "";
  bool whole = false;
};

std::vector<Part0> level0_tasks() {
  return {
      {0, 50'000, 2, 1, "KERNEL_AICORE"},
      {60'000, 200'000, 4, 2, "AI_CORE", "", true},
      {60'000, 130'000, 4, 3, "SDMA", "Memcpy"},
      {61'000, 131'000, 4, 4, "SDMA", "Memcpy"},
      {62'000, 62'020, 4, 5, "SDMA", "Notify_Record"},
      {70'000, 120'000, 4, 6, "SDMA", "Notify_Wait"},
      {130'000, 199'000, 4, 7, "SDMA", "Memcpy"},
      {131'000, 200'000, 4, 8, "SDMA", "Memcpy"},
      {200'000, 240'000, 4, 9, "KERNEL_AICORE"},
  };
}

}  // namespace

std::string level0_timeline() {
  std::vector<std::string> events;
  for (const Part0& part : level0_tasks()) {
    if (part.whole) continue;
    const Task task{part.start, part.end,  part.stream, part.task, kWhole,
                    part.type,  part.type, part.type,   0};
    events.push_back(device_slice(task, 0, -1));
  }
  return joined(events);
}

std::string ascend_timeline(int rank) {
  std::vector<std::string> events{
      R"({"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Ascend Hardware"}})"};
  std::int64_t connection = 100;
  for (const Task& task : tasks(rank)) {
    connection += task.called != 0;
    if (task.called != 0) events.push_back(call_slice(task.called, connection, rank));
    if (task.hardware_type) events.push_back(device_slice(task, rank, connection));
    if (*task.part) events.push_back(part_slice(task, rank));
  }
  return joined(events);
}

std::string ascend_timeline_of(const std::string& name, std::int64_t count) {
  const std::string whole =
      fmt::format(R"({{"ph":"X","name":"{}","pid":32,"tid":0,"ts":"{}","dur":130.0,"args":{{)"
                  R"("connection_id":{},"data_type":"FP32","count":{}}}}})",
                  name, micros(kBegin + 100'000), kOfCollective, count);
  return ascend_timeline(0).insert(1, whole + ",\n");
}

#if ACLSIM_HAVE_SQLITE
namespace {

class Out {
 public:
  explicit Out(const std::string& path) {
    if (sqlite3_open(path.c_str(), &handle_) != SQLITE_OK) throw std::runtime_error(path);
  }
  ~Out() { sqlite3_close(handle_); }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;
  void run(const std::string& sql) {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return;
    throw std::runtime_error(fmt::format("{}: {}", sqlite3_errmsg(handle_), sql));
  }
  int text(const std::string& value) {
    run(fmt::format("INSERT INTO STRING_IDS VALUES({},'{}')", ++texts_, value));
    return texts_;
  }

 private:
  sqlite3* handle_ = nullptr;
  int texts_ = 0;
};

void add(Out& out, const Task& task, int id, std::int64_t connection, int rank) {
  const std::int64_t base = clock(rank);
  if (task.called != 0) {
    out.run(fmt::format("INSERT INTO CANN_API VALUES({},{},20000,{},{},{})",
                        base + task.called * 1'000, base + task.called * 1'000 + 500,
                        (std::int64_t{3096504} << 32) | 3099702, connection,
                        out.text("aclrtCall")));
  }
  out.run(fmt::format("INSERT INTO TASK VALUES({},{},{},{},{},1,{},{},{},{},4294967295)",
                      base + task.start, base + task.end, rank, connection, id,
                      out.text(task.runtime_type), task.context, task.stream, task.task));
  if (task.name != std::string(task.runtime_type)) {
    out.run(fmt::format("INSERT INTO COMPUTE_TASK_INFO VALUES({},{})", out.text(task.name), id));
  }
  if (!*task.part) return;
  out.run(fmt::format("INSERT INTO COMMUNICATION_TASK_INFO VALUES({},{},{},{},{},{},{})", id,
                      out.text(task.part), task.plane, task.notify < 0 ? INT64_MAX : task.notify,
                      rank, task.plane == 0 ? std::int64_t{kWhole} : 1 - rank,
                      task.notify < 0 ? 65536 : 0));
}

void create_tables(Out& out, int rank) {
  out.run("CREATE TABLE STRING_IDS(id INTEGER PRIMARY KEY, value TEXT)");
  out.run("CREATE TABLE META_DATA(name TEXT, value TEXT)");
  out.run("INSERT INTO META_DATA VALUES('SCHEMA_VERSION','1.0.0')");
  out.run("CREATE TABLE RANK_DEVICE_MAP(rankId INTEGER, deviceId INTEGER)");
  out.run(fmt::format("INSERT INTO RANK_DEVICE_MAP VALUES({0},{0})", rank));
  out.run(
      "CREATE TABLE TASK(startNs INTEGER,endNs INTEGER,deviceId INTEGER,connectionId INTEGER,"
      "globalTaskId INTEGER,globalPid INTEGER,taskType INTEGER,contextId INTEGER,"
      "streamId INTEGER,taskId INTEGER,modelId INTEGER)");
  out.run(
      "CREATE TABLE CANN_API(startNs INTEGER,endNs INTEGER,type INTEGER,globalTid INTEGER,"
      "connectionId INTEGER PRIMARY KEY,name INTEGER)");
  out.run("CREATE TABLE COMPUTE_TASK_INFO(name INTEGER, globalTaskId INTEGER)");
  out.run(
      "CREATE TABLE COMMUNICATION_TASK_INFO(globalTaskId INTEGER,taskType INTEGER,planeId INTEGER,"
      "notifyId INTEGER,srcRank INTEGER,dstRank INTEGER,size INTEGER)");
}

}  // namespace

void write_msprof_db(const std::string& path, int rank) {
  Out out(path);
  create_tables(out, rank);
  int id = 0;
  std::int64_t connection = 100;
  for (const Task& task : tasks(rank)) {
    connection += task.called != 0;
    add(out, task, ++id, connection, rank);
  }
}

void add_call(const std::string& path, const std::string& name, std::int64_t start,
              std::int64_t end, int thread) {
  Out out(path);
  out.run(fmt::format("INSERT INTO STRING_IDS VALUES({},'{}')", 9000 + start, name));
  out.run(fmt::format("INSERT INTO CANN_API VALUES({},{},20000,{},{},{})", kBegin + start,
                      kBegin + end, (std::int64_t{3096504} << 32) | thread, 9000 + start,
                      9000 + start));
}

void add_collective(const std::string& path, const std::string& name, std::int64_t count) {
  Out out(path);
  out.run(
      "CREATE TABLE COMMUNICATION_OP(opName INTEGER,startNs INTEGER,endNs INTEGER,"
      "connectionId INTEGER,groupName INTEGER,opId INTEGER PRIMARY KEY,dataType INTEGER,"
      "count NUMERIC)");
  out.run(fmt::format("INSERT INTO STRING_IDS VALUES(8000,'{}'),(8001,'world')", name));
  out.run(fmt::format("INSERT INTO COMMUNICATION_OP VALUES(8000,0,0,{},8001,1,4,{})", kOfCollective,
                      count));
}

void forget_planes(const std::string& path) {
  Out(path).run("UPDATE COMMUNICATION_TASK_INFO SET planeId=4294967295, notifyId=0");
}

void write_level0_db(const std::string& path, bool whole) {
  Out out(path);
  create_tables(out, 0);
  int id = 0;
  for (const Part0& part : level0_tasks()) {
    const bool inside = *part.part != 0;
    if (!whole && part.whole) continue;
    Task task{part.start, part.end, part.stream, part.task, kWhole, part.type, "", part.type, 0};
    if (inside && whole) {
      task.task = 2;  // the task of the whole
      task.context = static_cast<std::uint32_t>(id);
    }
    add(out, task, ++id, 0, 0);
    if (!inside) continue;
    out.run(fmt::format("INSERT INTO COMMUNICATION_TASK_INFO VALUES({},{},4294967295,0,0,1,65536)",
                        id, out.text(part.part)));
  }
}
#endif

std::string graph_debug() {
  std::vector<std::string> events;
  const auto add = [&](int stream, int task, const char* name) {
    events.push_back(fmt::format(
        R"({{"name":"{}","pid":"77 aclGraph","tid":"stream{}","ts":{},"dur":9.5,"ph":"X",)"
        R"("args":{{"Model Id":1,"Stream Id":{},"Task Id":{}}}}})",
        name, stream, task * 10, stream, task));
  };
  add(5, 1, "EVENT_RECORD_7");
  add(5, 0, "add_float");
  add(6, 0, "EVENT_WAIT_7");
  add(6, 1, "EVENT_WAIT_9");
  add(6, 2, "MEMCPY_ASYNC");
  add(6, 3, "CNT_NOTIFY_WAIT_3_2");
  add(5, 2, "CNT_NOTIFY_RECORD_3_2");
  add(5, 3, "EVENT_WAIT_LIST_kernel");
  return joined(events);
}

std::string kineto() {
  const std::string call =
      R"({{"ph":"X","cat":"cuda_runtime","name":"{}","pid":9,"tid":9,"ts":{},"dur":5,)"
      R"("args":{{"correlation":{}}}}})";
  const std::string slice =
      R"({{"ph":"X","cat":"{}","name":"{}","pid":0,"tid":{},"ts":{},"dur":{},)"
      R"("args":{{"device":0,"stream":{},"correlation":{},"bytes":4096,"grid":[1,2,3]}}}})";
  const std::string wait =
      R"({{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":20,"ts":{},"dur":1,)"
      R"("args":{{"cuda_sync_kind":"Stream Wait Event","wait_on_stream":7,)"
      R"("wait_on_cuda_event_record_corr_id":{},"stream":20,"correlation":{},"device":0}}}})";
  const auto at = [](const std::string& form, auto... args) {
    return fmt::format(fmt::runtime(form), args...);
  };
  std::vector<std::string> events{
      at(call, "cudaMemcpyAsync", "100.001", 1),
      at(slice, "gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 7, "110.5", "8", 7, 1),
      at(call, "cudaLaunchKernel", "120.0", 2),
      at(slice, "kernel", "first", 7, "130.0", "50.25", 7, 2),
      at(call, "cudaEventRecord", "140.0", 3),
      at(call, "cudaStreamWaitEvent", "150.0", 4),
      at(wait, "151.0", 3, 4),
      at(call, "cudaLaunchKernel", "160.0", 5),
      at(slice, "kernel", "second", 20, "181.0", "10.0", 20, 5),
      at(call, "cudaLaunchKernel", "165.0", 6),
      at(slice, "kernel", "third", 7, "182.0", "20.0", 7, 6),
      at(call, "cudaEventRecord", "170.0", 7),
      at(call, "cudaStreamWaitEvent", "175.0", 8),
      at(wait, "176.0", 99, 8),
      at(call, "cudaLaunchKernel", "180.0", 9),
      at(slice, "kernel", "fourth", 20, "210.0", "10.0", 20, 9),
  };
  return R"({"schemaVersion":1,"distributedInfo":{"rank":3},"traceEvents":)" + joined(events) +
         R"(,"baseTimeNanoseconds":1700000000000000000})";
}

std::string chrome() {
  return R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"copy engine"}},
{"ph":"X","name":"outer","pid":1,"tid":1,"ts":0.5,"dur":10},
{"ph":"X","name":"inner","pid":1,"tid":1,"ts":1,"dur":2},
{"ph":"B","name":"later","pid":1,"tid":2,"ts":20.125},
{"ph":"E","pid":1,"tid":2,"ts":30},
{"ph":"s","name":"go","cat":"flow","id":1,"pid":1,"tid":1,"ts":5},
{"ph":"f","bp":"e","name":"go","cat":"flow","id":1,"pid":1,"tid":2,"ts":21}]})";
}

std::string aclt() {
  return R"({"aclt":1,"clock":"ns","ranks":[0]}
{"def":"device","id":0}
{"def":"stream","id":1,"dev":0}
{"def":"stream","id":2,"dev":0}
{"def":"buf","id":1,"dev":0,"size":64}
{"op":"kernel","st":1,"d":1000,"n":"a","wr":[[1,0,64]]}
{"op":"record","st":1,"ev":5}
{"op":"wait","st":2,"ev":5}
{"op":"kernel","st":2,"d":500,"n":"b","rd":[[1,0,64]],"dep":[1]}
)";
}

}  // namespace lookalike

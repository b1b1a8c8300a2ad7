// SPDX-License-Identifier: Apache-2.0
// The profiler's database. Columns are asked for by name: versions differ, and viewers add their
// own.
#include "tools/trace/formats/ascend.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/formats/readers.h"

#if ACLSIM_HAVE_SQLITE

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "tools/trace/formats/database.h"

namespace trace {
namespace {

constexpr Nanoseconds kLatestStart = Nanoseconds{1} << 61;  // the year 2043

using Texts = std::unordered_map<std::int64_t, std::uint32_t>;  // words by ids

class MsprofImport {
 public:
  MsprofImport(Database& database, const FileContext& context, Builder& builder)
      : database_(database), context_(context), builder_(builder) {}

  void run() {
    if (!database_.has_table("TASK") || !database_.has_table("STRING_IDS")) {
      throw InputError(context_.path,
                       "has no tables TASK and STRING_IDS; expected a database of msprof or "
                       "torch_npu");
    }
    builder_.source(context_.path, context_.format->name,
                    std::string(context_.format->tool) + " " + schema());
    read_texts();
    read_ranks();
    read_tasks();
    read_names();
    read_parts();
    read_sizes();
    read_calls();
    read_collectives();
    for (auto& [device, profile] : profiles_) add_ascend(profile, calls_, words_, builder_);
  }

 private:
  std::string schema();
  void read_texts();
  void read_ranks();
  void read_tasks();
  void read_names();
  void read_parts();
  void read_sizes();
  void read_calls();
  void read_collectives();
  AscendProfile& profile(std::int32_t device);
  void take_free_rank(AscendProfile& of);
  std::uint32_t text(std::int64_t id) const {
    const auto found = texts_.find(id);
    return found == texts_.end() ? 0 : found->second;
  }
  /// The column under one of its names, or NULL where the table has none of them.
  std::string column(const char* table, std::initializer_list<const char*> names) {
    const std::string found = database_.first_column(table, names);
    return found.empty() ? "NULL" : found;
  }
  AscendTask* task(std::int64_t id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second.first->tasks[found->second.second];
  }

  Database& database_;
  const FileContext& context_;
  Builder& builder_;
  Strings words_;
  AscendCalls calls_;
  Texts texts_;
  std::map<std::int32_t, std::int32_t> rank_of_device_;
  std::map<std::int32_t, AscendProfile> profiles_;  // by device
  std::unordered_map<std::int64_t, std::pair<AscendProfile*, std::size_t>> by_id_;
};

std::string MsprofImport::schema() {
  if (!database_.has_table("META_DATA")) return {};
  Rows rows(database_, "META_DATA", "SELECT value FROM META_DATA WHERE name='SCHEMA_VERSION'");
  return rows.next() ? std::string(rows.text(0)) : std::string();
}

void MsprofImport::read_texts() {
  Rows rows(database_, "STRING_IDS", "SELECT id, value FROM STRING_IDS");
  while (rows.next()) texts_[rows.integer(0, "id")] = words_.add(rows.text(1));
}

void MsprofImport::read_ranks() {
  if (!database_.has_table("RANK_DEVICE_MAP")) return;
  Rows rows(database_, "RANK_DEVICE_MAP", "SELECT rankId, deviceId FROM RANK_DEVICE_MAP");
  while (rows.next()) {
    const std::int64_t rank = rows.integer(0, "rankId");
    const std::int64_t device = rows.integer(1, "deviceId");
    // -1: a run without ranks
    if (rank < 0 || rank > INT32_MAX || device < 0 || device > INT32_MAX) continue;
    rank_of_device_[static_cast<std::int32_t>(device)] = static_cast<std::int32_t>(rank);
  }
}

/// Two profiles of one device are two runs of it, which nothing orders.
void MsprofImport::take_free_rank(AscendProfile& of) {
  const Trace& known = builder_.pending();
  const std::int32_t said = of.rank;
  const auto taken = [&](const Device& device) {
    return device.id == of.device && known.ranks()[device.rank].id == of.rank &&
           std::any_of(known.tracks().begin(), known.tracks().end(), [&](const Track& track) {
             return track.device != kNone && &known.devices()[track.device] == &device;
           });
  };
  while (std::any_of(known.devices().begin(), known.devices().end(), taken)) ++of.rank;
  if (of.rank == said) return;
  builder_.remark(Level::warning, fmt::format("says that it is rank {}, as a file before does; "
                                              "taken as rank {}",
                                              said, of.rank));
}

AscendProfile& MsprofImport::profile(std::int32_t device) {
  const auto [at, fresh] = profiles_.try_emplace(device);
  if (!fresh) return at->second;
  const auto rank = rank_of_device_.find(device);
  at->second.device = device;
  at->second.rank = rank == rank_of_device_.end() ? context_.rank : rank->second;
  take_free_rank(at->second);
  if (!database_.has_table("NPU_INFO")) return at->second;
  Rows rows(database_, "NPU_INFO", fmt::format("SELECT name FROM NPU_INFO WHERE id={}", device));
  if (rows.next()) at->second.device_name = rows.text(0);
  return at->second;
}

void MsprofImport::read_tasks() {
  Rows rows(database_, "TASK",
            "SELECT startNs, endNs, deviceId, connectionId, globalTaskId, taskType, contextId, "
            "streamId, taskId FROM TASK ORDER BY rowid");
  while (rows.next()) {
    AscendTask task;
    task.start = rows.integer(0, "startNs");
    task.end = rows.integer(1, "endNs");
    if (task.start < 0 || task.end < task.start || task.end > kLatestStart) {
      rows.refuse(
          fmt::format("startNs is {}, endNs is {}; expected ns since 1970, the end not "
                      "earlier",
                      task.start, task.end));
    }
    task.connection = static_cast<std::uint64_t>(rows.integer(3, "connectionId", -1));
    task.type = text(rows.integer(5, "taskType", -1));
    task.name = task.type;
    task.context = static_cast<std::uint32_t>(rows.integer(6, "contextId", kNoContext));
    const std::int64_t stream = rows.integer(7, "streamId");
    if (stream < 0) rows.refuse(fmt::format("streamId is {}; expected 0 or more", stream));
    task.stream = static_cast<std::uint64_t>(stream);
    task.task = static_cast<std::uint32_t>(rows.integer(8, "taskId", 0));
    task.row = rows.number();
    AscendProfile& of = profile(static_cast<std::int32_t>(rows.integer(2, "deviceId")));
    by_id_[rows.integer(4, "globalTaskId", -1)] = {&of, of.tasks.size()};
    of.tasks.push_back(std::move(task));
  }
}

void MsprofImport::read_names() {
  if (!database_.has_table("COMPUTE_TASK_INFO")) return;
  Rows rows(database_, "COMPUTE_TASK_INFO", "SELECT globalTaskId, name FROM COMPUTE_TASK_INFO");
  while (rows.next()) {
    if (AscendTask* const it = task(rows.integer(0, "globalTaskId", -1))) {
      const std::uint32_t name = text(rows.integer(1, "name", -1));
      if (name != 0) it->name = name;
    }
  }
}

std::uint32_t rank_or_none(std::int64_t rank) {
  return rank < 0 || rank >= kNone ? kNone : static_cast<std::uint32_t>(rank);
}

void MsprofImport::read_parts() {
  const char* const table = "COMMUNICATION_TASK_INFO";
  if (!database_.has_table(table)) return;
  Rows rows(database_, table,
            fmt::format("SELECT globalTaskId, taskType, {}, {}, {}, {}, {} FROM {}",
                        column(table, {"planeId"}), column(table, {"notifyId"}),
                        column(table, {"srcRank"}), column(table, {"dstRank"}),
                        column(table, {"size"}), table));
  while (rows.next()) {
    AscendTask* const it = task(rows.integer(0, "globalTaskId", -1));
    if (!it) continue;
    it->part = text(rows.integer(1, "taskType", -1));
    it->plane = static_cast<std::uint32_t>(rows.integer(2, "planeId", 0));
    const auto notify = static_cast<std::uint64_t>(rows.integer(3, "notifyId", INT64_MAX));
    const bool untold = it->plane == kNoPlane && notify == 0;  // as the lowest level writes
    it->notify = notify == UINT64_MAX || untold ? kNoNotify : notify;
    it->src_rank = rank_or_none(rows.integer(4, "srcRank", kNone));
    it->dst_rank = rank_or_none(rows.integer(5, "dstRank", kNone));
    it->bytes = static_cast<std::uint64_t>(rows.integer(6, "size", -1));
  }
}

void MsprofImport::read_sizes() {
  if (!database_.has_table("MEMCPY_INFO")) return;
  Rows rows(database_, "MEMCPY_INFO",
            "SELECT globalTaskId, size, memcpyOperation FROM MEMCPY_INFO");
  while (rows.next()) {
    AscendTask* const it = task(rows.integer(0, "globalTaskId", -1));
    if (!it) continue;
    it->bytes = static_cast<std::uint64_t>(rows.integer(1, "size", -1));
    // 4: managed, 5: on the device by address, 6 and 7: as 1 and 2
    constexpr int kDirections[] = {0, 1, 2, 3, 3, 3, 1, 2};
    const std::int64_t operation = rows.integer(2, "memcpyOperation", -1);
    if (operation >= 0 && operation < 8) it->direction = kDirections[operation];
  }
}

void MsprofImport::read_calls() {
  if (!database_.has_table("CANN_API")) return;
  Rows rows(database_, "CANN_API",
            "SELECT connectionId, startNs, globalTid, endNs, name FROM CANN_API");
  const bool one = profiles_.size() == 1;
  std::uint64_t unplaced_syncs = 0;
  while (rows.next()) {
    const auto connection = static_cast<std::uint64_t>(rows.integer(0, "connectionId", -1));
    const auto thread = static_cast<std::uint64_t>(rows.integer(2, "globalTid", 0)) & UINT32_MAX;
    const Nanoseconds start = rows.integer(1, "startNs");
    if (start < 0 || start > kLatestStart) continue;
    calls_.try_emplace(connection, AscendCall{start, thread});
    const std::uint32_t name = text(rows.integer(4, "name", -1));
    const Nanoseconds end = rows.integer(3, "endNs", INT64_MAX);
    if (end < start) {
      rows.refuse(
          fmt::format("startNs is {}, endNs is {}; expected the end not earlier", start, end));
    }
    if (words_[name].find("Synchronize") == std::string::npos) continue;
    if (end > kLatestStart) continue;
    if (!one) {
      ++unplaced_syncs;
      continue;
    }
    profiles_.begin()->second.syncs.push_back({start, end, thread, name});
  }
  if (unplaced_syncs == 0) return;
  builder_.remark(
      Level::warning,
      fmt::format("{} calls that wait for one of several devices, which is not told; left "
                  "out",
                  unplaced_syncs));
}

/// Types of elements are numbers, whose names another table has.
void MsprofImport::read_collectives() {
  const char* const table = "COMMUNICATION_OP";
  if (!database_.has_table(table)) return;
  std::map<std::int64_t, std::string> types{
      {0, "INT8"},  {1, "INT16"},  {2, "INT32"},  {3, "FP16"},   {4, "FP32"},
      {5, "INT64"}, {6, "UINT64"}, {7, "UINT8"},  {8, "UINT16"}, {9, "UINT32"},
      {10, "FP64"}, {11, "BFP16"}, {12, "INT128"}};
  if (database_.has_table("ENUM_HCCL_DATA_TYPE")) {
    Rows rows(database_, "ENUM_HCCL_DATA_TYPE", "SELECT id, name FROM ENUM_HCCL_DATA_TYPE");
    while (rows.next()) types[rows.integer(0, "id", -1)] = rows.text(1);
  }
  Rows rows(
      database_, table,
      fmt::format("SELECT connectionId, opName, {}, {}, {} FROM {}", column(table, {"groupName"}),
                  column(table, {"count"}), column(table, {"dataType"}), table));
  while (rows.next()) {
    AscendCollective said;
    said.name = text(rows.integer(1, "opName", -1));
    said.group = text(rows.integer(2, "groupName", -1));
    const std::int64_t count = rows.integer(3, "count", 0);
    const auto type = types.find(rows.integer(4, "dataType", -1));
    if (count > 0 && type != types.end()) {
      said.bytes = bytes_of(static_cast<std::uint64_t>(count), type->second);
    }
    const auto connection = static_cast<std::uint64_t>(rows.integer(0, "connectionId", -1));
    for (auto& [device, profile] : profiles_) profile.collectives[connection] = said;
  }
}

}  // namespace

bool has_sqlite() { return true; }

bool has_msprof_tables(const std::string& path) {
  Database database(path);
  return database.has_table("TASK") && database.has_table("STRING_IDS");
}

void read_msprof_db(std::string_view bytes, const FileContext& context, Builder& builder) {
  const std::unique_ptr<Database> database = bytes.empty()
                                                 ? std::make_unique<Database>(context.path)
                                                 : std::make_unique<Database>(context.path, bytes);
  MsprofImport(*database, context, builder).run();
  std::error_code error;
  if (std::filesystem::file_size(context.path + "-wal", error) != 0 && !error) {
    builder.remark(Level::warning, "a journal lies beside the database; it is not read");
  }
}

}  // namespace trace

#else

namespace trace {

bool has_sqlite() { return false; }

bool has_msprof_tables(const std::string&) { return true; }

void read_msprof_db(std::string_view, const FileContext& context, Builder&) {
  throw InputError(context.path,
                   "is a SQLite database, which this build of aclsim cannot read; expected a build "
                   "with libsqlite3-dev installed");
}

}  // namespace trace

#endif

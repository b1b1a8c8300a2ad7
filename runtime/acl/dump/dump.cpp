// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/dump/dump.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <span>
#include <utility>

#include "device_sim/base/files.h"
#include "device_sim/base/mutex.h"
#include "device_sim/sharing/lost_output.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/base/result_folder.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/dump/npy.h"
#include "runtime/trace/json_text.h"
#include "runtime/trace/no_cancel.h"

namespace acl {
namespace {

template <class F>
void for_each_range(const sim::Op& op, F&& f) {
  std::uint32_t i = 0;
  for (const sim::MemoryRange& range : op.kernel_ranges()) f(i++, range);
}

const char* kernel_name(const sim::Op& op) { return op.kernel.name ? op.kernel.name : "kernel"; }

std::string args_line(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) {
  std::string line = fmt::format(R"({{"time_ns":{},"op":")", now);
  trace_output::append_json_text(line, kernel_name(op));
  line +=
      fmt::format(R"(","device":{},"stream":{},"task":{},"thread":{},"blocks":{},"args":"{:02x}",)"
                  R"("ranges":[)",
                  stream.device(), stream.id(), op.task_id, op.thread_id, op.kernel.blocks,
                  fmt::join(op.kernel_args(), ""));
  for_each_range(op, [&](std::uint32_t i, const sim::MemoryRange& range) {
    line += fmt::format(R"({}{{"address":"{}","bytes":{},"read":{},"written":{}}})",
                        i == 0 ? "" : ",", range.begin, range.size, range.read, range.written);
  });
  return line + "]}\n";
}

}  // namespace

// ---- turning it on and off ----

std::shared_ptr<const Dump::Settings> Dump::settings() const {
  const sim::LockGuard guard(mutex_);
  return settings_;
}

std::shared_ptr<Dump::ArgsFile> Dump::args_file() const {
  const sim::LockGuard guard(mutex_);
  return args_file_;
}

void Dump::set(std::shared_ptr<const Settings> settings, std::shared_ptr<ArgsFile> args_file) {
  const bool on =
      args_file || (settings && (settings->config.data() || settings->config.exceptions));
  {
    const sim::LockGuard guard(mutex_);
    settings_.swap(settings);
    args_file_.swap(args_file);
  }
  told_ = false;
  if (on == watching_) return;
  watching_ = on;
  on ? watch::add_sink(*this) : watch::remove_sink(*this);
}

void Dump::init() {
  const sim::LockGuard alone(control_);
  if (initialized_) fail(ACL_ERROR_DUMP_ALREADY_RUN, "dump is initialised already");
  initialized_ = true;
}

void Dump::configure(const char* path) {
  const sim::LockGuard alone(control_);
  if (!initialized_) {
    fail(ACL_ERROR_DUMP_NOT_RUN, "dump is not initialised; expected aclmdlInitDump before");
  }
  set(load(path, "dumpCfgPath"), args_file());
}

std::shared_ptr<const Dump::Settings> Dump::load(const char* path, const char* argument) {
  return std::make_shared<Settings>(Settings{load_dump_config(path, argument), time_digits()});
}

void Dump::begin(const char* path) {
  const sim::LockGuard alone(control_);
  if (initialized_) {
    fail(ACL_ERROR_DUMP_ALREADY_RUN, "configPath is '{}', which asks for a dump; there is one",
         path);
  }
  set(load(path, "configPath"), args_file());
  initialized_ = true;
}

void Dump::end() {
  const sim::LockGuard alone(control_);
  initialized_ = false;
  set(nullptr, args_file());
}

void Dump::finalize() {
  const sim::LockGuard alone(control_);
  if (!initialized_) fail(ACL_ERROR_DUMP_NOT_RUN, "dump is not initialised");
  initialized_ = false;
  set(nullptr, args_file());
}

void Dump::start_args(const std::string& folder) {
  const sim::LockGuard alone(control_);
  if (args_file()) fail(ACL_ERROR_DUMP_ALREADY_RUN, "arguments are being dumped already");
  const auto path = make_folder(folder, "path", ACL_ERROR_INVALID_FILE) /
                    fmt::format("op_args_{}_{}.jsonl", time_digits(), getpid());
  sim::OwnedFd file(sim::open_output(path.string(), O_WRONLY | O_CREAT | O_TRUNC));
  if (!file) {
    fail(ACL_ERROR_INVALID_FILE, "the file {} cannot be written ({})", path.string(),
         sim::output_error(errno));
  }
  set(settings(), std::make_shared<ArgsFile>(path.string(), std::move(file)));
}

void Dump::stop_args() {
  const sim::LockGuard alone(control_);
  const auto args = args_file();
  if (!args) fail(ACL_ERROR_DUMP_NOT_RUN, "no arguments are being dumped");
  set(settings(), nullptr);
  const sim::LockGuard guard(args->mutex);
  if (args->error != 0) {
    fail(ACL_ERROR_INVALID_FILE, "the file {} lacks launches ({})", args->path,
         sim::output_error(args->error));
  }
}

void Dump::reset() {
  const sim::LockGuard alone(control_);
  initialized_ = false;
  set(nullptr, nullptr);
  output_.set_callback(nullptr, 0);
}

// ---- where things go ----

const char* Dump::path(acldumpType type) {
  const sim::LockGuard alone(control_);
  const auto now = settings();
  if (!now) return nullptr;
  const DumpConfig& config = now->config;
  const bool on = (type == DATA_DUMP && config.data()) ||
                  (type == OVERFLOW_DUMP && config.overflow) || config.exceptions == type;
  return on ? paths_.insert(config.path).first->c_str() : nullptr;
}

std::string Dump::exception_folder(int device) const {
  const auto now = settings();
  if (now && now->config.exceptions) return fmt::format("{}/{}", now->config.path, device);
  const char* const work = std::getenv("ASCEND_WORK_PATH");
  std::error_code ignored;
  const auto base = std::filesystem::absolute(work && *work ? work : ".", ignored);
  return (base.lexically_normal() / "extra-info" / "data-dump" / std::to_string(device)).string();
}

std::string Dump::op_name(const sim::Stream& stream, const sim::Op& op) {
  return fmt::format("{}.{}.{}.{}", file_name_part(kernel_name(op)), stream.id(), op.task_id,
                     numbers_.fetch_add(1, std::memory_order_relaxed));
}

// ---- while tasks run ----

/// The calling thread belongs to the machine: nothing may be thrown, and a full disk is reported
/// once.
template <class F>
void Dump::in_machine_thread(F&& f) noexcept {
  const trace_output::NoCancel no_cancel;
  try {
    f();
  } catch (const std::exception& error) {
    if (told_.exchange(true)) return;
    notice(error.what());
    sim::report_lost_output(error.what());
  }
}

void Dump::write_range(const std::string& path, const sim::MemoryRange& range) {
  const auto allocation = runtime_.memory().find(range.begin);
  const auto begin = reinterpret_cast<std::uintptr_t>(range.begin);
  if (!allocation || range.size > allocation->end() - begin) return;  // freed by now, or no memory
  output_.write(path, npy_header(ACL_UINT8, {range.size}, range.size),
                runtime_.memory().engine(range.begin), range.size);
}

/// False if the kernel does not report tensors.
bool Dump::write_arrays(const std::string& base, const sim::Op& op, bool written) {
  const sim::KernelSubject* const subject = sim::subject_of(op);
  const auto arrays = subject ? subject->arrays() : std::vector<sim::KernelArray>();
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (!(written ? arrays[i].written : arrays[i].read)) continue;
    const std::vector<std::byte> elements = subject->elements(i);
    const auto type = static_cast<aclDataType>(arrays[i].type);
    output_.write(fmt::format("{}.{}.npy", base, i),
                  npy_header(type, arrays[i].shape, elements.size()), elements.data(),
                  elements.size());
  }
  return !arrays.empty();
}

void Dump::write_data(const Settings& settings, const sim::Stream& stream, const sim::Op& op,
                      bool written) {
  if (!settings.config.wants(kernel_name(op))) return;
  const std::string base =
      fmt::format("{}/{}/{}/{}.{}", settings.config.path, settings.time, stream.device(),
                  op_name(stream, op), written ? "output" : "input");
  if (write_arrays(base, op, written)) return;
  for_each_range(op, [&](std::uint32_t i, const sim::MemoryRange& range) {
    if (written ? range.written : range.read) {
      write_range(fmt::format("{}.{}.npy", base, i), range);
    }
  });
}

void Dump::write_failed(const Settings& settings, const sim::Stream& stream, const sim::Op& op) {
  const std::string base = exception_folder(stream.device()) + "/" + op_name(stream, op);
  const std::span<const unsigned char> args = op.kernel_args();
  output_.write(base + ".args.npy", npy_header(ACL_UINT8, {args.size()}, args.size()), args.data(),
                args.size());
  if (settings.config.exceptions == AIC_ERR_BRIEF_DUMP) return;
  for_each_range(op, [&](std::uint32_t i, const sim::MemoryRange& range) {
    write_range(fmt::format("{}.memory.{}.npy", base, i), range);
  });
}

void Dump::started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) {
  if (op.kind != sim::OpKind::kernel) return;
  in_machine_thread([&] {
    if (const auto args = args_file()) {
      const std::string line = args_line(stream, op, now);
      const sim::LockGuard guard(args->mutex);
      if (const int error = sim::write_all(args->file.get(), line)) {
        if (args->error == 0) args->error = error;
        fail(ACL_ERROR_INVALID_FILE, "the file {} cannot be written ({})", args->path,
             sim::output_error(error));
      }
    }
    const auto current = settings();
    if (current && current->config.inputs) write_data(*current, stream, op, false);
  });
}

void Dump::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                    sim::Nanoseconds, sim::Nanoseconds) {
  if (op.kind != sim::OpKind::kernel || failure.error == sim::Error::aborted) return;
  in_machine_thread([&] {
    const auto current = settings();
    if (!current) return;
    if (!failure && current->config.outputs) write_data(*current, stream, op, true);
    if (failure && current->config.exceptions) write_failed(*current, stream, op);
  });
}

}  // namespace acl

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/streams/program.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/core/stream.h"

namespace acl {

class Condition;
class Event;
class LaunchedControl;
class Model;
class TaskGroup;

/// A run of such an op.
struct LaunchedRun {
  sim::Ref<LaunchedControl> control;
  std::uint64_t run = 0;
};

/// One task of a model, as it was captured or built.
struct Node {
  sim::OwnedOp op;
  aclmdlRITaskParams params{};        // returned by introspection
  std::vector<unsigned char> args{};  // of a kernel whose parameters were set
  std::uint64_t event_id = 0;         // pairs records with waits in the JSON picture; 0: none
  sim::Ref<TaskGroup> group{};        // null: in none
  bool waited_for = false;            // a record that another stream of the model waits for
  bool disabled = false;
  void* task_handle = nullptr;  // null until the program asks for it
};

/// The tasks of one stream of a model.
struct Branch {
  std::uint32_t index = 0;
  sim::Ref<Stream> stream;  // runs it: the model's own (captured), or the bound one (built)
  void* handle = nullptr;   // of that stream
  bool head = true;         // starts with the model; others start when a task activates them
  bool ended = false;       // built: aclmdlRIEndTask was called
  bool bound = true;        // built: the stream is still the model's
  std::vector<Node> nodes;
  sim::Ref<sim::Program> program;                 // once the model is ready
  std::vector<sim::Ref<sim::Signal>> signals;     // that its records complete at each run
  std::vector<sim::Ref<Event>> external_records;  // events of the program that it records
};

using ModelTable = HandleTable<Model, HandleKind::model>;

/// Admits users to a model: any number of runs, or one thread that changes or ends the model. A
/// model and its sub-graphs share one gate.
class ModelGate : public sim::RefCounted<ModelGate> {
 public:
  /// A run is enqueued; false when the model has ended.
  bool enter();
  /// True when the model has ended and nothing else is inside any more.
  bool leave();
  bool busy() const;
  /// Changes the model while no run can be enqueued; false when there are runs.
  template <class Change>
  bool while_idle(Change&& change) {
    const sim::LockGuard guard(mutex_);
    if (runs_ != 0) return false;
    change();
    return true;
  }
  /// No run is enqueued from here on; false while there are runs, unless `force`.
  bool close(bool force);
  /// The same, after waiting for the runs; false when the deadline passes first.
  bool close_when_idle(const sim::Deadline& deadline);

 private:
  mutable sim::Mutex mutex_;
  sim::CondVar idle_;  // there are no runs any more
  std::size_t runs_ GUARDED_BY(mutex_) = 0;
  bool closed_ GUARDED_BY(mutex_) = false;
};

/// A model RI: tasks of one or more streams that run together, again and again. Runs of one model
/// never overlap.
class Model : public sim::RefCounted<Model> {
 public:
  enum class Kind { captured, built };
  enum class State { open, ready, broken };  // open: still captured or built

  /// `outer`: the model that this is a sub-graph of.
  Model(Runtime& runtime, Context& context, Kind kind, const Model* outer = nullptr);
  Runtime& runtime() const noexcept { return runtime_; }
  ~Model();

  Kind kind() const noexcept { return kind_; }
  State state() const noexcept { return state_.load(std::memory_order_acquire); }
  void set_state(State state) noexcept { state_ = state; }
  /// A sub-graph of a conditional task.
  bool inner() const noexcept { return inner_; }
  std::uint32_t id() const noexcept { return id_; }
  void* handle() const noexcept { return handle_; }
  void set_handle(void* handle) noexcept { handle_ = handle; }
  Context& context() const noexcept { return *context_; }

  /// The place at which the program began its capture.
  void set_captured_at(std::uint64_t site) noexcept { captured_at_ = site; }

  std::string name() const;
  void set_name(std::string name);

  // --- making it; by one thread at a time ---
  sim::Mutex& mutex() noexcept { return mutex_; }
  std::vector<std::unique_ptr<Branch>>& branches() noexcept { return branches_; }
  /// A branch with a stream of its own, on the device of `like`; `adopt` makes it the model's.
  std::unique_ptr<Branch> make_branch(Stream& like);
  Branch& adopt(std::unique_ptr<Branch> branch);
  void discard(const Branch& branch);
  /// A branch whose tasks run on `bound`.
  Branch& bind_branch(Stream& bound, void* handle, bool head);
  Node& add_node(Branch& branch, sim::OwnedOp op, const aclmdlRITaskParams* params);
  /// Makes the programs that run from the tasks; again after an update.
  void compile();
  /// Things that live as long as the model.
  void keep(sim::Ref<Model> inner) { inner_models_.push_back(std::move(inner)); }
  const std::vector<sim::Ref<Model>>& inner_models() const noexcept { return inner_models_; }
  void keep(sim::Ref<Condition> condition, void* handle);
  void unbind(const Stream& stream);

  /// Tasks were changed since the programs were made.
  bool stale() const noexcept { return stale_; }
  void set_stale(bool stale) noexcept { stale_ = stale; }

  // --- running it ---
  /// Enqueues one run; the stream goes on when the run is over.
  void launch(Stream& stream);
  /// True while runs are enqueued or under way.
  bool busy() const { return gate_->busy(); }
  ModelGate& gate() const noexcept { return *gate_; }
  /// Gives a run up; its streams drop what is left.
  void abort();
  /// Ends the streams of its own, and calls what was registered for its end. Runs that are enqueued
  /// still fail.
  void end();
  /// The same, but runs that are enqueued go on: the last that leaves the gate calls drop_tasks.
  void end_behind_runs();
  void drop_tasks();

  struct EndCallback {
    aclrtCallback function;
    void* data;
    friend bool operator==(const EndCallback&, const EndCallback&) = default;
  };
  void add_end_callback(EndCallback callback);
  bool remove_end_callback(aclrtCallback function);

  // --- for its controls, in driving threads ---
  /// Null: a run has begun, by the op at the head of `launcher`. Otherwise what to wait for before
  /// asking again.
  /// `numbered`: the runs of launched_controls() that were enqueued with this one.
  sim::Ref<sim::Signal> begin_run(sim::Stream& launcher,
                                  std::span<const LaunchedRun> numbered = {});
  /// Controls that are called at each launch, in the order in which they were captured.
  std::vector<sim::Ref<LaunchedControl>> launched_controls() const;
  const sim::Ref<sim::Signal>& run_over() const noexcept { return run_over_; }
  /// After run_over: lets the next run begin; returns how this one went.
  sim::Failure finish_run();
  /// Starts a branch of the run under way at one of its tasks; a task in `by` does so.
  void activate(const sim::Stream& by, Branch& branch, std::size_t position);
  void branch_ended(std::uint64_t run, sim::Failure failure);

 private:
  void start(Branch& branch, std::size_t position, std::shared_ptr<void> kept = {})
      REQUIRES(run_mutex_);
  void end_handles();
  void end_streams();
  void tell_end();
  void prepare_signals();

  Runtime& runtime_;
  const sim::Ref<Context> context_;
  const Kind kind_;
  const bool inner_;
  const sim::Ref<ModelGate> gate_;
  const std::uint32_t id_;
  std::uint64_t captured_at_ = 0;
  void* handle_ = nullptr;
  std::atomic<State> state_{State::open};

  mutable sim::Mutex mutex_;
  std::string name_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Branch>> branches_;
  std::vector<sim::Ref<Model>> inner_models_;
  struct KeptCondition {
    sim::Ref<Condition> condition;
    void* handle;
  };
  std::vector<KeptCondition> conditions_;
  struct Launched {
    sim::Ref<LaunchedControl> control;
    const Branch* branch;
    std::size_t index;
  };
  std::vector<Launched> launched_;
  std::vector<EndCallback> end_callbacks_ GUARDED_BY(mutex_);
  bool stale_ = false;

  sim::Mutex run_mutex_;
  bool running_ GUARDED_BY(run_mutex_) = false;
  bool ended_ GUARDED_BY(run_mutex_) = false;
  std::uint64_t run_ GUARDED_BY(run_mutex_) =
      0;  // counts runs; identifies branches of an aborted run
  int branches_left_ GUARDED_BY(run_mutex_) = 0;
  sim::Failure failure_ GUARDED_BY(run_mutex_);
  const sim::Ref<sim::Signal> idle_;
  const sim::Ref<sim::Signal> run_over_;
};

/// The models of the process.
class Models : public Section {
 public:
  explicit Models(Runtime& runtime) : runtime_(runtime) {}
  ModelTable& table() noexcept { return table_; }
  std::uint32_t next_id() noexcept { return ++ids_; }
  /// Ends the handle and the model. A captured one is waited for first; raises
  /// ACL_ERROR_RT_MODEL_RUNNING when it stays busy. A built one goes once its runs are over.
  void destroy(const ModelTable::Pin& model);
  /// Ends the handle and the model at once; enqueued runs fail. Does nothing if they have ended
  /// already.
  void drop(const ModelTable::Pin& model);

  void reset() override;
  void context_ends(const Context& context) override;
  std::size_t live_handles() const override;

 private:
  void close_when_idle(Model& model);
  void remove(const ModelTable::Pin& model);
  Runtime& runtime_;
  ModelTable table_;
  std::atomic<std::uint32_t> ids_{0};
};

}  // namespace acl

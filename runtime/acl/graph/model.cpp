// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/graph/model.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/event.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/graph/condition.h"
#include "runtime/acl/graph/launched_control.h"
#include "runtime/acl/graph/model_run.h"
#include "runtime/acl/graph/model_task.h"
#include "runtime/acl/graph/task_group.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

bool ModelGate::enter() {
  const sim::LockGuard guard(mutex_);
  if (closed_) return false;
  ++runs_;
  return true;
}

bool ModelGate::leave() {
  const sim::LockGuard guard(mutex_);
  if (--runs_ != 0) return false;
  idle_.notify_all();
  return closed_;
}

bool ModelGate::close_when_idle(const sim::Deadline& deadline) {
  sim::UniqueLock guard(mutex_);
  if (!idle_.wait_until(guard, deadline.at(), [this]() REQUIRES(mutex_) { return runs_ == 0; }))
    return false;
  closed_ = true;
  return true;
}

bool ModelGate::busy() const {
  const sim::LockGuard guard(mutex_);
  return runs_ != 0;
}

bool ModelGate::close(bool force) {
  const sim::LockGuard guard(mutex_);
  if (runs_ != 0 && !force) return false;
  closed_ = true;
  return true;
}

Model::Model(Runtime& runtime, Context& context, Kind kind, const Model* outer)
    : runtime_(runtime),
      context_(sim::Ref<Context>::share(&context)),
      kind_(kind),
      inner_(outer != nullptr),
      gate_(outer ? outer->gate_ : sim::make_ref<ModelGate>()),
      id_(runtime.section<Models>().next_id()),
      idle_(sim::make_ref<sim::Signal>()),
      run_over_(sim::make_ref<sim::Signal>()) {
  idle_->complete({}, 0);
}

Model::~Model() = default;

std::string Model::name() const {
  const sim::LockGuard guard(mutex_);
  return name_;
}

void Model::set_name(std::string name) {
  const sim::LockGuard guard(mutex_);
  name_ = std::move(name);
}

void Model::keep(sim::Ref<Condition> condition, void* handle) {
  conditions_.push_back({std::move(condition), handle});
}

// ---- making it ----

std::unique_ptr<Branch> Model::make_branch(Stream& like) {
  auto branch = std::make_unique<Branch>();
  branch->handle = runtime_.create_stream(
      like.context(), {.priority = like.priority(), .holder = {id_, captured_at_}});
  const auto pin = runtime_.streams().find(branch->handle);
  branch->stream = sim::Ref<Stream>::share(pin.get());
  branch->stream->set_in_model(true);
  return branch;
}

Branch& Model::adopt(std::unique_ptr<Branch> branch) {
  branch->index = static_cast<std::uint32_t>(branches_.size());
  branches_.push_back(std::move(branch));
  return *branches_.back();
}

void Model::discard(const Branch& branch) {
  if (const auto pin = runtime_.streams().find(branch.handle)) {
    runtime_.end_stream(pin, branch.handle, true);
  }
}

Branch& Model::bind_branch(Stream& bound, void* handle, bool head) {
  auto branch = std::make_unique<Branch>();
  branch->handle = handle;
  branch->stream = sim::Ref<Stream>::share(&bound);
  branch->head = head;
  bound.set_in_model(true);
  return adopt(std::move(branch));
}

Node& Model::add_node(Branch& branch, sim::OwnedOp op, const aclmdlRITaskParams* params) {
  (*op).task_id = static_cast<std::uint32_t>(branch.nodes.size());
  branch.nodes.push_back(Node{.op = std::move(op)});
  Node& node = branch.nodes.back();
  if (node.op->kind == sim::OpKind::control) {
    auto* const told = dynamic_cast<LaunchedControl*>(node.op->control.control);
    const std::size_t index = branch.nodes.size() - 1;
    if (told) launched_.push_back({sim::Ref<LaunchedControl>::share(told), &branch, index});
  }
  if (params) {
    node.params = *params;
  } else if (node.op->kind == sim::OpKind::kernel) {
    node.params.type = ACL_MODEL_RI_TASK_KERNEL;
    node.params.kernelTaskParams.numBlocks = node.op->kernel.blocks;
  }
  return node;
}

// A group of tasks becomes one op whose program can be exchanged; all others are themselves.
void Model::compile() {
  for (const auto& branch : branches_) {
    std::vector<sim::OwnedOp> ops;
    branch->signals.clear();
    for (std::size_t i = 0; i < branch->nodes.size(); ++i) {
      const Node& node = branch->nodes[i];
      if (node.op->kind == sim::OpKind::record) {
        branch->signals.push_back(sim::Ref<sim::Signal>::share(node.op->record.signal));
      }
      if (node.disabled) continue;
      if (!node.group) {
        ops.emplace_back(sim::clone_op(*node.op));
      } else if (i == 0 || branch->nodes[i - 1].group != node.group) {
        node.group->compile(*branch);
        ops.emplace_back(sim::make_control(node.group->control()));
      }
    }
    branch->program = sim::make_ref<sim::Program>(std::move(ops), id_);
    if (auto* const listener = watch::listener())
      listener->program_made(branch->stream->core(), *branch->program);
  }
}

// ---- running it ----

void Model::launch(Stream& stream) {
  sim::Op run = sim::make_control(sim::make_ref<ModelLaunch>(*this));
  std::vector<std::pair<Event*, Event::Announced>> announced;
  for (const auto& branch : branches_) {
    for (const auto& event : branch->external_records) {
      announced.emplace_back(event.get(), event->announce_external_record());
    }
  }
  // A capture of the stream that begins at this moment comes after the run.
  auto* const listener = watch::listener();
  if (listener) listener->graph_launching(*this);
  const std::uint64_t sequence = stream.submit_to_machine(run, {TaskFacts::What::launch, id_, 0});
  for (auto& [event, record] : announced) {
    if (listener) listener->record_announced(stream, *record);
    event->bind_external_record(std::move(record), stream.core(), sequence);
  }
}

sim::Ref<sim::Signal> Model::begin_run(sim::Stream& launcher,
                                       std::span<const LaunchedRun> numbered) {
  const sim::LockGuard guard(run_mutex_);
  if (running_) return idle_;
  running_ = true;
  ++run_;
  failure_ = {};
  idle_->clear();
  if (ended_) {
    failure_ = {sim::Error::aborted, 0};
    run_over_->complete(failure_, 0);
    return {};
  }
  if (auto* const listener = watch::listener()) listener->run_begins(*this, launcher);
  run_over_->clear();
  run_over_->set_producer(branches_.front()->stream->core());
  prepare_signals();
  for (const auto& kept : conditions_) kept.condition->begin_run();
  for (const LaunchedRun& at : numbered) at.control->run_begins(at.run);
  branches_left_ = 1;  // this call itself: branches that end at once do not end the run
  for (const auto& branch : branches_) {
    if (branch->head) start(*branch, 0);
  }
  if (--branches_left_ == 0) run_over_->complete(failure_, 0);
  return {};
}

void Model::prepare_signals() {
  for (const auto& branch : branches_) {
    for (const auto& signal : branch->signals) {
      signal->clear();
      signal->set_producer(branch->stream->core());
    }
  }
}

void Model::start(Branch& branch, std::size_t position, std::shared_ptr<void> kept) {
  ++branches_left_;
  branch.stream->core().submit(
      sim::make_control(sim::make_ref<BranchRun>(*this, branch, run_, position, std::move(kept))));
}

void Model::activate(const sim::Stream& by, Branch& branch, std::size_t position) {
  std::shared_ptr<void> kept;
  if (auto* const listener = watch::listener()) listener->branch_activating(by, kept);
  const sim::LockGuard guard(run_mutex_);
  if (running_ && !ended_) start(branch, position, std::move(kept));
}

void Model::branch_ended(std::uint64_t run, sim::Failure failure) {
  const sim::LockGuard guard(run_mutex_);
  if (run != run_ || !running_) return;  // the run was given up
  if (failure && !failure_) failure_ = failure;
  if (--branches_left_ == 0) run_over_->complete(failure_, 0);
}

sim::Failure Model::finish_run() {
  const sim::LockGuard guard(run_mutex_);
  running_ = false;
  idle_->complete({}, 0);
  return failure_;
}

void Model::abort() {
  {
    const sim::LockGuard guard(run_mutex_);
    if (!running_) return;
    ++run_;
    failure_ = {sim::Error::aborted, 0};
  }
  for (const auto& branch : branches_) branch->stream->abort();
  run_over_->complete({sim::Error::aborted, 0}, 0);
}

// ---- its end ----

void Model::add_end_callback(EndCallback callback) {
  const sim::LockGuard guard(mutex_);
  end_callbacks_.push_back(callback);
}

bool Model::remove_end_callback(aclrtCallback function) {
  const sim::LockGuard guard(mutex_);
  return std::erase_if(end_callbacks_, [&](const EndCallback& callback) {
           return callback.function == function;
         }) != 0;
}

void Model::end() {
  abort();
  {
    const sim::LockGuard guard(run_mutex_);
    ended_ = true;
  }
  end_handles();
  end_streams();
  drop_tasks();
  tell_end();
}

// Runs need the tasks, and know the streams by references of their own.
void Model::end_behind_runs() {
  end_handles();
  end_streams();
  tell_end();
}

void Model::tell_end() {
  std::vector<EndCallback> callbacks;
  {
    const sim::LockGuard guard(mutex_);
    callbacks.swap(end_callbacks_);
  }
  for (const EndCallback& callback : callbacks) callback.function(callback.data);
}

template <class Table>
static void remove_handle(Table& table, void* handle) {
  if (const auto pin = table.find(handle)) table.remove(pin);
}

void Model::end_handles() {
  for (const auto& branch : branches_) {
    for (const Node& node : branch->nodes) {
      remove_handle(runtime_.section<ModelTasks>().table(), node.task_handle);
      if (node.group) remove_handle(runtime_.section<TaskGroups>().table(), node.group->handle());
    }
  }
  for (const auto& kept : conditions_) {
    remove_handle(runtime_.section<Conditions>().table(), kept.handle);
  }
  for (const auto& model : inner_models_) {
    remove_handle(runtime_.section<Models>().table(), model->handle());
    model->end();
  }
}

void Model::end_streams() {
  for (const auto& branch : branches_) {
    if (kind_ == Kind::built) {
      if (!branch->bound) continue;  // another model may have it by now
      if (branch->stream->in_model()) branch->stream->redirect_back();
      branch->stream->set_in_model(false);
    } else {
      discard(*branch);
    }
  }
}

// A switch knows its labels, and a label its model: the cycle ends here.
void Model::drop_tasks() {
  const sim::LockGuard guard(mutex_);
  for (const auto& branch : branches_) {
    branch->nodes.clear();
    branch->program = nullptr;
  }
}

void Model::unbind(const Stream& stream) {
  for (const auto& branch : branches_) {
    if (!branch->bound || branch->stream.get() != &stream) continue;
    branch->bound = false;
    branch->stream->redirect_back();
    branch->stream->set_in_model(false);
  }
}

// ---- Models ----

namespace {
constexpr std::chrono::milliseconds kPatience{10'000};

/// The project's own tests set a shorter time.
std::chrono::milliseconds patience_with_runs() {
  const char* const text = std::getenv("ACLSIM_TEST_GRAPH_PATIENCE_MS");
  return text ? std::chrono::milliseconds(std::atoi(text)) : kPatience;
}
}  // namespace

// A run leaves the gate a moment after its stream has reported its end.
void Models::close_when_idle(Model& model) {
  if (model.gate().close(false)) return;
  before_waiting(runtime_)();
  const std::chrono::milliseconds limit = patience_with_runs();
  const sim::Deadline patience = sim::Deadline::in(limit);
  while (!patience.passed()) {
    runtime_.require_threads();
    if (model.gate().close_when_idle(runtime_.driver().stand_in_at(patience))) return;
  }
  fail(ACL_ERROR_RT_MODEL_RUNNING, "model {} has runs that are not over after {:g} s", model.id(),
       std::chrono::duration<double>(limit).count());
}

void Models::remove(const ModelTable::Pin& model) {
  if (table_.remove(model)) return;
  fail(ACL_ERROR_RT_INVALID_HANDLE, "model {} was destroyed by another thread", model->id());
}

void Models::destroy(const ModelTable::Pin& model) {
  if (model->kind() == Model::Kind::captured) {
    close_when_idle(*model);
    remove(model);
    return model->end();
  }
  if (!model->gate().enter()) return remove(model);  // this call counts as a run
  model->gate().close(true);
  if (table_.remove(model)) model->end_behind_runs();
  if (model->gate().leave()) model->drop_tasks();
}

void Models::drop(const ModelTable::Pin& model) {
  model->gate().close(true);
  if (table_.remove(model)) model->end();
}

void Models::reset() {
  table_.for_each([&](const ModelTable::Pin& model) { drop(model); });
}

void Models::context_ends(const Context& context) {
  table_.for_each([&](const ModelTable::Pin& model) {
    if (&model->context() == &context) drop(model);
  });
}

std::size_t Models::live_handles() const { return table_.count(); }

}  // namespace acl

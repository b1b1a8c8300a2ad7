// SPDX-License-Identifier: Apache-2.0
// A plan as a kernel of the device.
#include "runtime/aclnn/plan/launch.h"

#include <cstdio>
#include <exception>

#include "device_sim/base/mutex.h"
#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/plan/arrays.h"

namespace aclnn {
namespace {

constexpr std::int32_t kDeviceException = 507015;  // the error of a core that cannot go on

/// Codes of the runtime become one of operators; an injected fault may have one of these itself.
aclnnStatus status_of(aclError code) {
  const int section = code / 1000;
  return section == 161 || section == 361 || section == 561 ? code : kRuntimeError;
}

/// A kernel that works on operands.
class OperandKernel : public embedding::Kernel {
 public:
  OperandKernel(std::shared_ptr<const Plan> plan, std::vector<std::byte*> bases)
      : plan_(std::move(plan)), bases_(std::move(bases)) {
    for (std::size_t slot = 0; slot < bases_.size(); ++slot) {
      if (plan_->operands[slot].tensor) slots_.push_back(slot);
    }
  }
  std::string details() const override;
  std::vector<Array> arrays() const override {
    std::vector<Array> arrays;
    for (const std::size_t slot : slots_) arrays.push_back(array_of(plan_->operands[slot]));
    return arrays;
  }
  std::vector<std::byte> elements(std::size_t array) const override {
    return elements_of(plan_->operands[slots_[array]], bases_[slots_[array]]);
  }

 protected:
  const std::shared_ptr<const Plan> plan_;
  const std::vector<std::byte*> bases_;

 private:
  std::vector<std::size_t> slots_;  // of operands that there are
};

class PlannedKernel final : public OperandKernel {
 public:
  using OperandKernel::OperandKernel;
  std::int32_t run(const embedding::Kernel::Run&) override;

 private:
  void piece(Execution& run, std::int64_t piece) const noexcept;
};

/// Changes nothing: dumps write its operands.
class DumpedKernel final : public OperandKernel {
 public:
  DumpedKernel(std::shared_ptr<const Plan> plan, std::vector<std::byte*> bases, std::size_t inputs)
      : OperandKernel(std::move(plan), std::move(bases)), inputs_(inputs) {}
  std::int32_t run(const embedding::Kernel::Run&) override { return 0; }
  std::vector<Array> arrays() const override {
    std::vector<Array> arrays = OperandKernel::arrays();
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      arrays[i].read = i < inputs_;
      arrays[i].written = i >= inputs_;
    }
    return arrays;
  }

 private:
  const std::size_t inputs_;
};

void PlannedKernel::piece(Execution& run, std::int64_t piece) const noexcept {
  if (run.failed()) return;
  try {
    plan_->job(run, piece);
  } catch (const std::exception& error) {
    run.fail(error.what());
  }
}

std::int32_t PlannedKernel::run(const embedding::Kernel::Run&) {
  Execution run(*plan_, bases_);
  if (plan_->pieces == 1) {
    piece(run, 0);
  } else {
    runtime().share(static_cast<std::size_t>(plan_->pieces),
                    [&](std::size_t i) { piece(run, static_cast<std::int64_t>(i)); });
  }
  if (!run.failed()) return 0;
  const bool named = run.text().starts_with(plan_->function);
  std::fprintf(stderr, "aclsim: %s%s%s\n", named ? "" : plan_->function, named ? "" : ": ",
               run.text().c_str());
  return kDeviceException;
}

std::string OperandKernel::details() const {
  std::string text;
  for (const Role role : {Role::in, Role::out}) {
    std::string shapes, types;
    for (const Operand& operand : plan_->operands) {
      const bool listed = role == Role::in ? operand.role != Role::out : operand.role != Role::in;
      if (!listed || !operand.tensor) continue;
      fmt::format_to(std::back_inserter(shapes), "{}{}", shapes.empty() ? "" : ", ",
                     operand.view.shape.text());
      fmt::format_to(std::back_inserter(types), "{}{}", types.empty() ? "" : ", ",
                     name_of(operand.view.type));
    }
    const char* const what = role == Role::in ? "Input" : "Output";
    fmt::format_to(std::back_inserter(text), R"(,"{} Shapes":"{}","{} Data Types":"{}")", what,
                   shapes, what, types);
  }
  return text;
}

/// The bytes of an operand, by the views that its plan made or by all of it.
void append_ranges(const Operand& operand, const void* address,
                   std::vector<embedding::Range>& ranges) {
  for (const auto& [begin, end] : ranges_of(operand.view)) {
    ranges.push_back({static_cast<const std::byte*>(address) + begin,
                      static_cast<std::size_t>(end - begin), operand.role != Role::out,
                      operand.role != Role::in});
  }
}

/// How much of [first, first + size) is in the piece of memory that holds its beginning, where
/// another piece continues it.
std::size_t first_part(const std::byte* first, std::size_t size) {
  embedding::Runtime& machine = runtime();
  embedding::Allocation piece, next;
  if (!machine.find_allocation(first, piece)) return size;
  const std::size_t part = piece.begin + piece.size - reinterpret_cast<std::uintptr_t>(first);
  return part < size && machine.find_allocation(first + part, next) ? part : size;
}

/// Refuses an operand that is not completely in device memory. It may extend over several
/// neighbouring mappings of the program, but not over several allocations.
std::byte* locate(embedding::Caller caller, const Operand& operand, const std::byte* first,
                  std::size_t size) {
  std::byte* engine = nullptr;
  for (std::size_t done = 0, part = 0; done < size; done += part) {
    part = first_part(first + done, size - done);
    embedding::MemoryLocation place;
    const auto look = [&] {
      const embedding::Error error = runtime().locate(caller, first + done, part, operand.name,
                                                      operand.role != Role::in, place);
      if (error) fail(kRuntimeError, "{}", error.text);
    };
    look();
    if (part != size - done && place.kind == embedding::MemoryLocation::Kind::device) {
      part = size - done;
      look();  // the text says what passes the end
    }
    if (done == 0) engine = place.engine;
  }
  return engine;
}

/// The address at which the engine reads and writes an operand.
std::byte* resolve(embedding::Caller caller, const Operand& operand, const void* address) {
  const auto [begin, end] = extent_of(operand.view);
  if (begin == end) return nullptr;
  if (!address) fail(kRuntimeError, "{} has no address", operand.name);
  const auto size = static_cast<std::size_t>(end - begin);
  return locate(caller, operand, static_cast<const std::byte*>(address) + begin, size) - begin;
}

}  // namespace

void Execution::fail(std::string text) {
  const sim::LockGuard guard(mutex_);
  if (failed_.load(std::memory_order_relaxed)) return;
  text_ = std::move(text);
  failed_.store(true, std::memory_order_release);
}

std::byte* Execution::shared(std::size_t bytes) {
  const sim::LockGuard guard(mutex_);
  if (shared_.empty()) shared_.resize(bytes / sizeof(std::max_align_t) + 1);
  return reinterpret_cast<std::byte*>(shared_.data());
}

void Execution::set_shape(const View& output, const Shape& shape) {
  aclTensor* const tensor = plan_.operands[static_cast<std::size_t>(output.slot)].tensor;
  const View view = contiguous_view(shape, output.type);
  tensor->dims.assign(shape.dims.begin(), shape.dims.begin() + shape.rank);
  tensor->strides.assign(view.strides.begin(), view.strides.begin() + shape.rank);
}

embedding::Runtime& runtime() {
  static embedding::Runtime* const found = aclsimEmbedding(embedding::kVersion);
  if (!found) {
    fail(kRuntimeError,
         "the emulated machine cannot be started: its configuration is wrong, libascendcl is of "
         "another version, or this is a forked child");
  }
  return *found;
}

namespace {

struct Located {
  std::vector<std::byte*> bases;         // addresses of operands, by slot
  std::vector<embedding::Range> ranges;  // filled only if a listener needs them
};

Located locate_all(embedding::Caller caller, const Plan& plan,
                   const std::vector<void*>& addresses) {
  const bool observed = runtime().observed();
  Located located;
  located.bases.resize(plan.operands.size());
  for (std::size_t slot = 0; slot < plan.operands.size(); ++slot) {
    const Operand& operand = plan.operands[slot];
    if (!operand.tensor) continue;
    located.bases[slot] = resolve(caller, operand, addresses[slot]);
    if (observed) append_ranges(operand, addresses[slot], located.ranges);
  }
  return located;
}

}  // namespace

void launch_dump(embedding::Caller caller, const char* name,
                 const std::shared_ptr<const Plan>& plan, std::size_t inputs,
                 const std::vector<void*>& addresses, aclrtStream stream) {
  Located located = locate_all(caller, *plan, addresses);
  const embedding::Error error = runtime().submit_kernel(
      caller, stream, name, 1,
      std::make_shared<DumpedKernel>(plan, std::move(located.bases), inputs), located.ranges);
  if (error) fail(status_of(error.code), "{}", error.text);
}

void launch(embedding::Caller caller, const std::shared_ptr<const Plan>& plan,
            const std::vector<void*>& addresses, aclrtStream stream) {
  if (plan->pieces == 0) return;
  embedding::Runtime& machine = runtime();
  Located located = locate_all(caller, *plan, addresses);
  const embedding::Error error = machine.submit_kernel(
      caller, stream, plan->name, static_cast<std::uint32_t>(plan->pieces),
      std::make_shared<PlannedKernel>(plan, std::move(located.bases)), located.ranges);
  if (error) fail(status_of(error.code), "{}", error.text);
}

}  // namespace aclnn

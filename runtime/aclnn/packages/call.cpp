// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/packages/call.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "acl/acl_sim.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/base/types.h"
#include "runtime/aclnn/packages/host_values.h"

namespace aclnn::packages {
namespace {

constexpr std::uint64_t kAlignment = 512;  // of copies in a workspace
constexpr std::size_t kMostTiling = 16 * 1024;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t bytes_of(const Member& member) {
  std::uint64_t count = 1;
  for (const std::int64_t dim : member.dims) count *= static_cast<std::uint64_t>(dim);
  return count * static_cast<std::uint64_t>(bits_of(member.type)) / 8;
}

bool lies_in_order(const aclTensor& tensor) {
  std::int64_t step = 1;
  for (std::size_t d = tensor.dims.size(); d-- > 0;) {
    if (tensor.dims[d] != 1 && tensor.strides[d] != step) return false;
    step *= tensor.dims[d];
  }
  return true;
}

/// The values that an operand has on the host, in the type of the kernel.
class HostValues {
 public:
  HostValues(const aclsimPackagedOperand& operand) : operand_(operand) {}

  /// Undefined where the kernel decides.
  aclDataType type() const {
    switch (operand_.kind) {
      case ACLSIM_PACKAGED_INT_ARRAY:
        return ACL_INT64;
      case ACLSIM_PACKAGED_FLOAT_ARRAY:
        return ACL_FLOAT;
      case ACLSIM_PACKAGED_BOOL_ARRAY:
        return ACL_BOOL;
      default:
        return ACL_DT_UNDEFINED;
    }
  }
  Member make(aclDataType type) const {
    Member made;
    made.type = type;
    bool good = true;
    switch (operand_.kind) {
      case ACLSIM_PACKAGED_SCALAR:
        good = append(*static_cast<const aclScalar*>(operand_.value), type, made.values);
        made.dims = {1};
        break;
      case ACLSIM_PACKAGED_SCALAR_LIST: {
        const auto& list = *static_cast<const aclScalarList*>(operand_.value);
        for (const aclScalar* scalar : list.scalars) {
          if (!scalar) fail(kNullPointer, "a member of {} is null", operand_.name);
          good = good && append(*scalar, type, made.values);
        }
        made.dims = {static_cast<std::int64_t>(list.scalars.size())};
        break;
      }
      case ACLSIM_PACKAGED_INT_ARRAY:
        take(static_cast<const aclIntArray*>(operand_.value)->values, made);
        break;
      case ACLSIM_PACKAGED_FLOAT_ARRAY:
        take(static_cast<const aclFloatArray*>(operand_.value)->values, made);
        break;
      default:
        take(static_cast<const aclBoolArray*>(operand_.value)->values, made);
    }
    require(good, "{} becomes {}, which no scalar becomes", operand_.name, name_of(type));
    made.storage = made.dims;
    return made;
  }

 private:
  template <class T>
  static void take(const std::vector<T>& values, Member& to) {
    append(values, to.type, to.values);
    to.dims = {static_cast<std::int64_t>(values.size())};
  }
  const aclsimPackagedOperand& operand_;
};

Member member_of(const aclsimPackagedOperand& operand, const aclTensor& tensor, bool may_copy) {
  Member made;
  made.tensor = const_cast<aclTensor*>(&tensor);
  made.dims = tensor.dims;
  made.strides = tensor.strides;
  made.offset = tensor.offset;
  made.type = tensor.type;
  made.format = tensor.format;
  made.storage = tensor.storage.empty() ? tensor.dims : tensor.storage;
  if (made.format == ACL_FORMAT_ND) made.storage = made.dims;
  if ((operand.flags & ACLSIM_PACKAGED_STRIDED) != 0 || lies_in_order(tensor)) return made;
  require(may_copy, "{} is not contiguous; the operator describes it without AutoContiguous",
          operand.name);
  made.copied = true;
  return made;
}

bool is_of_host(const aclsimPackagedOperand& operand) {
  return operand.kind != ACLSIM_PACKAGED_TENSOR && operand.kind != ACLSIM_PACKAGED_TENSOR_LIST;
}

Passed passed(const aclsimPackagedOperand& operand) {
  Passed made;
  made.name = operand.name;
  made.output = (operand.flags & ACLSIM_PACKAGED_OUTPUT) != 0;
  made.list = operand.kind == ACLSIM_PACKAGED_TENSOR_LIST;
  if (!operand.value) {
    if ((operand.flags & ACLSIM_PACKAGED_OPTIONAL) == 0)
      fail(kNullPointer, "{} is null", operand.name);
    return made;
  }
  const bool may_copy = (operand.flags & ACLSIM_PACKAGED_CONTIGUOUS) != 0;
  if (operand.kind == ACLSIM_PACKAGED_TENSOR) {
    made.members.push_back(
        member_of(operand, *static_cast<const aclTensor*>(operand.value), may_copy));
  } else if (made.list) {
    for (const aclTensor* tensor : static_cast<const aclTensorList*>(operand.value)->tensors) {
      if (!tensor) fail(kNullPointer, "a member of {} is null", operand.name);
      made.members.push_back(member_of(operand, *tensor, may_copy));
    }
  }
  return made;
}

OperandType type_of(const aclsimPackagedOperand& operand, const Passed& made) {
  if (!operand.value) return {.absent = true};
  if (is_of_host(operand)) return {HostValues(operand).type(), ACL_FORMAT_ND};
  if (made.members.empty()) return {.absent = true};
  for (const Member& member : made.members) {
    require(member.type == made.members[0].type, "{} has members of the types {} and {}",
            operand.name, name_of(made.members[0].type), name_of(member.type));
  }
  return {made.members[0].type, made.members[0].format};
}

std::string given_types(const PreparedCall& call, const std::vector<OperandType>& types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i].absent || types[i].type == ACL_DT_UNDEFINED) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", call.operands[i].name,
                        name_of(types[i].type));
    if (types[i].format != ACL_FORMAT_ND)
      text += fmt::format(" (format {})", static_cast<int>(types[i].format));
  }
  return text;
}

/// Attributes in the form of the tiling's caller; keeps what they point at.
class Attributes {
 public:
  explicit Attributes(const aclsimPackagedCall& call) {
    for (std::uint32_t i = 0; i < call.num_attributes; ++i) {
      aclsimAttribute made = call.attributes[i].value;
      if (is_list(made.kind) && !made.list)
        fail(kNullPointer, "{} is null", call.attributes[i].name);
      if (made.kind == ACLSIM_ATTRIBUTE_LIST_INT) {
        take(static_cast<const aclIntArray*>(made.list)->values, made);
      } else if (made.kind == ACLSIM_ATTRIBUTE_LIST_FLOAT) {
        take(static_cast<const aclFloatArray*>(made.list)->values, made);
      } else if (made.kind == ACLSIM_ATTRIBUTE_LIST_BOOL) {
        take(static_cast<const aclBoolArray*>(made.list)->values, made);
      }
      all_.push_back(made);
    }
  }
  const std::vector<aclsimAttribute>& all() const { return all_; }

 private:
  static bool is_list(std::uint32_t kind) { return kind >= ACLSIM_ATTRIBUTE_LIST_BOOL; }
  template <class T>
  static void take(const std::vector<T>& values, aclsimAttribute& to) {
    to.list = values.data();
    to.count = values.size();
  }
  std::vector<aclsimAttribute> all_;
};

/// The operands in the form of the tiling's caller.
class TilingOperands {
 public:
  explicit TilingOperands(const std::vector<Passed>& operands) {
    for (const Passed& operand : operands) {
      std::vector<aclsimTilingTensor>& tensors = tensors_.emplace_back();
      for (const Member& member : operand.members) {
        tensors.push_back({member.dims.data(), member.storage.data(),
                           static_cast<std::uint32_t>(member.dims.size()),
                           static_cast<std::uint32_t>(member.storage.size()), member.type,
                           member.format, member.tensor ? nullptr : member.values.data()});
      }
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      (operands[i].output ? outputs_ : inputs_)
          .push_back({tensors_[i].data(), static_cast<std::uint32_t>(tensors_[i].size()), 0});
    }
  }
  void put(aclsimTilingCall& to) const {
    to.inputs = inputs_.data();
    to.num_inputs = static_cast<std::uint32_t>(inputs_.size());
    to.outputs = outputs_.data();
    to.num_outputs = static_cast<std::uint32_t>(outputs_.size());
  }

 private:
  std::vector<std::vector<aclsimTilingTensor>> tensors_;
  std::vector<aclsimTilingOperand> inputs_, outputs_;
};

/// Whether outputs get their first values.
bool compute_tiling(const aclsimPackagedCall& from, PreparedCall& call) {
  const Attributes attributes(from);
  const TilingOperands operands(call.operands);
  call.tiling.resize(kMostTiling);
  aclsimTilingCall tiling{};
  tiling.size = sizeof tiling;
  tiling.type = from.type;
  operands.put(tiling);
  tiling.attributes = attributes.all().data();
  tiling.num_attributes = from.num_attributes;
  tiling.tiling = call.tiling.data();
  tiling.tiling_size = call.tiling.size();
  switch (call.package->tiling()(&tiling)) {
    case ACLSIM_TILING_DONE:
      break;
    case ACLSIM_TILING_FAILED:
      fail(kTilingFailed, "the tiling function of {} returned {:#x}", from.type,
           tiling.tiling_status);
    case ACLSIM_TILING_TOO_LARGE:
      fail(kTilingFailed, "the tiling data of {} have more than {} bytes", from.type, kMostTiling);
    default:
      fail(kNoKernel, "the package '{}' has no tiling function of {} for this version",
           call.package->name(), from.type);
  }
  call.tiling.resize(tiling.tiling_size);
  call.blocks = tiling.blocks;
  call.key = tiling.key;
  call.schedule_mode = tiling.schedule_mode;
  call.local_bytes = tiling.local_bytes;
  call.workspace = tiling.workspace;
  return tiling.needs_atomic != 0;
}

void choose_kernel(const aclsimPackagedCall& from, PreparedCall& call) {
  std::vector<OperandType> types;
  for (std::size_t i = 0; i < call.operands.size(); ++i)
    types.push_back(type_of(from.operands[i], call.operands[i]));
  const char* const soc = aclrtGetSocName();
  if (!soc) fail(kRuntimeError, "{}", last_failure());
  const std::string unit = unit_of(soc);
  const OperatorIndex& index = call.package->index_of(from.type, unit);
  const Kernel* const kernel = index.find(types);
  if (!kernel) {
    refuse("no kernel of {} has the types {}; expected {}", from.type, given_types(call, types),
           index.expected());
  }
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!from.operands[i].value || !is_of_host(from.operands[i])) continue;
    call.operands[i].members = {HostValues(from.operands[i]).make(kernel->operands[i].type)};
  }
  call.file = kernel->file;
  if (compute_tiling(from, call)) {
    for (std::size_t i = 0; i < call.operands.size(); ++i)
      call.operands[i].first_value = kernel->operands[i].first_value;
  }
  const auto all = kernel->by_key.find("");
  const auto own = kernel->by_key.find(std::to_string(call.key));
  const auto chosen = own != kernel->by_key.end() ? own : all;
  if (chosen == kernel->by_key.end()) {
    fail(kNoKernel, "the kernel of {} was not compiled for the tiling key {}", from.type, call.key);
  }
  call.kernel = chosen->second;
}

void place_copies(PreparedCall& call) {
  call.whole_workspace = call.workspace;
  for (Passed& operand : call.operands) {
    for (Member& member : operand.members) {
      if (!member.copied) continue;
      member.copy_at = aligned(call.whole_workspace);
      call.whole_workspace = member.copy_at + bytes_of(member);
    }
  }
}

// ---- the second phase ----

/// The arguments of the launch: addresses, and behind them what some of them point at.
class Arguments {
 public:
  explicit Arguments(std::size_t count) : bytes_(count * sizeof(std::uint64_t)) {}

  void add(const void* address) {
    put(next_, reinterpret_cast<std::uintptr_t>(address));
    next_ += sizeof(std::uint64_t);
  }
  void add_data(const std::vector<std::byte>& data) {
    bytes_.resize((bytes_.size() + 63) / 64 * 64);
    placeholders_.push_back(
        {static_cast<std::uint32_t>(next_), static_cast<std::uint32_t>(bytes_.size())});
    bytes_.insert(bytes_.end(), data.begin(), data.end());
    bytes_.resize(bytes_.size() + 32);  // kernels read whole blocks of 32 bytes
    next_ += sizeof(std::uint64_t);
  }
  aclError launch(aclrtFuncHandle function, const PreparedCall& call, aclrtStream stream) {
    aclrtLaunchKernelAttr attrs[3] = {};
    attrs[0].id = ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE;
    attrs[0].value.schemMode = static_cast<std::uint8_t>(call.schedule_mode);
    attrs[1].id = ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE;
    attrs[1].value.dynUBufSize = call.local_bytes;
    attrs[2].id = ACLSIM_LAUNCH_KERNEL_ATTR_TILING_KEY;
    attrs[2].value.rsv[0] = static_cast<std::uint32_t>(call.key);
    attrs[2].value.rsv[1] = static_cast<std::uint32_t>(call.key >> 32);
    aclrtLaunchKernelCfg config{attrs, std::size(attrs)};
    return aclrtLaunchKernelWithHostArgs(function, call.blocks, stream, &config, bytes_.data(),
                                         bytes_.size(), placeholders_.data(), placeholders_.size());
  }

 private:
  void put(std::size_t at, std::uint64_t value) {
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::vector<std::byte> bytes_;
  std::size_t next_ = 0;
  std::vector<aclrtPlaceHolderInfo> placeholders_;
};

void require_done(aclError code, const PreparedCall& call) {
  if (code != ACL_SUCCESS) fail(kRuntimeError, "{}: {}", call.kernel, last_failure());
}

void* address_of(const Member& member, const std::vector<void*>& addresses, void* workspace) {
  if (member.copied) return static_cast<std::byte*>(workspace) + member.copy_at;
  void* const begin = addresses[member.slot];
  if (!begin) return nullptr;
  return static_cast<std::byte*>(begin) + member.offset * bits_of(member.type) / 8;
}

/// A contiguous tensor.
aclTensor tensor_at(const Member& member, void* address) {
  aclTensor made;
  made.dims = made.storage = member.dims;
  made.strides.resize(member.dims.size());
  std::int64_t step = 1;
  for (std::size_t d = member.dims.size(); d-- > 0;) {
    made.strides[d] = step;
    step *= member.dims[d];
  }
  made.type = member.type;
  made.data = address;
  return made;
}

void require_run(aclnnStatus code) {
  if (code != kSuccess) fail(code, "{}", last_failure());
}

/// Copies the elements of a tensor in order into the workspace.
void copy_in_order(const Member& member, const std::vector<void*>& addresses, void* workspace,
                   aclrtStream stream) {
  aclTensor source = tensor_at(member, addresses[member.slot]);
  source.strides = member.strides;
  source.offset = member.offset;
  aclTensor copy = tensor_at(member, static_cast<std::byte*>(workspace) + member.copy_at);
  std::uint64_t scratch = 0;
  aclOpExecutor* executor = nullptr;
  require_run(aclnnInplaceCopyGetWorkspaceSize(&copy, &source, &scratch, &executor));
  require_run(aclnnInplaceCopy(nullptr, scratch, executor, stream));
}

void fill(const Member& member, const aclScalar& value, const std::vector<void*>& addresses,
          aclrtStream stream) {
  aclTensor whole = tensor_at(member, addresses[member.slot]);
  whole.offset = member.offset;
  std::uint64_t scratch = 0;
  aclOpExecutor* executor = nullptr;
  require_run(aclnnInplaceFillScalarGetWorkspaceSize(&whole, &value, &scratch, &executor));
  require_run(aclnnInplaceFillScalar(nullptr, scratch, executor, stream));
}

/// A list as ascendc/impl/tensor_list.h reads it.
std::vector<std::byte> list_of(const Passed& operand, const std::vector<void*>& addresses,
                               void* workspace) {
  std::vector<std::uint64_t> words(1);
  for (std::size_t i = 0; i < operand.members.size(); ++i) {
    const Member& member = operand.members[i];
    words.push_back(std::uint64_t{i} << 32 | member.dims.size());
    for (const std::int64_t dim : member.dims) words.push_back(static_cast<std::uint64_t>(dim));
  }
  words[0] = words.size() * sizeof words[0];
  for (const Member& member : operand.members) {
    words.push_back(reinterpret_cast<std::uintptr_t>(address_of(member, addresses, workspace)));
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(words.data());
  return {bytes, bytes + words.size() * sizeof words[0]};
}

}  // namespace

PreparedCall prepare(const aclsimPackagedCall& from) {
  if (!from.package) fail(kInner, "the call has no package");
  PreparedCall call;
  call.package = &Package::of(*from.package);
  for (std::uint32_t i = 0; i < from.num_operands; ++i)
    call.operands.push_back(passed(from.operands[i]));
  choose_kernel(from, call);
  place_copies(call);
  return call;
}

void enqueue(const PreparedCall& call, const std::vector<void*>& addresses, void* workspace,
             aclrtStream stream) {
  const aclrtFuncHandle function = call.package->function(call.file, call.kernel);
  Arguments arguments(call.operands.size() + 2);
  for (const Passed& operand : call.operands) {
    for (const Member& member : operand.members) {
      if (member.copied) copy_in_order(member, addresses, workspace, stream);
      if (operand.first_value) fill(member, *operand.first_value, addresses, stream);
    }
    if (operand.list) {
      arguments.add_data(list_of(operand, addresses, workspace));
    } else if (operand.members.empty()) {
      arguments.add(nullptr);
    } else if (!operand.members[0].tensor) {
      arguments.add_data(operand.members[0].values);
    } else {
      arguments.add(address_of(operand.members[0], addresses, workspace));
    }
  }
  arguments.add(workspace);
  arguments.add_data(call.tiling);
  require_done(arguments.launch(function, call, stream), call);
}

}  // namespace aclnn::packages

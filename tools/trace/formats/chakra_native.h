// SPDX-License-Identifier: Apache-2.0
// Chakra files of aclsim contain the native format too: the metadata has the definitions in an
// attribute, and each node has the line of its op. Other programs skip these attributes. A mark of
// the node's own contents shows whether a program has changed the node since.
#pragma once

#include <chakra.pb.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace trace::chakra {

inline constexpr std::string_view kNativeText = "aclt";       // of the metadata and of nodes
inline constexpr std::string_view kNativeOps = "aclt_ops";    // of the metadata: their number
inline constexpr std::string_view kNativeMark = "aclt_mark";  // of nodes

/// A number that differs if another field or attribute of the node differs (FNV-1a).
inline std::int64_t mark_of(const chakra_trace::Node& node) {
  chakra_trace::Node own;
  own.set_id(node.id());
  own.set_name(node.name());
  own.set_type(node.type());
  own.set_start_time_micros(node.start_time_micros());
  own.set_duration_micros(node.duration_micros());
  *own.mutable_ctrl_deps() = node.ctrl_deps();
  *own.mutable_data_deps() = node.data_deps();
  for (const chakra_trace::AttributeProto& attr : node.attr()) {
    if (attr.name() != kNativeText && attr.name() != kNativeMark) *own.add_attr() = attr;
  }
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : own.SerializeAsString()) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return static_cast<std::int64_t>(hash);
}

}  // namespace trace::chakra

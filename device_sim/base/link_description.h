// SPDX-License-Identifier: Apache-2.0
// The description of links in files: tables [link.KIND] with the keys `latency_ns` and
// `bandwidth`. Configuration files of the emulator and topology files of replays share it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "device_sim/base/system_config.h"

namespace sim {

inline constexpr std::string_view kLatencyKey = "latency_ns";
inline constexpr std::string_view kBandwidthKey = "bandwidth";  // bytes per second, each direction

/// The kinds of links as [link.KIND] names them: seven between devices, then the link of a device
/// to its own memory and that to the host.
inline constexpr std::array<std::string_view, 9> kLinkNames{
    "hccs", "pix", "pib", "phb", "sys", "sio", "hccs_sw", "on_chip", "host"};

/// The index of a kind in kLinkNames. Capital letters are accepted, since the runtime prints
/// "HCCS".
std::optional<std::size_t> link_name_index(std::string_view name);

/// Sets `latency_ns` or `bandwidth` of a link from a text. Throws std::invalid_argument with the
/// expected values if the text is not one of them.
void set_link_value(LinkCost& link, std::string_view key, const std::string& text);

}  // namespace sim

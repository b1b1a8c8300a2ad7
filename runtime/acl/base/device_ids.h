// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "acl/acl_rt.h"

namespace acl {

class Runtime;

/// The address of the machine's device on the emulated PCI bus, as "domain:bus:device.function" in
/// hexadecimal: 0000:01:00.0 for the first one. Always 12 characters.
std::string pci_bus_id(int physical_device);

/// The machine's device at a place, written as above, without the function, or without the domain;
/// in upper or lower case. Nullopt when the text is not such a place; a device that does not exist
/// is the caller's to find out.
std::optional<int> device_at(std::string_view pci_bus_id);

/// A name of 16 bytes: the same for the same device of every emulated machine.
aclrtUuid device_uuid(int physical_device);

}  // namespace acl

// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/hcomm/region.h"

#include "runtime/fabric/base/identity.h"
#include "runtime/hccl/base/error.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

Region Region::at(acl::embedding::Caller caller, std::string tag, CommMemType type, void* address,
                  std::uint64_t bytes) {
  acl::embedding::MemoryLocation place;
  const auto error = embedding().locate(caller, address, bytes, "mem->addr", true, place);
  if (error) fail(HCCL_E_PARA, "{}", error.text);
  const bool in_file = place.kind == acl::embedding::MemoryLocation::Kind::device;
  Region region{
      .tag = std::move(tag),
      .type = type,
      .address = reinterpret_cast<std::uintptr_t>(address),
      .bytes = bytes,
      .in_file = in_file,
      .place = in_file ? place.file_offset : reinterpret_cast<std::uintptr_t>(place.engine)};
  acl::embedding::Allocation whole;
  if (!embedding().find_allocation(address, whole)) return region;
  region.serial = whole.serial;
  if (in_file && embedding().listened()) {
    region.shared_name = fabric::random_number();
    region.shared_offset = region.address - whole.begin;
  }
  return region;
}

void Region::find_serial() noexcept {
  acl::embedding::Allocation whole;
  serial =
      embedding().find_allocation(reinterpret_cast<const void*>(address), whole) ? whole.serial : 0;
}

bool Region::was_freed() const noexcept {
  if (serial == 0) return false;
  acl::embedding::Allocation whole;
  const auto* const begin = reinterpret_cast<const void*>(address);
  return !embedding().find_allocation(begin, whole) || whole.serial != serial;
}

SharedMemoryName::SharedMemoryName(std::uint64_t begin, std::uint64_t bytes,
                                   std::uint64_t shared_name, std::uint64_t offset)
    : begin_(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(begin))), bytes_(bytes) {
  embedding().tell_shared(begin_, bytes_, shared_name, offset, false);
}

SharedMemoryName::~SharedMemoryName() { embedding().tell_unshared(begin_, bytes_); }

void Region::pack(fabric::Writer& writer) const {
  writer.text(tag)
      .number(static_cast<std::int32_t>(type))
      .number(address)
      .number(bytes)
      .number(static_cast<std::uint8_t>(in_file))
      .number(place)
      .number(shared_name)
      .number(shared_offset);
}

Region Region::unpack(fabric::Reader& reader) {
  Region region;
  region.tag = reader.text();
  region.type = static_cast<CommMemType>(reader.number<std::int32_t>());
  region.address = reader.number<std::uint64_t>();
  region.bytes = reader.number<std::uint64_t>();
  region.in_file = reader.number<std::uint8_t>() != 0;
  region.place = reader.number<std::uint64_t>();
  region.shared_name = reader.number<std::uint64_t>();
  region.shared_offset = reader.number<std::uint64_t>();
  return region;
}

}  // namespace hccl

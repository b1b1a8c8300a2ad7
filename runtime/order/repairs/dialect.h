// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace order {

/// The calls of a repair, in the interface that the program uses.
struct Dialect {
  std::string_view stream_type, event_type;
  std::string (*create)(const std::string& event);
  std::string (*record)(const std::string& event, const std::string& stream);
  std::string (*wait)(const std::string& stream, const std::string& event);
  std::string (*synchronize_stream)(const std::string& stream);
  std::string (*synchronize_event)(const std::string& event);
};
const Dialect& dialect(bool cuda);

/// An event that a repair adds: at file scope, and made by the first record. A wait before the
/// first record does nothing.
class NewEvent {
 public:
  /// `several`: one event for each stream that records. This needs C++.
  NewEvent(const Dialect& dialect, std::string name, bool several)
      : dialect_(dialect), name_(std::move(name)), several_(several) {}

  enum class Linkage { file, header, defined, declared };
  std::vector<std::string> declaration(Linkage linkage) const;
  std::vector<std::string> record(const std::string& stream) const;
  std::string wait(const std::string& stream) const;
  std::string synchronize() const;

 private:
  const Dialect& dialect_;
  std::string name_;
  bool several_;
};

}  // namespace order

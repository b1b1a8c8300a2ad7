// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/ascendc/core/seen.h"

namespace ascendc {

/// The flags with which the cores of a launch synchronise (CrossCoreSetFlag), with a counter for
/// each core.
///
/// Cores are numbered by group: one core, or a cube core and then its vector cores.
class CrossFlags {
 public:
  struct Cores {
    std::uint32_t groups = 0;
    std::vector<std::uint32_t> order;  // which groups run; empty: all of them
    std::uint32_t per_group = 1;
  };
  struct Set {
    std::uint32_t unit;
    bool cube;  // a cube core sets it
    std::uint32_t mode;
    std::uint32_t flag;
    const void* site;
  };
  explicit CrossFlags(Cores cores) : cores_(std::move(cores)) {}

  /// Whether a flag of this mode that such a core sets has a receiver.
  bool can_set(bool cube, std::uint32_t mode) const noexcept;
  /// The cores that count one more now: none before all those have set it that the mode asks for.
  /// `full` where one of them counts no further: then none does, and `deliver` tries again.
  std::vector<std::uint32_t> set(const Set& set, const Seen& told, bool& full);
  std::vector<std::uint32_t> deliver(const Set& set, bool& full);
  /// Takes one off what the core has counted; false: there is nothing.
  bool take(std::uint32_t unit, std::uint32_t flag, Seen& told);

  /// A flag that is still set.
  struct Left {
    const void* site;    // of the last set
    std::uint32_t unit;  // that counts it, or that has set it
    std::uint32_t flag;
    std::uint32_t
        count;  // how often it is set; 0: `missing` has never set it with the others, in this mode
    std::uint32_t mode;
    std::uint32_t missing;
  };
  std::vector<Left> left() const;

 private:
  struct Count {
    std::deque<Seen> sets;  // the clock of each set that no wait has consumed
    const void* site = nullptr;
  };
  struct Rendezvous {  // until all have set the flag
    std::vector<std::uint32_t> members;
    std::vector<std::uint32_t> receivers;
    std::uint32_t received = 0;  // the flag, as receivers count it
    std::map<std::uint32_t, std::deque<Seen>>
        sets;  // by member: the clocks of its sets that wait for other members
    const void* site = nullptr;
  };
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>;

  Rendezvous& rendezvous_at(const Set& set);
  Rendezvous rendezvous_of(const Set& set) const;
  void add_vectors(std::uint32_t group, std::vector<std::uint32_t>& units) const;

  Cores cores_;
  std::map<Key, Rendezvous> rendezvous_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Count> counts_;  // by unit and flag
};

}  // namespace ascendc

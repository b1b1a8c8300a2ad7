// SPDX-License-Identifier: Apache-2.0
// Reads the native format (docs/trace-format.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/trace/aclt/aclt_line.h"
#include "tools/trace/builder.h"
#include "tools/trace/files/input_file.h"
#include "tools/trace/pairing/id_map.h"

namespace trace {

class AcltReader {
 public:
  /// `format`: of the file that contains the lines.
  AcltReader(InputFile& file, Builder& builder, std::string_view format)
      : file_(file), builder_(builder), format_(format), lines_(file), first_op_(builder.size()) {}

  /// Adds the whole file to the builder. Throws InputError.
  void read();

 private:
  /// The state of an event while reading: which op recorded which generation.
  struct Event {
    struct Record {
      std::uint32_t generation;
      OpIndex op;
    };
    std::uint32_t generation = 0;  // the last one; counted here if the file has no numbers
    OpIndex op = kNone;            // the op that recorded it; kNone: not yet recorded, or reset
    std::vector<Record> records;
  };
  /// A reference to an op or a generation that may come later in the file.
  struct Open {
    enum What : std::uint8_t { wait, host, dep } what;
    OpIndex op;
    std::uint32_t line;
    std::uint64_t to;  // wait, host: the generation; dep, host: the number of an op
    std::uint32_t object = kNone;
    std::uint16_t candidates = 1;
    Provenance how = Provenance::exact;
  };
  struct How {
    Provenance how;
    std::uint16_t candidates;
  };

  [[noreturn]] void refuse(std::string_view text) const;
  [[noreturn]] void lacks(AcltKey key, std::string_view what) const;
  void need(AcltKey key, std::string_view what) const;
  std::uint32_t small(AcltKey key) const;
  std::uint32_t find(const IdMap& map, AcltKey key, std::string_view what) const;
  std::int32_t device_or_host(AcltKey key) const;
  How how_of(std::string_view text) const;

  void header();
  void definition();
  void define(IdMap& map, std::uint64_t id, std::uint32_t index);
  void define_rank();
  void define_peaks();
  void define_device();
  void define_stream();
  void define_host();
  void define_group();
  void define_graph();
  void define_times();
  std::uint32_t rank_of(std::uint64_t id);

  void op();
  NewOp common(OpKind kind);
  Nanoseconds time(AcltKey key) const;
  Nanoseconds duration() const;
  OpIndex op_before(std::uint64_t number) const;
  StringIndex name();
  void take_number(NewOp& op);
  void place(NewOp& op);
  OpIndex add(const NewOp& op);
  OpIndex add_event(const NewOp& op);
  OpIndex add_notify(const NewOp& op);
  OpIndex add_value(const NewOp& op);
  OpIndex add_copy(const NewOp& op);
  OpIndex add_comm(const NewOp& op);
  OpIndex add_host(const NewOp& op);
  OpIndex add_memory(const NewOp& op);
  void add_deps(OpIndex op);
  void add_ranges(OpIndex op);
  std::uint32_t buffer_of(AcltKey key, std::uint64_t id) const;
  Event& event(std::uint32_t object);
  void record(std::uint32_t object, SyncUse& use);

  void resolve();
  void resolve(const Open& open);
  OpIndex record_of(const Open& open) const;
  OpIndex op_numbered(const Open& open) const;
  void check_numbers();

  InputFile& file_;
  Builder& builder_;
  std::string_view format_;
  LineReader lines_;
  AcltParser parser_;
  const AcltLine& line_ = parser_.line();
  OpIndex first_op_;
  std::uint32_t skipped_ = 0;  // lines that are no element of another format's file
  Nanoseconds shift_ = 0;      // from this file's base to the trace's
  std::uint64_t last_number_ = 0;
  bool ascending_ = true;
  std::vector<std::uint32_t> numbers_;  // of the ops of this file
  std::vector<std::pair<std::uint32_t, OpIndex>> sorted_numbers_;

  bool recording_ = false;  // of one process
  IdMap ranks_, devices_, streams_, hosts_, buffers_, groups_, graphs_, names_;
  std::vector<Event> events_;  // by object
  std::vector<Open> open_;
  std::vector<OpIndex> last_of_track_;
};

}  // namespace trace

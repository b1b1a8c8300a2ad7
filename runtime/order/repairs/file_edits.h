// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/order/repairs/source_text.h"
#include "runtime/order/repairs/statements.h"
#include "runtime/order/report/report.h"

namespace order {

/// A file of C, not of C++.
bool is_plain_c(const std::string& file);

/// The changes of one file, collected statement by statement, as changes of lines.
class FileEdits {
 public:
  FileEdits(std::string file, const SourceText& source) : file_(std::move(file)), source_(source) {}

  const SourceText& source() const noexcept { return source_; }
  void before(const Statement& statement, std::string code);
  /// After a statement that returns: before it returns, and after it has computed the result.
  void after(const Statement& statement, std::string code);
  void remove(const Statement& statement);
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// A declaration at file scope, before the line. Equal declarations become one.
  void declare(std::uint32_t line, const std::string& code);

  void append_to(std::vector<LineEdit>& edits) const;

 private:
  struct Change {
    Statement statement;
    std::vector<std::string> before, after;
    bool removed = false;
  };
  struct Splice {  // of one line, in columns
    std::size_t begin, end;
    std::string text;
  };
  using Splices = std::map<std::uint32_t, std::vector<Splice>>;

  void splice(Splices& splices, std::size_t begin, std::size_t end, const std::string& text) const;
  void insert_before(const Change& change, std::vector<LineEdit>& edits, Splices& splices) const;
  void insert_after(const Change& change, std::vector<LineEdit>& edits, Splices& splices) const;
  std::string lines(const Statement& statement, const std::vector<std::string>& code) const;

  std::string file_;
  const SourceText& source_;
  std::vector<LineEdit> declarations_;
  std::map<std::size_t, Change> changes_;  // by the begin of the statement
  struct Replacement {
    std::size_t begin, end;
    std::string text;
  };
  std::vector<Replacement> replacements_;
};

}  // namespace order

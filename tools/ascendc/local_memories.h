// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ascendc/lexer.h"

namespace kernel_compiler {

/// A replacement for the bytes from begin to end of the source.
struct Edit {
  std::uint32_t begin;
  std::uint32_t end;
  std::string text;
};

/// A keyword in front of a type, and the memory that it names.
struct LocalMemory {
  std::string_view keyword;
  std::string_view number;    // an aclsimMemory
  std::string_view location;  // of the tensor API
};

/// Translates arrays, variables and pointers in the local memories of a core: __ubuf__, __cbuf__,
/// __ca__, __cb__, __cc__, __biasbuf__, __fbuf__.
class LocalMemories {
 public:
  /// Names with the end of their declaration, whose uses become calls of aclsim_local_NAME().
  using Names = std::map<std::string, std::size_t, std::less<>>;

  LocalMemories(const Source& source, std::vector<Edit>& edits, Names& called)
      : source_(source), edits_(edits), called_(called) {}

  static bool is_keyword(std::string_view word);
  /// Rewrites the declaration or type that begins with a keyword; returns the next token. Throws
  /// SourceError.
  std::size_t rewrite(std::size_t at);
  /// Inserts the location behind `MakeMemPtr`, which is token `at`.
  void name_location(std::size_t at);

 private:
  struct Pointer {
    std::string name;
    std::size_t begin;
    std::size_t end;
    const LocalMemory* memory;
  };

  std::size_t count() const { return source_.tokens().size(); }
  const Token& token(std::size_t i) const { return source_.tokens()[i]; }
  std::string_view word(std::size_t i) const { return source_.text(token(i)); }
  bool is(std::size_t i, std::string_view text) const { return source_.is(i, text); }
  [[noreturn]] void fail(std::size_t i, const std::string& what) const {
    throw SourceError(source_.location(token(i)), what);
  }
  void replace(std::size_t first, std::size_t last, std::string text) {
    edits_.push_back({token(first).begin, token(last).end, std::move(text)});
  }

  void remember_pointer(const LocalMemory& memory, std::size_t at);
  std::size_t end_of_scope(std::size_t at) const;
  std::size_t dynamic_array(std::size_t at);
  bool begins_declaration(std::size_t at) const;
  bool in_function(std::size_t at) const;
  void array_in(const LocalMemory& memory, std::size_t first, std::size_t name);
  void lay_out(const LocalMemory& memory, std::size_t first, std::size_t name, std::size_t end,
               std::string reference);

  const Source& source_;
  std::vector<Edit>& edits_;
  Names& called_;
  std::vector<Pointer> pointers_;
};

}  // namespace kernel_compiler

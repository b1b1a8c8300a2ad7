// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/order/repairs/source_text.h"

namespace order {

/// A call of an interface in the source.
struct SourceCall {
  std::string name;
  std::size_t begin = 0, end = 0;
  std::vector<std::string> arguments;
};

/// The call at the line that made the operation `what` (PlacedOp::what). Nothing: none, or the
/// line names it in another way.
std::optional<SourceCall> find_call(const SourceText& source, std::uint32_t line,
                                    std::string_view what);
/// The call of the program's own function `name` that the line makes.
std::optional<SourceCall> find_call_of(const SourceText& source, std::uint32_t line,
                                       std::string_view name);
/// The range of an argument in the code.
std::pair<std::size_t, std::size_t> range_of_argument(const SourceText& source,
                                                      const SourceCall& call, std::size_t index);
/// The argument that is the stream. Empty: it cannot be written a second time.
std::string stream_argument(const SourceCall& call);
/// An expression that has the same value, and no effect, each time.
bool is_repeatable(std::string_view expression);

/// The statement that holds a call.
struct Statement {
  std::size_t begin = 0, end = 0;
  bool is_body = false;  // of a condition or a loop, without braces
  bool returns = false;  // it begins with `return`
};
std::optional<Statement> statement_of(const SourceText& source, const SourceCall& call);

/// The statement behind `earlier`, in the same block, that is `later` or contains it. Nothing: the
/// block of `earlier` ends before `later`.
std::optional<Statement> containing(const SourceText& source, const Statement& earlier,
                                    const Statement& later);

/// True if the expression of a call at `from` means the same at `to` in the same file.
bool is_visible(const SourceText& source, std::string_view expression, std::size_t from,
                std::size_t to);

/// A parameter of the function `function`, by its index.
struct Parameter {
  std::string function;
  std::size_t index = 0;
};
/// The parameter that the expression of a call at `from` names.
std::optional<Parameter> parameter_of(const SourceText& source, std::string_view expression,
                                      std::size_t from);

/// True unless the expression of a call at `from` names one stream each time: a local variable of
/// the function outside of loops, or a variable of the file.
bool may_vary(const SourceText& source, std::string_view expression, std::size_t from);

}  // namespace order

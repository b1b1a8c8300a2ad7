// SPDX-License-Identifier: Apache-2.0
// The functions of the tables, and arguments for them that fit their types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace no_memory {

/// A parameter or a result: "aclrtStream", "uint64_t*", without const and struct.
struct Param {
  std::string type;
  std::string name;
  bool constant = false;
};

struct Function {
  std::string name;
  std::string returns;
  std::vector<Param> params;
  void* code = nullptr;
};

/// The functions of a table whose libraries have them, in the order of the table.
std::vector<Function> functions_of(const std::string& table);

/// The kinds of types that the headers define.
struct Types {
  std::set<std::string> functions;  // pointers to functions
  std::set<std::string> handles;    // typedefs of pointers
  static Types of_headers(const std::string& folder);
};

/// Words as the calling convention passes them: whole numbers and pointers in one sequence,
/// floating-point numbers in another. No function of the tables has more.
struct Words {
  static constexpr std::size_t kWhole = 24, kReal = 8;
  std::uint64_t whole[kWhole] = {};
  double real[kReal] = {};
};

/// Calls any function. The result of functions that return nothing has no meaning.
std::uint64_t call(void* code, const Words& words);

/// Live objects by their type, and arguments made of them.
class Arguments {
 public:
  explicit Arguments(const Types& types) : types_(types) {}

  /// Words for a call. `variant`: 0 is the most ordinary choice; others vary handles and numbers.
  Words words(const Function& function, unsigned variant);
  /// Keeps what a successful call has made.
  void keep(const Function& function, const Words& words, std::uint64_t result);
  void add(const std::string& type, std::uint64_t object);
  void forget(const std::string& type) { live_.erase(type); }
  /// Forgets the object that a call has taken back.
  void drop(const Function& function, const Words& words);
  bool has(const std::string& type) const { return !live(type).empty(); }
  bool is_object(const std::string& type) const;
  std::uint64_t first(const std::string& type) const {
    return live(type).empty() ? 0 : live(type).front();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{16} << 10;
  static constexpr std::size_t kPieces = 32;

  const std::vector<std::uint64_t>& live(const std::string& type) const;
  std::uint64_t word(const Function& function, const Param& param, unsigned variant);
  std::uint64_t number(const Param& param, unsigned variant) const;
  std::uint64_t pick(const std::string& type, unsigned variant) const;
  void* piece();

  const Types& types_;
  std::map<std::string, std::vector<std::uint64_t>> live_;
  std::vector<char> memory_ = std::vector<char>(kPiece * kPieces);
  std::size_t used_ = 0;
  unsigned place_ = 0;  // of the parameter
};

}  // namespace no_memory

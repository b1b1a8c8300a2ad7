// SPDX-License-Identifier: Apache-2.0
//
// Generated sources: a translation has the same tokens outside launches, on the same lines;
// arbitrary bytes never do more than throw a SourceError.
//   ACLSIM_TEST_SEED      the seed of the sources
#include <cstdio>
#include <random>

#include "tests/ascendc_build/translated.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

using kernel_compiler::Source;
using translatetest::translated;

namespace {

unsigned first_seed() { return static_cast<unsigned>(support::first_seed()); }

/// A source in pieces: text that remains unchanged, and launches with their translations.
struct Piece {
  std::string before;
  std::string after;
};

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  /// Statements, a third of them launches, over a few lines.
  std::vector<Piece> statements(int count) {
    std::vector<Piece> pieces;
    for (int i = 0; i < count; ++i) {
      pieces.push_back(pick(3) == 0 ? launch() : same(plain()));
      pieces.push_back(same(one_of({" ", "\n", "\n\n", "  // k<<<1>>>(\n", " /* >>>\n */ "})));
    }
    return pieces;
  }

  /// Tokens of any kind, mostly wrong.
  std::string noise(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += one_of({"k",
                      "<",
                      "<<<",
                      ">>>",
                      ">",
                      "(",
                      ")",
                      "{",
                      "}",
                      ";",
                      ",",
                      "::",
                      "[",
                      "]",
                      "\"",
                      "'",
                      "\\",
                      "\n",
                      "R\"(",
                      ")\"",
                      "/*",
                      "*/",
                      "//",
                      "__global__",
                      "void",
                      "#",
                      "template",
                      "typename T",
                      "operator",
                      "asm",
                      "(\"trap\")",
                      "[aicore]",
                      "1'0",
                      "__mix__(1, 2)",
                      "# 3 \"f\"\n",
                      " ",
                      "extern \"C\"",
                      "namespace",
                      "using",
                      "\xc3",
                      "KERNEL_TASK_TYPE_DEFAULT(",
                      "...",
                      "=",
                      "&",
                      "*"});
      if (pick(3) == 0) text += ' ';
    }
    return text;
  }

 private:
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }
  std::string one_of(const std::vector<const char*>& texts) {
    return texts[pick(static_cast<unsigned>(texts.size()))];
  }
  static Piece same(const std::string& text) { return {text, text}; }

  std::string plain() {
    return one_of({"int a = b << 2;", "c = d >> 1 > 0;", "std::vector<A<B<int>>> v{1};",
                   "f(\"k<<<\");", "auto r = R\"y(>>>)y\";", "x <<= 1; y >>= 2;",
                   "os << a << '<' << b;", "operator<<<T>(os, a);", "if (a < b) { g(); }",
                   "for (int i = 0; i < n; ++i) {}", "char c = '\\\\';", "p->q(1'000u, 0x1p-3);",
                   "\n#pragma once <<<\n"});
  }

  std::string value() {
    return one_of({"8", "n >> 1", "f(1, 2)", "nullptr", "sizeof(A<B<int>>)", "(a > b ? c : d)", "s",
                   "\">>>(\"", "g<A<int>>()", "x[1 > 0]", "'>'"});
  }

  Piece launch() {
    Piece piece;
    const std::string arguments = one_of({"", "<int>", "<T, 2>", "<A<B<int>>, (1 > 2)>"});
    const std::string scope = one_of({"", "ns::", "::a::b::"});
    std::string values = value();
    for (unsigned i = 1 + pick(3); i > 0; --i) values += one_of({",", ", ", ",\n"}) + value();
    const std::string list = pick(4) == 0 ? "" : value() + ", " + value();
    piece.before = scope + "k" + arguments + "<<<" + values + ">>>(" + list + ");";
    piece.after = scope + "aclsim_launch_k" + arguments + "(::aclsim::launch::at(PLACE " + values +
                  (list.empty() ? "))" : "), " + list + ")") + ";";
    return piece;
  }

  std::mt19937 random_;
};

/// The tokens of a text with their lines. The location of a launch ("k.asc", 7,) becomes the word
/// PLACE.
std::vector<std::string> tokens_of(const std::string& text) {
  const Source source(text, "k.asc");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) {
    const kernel_compiler::Token& token = source.tokens()[i];
    std::string word(source.text(token));
    if (word == "\"k.asc\"" && source.is(i + 1, ",") && source.is(i + 3, ",")) {
      CHECK(source.text(source.tokens()[i + 2]) == std::to_string(token.line));
      word = "PLACE";
      i += 3;
    }
    words.push_back(std::to_string(token.line) + ":" + word);
  }
  return words;
}

}  // namespace

TEST_CASE("outside launches a translated source has the same tokens on the same lines",
          "[property]") {
  std::fprintf(stderr, "generated sources with ACLSIM_TEST_SEED=%u\n", first_seed());
  for (unsigned seed = first_seed(); seed < first_seed() + 300; ++seed) {
    std::string before = "__global__ void k(int a);\n";
    std::string after = " void k(int a);\n";
    for (const Piece& piece : Writer(seed).statements(12)) {
      before += piece.before;
      after += piece.after;
    }
    INFO("ACLSIM_TEST_SEED=" << seed << "\n" << before);
    REQUIRE(tokens_of(translated(before)) == tokens_of(after));
  }
}

TEST_CASE("a source without kernels and launches stays as it is, byte by byte", "[property]") {
  for (unsigned seed = first_seed(); seed < first_seed() + 100; ++seed) {
    std::string text;
    for (const Piece& piece : Writer(seed).statements(12)) {
      if (piece.before == piece.after) text += piece.before;
    }
    INFO("ACLSIM_TEST_SEED=" << seed);
    REQUIRE(kernel_compiler::translate(text, "k.asc").text == text);
  }
}

TEST_CASE("arbitrary tokens are translated or refused in one line", "[property]") {
  int refused = 0;
  for (unsigned seed = first_seed(); seed < first_seed() + 3000; ++seed) {
    const std::string text = Writer(seed).noise(1 + static_cast<int>(seed % 40));
    INFO("ACLSIM_TEST_SEED=" << seed << "\n" << text);
    const std::string complaint = translatetest::complaint(text);
    refused += !complaint.empty();
    REQUIRE(complaint.find('\n') == std::string::npos);
    if (!complaint.empty()) REQUIRE(complaint.find(": error: ") != std::string::npos);
  }
  CHECK(refused > 100);
}

// SPDX-License-Identifier: Apache-2.0
// Scanning with sizes. The C library converts one directive at a time; text it allocates itself
// (the modifier m), and that is copied when it fits.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <string>

#include "securec.h"

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

namespace {

// One conversion of a format: "%5l[a-z]".
struct Directive {
  bool valid = false;
  bool suppressed = false;
  std::string width;
  std::string length;      // hh, h, l, ll, j, z, t, L
  std::string conversion;  // "d", "[a-z]"
  bool text() const { return std::strchr("sc[SC", conversion[0]) != nullptr; }
  bool wide() const { return length == "l" || conversion == "S" || conversion == "C"; }
  bool character() const { return conversion == "c" || conversion == "C"; }
};

// Parses the set "[...]" at `at` and moves `at` past it; returns an empty set if "]" is missing.
std::string take_set(const char*& at) {
  const char* const begin = at++;
  if (*at == '^') ++at;
  if (*at == ']') ++at;
  while (*at != 0 && *at != ']') ++at;
  if (*at == 0) return {};
  return {begin, ++at};
}

// `at` points to the character after the percent sign.
Directive take_directive(const char*& at) {
  Directive result;
  if (*at == '*') {
    result.suppressed = true;
    ++at;
  }
  while (std::isdigit(static_cast<unsigned char>(*at))) result.width += *at++;
  while (*at != 0 && std::strchr("hljztL", *at) != nullptr) result.length += *at++;
  if (*at == '[') {
    result.conversion = take_set(at);
  } else if (*at != 0 && std::strchr("diouxXaAeEfFgGpscnSC", *at) != nullptr) {
    result.conversion = *at++;
  }
  result.valid = !result.conversion.empty() && result.length.size() <= 2;
  return result;
}

// How a step of the scan ended.
enum class End : std::uint8_t { done, assigned, mismatch, no_input, misused };

class Scan {
 public:
  explicit Scan(std::FILE* from) : from_(from) {}

  int run(const char* format, va_list arguments) {
    va_list rest;
    va_copy(rest, arguments);
    int assigned = 0;
    End end = End::done;
    while (*format != 0 && (end == End::done || end == End::assigned)) {
      end = step(format, rest);
      assigned += end == End::assigned;
    }
    va_end(rest);
    if (end == End::misused) return -1;
    return end == End::no_input && !converted_ ? EOF : assigned;
  }

 private:
  End step(const char*& format, va_list& arguments) {
    if (std::isspace(static_cast<unsigned char>(*format))) {
      ++format;
      skip_space();
      return End::done;
    }
    if (*format != '%') return literal(*format++);
    ++format;
    if (*format == '%') {
      skip_space();
      return literal(*format++);
    }
    const Directive directive = take_directive(format);
    if (!directive.valid) return End::misused;
    return convert(directive, arguments);
  }

  void skip_space() {
    int c = std::getc(from_);
    for (; c != EOF && std::isspace(c); c = std::getc(from_)) ++taken_;
    if (c != EOF) std::ungetc(c, from_);
  }

  End literal(char wanted) {
    const int c = std::getc(from_);
    if (c == EOF) return End::no_input;
    if (c == static_cast<unsigned char>(wanted)) {
      ++taken_;
      return End::done;
    }
    std::ungetc(c, from_);
    return End::mismatch;
  }

  End convert(const Directive& directive, va_list& arguments) {
    if (directive.suppressed) {
      return ended(let(directive, nullptr), false);
    }
    void* const out = va_arg(arguments, void*);
    if (directive.text()) {
      const std::size_t size = va_arg(arguments, unsigned int);
      if (out == nullptr || size == 0) return End::misused;
      return directive.wide() ? text(directive, static_cast<wchar_t*>(out), size)
                              : text(directive, static_cast<char*>(out), size);
    }
    if (out == nullptr) return End::misused;
    if (directive.conversion == "n") return count(directive.length, out);
    return ended(let(directive, out), true);
  }

  // The characters that the conversion took, or -1, or EOF in `input_ended_`.
  bool let(const Directive& directive, void* out) {
    std::string format = "%";
    if (directive.suppressed) format += '*';
    format += directive.width;
    if (directive.text() && !directive.suppressed) format += 'm';
    format += directive.length + directive.conversion + "%n";
    int taken = -1;
    const int result = directive.suppressed ? std::fscanf(from_, format.c_str(), &taken)
                                            : std::fscanf(from_, format.c_str(), out, &taken);
    input_ended_ = result == EOF;
    if (taken < 0) return false;
    taken_ += taken;
    converted_ = true;
    return true;
  }

  End ended(bool matched, bool assigns) const {
    if (matched) return assigns ? End::assigned : End::done;
    return input_ended_ ? End::no_input : End::mismatch;
  }

  template <class C>
  End text(const Directive& directive, C* out, std::size_t size) {
    if (directive.character()) return characters(directive, out, size);
    C* found = nullptr;
    const bool matched = let(directive, &found);
    if (!matched) {
      out[0] = 0;
      return ended(false, true);
    }
    const std::size_t length = length_of(found) + 1;
    const bool fits = length <= size;
    if (fits) {
      std::memcpy(out, found, length * sizeof(C));
    } else {
      out[0] = 0;
    }
    std::free(found);
    return fits ? End::assigned : End::mismatch;
  }

  // By hand: what the C library allocates for %c has no end, which sanitizers look for.
  template <class C>
  End characters(const Directive& directive, C* out, std::size_t size) {
    const std::string& width = directive.width;
    const std::size_t count = width.empty() ? 1 : std::strtoul(width.c_str(), nullptr, 10);
    if (count > size) {
      out[0] = 0;
      return End::mismatch;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (take(out[i])) continue;
      if (i == 0) out[0] = 0;
      if (i == 0) return End::no_input;
      break;
    }
    converted_ = true;
    return End::assigned;
  }

  bool take(char& character) {
    const int c = std::getc(from_);
    if (c == EOF) return false;
    ++taken_;
    character = static_cast<char>(c);
    return true;
  }

  bool take(wchar_t& character) {
    std::mbstate_t state{};
    for (char byte = 0; take(byte);) {
      const std::size_t length = std::mbrtowc(&character, &byte, 1, &state);
      if (length == static_cast<std::size_t>(-1)) return false;
      if (length != static_cast<std::size_t>(-2)) return true;
    }
    return false;
  }

  static std::size_t length_of(const char* found) { return std::strlen(found); }
  static std::size_t length_of(const wchar_t* found) { return std::wcslen(found); }

  End count(const std::string& length, void* out) const {
    if (length == "hh") {
      *static_cast<signed char*>(out) = static_cast<signed char>(taken_);
    } else if (length == "h") {
      *static_cast<short*>(out) = static_cast<short>(taken_);
    } else if (length.empty()) {
      *static_cast<int*>(out) = static_cast<int>(taken_);
    } else {
      *static_cast<long long*>(out) = taken_;  // l, ll, j, z, t: 64 bits here
    }
    return End::done;
  }

  std::FILE* const from_;
  long long taken_ = 0;
  bool converted_ = false;
  bool input_ended_ = false;
};

}  // namespace

extern "C" {

int vfscanf_s(FILE* stream, const char* format, va_list argList) {
  if (stream == nullptr || format == nullptr) return -1;
  return Scan(stream).run(format, argList);
}

int vsscanf_s(const char* buffer, const char* format, va_list argList) {
  if (buffer == nullptr || format == nullptr) return -1;
  std::FILE* const from = fmemopen(const_cast<char*>(buffer), std::strlen(buffer), "r");
  if (from == nullptr) return -1;
  const int assigned = Scan(from).run(format, argList);
  std::fclose(from);
  return assigned;
}

int vscanf_s(const char* format, va_list argList) { return vfscanf_s(stdin, format, argList); }

int sscanf_s(const char* buffer, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = vsscanf_s(buffer, format, arguments);
  va_end(arguments);
  return assigned;
}

int fscanf_s(FILE* stream, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = vfscanf_s(stream, format, arguments);
  va_end(arguments);
  return assigned;
}

int scanf_s(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int assigned = vfscanf_s(stdin, format, arguments);
  va_end(arguments);
  return assigned;
}

char* gets_s(char* buffer, size_t destMax) {
  if (buffer == nullptr || destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return nullptr;
  size_t length = 0;
  bool fits = true;
  int c = std::getc(stdin);
  if (c == EOF) fits = false;
  for (; c != EOF && c != '\n'; c = std::getc(stdin)) {
    fits &= length + 1 < destMax;
    if (fits) buffer[length++] = static_cast<char>(c);
  }
  buffer[fits ? length : 0] = 0;
  return fits ? buffer : nullptr;
}

}  // extern "C"

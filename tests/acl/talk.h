// SPDX-License-Identifier: Apache-2.0
// The messages between child programs and tests: lines of words.
#pragma once

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace talk {

/// In a child program: the words of the next line; none when the test has gone.
inline std::vector<std::string> hear() {
  std::string line;
  std::getline(std::cin, line);
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

template <class T>
void say(const T& answer) {
  std::cout << answer << std::endl;
}

/// Bytes as text without blanks, and back.
inline std::string hex(const void* data, std::size_t size) {
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned char byte = static_cast<const unsigned char*>(data)[i];
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

inline void from_hex(const std::string& text, void* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    static_cast<unsigned char*>(data)[i] =
        static_cast<unsigned char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
}

}  // namespace talk

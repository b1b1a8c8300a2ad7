// SPDX-License-Identifier: Apache-2.0
#include "tests/no_memory/functions.h"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace no_memory {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

/// The words and stars of a declaration.
std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < text.size();) {
    if (is_word(text[i])) {
      std::size_t end = i;
      while (end < text.size() && is_word(text[end])) ++end;
      all.push_back(text.substr(i, end - i));
      i = end;
    } else {
      if (text[i] == '*' || text[i] == '[' || text[i] == '&') all.emplace_back("*");
      if (text[i] == '[') i = text.find(']', i);
      ++i;
    }
  }
  return all;
}

const std::set<std::string> kQualifiers{"const", "volatile", "struct", "enum"};
const std::set<std::string> kBasic{"void",  "int",    "char",   "short", "long",  "unsigned",
                                   "float", "double", "size_t", "bool",  "signed"};

/// Names of parameters may be missing: a single word is a type.
Param param_of(const std::string& text) {
  Param param;
  if (text.find("(*") != std::string::npos) return {"(*)", "callback", false};
  if (text.find("...") != std::string::npos) return {"...", "", false};
  std::vector<std::string> words;
  std::string stars;
  for (const std::string& token : tokens(text)) {
    if (token == "*") {
      stars += "*";
    } else if (!kQualifiers.contains(token)) {
      words.push_back(token);
    } else if (token == "const") {
      param.constant = true;
    }
  }
  const bool named =
      words.size() > 1 && !kBasic.contains(words.back()) && !words.back().ends_with("_t");
  if (named) {
    param.name = words.back();
    words.pop_back();
  }
  for (const std::string& word : words) param.type += param.type.empty() ? word : " " + word;
  param.type += stars;
  return param;
}

bool contains(const std::string& text, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return text.find(part) != std::string::npos; });
}

const std::set<std::string> kNumbers{
    "int8_t",   "int16_t",  "int32_t",      "int64_t",    "uint8_t",  "uint16_t",
    "uint32_t", "uint64_t", "size_t",       "int",        "bool",     "float",
    "double",   "unsigned", "unsigned int", "aclFloat16", "long long"};

/// Whether it is passed among the whole numbers.
bool is_whole(const Param& param) {
  return param.type != "double" && param.type != "float" && param.type != "aclrtIpcEventHandle";
}

std::uint64_t nothing() { return 0; }

}  // namespace

std::vector<Function> functions_of(const std::string& table) {
  std::vector<Function> all;
  std::ifstream in(table);
  std::string line;
  std::getline(in, line);  // the names of the columns
  while (std::getline(in, line)) {
    const std::vector<std::string> cells = split(line, '\t');
    if (cells.size() < 7 || cells[6] == "inline" || cells[6] == "header") continue;
    Function function;
    function.name = cells[3];
    function.returns = param_of(cells[2]).type;
    for (const std::string& text : split(cells[4], ',')) {
      const Param param = param_of(text);
      if (param.type != "void" && !param.type.empty()) function.params.push_back(param);
    }
    function.code = ::dlsym(RTLD_DEFAULT, function.name.c_str());
    if (function.code) all.push_back(std::move(function));
  }
  return all;
}

Types Types::of_headers(const std::string& folder) {
  Types types;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".h") continue;
    std::ifstream in(file.path());
    std::stringstream all;
    all << in.rdbuf();
    for (const std::string& statement : split(all.str(), ';')) {
      const std::size_t at = statement.rfind("typedef");
      if (at == std::string::npos) continue;
      std::string text = statement.substr(at + 7);
      if (const std::size_t convention = text.find("CUDA_CB"); convention != std::string::npos) {
        text.erase(convention, 7);
      }
      const std::size_t pointer = text.find("(*");
      if (pointer != std::string::npos) {
        std::size_t end = pointer + 2;
        while (end < text.size() && (is_word(text[end]) || text[end] == ' ')) ++end;
        const std::vector<std::string> words = tokens(text.substr(pointer + 2, end - pointer - 2));
        if (words.size() == 1) types.functions.insert(words[0]);
        continue;
      }
      const std::vector<std::string> words = tokens(text);
      if (words.size() > 2 && words[words.size() - 2] == "*") types.handles.insert(words.back());
    }
  }
  return types;
}

std::uint64_t call(void* code, const Words& words) {
  using W = std::uint64_t;
  using Any = W (*)(W, W, W, W, W, W, double, double, double, double, double, double, double,
                    double, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W);
  const auto& w = words.whole;
  const auto& r = words.real;
  return reinterpret_cast<Any>(code)(w[0], w[1], w[2], w[3], w[4], w[5], r[0], r[1], r[2], r[3],
                                     r[4], r[5], r[6], r[7], w[6], w[7], w[8], w[9], w[10], w[11],
                                     w[12], w[13], w[14], w[15], w[16], w[17], w[18], w[19], w[20],
                                     w[21], w[22], w[23]);
}

const std::vector<std::uint64_t>& Arguments::live(const std::string& type) const {
  static const std::vector<std::uint64_t> none;
  const auto found = live_.find(type);
  return found == live_.end() ? none : found->second;
}

bool Arguments::is_object(const std::string& type) const {
  return types_.handles.contains(type) || has(type) || type == "CUdeviceptr";
}

std::uint64_t Arguments::pick(const std::string& type, unsigned variant) const {
  const std::vector<std::uint64_t>& all = live(type);
  return all.empty() ? 0 : all[(variant + place_) % all.size()];
}

void* Arguments::piece() {
  char* const at = memory_.data() + kPiece * (used_++ % kPieces);
  std::memset(at, 0, kPiece);
  return at;
}

std::uint64_t Arguments::number(const Param& param, unsigned variant) const {
  if (contains(param.name, {"device", "Device", "root", "rank", "flag", "Type", "type", "pe"})) {
    return variant == 2 ? 1 : 0;
  }
  if (contains(param.name, {"size", "Size", "len", "Len", "bytes", "Bytes"})) return 64;
  return variant == 1 ? 2 : 1;
}

std::uint64_t Arguments::word(const Function& function, const Param& param, unsigned variant) {
  const std::string& type = param.type;
  if (type == "...") return 0;
  if (type == "(*)" || types_.functions.contains(type)) {
    return reinterpret_cast<std::uint64_t>(&nothing);
  }
  if (contains(param.name, {"timeout", "Timeout", "timeOut", "waitTime"}) && type.back() != '*') {
    return 1;
  }
  if (is_object(type)) return pick(type, variant);
  if (type.back() != '*') return number(param, variant);
  if (type == "void*") {
    const bool host = contains(function.name, {"Host", "host"}) || variant == 1;
    return host ? reinterpret_cast<std::uint64_t>(piece()) : pick("void*", variant);
  }
  char* const place = static_cast<char*>(piece());
  const std::string pointee = type.substr(0, type.size() - 1);
  if (type == "char*" && param.constant) {
    std::strcpy(place, contains(param.name, {"soc"}) ? "Ascend910B1" : "name");
  } else if (is_object(pointee) || pointee == "void*" || pointee == "CUdeviceptr") {
    const std::string kind = pointee == "CUdeviceptr" ? "CUdeviceptr" : pointee;
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t one = pick(kind, variant + i);
      std::memcpy(place + 8 * i, &one, 8);
    }
  } else if (kNumbers.contains(pointee)) {
    const int value = contains(param.name, {"device", "Device"}) ? 0 : 1;
    const std::size_t width = contains(pointee, {"64", "size_t", "long"}) ? 8
                              : contains(pointee, {"8_t", "bool"})        ? 1
                              : contains(pointee, {"16"})                 ? 2
                                                                          : 4;
    for (unsigned i = 0; i < 8; ++i) place[i * width] = static_cast<char>(value);
  } else if (pointee == "char*") {
    char* const text = static_cast<char*>(piece());
    std::strcpy(text, "name");
    for (unsigned i = 0; i < 8; ++i) std::memcpy(place + 8 * i, &text, 8);
  }
  return reinterpret_cast<std::uint64_t>(place);
}

Words Arguments::words(const Function& function, unsigned variant) {
  Words words;
  std::size_t whole = 0, real = 0;
  place_ = 0;
  for (const Param& param : function.params) {
    if (param.type == "double" && real < Words::kReal) {
      words.real[real++] = 0.5;
    } else if (param.type == "float" && real < Words::kReal) {
      words.real[real++] = std::bit_cast<double>(std::uint64_t{std::bit_cast<std::uint32_t>(0.5F)});
    } else if (param.type == "aclrtIpcEventHandle") {
      // A structure that is passed in memory: zeros.
    } else if (whole < Words::kWhole) {
      words.whole[whole++] = word(function, param, variant);
    }
    ++place_;
  }
  return words;
}

void Arguments::add(const std::string& type, std::uint64_t object) {
  std::vector<std::uint64_t>& all = live_[type];
  constexpr std::uint64_t kLeast = 1U << 16;  // a place that the call has not filled holds less
  if (object < kLeast || std::find(all.begin(), all.end(), object) != all.end()) return;
  if (all.size() < 8) all.push_back(object);
}

void Arguments::keep(const Function& function, const Words& words, std::uint64_t result) {
  const std::string& made = function.returns;
  if (made.ends_with("*") && made != "char*" && made != "void*") add(made, result);
  if (!contains(function.name, {"Create", "create", "Malloc", "Alloc", "Get", "Load", "Init"})) {
    return;
  }
  std::size_t whole = 0;
  for (const Param& param : function.params) {
    if (!is_whole(param)) continue;
    const std::uint64_t word = words.whole[whole++];
    if (param.constant || param.type.size() < 2 || param.type.back() != '*') continue;
    const std::string pointee = param.type.substr(0, param.type.size() - 1);
    const bool opaque = pointee.back() == '*' && pointee != "void*" && pointee != "char*";
    if (!types_.handles.contains(pointee) && !opaque) continue;
    std::uint64_t object = 0;
    std::memcpy(&object, reinterpret_cast<void*>(word), 8);
    add(pointee, object);
  }
}

void Arguments::drop(const Function& function, const Words& words) {
  std::size_t whole = 0;
  for (const Param& param : function.params) {
    if (!is_whole(param)) continue;
    const std::uint64_t word = words.whole[whole++];
    const auto found = live_.find(param.type);
    if (found == live_.end()) continue;
    std::erase(found->second, word);
    return;
  }
}

}  // namespace no_memory

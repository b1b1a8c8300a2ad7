// SPDX-License-Identifier: Apache-2.0
// Bounds-checked strings: random sizes against models, and the rules that programs rely on.
#include "securec.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/support/catch.h"

namespace {

constexpr int kRounds = 4000;
constexpr char kGuard = 0x5A;
constexpr char kOld = 0x33;

struct Random {
  std::mt19937 bits{20261};
  std::size_t below(std::size_t limit) { return bits() % limit; }
  std::string text(std::size_t length) {
    std::string result(length, 0);
    for (char& c : result) c = static_cast<char>('a' + below(26));
    return result;
  }
};

// A destination of exactly `size` bytes between guards.
struct Room {
  explicit Room(std::size_t count) : size(count), bytes(count + 32, kGuard) {
    std::fill_n(bytes.begin() + 16, size, kOld);
  }
  char* at() { return bytes.data() + 16; }
  std::string all() const { return {bytes.data() + 16, size}; }
  bool guarded() const {
    const auto kept = [](char c) { return c == kGuard; };
    return std::all_of(bytes.begin(), bytes.begin() + 16, kept) &&
           std::all_of(bytes.end() - 16, bytes.end(), kept);
  }
  std::size_t size;
  std::vector<char> bytes;
};

using Copy = errno_t (*)(void*, std::size_t, const void*, std::size_t);

void check_copies(Copy copy) {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    Room room(1 + random.below(64));
    const std::string source = random.text(1 + random.below(96));
    const std::size_t count = random.below(source.size() + 1);
    const errno_t code = copy(room.at(), room.size, source.data(), count);
    std::string model(room.size, kOld);
    if (count > room.size) {
      model.assign(room.size, 0);
    } else {
      std::copy_n(source.begin(), count, model.begin());
    }
    INFO("destMax " << room.size << ", count " << count);
    REQUIRE(code == (count > room.size ? ERANGE_AND_RESET : EOK));
    REQUIRE(room.all() == model);
    REQUIRE(room.guarded());
  }
}

void check_bad_memory(Copy copy) {
  char bytes[4] = {1, 2, 3, 4};
  CHECK(copy(bytes, 0, "abcd", 1) == ERANGE);
  CHECK(copy(bytes, SECUREC_MEM_MAX_LEN + 1, "abcd", 1) == ERANGE);
  CHECK(copy(nullptr, 4, "abcd", 1) == EINVAL);
  CHECK(std::string(bytes, 4) == "\1\2\3\4");
  CHECK(copy(bytes, 4, nullptr, 1) == EINVAL_AND_RESET);
  CHECK(std::string(bytes, 4) == std::string(4, 0));
}

// The result of a string function: the code and the destination as a string.
struct Left {
  errno_t code;
  std::string text;
  bool operator==(const Left& other) const { return code == other.code && text == other.text; }
};

Left model_of(const std::string& before, std::size_t most, const std::string& added) {
  if (before.size() + added.size() >= most) return {ERANGE_AND_RESET, ""};
  return {EOK, before + added};
}

template <class Call>
Left left_by(Room& room, Call call) {
  const errno_t code = call();
  REQUIRE(room.guarded());
  REQUIRE(std::memchr(room.at(), 0, room.size) != nullptr);
  return {code, room.at()};
}

}  // namespace

TEST_CASE("memcpy_s and memmove_s copy what fits and empty the destination otherwise") {
  check_copies(&memcpy_s);
  check_copies(&memmove_s);
}

TEST_CASE("memory that is null or of no possible size is refused") {
  check_bad_memory(&memcpy_s);
  check_bad_memory(&memmove_s);
}

TEST_CASE("memcpy_s refuses every overlap but that of the very same area, memmove_s none") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::string before = random.text(64);
    std::string copied = before;
    std::string moved = before;
    const std::size_t to = random.below(32);
    const std::size_t from = random.below(32);
    const std::size_t count = random.below(33);
    const bool overlap = count != 0 && to != from && (to < from ? from - to : to - from) < count;
    const errno_t code = memcpy_s(&copied[to], 32, &copied[from], count);
    REQUIRE(code == (overlap ? EOVERLAP_AND_RESET : EOK));
    REQUIRE(memmove_s(&moved[to], 32, &moved[from], count) == EOK);
    std::string model = before;
    model.replace(to, count, before, from, count);
    REQUIRE(moved == model);
    REQUIRE(copied ==
            (overlap ? before.substr(0, to) + std::string(32, 0) + before.substr(to + 32) : model));
  }
}

TEST_CASE("memset_s fills what it is asked for, and all there is when that is less") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    Room room(1 + random.below(64));
    const std::size_t count = random.below(96);
    const errno_t code = memset_s(room.at(), room.size, 'x', count);
    const std::size_t filled = std::min(count, room.size);
    REQUIRE(code == (count > room.size ? ERANGE_AND_RESET : EOK));
    REQUIRE(room.all() == std::string(filled, 'x') + std::string(room.size - filled, kOld));
    REQUIRE(room.guarded());
  }
  char byte = 1;
  CHECK(memset_s(&byte, 0, 0, 1) == ERANGE);
  CHECK(memset_s(nullptr, 1, 0, 1) == EINVAL);
  CHECK(byte == 1);
}

TEST_CASE("strcpy_s and strncpy_s keep a whole string or none") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::string source = random.text(random.below(40));
    const std::size_t count = random.below(48);
    const std::size_t most = 1 + random.below(40);
    Room whole(most);
    REQUIRE(left_by(whole, [&] { return strcpy_s(whole.at(), most, source.c_str()); }) ==
            model_of("", most, source));
    Room part(most);
    REQUIRE(left_by(part, [&] { return strncpy_s(part.at(), most, source.c_str(), count); }) ==
            model_of("", most, source.substr(0, count)));
  }
}

TEST_CASE("strcat_s and strncat_s append a whole string or keep none") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::size_t most = 1 + random.below(64);
    const std::string before = random.text(random.below(most));
    const std::string source = random.text(random.below(40));
    const std::size_t count = random.below(48);
    Room whole(most);
    std::strcpy(whole.at(), before.c_str());
    REQUIRE(left_by(whole, [&] { return strcat_s(whole.at(), most, source.c_str()); }) ==
            model_of(before, most, source));
    Room part(most);
    std::strcpy(part.at(), before.c_str());
    REQUIRE(left_by(part, [&] { return strncat_s(part.at(), most, source.c_str(), count); }) ==
            model_of(before, most, source.substr(0, count)));
  }
}

TEST_CASE("strncpy_s reads no further than its count") {
  const char no_end[3] = {'a', 'b', 'c'};
  std::vector<char> exact(no_end, no_end + 3);  // AddressSanitizer detects a read after it
  char out[8];
  CHECK(strncpy_s(out, sizeof out, exact.data(), 3) == EOK);
  CHECK(std::string(out) == "abc");
  CHECK(strncat_s(out, sizeof out, exact.data(), 3) == EOK);
  CHECK(std::string(out) == "abcabc");
}

TEST_CASE("strings that are null, without an end or in the way are refused") {
  char text[8] = "seven77";
  CHECK(strcpy_s(nullptr, 8, "a") == EINVAL);
  CHECK(strcpy_s(text, 0, "a") == ERANGE);
  CHECK(strcpy_s(text, SECUREC_STRING_MAX_LEN + 1, "a") == ERANGE);
  CHECK(std::string(text) == "seven77");
  CHECK(strcat_s(text, 4, "a") == EINVAL_AND_RESET);
  CHECK(text[0] == 0);
  for (const auto call : {+[](char* to) { return strcpy_s(to, 8, nullptr); },
                          +[](char* to) { return strcat_s(to, 8, nullptr); }}) {
    std::strcpy(text, "abc");
    CHECK(call(text) == EINVAL_AND_RESET);
    CHECK(text[0] == 0);
  }
  std::strcpy(text, "abc");
  CHECK(strcpy_s(text, 8, text) == EOK);
  CHECK(std::string(text) == "abc");
  CHECK(strcpy_s(text, 8, text + 1) == EOVERLAP_AND_RESET);
  CHECK(text[0] == 0);
  std::strcpy(text, "abc");
  CHECK(strncpy_s(text, 8, "def", SECUREC_STRING_MAX_LEN + 1) == ERANGE_AND_RESET);
  CHECK(text[0] == 0);
}

TEST_CASE("strtok_s cuts at delimiters without hidden state") {
  char text[] = ",a,,b;c";
  char* rest = nullptr;
  std::string found;
  for (char* token = strtok_s(text, ",;", &rest); token; token = strtok_s(nullptr, ",;", &rest)) {
    found += std::string(token) + "|";
  }
  CHECK(found == "a|b|c|");
  CHECK(strtok_s(text, nullptr, &rest) == nullptr);
  CHECK(strtok_s(text, ",", nullptr) == nullptr);
  char* none = nullptr;
  CHECK(strtok_s(nullptr, ",", &none) == nullptr);
}

TEST_CASE("sprintf_s and snprintf_s print what fits") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::string source = random.text(random.below(40));
    const std::size_t most = 1 + random.below(40);
    const std::size_t count = random.below(48);
    const int length = static_cast<int>(source.size());
    Room all(most);
    const bool fits = source.size() < most;
    REQUIRE(sprintf_s(all.at(), most, "%s", source.c_str()) == (fits ? length : -1));
    REQUIRE(std::string(all.at()) == (fits ? source : ""));
    REQUIRE(all.guarded());
    Room part(most);
    const int printed = snprintf_s(part.at(), most, count, "%s", source.c_str());
    const bool whole = source.size() <= count && fits;
    const std::string cut = count < most ? source.substr(0, count) : fits ? source : "";
    REQUIRE(printed == (whole ? length : -1));
    REQUIRE(std::string(part.at()) == cut);
    REQUIRE(part.guarded());
  }
}

TEST_CASE("printing with null pointers or impossible sizes gives -1") {
  char text[8] = "old";
  const char* const no_format = nullptr;
  CHECK(sprintf_s(nullptr, 8, "%d", 1) == -1);
  CHECK(sprintf_s(text, 0, "%d", 1) == -1);
  CHECK(std::string(text) == "old");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
  CHECK(sprintf_s(text, 8, no_format) == -1);
#pragma GCC diagnostic pop
  CHECK(text[0] == 0);
  CHECK(snprintf_s(text, 8, static_cast<std::size_t>(-1), "%s", "longer than that") == -1);
  CHECK(std::string(text) == "longer ");
  CHECK(snprintf_s(text, 8, SECUREC_STRING_MAX_LEN, "%s", "a") == -1);
  CHECK(text[0] == 0);
}

TEST_CASE("sscanf_s takes sizes behind text and stops where it does not fit") {
  Random random;
  for (int i = 0; i < kRounds; ++i) {
    const std::string word = random.text(1 + random.below(20));
    const unsigned size = static_cast<unsigned>(1 + random.below(20));
    const std::string input = "17 " + word + " 4.5";
    int number = 0;
    double real = 0;
    Room room(size);
    const int found = sscanf_s(input.c_str(), "%d %s %lf", &number, room.at(), size, &real);
    const bool fits = word.size() < size;
    REQUIRE(found == (fits ? 3 : 1));
    REQUIRE(number == 17);
    REQUIRE(std::string(room.at()) == (fits ? word : ""));
    REQUIRE(real == (fits ? 4.5 : 0));
    REQUIRE(room.guarded());
  }
}

TEST_CASE("sscanf_s understands the directives of scanf") {
  char set[8];
  char rest[8];
  char two[2];
  long long big = 0;
  short small = 0;
  int taken = 0;
  CHECK(sscanf_s("a1,x=9%-77 zz", "%[a-z0-9],%*c=%lld%%%hd%n", set, 8U, &big, &small, &taken) == 3);
  CHECK(std::string(set) == "a1");
  CHECK(big == 9);
  CHECK(small == -77);
  CHECK(taken == 10);
  CHECK(sscanf_s("pq", "%2c", two, 2U) == 1);
  CHECK((two[0] == 'p' && two[1] == 'q'));
  CHECK(sscanf_s("pqr", "%3c", two, 2U) == 0);
  CHECK(two[0] == 0);
  CHECK(sscanf_s("ab]c", "%[^]]]%s", set, 8U, rest, 8U) == 2);
  CHECK((std::string(set) == "ab" && std::string(rest) == "c"));
  CHECK(sscanf_s("abcdef", "%3s%s", set, 4U, rest, 8U) == 2);
  CHECK((std::string(set) == "abc" && std::string(rest) == "def"));
}

TEST_CASE("sscanf_s says how its input ended") {
  int number = 0;
  char text[8];
  CHECK(sscanf_s("", "%d", &number) == -1);
  CHECK(sscanf_s("  ", "%s", text, 8U) == -1);
  CHECK(sscanf_s("x", "%d", &number) == 0);
  CHECK(sscanf_s("5", "%d %d", &number, &number) == 1);
  CHECK(sscanf_s(nullptr, "%d", &number) == -1);
  CHECK(sscanf_s("5", nullptr) == -1);
  CHECK(sscanf_s("5", "%d", static_cast<int*>(nullptr)) == -1);
  CHECK(sscanf_s("a", "%s", text, 0U) == -1);
  CHECK(sscanf_s("a", "%[a", text, 8U) == -1);
}

TEST_CASE("fscanf_s and gets_s read streams") {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fputs("12 word\nfits\nis too long\nlast", file);
  std::rewind(file);
  int number = 0;
  char text[8];
  CHECK(fscanf_s(file, "%d %s ", &number, text, 8U) == 2);
  CHECK((number == 12 && std::string(text) == "word"));
  std::fseek(file, 8, SEEK_SET);
  std::FILE* const before = stdin;
  stdin = file;
  CHECK(gets_s(text, 5) == text);
  CHECK(std::string(text) == "fits");
  CHECK(gets_s(text, 5) == nullptr);
  CHECK(text[0] == 0);
  CHECK(gets_s(text, 5) == text);
  CHECK(std::string(text) == "last");
  CHECK(gets_s(text, 5) == nullptr);
  stdin = before;
  std::fclose(file);
}

TEST_CASE("the wide forms count characters") {
  wchar_t text[4];
  CHECK(wcscpy_s(text, 4, L"abc") == EOK);
  CHECK(std::wstring(text) == L"abc");
  CHECK(wcscat_s(text, 4, L"d") == ERANGE_AND_RESET);
  CHECK(text[0] == 0);
  CHECK(wcsncpy_s(text, 4, L"abcdef", 2) == EOK);
  CHECK(wcsncat_s(text, 4, L"xyz", 1) == EOK);
  CHECK(std::wstring(text) == L"abx");
  CHECK(swprintf_s(text, 4, L"%d", 123) == 3);
  CHECK(swprintf_s(text, 4, L"%d", 1234) == -1);
  CHECK(text[0] == 0);
  CHECK(wmemcpy_s(text, 4, L"pqrs", 4) == EOK);
  CHECK(text[3] == L's');
  CHECK(wmemmove_s(text, 4, text + 1, 3) == EOK);
  CHECK(text[0] == L'q');
  CHECK(wmemcpy_s(text, 4, L"pqrst", 5) == ERANGE_AND_RESET);
}

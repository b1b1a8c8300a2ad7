// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/formats/database.h"

#if ACLSIM_HAVE_SQLITE

#include <fmt/format.h>
#include <sqlite3.h>

#include <charconv>
#include <filesystem>

#include "tools/trace/files/input_error.h"

namespace trace {
namespace {

/// A path as part of a URI.
std::string escaped(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

Database::Database(const std::string& path) : path_(path) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(path, error).string();
  const std::string uri = "file:" + escaped(absolute) + "?mode=ro&immutable=1";
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(uri.c_str(), &handle_, flags, nullptr) == SQLITE_OK) return;
  const std::string why = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
  sqlite3_close(handle_);
  throw InputError(path, fmt::format("cannot be read ({}); expected a SQLite database", why));
}

Database::Database(const std::string& path, std::string_view bytes) : path_(path) {
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(":memory:", &handle_, flags, nullptr);
  auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  if (code == SQLITE_OK) {
    code = sqlite3_deserialize(handle_, "main", data, size, size, SQLITE_DESERIALIZE_READONLY);
  }
  if (code == SQLITE_OK) return;
  sqlite3_close(handle_);
  throw InputError(path, "cannot be read; expected a SQLite database");
}

Database::~Database() { sqlite3_close(handle_); }

bool Database::has_table(const std::string& table) {
  Rows rows(*this, "sqlite_master",
            fmt::format("SELECT 1 FROM sqlite_master WHERE type IN ('table','view') AND name='{}'",
                        table));
  return rows.next();
}

bool Database::has_column(const std::string& table, const std::string& column) {
  Rows rows(*this, table, fmt::format("PRAGMA table_info({})", table));
  while (rows.next()) {
    if (rows.text(1) == column) return true;
  }
  return false;
}

std::string Database::first_column(const std::string& table,
                                   std::initializer_list<const char*> columns) {
  for (const char* const column : columns) {
    if (has_column(table, column)) return column;
  }
  return {};
}

Rows::Rows(Database& database, const std::string& table, const std::string& sql)
    : database_(database), table_(table) {
  if (sqlite3_prepare_v2(database.handle_, sql.c_str(), -1, &statement_, nullptr) == SQLITE_OK) {
    return;
  }
  throw InputError(database.path(), fmt::format("table {}: {}; expected a database of a profiler",
                                                table, sqlite3_errmsg(database.handle_)));
}

Rows::~Rows() { sqlite3_finalize(statement_); }

bool Rows::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_DONE) return false;
  ++number_;
  if (code == SQLITE_ROW) return true;
  refuse(fmt::format("{}; expected a whole database", sqlite3_errmsg(database_.handle_)));
}

void Rows::refuse(std::string_view text) const {
  throw InputError(database_.path(), fmt::format("table {}, row {}: {}", table_, number_, text));
}

bool Rows::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t Rows::integer(int column, const char* name) const {
  const int type = sqlite3_column_type(statement_, column);
  if (type == SQLITE_INTEGER) return sqlite3_column_int64(statement_, column);
  const std::string_view cell = text(column);
  std::int64_t value = 0;
  const auto [at, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (type == SQLITE_TEXT && error == std::errc() && at == cell.data() + cell.size()) return value;
  refuse(fmt::format("{} is '{}'; expected a whole number", name, shown(cell)));
}

std::int64_t Rows::integer(int column, const char* name, std::int64_t otherwise) const {
  return is_null(column) ? otherwise : integer(column, name);
}

std::string_view Rows::text(int column) const {
  const unsigned char* const cell = sqlite3_column_text(statement_, column);
  if (!cell) return {};
  const int size = sqlite3_column_bytes(statement_, column);
  return {reinterpret_cast<const char*>(cell), static_cast<std::size_t>(size)};
}

}  // namespace trace

#endif

// SPDX-License-Identifier: Apache-2.0
// A SQLite database that is only read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace trace {

/// Throws InputError with the path, also for errors of SQLite while rows are read.
class Database {
 public:
  /// Opens the file without writing anything beside it; a journal beside it is not read.
  explicit Database(const std::string& path);
  /// The same from memory; `bytes` must outlive it.
  Database(const std::string& path, std::string_view bytes);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  bool has_table(const std::string& table);
  bool has_column(const std::string& table, const std::string& column);
  /// The first of these columns that the table has; "" for none.
  std::string first_column(const std::string& table, std::initializer_list<const char*> columns);
  const std::string& path() const { return path_; }

 private:
  friend class Rows;
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// The rows of one query.
class Rows {
 public:
  /// `table` names the rows in messages.
  Rows(Database& database, const std::string& table, const std::string& sql);
  ~Rows();
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  bool next();
  std::uint32_t number() const { return number_; }  // of the row, from 1
  bool is_null(int column) const;
  /// Whole numbers, also if they are stored as texts; refuses anything else.
  std::int64_t integer(int column, const char* name) const;
  /// The same, or `otherwise` if the cell is NULL.
  std::int64_t integer(int column, const char* name, std::int64_t otherwise) const;
  std::string_view text(int column) const;
  [[noreturn]] void refuse(std::string_view text) const;

 private:
  Database& database_;
  std::string table_;
  sqlite3_stmt* statement_ = nullptr;
  std::uint32_t number_ = 0;
};

}  // namespace trace

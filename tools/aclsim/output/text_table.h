// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace aclsim {

using TableRow = std::vector<std::string>;

enum class Align { left, right };

/// Prints rows of equal length in columns; the first row is the head. `align` has an entry for each
/// column; the last entry applies to all further columns.
void print_table(const std::vector<TableRow>& rows, const std::vector<Align>& align);

void print_tsv(const std::vector<TableRow>& rows);

/// `text` as a JSON string, quotes included.
std::string json_string(const std::string& text);

}  // namespace aclsim

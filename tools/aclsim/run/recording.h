// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aclsim {

/// Why there is no file.
std::string nothing_written(const char* what, bool killed);

/// The files that the processes of `run --record FILE` leave. The runtime writes them plain; those
/// of a name that ends in .gz are compressed when the program has ended.
class Recording {
 public:
  explicit Recording(std::string path);

  /// Takes away what an earlier run left under the name. What is wrong with that; empty: nothing.
  std::string prepare();
  /// What ACLSIM_RECORD is told.
  const std::string& pattern() const { return plain_; }
  struct End {
    std::string text;  // a line about what is there now
    bool complete;
    bool nothing;  // no process has recorded anything
  };
  /// Compresses. `killed`: the program was.
  End finish(bool killed);

 private:
  std::vector<std::string> files() const;

  const std::string path_;
  std::string plain_;  // without .gz
  std::filesystem::file_time_type began_{};  // files of this run are not older
};

}  // namespace aclsim

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aclsim {

/// Why there is no file.
std::string nothing_written(const char* what, bool killed);

/// The files that the processes of `run --record FILE` leave. The runtime writes them plain; those
/// of a name that ends in .gz are written under a hidden name and compressed when the program has
/// ended.
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
  std::string packed_name(const std::string& plain) const;

  const std::string path_;
  std::string plain_;   // what the runtime writes
  std::string hidden_;  // of its name what stands before that of the file; empty: nothing
  std::filesystem::file_time_type began_{};  // files of this run are not older
};

}  // namespace aclsim

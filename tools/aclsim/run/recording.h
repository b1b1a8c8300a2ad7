// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aclsim {

/// A message that explains why no file was written.
std::string nothing_written(const char* what, bool killed);

/// The files that the processes of `run --record FILE` write. The runtime writes them uncompressed.
/// If FILE ends in .gz, they are written under a hidden name and compressed after the program's
/// end.
class Recording {
 public:
  explicit Recording(std::string path);

  /// Removes the file of an earlier run. Returns an error message; empty: success.
  std::string prepare();
  /// The value of ACLSIM_RECORD.
  const std::string& pattern() const { return plain_; }
  struct End {
    std::string text;  // a line about the recorded files
    bool complete;
    bool nothing;  // no process has recorded anything
  };
  /// Compresses the files. `killed`: the program was killed.
  End finish(bool killed);

 private:
  std::vector<std::string> files() const;
  std::string packed_name(const std::string& plain) const;

  const std::string path_;
  std::string plain_;   // the path that the runtime writes
  std::string hidden_;  // the prefix of the hidden file name; empty: not hidden
  std::filesystem::file_time_type began_{};  // files of this run are not older
};

}  // namespace aclsim

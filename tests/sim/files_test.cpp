// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/files.h"

#include <fcntl.h>
#include <poll.h>

#include <thread>

#include "tests/support/catch.h"
#include "tests/support/odd_files.h"
#include "tests/support/temp_dir.h"

using support::OddFiles;
using support::TempDir;

namespace {

std::string read_or_why(const std::string& path, std::size_t most = sim::kMostText) {
  try {
    return "read: " + sim::read_file(path, most);
  } catch (const sim::FileError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("regular files are read whole, and /dev/null is empty", "[files]") {
  const TempDir dir;
  const std::string long_text(300'000, 'x');
  CHECK(read_or_why(dir.write("text", "hello\n")) == "read: hello\n");
  CHECK(read_or_why(dir.write("empty", "")) == "read: ");
  CHECK(read_or_why(dir.write("long", long_text)) == "read: " + long_text);
  CHECK(read_or_why("/dev/null") == "read: ");
  REQUIRE(symlink("text", (dir.path() / "link").c_str()) == 0);
  CHECK(read_or_why((dir.path() / "link").string()) == "read: hello\n");
}

TEST_CASE("what is no regular file is refused by its kind, and at once", "[files]") {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    INFO(path);
    if (access(path.c_str(), F_OK) == 0) CHECK_THROWS_AS(sim::read_file(path), sim::FileError);
  }
  CHECK(read_or_why(odd.pipe()) == "a pipe");
  CHECK(read_or_why("/dev/zero") == "a device");
  CHECK(read_or_why("/proc/self/maps") == "a file of the kernel");
  CHECK(read_or_why("/") == "a folder");
  CHECK(read_or_why(odd.pipe() + ".missing") == "No such file or directory");
}

TEST_CASE("a file is read up to a limit", "[files]") {
  const TempDir dir;
  const std::string path = dir.write("text", std::string(1 << 20, 'x'));
  CHECK(read_or_why(path, 1 << 20).size() == 6 + (1 << 20));
  CHECK(read_or_why(dir.write("more", std::string((1 << 20) + 1, 'x')), 1 << 20) ==
        "more than 1 MiB");
  const std::string sparse = dir.write("sparse", "");
  REQUIRE(truncate(sparse.c_str(), off_t{1} << 40) == 0);
  CHECK(read_or_why(sparse, 1 << 20) == "more than 1 MiB");
}

TEST_CASE("a pipe is opened for reading without waiting, where that is allowed", "[files]") {
  const OddFiles odd;
  const sim::files::Closed pipe(sim::open_input(odd.pipe(), sim::Pipes::allowed));
  char byte = 0;
  CHECK(read(pipe.get(), &byte, 1) == 0);
}

TEST_CASE("a pipe is written to when somebody reads it, and else not waited for", "[files]") {
  const OddFiles odd;
  CHECK(sim::open_output(odd.pipe(), O_WRONLY | O_CREAT) == -1);
  CHECK(errno == ENXIO);
  CHECK(sim::write_file(odd.pipe(), "text") == ENXIO);
  const sim::files::Closed reader(sim::open_input(odd.pipe(), sim::Pipes::allowed));
  const sim::files::Closed writer(sim::open_output(odd.pipe(), O_WRONLY));
  REQUIRE(writer.get() >= 0);
  CHECK((fcntl(writer.get(), F_GETFL) & O_NONBLOCK) == 0);  // a full pipe is waited for
  CHECK(sim::write_all(writer.get(), "text") == 0);
  char text[8] = {};
  CHECK(read(reader.get(), text, sizeof text) == 4);
}

TEST_CASE("a file that is to be written is emptied, a pipe or device left alone", "[files]") {
  const TempDir dir;
  const OddFiles odd;
  const std::string path = dir.write("text", "hello");
  CHECK(sim::clear_output(path) == 0);
  CHECK(read_or_why(path) == "read: ");
  CHECK(sim::clear_output(odd.pipe()) == 0);
  CHECK(sim::clear_output("/dev/null") == 0);
  CHECK(sim::clear_output("/") == EISDIR);
  CHECK(sim::clear_output((dir.path() / "missing" / "file").string()) == ENOENT);
}

// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/mailbox.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "device_sim/base/files.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using sim::Mail;
using sim::Mailbox;
using sim::send_mail;

namespace {

std::string path_of(const std::string& address) { return address.substr(0, address.rfind(':')); }

/// As a process leaves it that is killed while it writes.
void append_raw(const Mailbox& box, const std::string& bytes) {
  const sim::files::Closed file(sim::open_output(path_of(box.address()), O_WRONLY | O_APPEND));
  REQUIRE(sim::write_all(file.get(), bytes) == 0);
}

/// The bytes of one message.
std::string message(std::uint32_t kind, const std::string& text, const Mailbox& box) {
  REQUIRE(send_mail(box.address(), kind, 0, text) == 0);
  const std::string all = [&] {
    const sim::files::Closed file(::open(path_of(box.address()).c_str(), O_RDONLY));
    std::string bytes(box.arrived(), '\0');
    REQUIRE(::pread(file.get(), bytes.data(), bytes.size(), 0) ==
            static_cast<ssize_t>(bytes.size()));
    return bytes;
  }();
  return all;
}

}  // namespace

TEST_CASE("a message arrives with its kind, process, instance and bytes", "[mailbox]") {
  Mailbox box;
  CHECK(box.take().empty());
  REQUIRE(send_mail(box.address(), 7, 9, "hello") == 0);
  REQUIRE(send_mail(box.address(), 8, 0, "") == 0);
  const std::vector<Mail> mails = box.take();
  REQUIRE(mails.size() == 2);
  CHECK(mails[0].kind == 7);
  CHECK(mails[0].process == getpid());
  CHECK(mails[0].instance == 9);
  CHECK(mails[0].bytes == "hello");
  CHECK(mails[0].whole);
  CHECK(mails[1].bytes.empty());
  CHECK(box.take().empty());
}

TEST_CASE("messages of many threads and sizes arrive whole and in the order of each", "[mailbox]") {
  Mailbox box;
  const std::string address = box.address();
  constexpr std::uint64_t kThreads = 4, kMessages = 200;
  std::vector<std::thread> senders;
  for (std::uint64_t sender = 0; sender < kThreads; ++sender) {
    senders.emplace_back([&, sender] {
      for (std::uint32_t i = 0; i < kMessages; ++i) {
        send_mail(address, i, sender, std::string(i * 97, static_cast<char>('a' + sender)));
      }
    });
  }
  std::map<std::uint64_t, std::uint32_t> next;
  std::size_t count = 0, wrong = 0;
  const bool all = support::eventually([&] {
    for (const Mail& mail : box.take()) {
      const std::string wanted(mail.kind * 97, static_cast<char>('a' + mail.instance));
      wrong += !mail.whole || mail.kind != next[mail.instance]++ || mail.bytes != wanted;
      ++count;
    }
    return count == kThreads * kMessages;
  });
  for (std::thread& sender : senders) sender.join();
  CHECK(wrong == 0);
  CHECK(all);
}

TEST_CASE("a message that was cut off at any byte spoils no other", "[mailbox]") {
  Mailbox source;
  const std::string bytes = message(5, "cut off", source);
  const std::string address = source.address();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    INFO(length);
    Mailbox box;
    // The mark differs between mailboxes.
    const std::string mark = message(1, "", box).substr(0, Mailbox::kMark);
    const std::string cut = (mark + bytes.substr(Mailbox::kMark)).substr(0, length);
    append_raw(box, cut);
    CHECK(box.take().size() == 1);  // it may still be written
    REQUIRE(send_mail(box.address(), 2, 0, "next") == 0);
    std::vector<Mail> mails = box.take();
    REQUIRE_FALSE(mails.empty());
    CHECK(mails.back().bytes == "next");
    CHECK(mails.size() <= 2);
    if (mails.size() == 2) CHECK_FALSE(mails[0].whole);
    append_raw(box, cut);
    CHECK(box.take().empty());
    for (const Mail& mail : box.take(true)) CHECK_FALSE(mail.whole);
  }
}

TEST_CASE("a message that is read while it is written arrives, wherever the reader meets it",
          "[mailbox]") {
  Mailbox source;
  const std::string bytes = message(5, "in pieces", source);
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    INFO(length);
    Mailbox box;
    REQUIRE(send_mail(box.address(), 1, 0, "before") == 0);
    const std::string mark = message(1, "again", box).substr(0, Mailbox::kMark);
    const std::string whole = mark + bytes.substr(Mailbox::kMark);
    append_raw(box, whole.substr(0, length));
    CHECK(box.take().size() == (length == bytes.size() ? 3 : 2));
    append_raw(box, whole.substr(length));
    const std::vector<Mail> mails = box.take();
    REQUIRE(mails.size() == (length == bytes.size() ? 0 : 1));
    if (mails.size() == 1) CHECK((mails[0].whole && mails[0].bytes == "in pieces"));
  }
}

TEST_CASE("who knows the file and not the secret is not heard", "[mailbox]") {
  Mailbox box;
  const std::string forged = path_of(box.address()) + ":" + std::string(2 * Mailbox::kMark, '0');
  CHECK(send_mail(forged, 1, 0, "forged") == 0);
  append_raw(box, "noise");
  REQUIRE(send_mail(box.address(), 2, 0, "own") == 0);
  const std::vector<Mail> mails = box.take(true);
  REQUIRE(mails.size() == 1);
  CHECK(mails[0].bytes == "own");
}

TEST_CASE("what is no address of a mailbox is refused", "[mailbox]") {
  for (const char* bad : {"", ":", "/tmp", "/proc/version/x:00", "/proc/self/fd/0:zz",
                          "/proc/version/x:0123456789abcdef0123456789abcdeg"}) {
    INFO(bad);
    CHECK(send_mail(bad, 1, 0, "text") == EINVAL);
  }
  CHECK(send_mail("/proc/version/x:0123456789abcdef0123456789abcdef", 1, 0, "") == ENOTDIR);
  CHECK(sim::mail_error(EINVAL) == "it is no address of a mailbox");
}

TEST_CASE("other processes send until the one that made the mailbox is killed", "[mailbox]") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t maker = fork();
  if (maker == 0) {
    const Mailbox box;
    const std::string address = box.address();
    if (write(ends[1], address.data(), address.size()) < 0) _exit(1);
    for (;;) pause();
  }
  char text[256];
  const ssize_t size = read(ends[0], text, sizeof text);
  REQUIRE(size > 0);
  const std::string address(text, static_cast<std::size_t>(size));
  CHECK(send_mail(address, 1, 0, "heard") == 0);
  kill(maker, SIGKILL);
  waitpid(maker, nullptr, 0);
  const int error = send_mail(address, 1, 0, "lost");
  CHECK(error == ENOENT);
  CHECK(sim::mail_error(error) == "its process has ended");
  close(ends[0]);
  close(ends[1]);
}

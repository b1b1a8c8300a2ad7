// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/random_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/trace/kineto_text.h"

namespace lookalike {
namespace {

constexpr int kStreams = 5;  // 0 and 1 on device 0, 2 on device 1, 3 and 4 on device 2 of rank 1

int rank_of_stream(int stream) { return stream < 3 ? 0 : 1; }
int device_of_stream(int stream) { return stream < 2 ? 0 : stream == 2 ? 1 : 2; }

class RandomTrace {
 public:
  explicit RandomTrace(unsigned seed) : random_(seed) {
    timed_ = below(3) != 0;
    issued_ = below(3) != 0;
  }

  std::string text() {
    head();
    for (int step = 0; step < 60; ++step) add_op();
    return std::move(text_);
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  bool one_in(int count) { return below(count) == 0; }

  void line(const std::string& text) { text_ += text + "\n"; }
  void head() {
    line(R"({"aclt":1,"clock":"ns","ranks":[0,1],"source":{"tool":"a test","file":"r"}})");
    line(R"({"def":"device","id":0,"rank":0})");
    line(R"({"def":"device","id":1,"rank":0})");
    line(R"({"def":"device","id":2,"rank":1,"num":0})");
    line(R"({"def":"graph","id":0,"name":"g"})");
    // Rank by rank, as in traces that were read from a file for each rank.
    const auto stream = [&](int s) {
      line(fmt::format(R"({{"def":"stream","id":{},"dev":{},"num":{}}})", s, device_of_stream(s),
                       s + 10));
    };
    for (const int s : {0, 1, 2}) stream(s);
    line(R"({"def":"stream","id":5,"dev":0,"graph":0})");
    line(R"({"def":"stream","id":6,"dev":0,"num":10,"plane_of":0})");
    line(R"({"def":"host","id":8,"rank":0})");
    for (const int s : {3, 4}) stream(s);
    line(R"({"def":"host","id":9,"rank":1})");
    line(R"({"def":"group","id":0,"name":"world","ranks":[0,1]})");
    line(R"({"def":"buf","id":0,"dev":0,"size":4096})");
    line(R"({"def":"buf","id":1,"dev":2,"size":4096})");
    line(R"({"op":"kernel","st":5,"d":700,"n":"in the graph"})");
    number_ = 1;
  }

  /// The beginning of each op of a stream. `took`: its duration in ns, -1: not recorded.
  std::string begin(const char* op, int stream, int took) {
    ++number_;
    std::string text = fmt::format(R"({{"op":"{}","st":{})", op, stream);
    if (issued_) {
      host_[rank_of_stream(stream)] += below(3000);
      text += fmt::format(R"(,"h":{},"iss":{})", 8 + rank_of_stream(stream),
                          host_[rank_of_stream(stream)]);
    }
    if (timed_) {
      busy_[stream] = std::max(busy_[stream], host_[rank_of_stream(stream)]) + below(5000);
      text += fmt::format(R"(,"t":{})", busy_[stream]);
      busy_[stream] += std::max(took, 0);
    }
    if (took >= 0) text += fmt::format(R"(,"d":{})", took);
    return text;
  }
  void end(const std::string& text) { line(text + "}"); }
  std::string on_host(const char* op, int rank) {
    ++number_;
    std::string text = fmt::format(R"({{"op":"{}","h":{})", op, 8 + rank);
    if (!issued_) return text;
    host_[rank] += below(3000);
    text += fmt::format(R"(,"t":{},"d":{})", host_[rank], 500);
    if (timed_) {
      for (int s = 0; s < kStreams; ++s) {
        if (rank_of_stream(s) == rank) host_[rank] = std::max(host_[rank], busy_[s]);
      }
    }
    host_[rank] += 500;
    return text;
  }
  /// The time without work of an op without a duration, so that the model gives it one.
  int took() { return timed_ || !one_in(4) ? 500 + below(40'000) : -1; }

  void add_op();
  void add_signal(int stream);
  void add_host_op(int rank);

  std::mt19937 random_;
  std::string text_;
  bool timed_, issued_;
  int number_ = 0;
  int host_[2] = {};
  int busy_[kStreams] = {};
  int value_[2] = {};
  int last_[2] = {};  // kernels
  int seq_ = 0, sends_ = 0;
};

void RandomTrace::add_signal(int stream) {
  const int rank = rank_of_stream(stream);
  switch (below(6)) {
    case 0:
      return end(begin("record", stream, 0) + fmt::format(R"(,"ev":{})", below(3)));
    case 1:
      return end(begin("wait", stream, 0) + fmt::format(R"(,"ev":{})", below(3)));
    case 2: {
      const std::string id = fmt::format(R"(,"nid":{})", 20 + below(2));
      end(begin("notify", stream, 0) + id);
      return end(begin("nwait", below(kStreams), 0) + id);
    }
    case 3:
      ++value_[rank];
      return end(begin("vwrite", stream, 0) +
                 fmt::format(R"(,"addr":64,"val":{},"cmp":"eq")", value_[rank]));
    case 4:
      return end(begin("vwait", stream, 0) +
                 fmt::format(R"(,"addr":64,"val":{},"cmp":"geq")", value_[rank]));
    default:
      return end(begin("ereset", stream, 0) + fmt::format(R"(,"ev":{})", below(3)));
  }
}

void RandomTrace::add_host_op(int rank) {
  const int stream = rank == 0 ? below(3) : 3 + below(2);
  switch (below(6)) {
    case 0:
      return end(on_host("hsync", rank) + fmt::format(R"(,"what":"stream","id":{})", stream));
    case 1:
      return end(on_host("hsync", rank) +
                 fmt::format(R"(,"what":"device","id":{})", device_of_stream(stream)));
    case 2:
      return end(on_host("hsync", rank) + fmt::format(R"(,"what":"event","id":{})", below(3)));
    case 3:
      return end(on_host("hquery", rank) +
                 fmt::format(R"(,"what":"stream","id":{},"saw":true)", stream));
    case 4:
      return end(on_host("alloc", rank) + fmt::format(R"(,"buf":{},"size":64)", rank));
    default:
      return end(on_host("api", rank) + R"(,"n":"aclrtSomething")");
  }
}

void RandomTrace::add_op() {
  const int stream = below(kStreams);
  const int rank = rank_of_stream(stream);
  switch (below(16)) {
    case 0:
    case 1:
    case 2: {
      std::string text = begin("kernel", stream, took()) + R"(,"n":"k")";
      if (one_in(2)) {
        text += fmt::format(R"(,"{}":[[{},{},64]])", one_in(2) ? "rd" : "wr", rank, below(4) * 32);
      }
      // Chakra traces contain no dependencies between ranks.
      if (last_[rank] != 0 && one_in(4)) text += fmt::format(R"(,"dep":[{}])", last_[rank]);
      last_[rank] = number_;
      return end(text);
    }
    case 3:
      return end(begin("memcpy", stream, took()) + fmt::format(R"(,"bytes":{},"src":{},"dst":{})",
                                                               1000 + below(100'000), below(4) - 1,
                                                               below(4) - 1));
    case 4:
      return end(begin("memset", stream, took()) + R"(,"bytes":100)");
    case 5:
      return end(begin("callback", stream, 2000));
    case 6:
      for (const int s : {below(3), 3 + below(2)}) {
        end(begin("coll", s, timed_ ? 3000 : -1) +
            fmt::format(R"(,"kind":"all_reduce","group":0,"seq":{},"bytes":4096)", seq_));
      }
      ++seq_;
      return;
    case 7:
      end(begin("send", 0, timed_ ? 900 : -1) +
          fmt::format(R"(,"peer":1,"tag":{},"bytes":512)", sends_));
      end(begin("recv", 3, timed_ ? 900 : -1) +
          fmt::format(R"(,"peer":0,"tag":{},"bytes":512)", sends_));
      ++sends_;
      return;
    case 8:
      return end(begin("mark", stream, 0) + R"(,"n":"here")");
    case 9:
      if (stream != 0) return end(begin("delay", stream, took()));
      return end(begin("launch", stream, -1) + R"(,"graph":0)");
    case 10: {
      const int part = number_ + 1;
      end(begin("kernel", 0, 800) + R"(,"n":"part")");
      return end(begin("join", 0, 800) + fmt::format(R"(,"dep":[{}])", part));
    }
    case 11:
    case 12:
      return add_host_op(rank);
    default:
      return add_signal(stream);
  }
}

}  // namespace

std::string random_native(unsigned seed) { return RandomTrace(seed).text(); }

std::string random_kineto(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  KinetoText text;
  std::vector<double> busy(3);
  double host = 0;
  for (int correlation = 1; correlation <= 40; ++correlation) {
    host += 1 + below(20);
    const auto stream = static_cast<std::size_t>(below(3));
    const int dice = below(10);
    if (dice < 3) {
      const bool device = dice == 0;
      const double waited = device ? *std::max_element(busy.begin(), busy.end()) : busy[stream];
      const double until = std::max(host, waited) + 2;
      text.call(device ? "cudaDeviceSynchronize" : "cudaStreamSynchronize", host, until - host,
                correlation);
      host = until;
      continue;
    }
    text.call("cudaLaunchKernel", host, 1, correlation);
    const double start = std::max(busy[stream], host + 3) + 0.25 * below(16);
    const double duration = 1 + 0.125 * below(480);
    text.kernel("k", 7 + static_cast<int>(stream), start, duration, correlation);
    busy[stream] = start + duration;
    host += 1;
  }
  return text.text();
}

}  // namespace lookalike

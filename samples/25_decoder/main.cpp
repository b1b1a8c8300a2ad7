// SPDX-License-Identifier: Apache-2.0
// Generates tokens with a small language model through aclnn operators.
//
//   decoder [--size small|large] [--tokens N] [--weights f16|int8] [--devices 1|2] [--graph]
//   [--seed N]
//           [--logits FILE]
//
// With two devices the first half of the layers is on device 0 and the rest on device 1. --graph
// captures the layers once and runs the graph for each token. --logits writes the logits of all
// steps (float32), which tests compare with the same model in numpy.
#include <chrono>
#include <cstring>
#include <string>

#include "model.h"

namespace {

struct Options {
  Shape shape;
  int64_t tokens = 24;
  Weights weights = Weights::f16;
  int devices = 1;
  bool graph = false;
  uint64_t seed = 1;
  std::string logits;
};

[[noreturn]] void usage(const char* why) {
  std::fprintf(stderr,
               "decoder: %s\nusage: decoder [--size small|large] [--tokens N] [--weights f16|int8] "
               "[--devices 1|2] [--graph] [--seed N] [--logits FILE]\n",
               why);
  std::exit(2);
}

Options read(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--graph") {
      options.graph = true;
      continue;
    }
    if (i + 1 == argc) usage((option + " wants a value, or is unknown").c_str());
    const std::string value = argv[++i];
    if (option == "--size") {
      if (value != "small" && value != "large") usage("--size wants small or large");
      options.shape = value == "small" ? Shape() : Shape::large();
    } else if (option == "--tokens") {
      options.tokens = std::atoll(value.c_str());
    } else if (option == "--weights") {
      if (value != "f16" && value != "int8") usage("--weights wants f16 or int8");
      options.weights = value == "f16" ? Weights::f16 : Weights::int8;
    } else if (option == "--devices") {
      if (value != "1" && value != "2") usage("--devices wants 1 or 2");
      options.devices = value == "1" ? 1 : 2;
    } else if (option == "--seed") {
      options.seed = std::strtoull(value.c_str(), nullptr, 10);
    } else if (option == "--logits") {
      options.logits = value;
    } else {
      usage(("unknown option " + option).c_str());
    }
  }
  if (options.tokens < 1 || options.tokens > options.shape.positions) {
    usage(("--tokens wants 1 to " + std::to_string(options.shape.positions)).c_str());
  }
  return options;
}

void enable_peers() {
  for (int device = 0; device < 2; ++device) {
    CHECK(aclrtSetDevice(device));
    CHECK(aclrtDeviceEnablePeerAccess(1 - device, 0));
  }
}

/// Generates one token after another. The parts run in sequence, each on its device.
class Decoder {
 public:
  Decoder(const Options& options, const Shape& shape) {
    const int64_t each = shape.layers / options.devices;
    for (int device = 0; device < options.devices; ++device) {
      parts_.push_back(std::make_unique<Part>(device, shape, options.weights, options.seed,
                                              device * each, each));
      aclrtEvent done = nullptr;
      CHECK(aclrtCreateEvent(&done));
      done_.push_back(done);
      if (options.graph) parts_.back()->capture();
    }
    CHECK(aclrtSetDevice(0));
    token_ = std::make_unique<Memory>(sizeof(int32_t));
    CHECK(aclrtSetDevice(parts_.back()->device()));
    next_ = std::make_unique<Memory>(sizeof(int32_t));
  }
  ~Decoder() {
    for (aclrtEvent done : done_) aclrtDestroyEvent(done);
  }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  int32_t step(int32_t token, int64_t position) const {
    for (const auto& part : parts_) part->set_position(position);
    CHECK(aclrtSetDevice(0));
    token_->put(&token, sizeof token);
    parts_.front()->embed(*token_);
    for (size_t i = 0; i < parts_.size(); ++i) {
      CHECK(aclrtSetDevice(parts_[i]->device()));
      if (i != 0) {
        CHECK(aclrtStreamWaitEvent(parts_[i]->stream(), done_[i - 1]));
        const Memory &to = parts_[i]->state(), &from = parts_[i - 1]->state();
        CHECK(aclrtMemcpyAsync(to.data(), to.bytes(), from.data(), from.bytes(),
                               ACL_MEMCPY_DEVICE_TO_DEVICE, parts_[i]->stream()));
      }
      parts_[i]->run();
      CHECK(aclrtRecordEvent(done_[i], parts_[i]->stream()));
    }
    const Part& last = *parts_.back();
    last.predict(*next_);
    CHECK(aclrtSynchronizeStream(last.stream()));
    int32_t predicted = 0;
    next_->get(&predicted, sizeof predicted);
    return predicted;
  }
  const Memory& logits() const { return parts_.back()->logits(); }

 private:
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<aclrtEvent> done_;
  std::unique_ptr<Memory> token_, next_;
};

void append(std::FILE* file, const Memory& logits) {
  std::vector<char> values(logits.bytes());
  logits.get(values.data(), values.size());
  if (std::fwrite(values.data(), 1, values.size(), file) != values.size()) {
    std::perror("decoder: --logits");
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read(argc, argv);
  CHECK(aclInit(nullptr));
  if (options.devices == 2) enable_peers();
  std::FILE* const file =
      options.logits.empty() ? nullptr : std::fopen(options.logits.c_str(), "wb");
  if (!options.logits.empty() && !file) {
    std::perror("decoder: --logits");
    return 1;
  }
  {
    const Decoder decoder(options, options.shape);
    const auto begin = std::chrono::steady_clock::now();
    int32_t token = 1;
    std::printf("tokens:");
    for (int64_t position = 0; position < options.tokens; ++position) {
      token = decoder.step(token, position);
      std::printf(" %d", token);
      std::fflush(stdout);
      if (file) append(file, decoder.logits());
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("\n%d tokens, %s weights, %d device%s, %s: %.0f tokens/s\n",
                static_cast<int>(options.tokens), options.weights == Weights::f16 ? "f16" : "int8",
                options.devices, options.devices == 1 ? "" : "s",
                options.graph ? "as a graph" : "eager",
                static_cast<double>(options.tokens) / took.count());
  }
  if (file && std::fclose(file) != 0) {
    std::perror("decoder: --logits");
    return 1;
  }
  for (int device = 0; device < options.devices; ++device) CHECK(aclrtResetDevice(device));
  std::printf("OK\n");
  return 0;
}

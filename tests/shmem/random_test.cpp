// SPDX-License-Identifier: Apache-2.0
// Random operations of several PEs against a model of bytes. Each PE writes where no other does,
// and adds where all do, so that every PE knows from the seed what its memory must hold.
#include <cstring>
#include <random>

#include "acl/acl_sim.h"
#include "shmem/shmem_device.h"
#include "tests/shmem/world.h"
#include "tests/support/share.h"

using namespace shmemtest;

namespace {

constexpr std::size_t kPart = 2048;    // of each PE's block, for one writer
constexpr std::size_t kMost = 256;     // bytes of one transfer
constexpr std::size_t kWords = 16;     // that all PEs add to, 8 bytes each
constexpr std::size_t kSource = 8192;  // what puts copy from; the same everywhere
constexpr int kTurn = 50;              // operations between barriers, of each PE

enum class Kind {
  put,
  put_later,
  put_signal,
  get,
  iput,
  p,
  g,
  swap,
  compare_swap,
  add,
  fetch_xor,
  signal_add
};
constexpr unsigned kKinds = 12;

struct Operation {
  Kind kind;
  int pe;
  std::size_t at;  // in the writer's part
  std::size_t bytes;
  std::size_t source;  // in the source
  std::size_t word;    // of the shared ones
  std::uint64_t value;
};

class Generator {
 public:
  Generator(std::uint64_t seed, int pe, int pes)
      : random_(seed * 1000 + static_cast<unsigned>(pe)), pes_(pes) {}
  Operation next() {
    Operation made{};
    made.kind = static_cast<Kind>(below(kKinds));
    made.pe = static_cast<int>(below(static_cast<unsigned>(pes_)));
    made.bytes = below(kMost);
    made.at = below(kPart / 2 - kMost) & ~std::size_t{7};
    if (made.kind == Kind::put || made.kind == Kind::get) made.at += below(8);
    made.source = below(kSource - 2 * kMost);
    made.word = below(kWords);
    made.value = random_();
    return made;
  }

 private:
  std::size_t below(std::size_t most) { return random_() % most; }
  std::mt19937_64 random_;
  const int pes_;
};

/// The expected contents of a PE's block.
struct Model {
  std::vector<std::byte> bytes;
  template <class T>
  T load(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  template <class T>
  void store(std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
};

std::size_t words_at(int pes) { return kPart * static_cast<std::size_t>(pes); }
std::size_t block_bytes(int pes) { return words_at(pes) + kWords * 8; }
/// The words for signals are in the second half of a part.
std::size_t signal_at(std::size_t part, const Operation& op) {
  return part + kPart / 2 + op.word * 4;
}

/// The bytes that iput moves: every second word of 2 bytes there, every third here.
std::size_t strided_count(const Operation& op) { return op.bytes / 6; }

void apply(std::vector<Model>& models, const std::vector<std::byte>& source, int writer,
           const Operation& op) {
  Model& model = models[static_cast<std::size_t>(op.pe)];
  const std::size_t part = kPart * static_cast<std::size_t>(writer);
  const std::size_t at = part + op.at;
  const std::size_t word = words_at(static_cast<int>(models.size())) + op.word * 8;
  switch (op.kind) {
    case Kind::put_signal:
      model.store(signal_at(part, op), static_cast<std::int32_t>(op.value));
      [[fallthrough]];
    case Kind::put:
    case Kind::put_later:
      std::memcpy(model.bytes.data() + at, source.data() + op.source, op.bytes);
      break;
    case Kind::iput:
      for (std::size_t i = 0; i < strided_count(op); ++i) {
        std::memcpy(model.bytes.data() + at + 4 * i, source.data() + op.source + 6 * i, 2);
      }
      break;
    case Kind::p:
    case Kind::swap:
      model.store(at, op.value);
      break;
    case Kind::compare_swap:
      if (op.value % 2 == 0) model.store(at, op.value);
      break;
    case Kind::add:
      model.store(word, model.load<std::uint64_t>(word) + op.value);
      break;
    case Kind::fetch_xor:
      model.store(at, model.load<std::uint64_t>(at) ^ op.value);
      break;
    case Kind::signal_add:
      model.store(signal_at(part, op),
                  static_cast<std::int32_t>(
                      static_cast<std::uint32_t>(model.load<std::int32_t>(signal_at(part, op))) +
                      static_cast<std::uint32_t>(op.value)));
      break;
    case Kind::get:
    case Kind::g:
      break;
  }
}

/// One PE of the run.
class Player {
 public:
  explicit Player(const InJob& job)
      : me_(job.me),
        pes_(job.pes),
        seed_(static_cast<std::uint64_t>(number("TEST_SEED", 1))),
        models_(static_cast<std::size_t>(job.pes),
                Model{std::vector<std::byte>(block_bytes(job.pes))}),
        source_(kSource) {
    for (int pe = 0; pe < pes_; ++pe) generators_.emplace_back(seed_, pe, pes_);
    std::mt19937_64 random(seed_);
    for (std::byte& byte : source_) byte = static_cast<std::byte>(random());
    block_ = static_cast<std::byte*>(aclshmem_calloc(1, block_bytes(pes_)));
    from_ = static_cast<std::byte*>(aclshmem_malloc(kSource));
    landing_ = static_cast<std::byte*>(aclshmem_malloc(kMost));
    expect(block_ && from_ && landing_, message());
    write(from_, source_);
  }

  void turn(bool in_kernel) {
    if (in_kernel) {
      launch();
    } else {
      play(generators_[static_cast<std::size_t>(me_)]);
    }
    for (int pe = 0; pe < pes_; ++pe) {
      if (pe == me_) continue;
      for (int i = 0; i < kTurn; ++i) {
        apply(models_, source_, pe, generators_[static_cast<std::size_t>(pe)].next());
      }
    }
    aclshmem_barrier_all();
    const auto got = read(block_, block_bytes(pes_));
    const auto& want = models_[static_cast<std::size_t>(me_)].bytes;
    for (std::size_t i = 0; i < got.size(); ++i) {
      expect(got[i] == want[i],
             fmt::format("seed {}: byte {} of PE {} is {}, not {}", seed_, i, me_,
                         static_cast<int>(got[i]), static_cast<int>(want[i])));
    }
    aclshmem_barrier_all();
  }

 private:
  void launch() {
    static const auto run = [](const aclsimKernelContext*, const void* args) -> std::int32_t {
      Player& self = **static_cast<Player* const*>(args);
      try {
        self.play(self.generators_[static_cast<std::size_t>(self.me_)]);
        return 0;
      } catch (const Wrong& wrong) {
        std::cout << wrong.text << std::endl;
        return 507015;
      }
    };
    Player* const self = this;
    aclsimLaunch launch{};
    launch.size = sizeof launch;
    launch.name = "turn";
    launch.kernel = +run;
    launch.numBlocks = 1;
    launch.args = &self;
    launch.argsSize = sizeof self;
    expect(aclsimLaunchKernel(&launch, nullptr) == 0, message());
    expect(aclrtSynchronizeStream(nullptr) == 0, message());
  }

  void play(Generator& generator) {
    for (int i = 0; i < kTurn; ++i) {
      const Operation op = generator.next();
      perform(op);
      apply(models_, source_, me_, op);
    }
    aclshmem_quiet();
  }

  template <class T>
  void expect_before(const Operation& op, std::size_t at, T got) {
    const T want = models_[static_cast<std::size_t>(op.pe)].load<T>(at);
    expect(got == want, fmt::format("seed {}: operation {} at PE {} found {:#x} at {}, not {:#x}",
                                    seed_, static_cast<int>(op.kind), op.pe, got, at, want));
  }

  void perform(const Operation& op) {
    const std::size_t part = kPart * static_cast<std::size_t>(me_);
    std::byte* const there = block_ + part + op.at;
    std::byte* const here = from_ + op.source;
    auto* const word = reinterpret_cast<std::uint64_t*>(there);
    auto* const signal = reinterpret_cast<std::int32_t*>(block_ + signal_at(part, op));
    switch (op.kind) {
      case Kind::put:
        return aclshmem_putmem(there, here, op.bytes, op.pe);
      case Kind::put_later:
        return aclshmem_putmem_nbi(there, here, op.bytes, op.pe);
      case Kind::put_signal:
        return aclshmemx_putmem_signal(there, here, op.bytes, signal,
                                       static_cast<std::int32_t>(op.value), ACLSHMEM_SIGNAL_SET,
                                       op.pe);
      case Kind::get:
        return get(op, there, part + op.at);
      case Kind::iput:
        return aclshmem_iput16(there, here, 2, 3, strided_count(op), op.pe);
      case Kind::p:
        return aclshmem_uint64_p(word, op.value, op.pe);
      case Kind::g:
        return expect_before(op, part + op.at, aclshmem_uint64_g(word, op.pe));
      case Kind::swap:
        return expect_before(op, part + op.at, aclshmem_uint64_atomic_swap(word, op.value, op.pe));
      case Kind::compare_swap:
        return compare_swap(op, word, part + op.at);
      case Kind::add:
        return aclshmem_uint64_atomic_add(
            reinterpret_cast<std::uint64_t*>(block_ + words_at(pes_)) + op.word, op.value, op.pe);
      case Kind::fetch_xor:
        return expect_before(op, part + op.at,
                             aclshmem_uint64_atomic_fetch_xor(word, op.value, op.pe));
      case Kind::signal_add:
        return aclshmemx_signal_op(signal, static_cast<std::int32_t>(op.value), ACLSHMEM_SIGNAL_ADD,
                                   op.pe);
    }
  }

  void get(const Operation& op, std::byte* there, std::size_t at) {
    aclshmem_quiet();
    aclshmem_getmem(landing_, there, op.bytes, op.pe);
    const std::byte* const want = models_[static_cast<std::size_t>(op.pe)].bytes.data() + at;
    expect(std::memcmp(landing_, want, op.bytes) == 0,
           fmt::format("seed {}: {} bytes at {} of PE {} are not what they should be", seed_,
                       op.bytes, at, op.pe));
  }

  void compare_swap(const Operation& op, std::uint64_t* word, std::size_t at) {
    const auto now = models_[static_cast<std::size_t>(op.pe)].load<std::uint64_t>(at);
    const std::uint64_t condition = op.value % 2 == 0 ? now : now + 1;
    expect_before(op, at, aclshmem_uint64_atomic_compare_swap(word, condition, op.value, op.pe));
  }

  const int me_;
  const int pes_;
  const std::uint64_t seed_;
  std::vector<Model> models_;
  std::vector<Generator> generators_;
  std::vector<std::byte> source_;
  std::byte* block_ = nullptr;
  std::byte* from_ = nullptr;
  std::byte* landing_ = nullptr;
};

}  // namespace

CHILD_PROGRAM(shmem_model) {
  return as_pe([] {
    const InJob job;
    Player player(job);
    const int turns = number("TEST_OPERATIONS") / (kTurn * job.pes);
    for (int turn = 0; turn < turns; ++turn) player.turn(turn % 2 == 1);
    aclshmem_finalize();
  });
}

TEST_CASE("random operations leave the bytes that a model has", "[shmem][random]") {
  constexpr int kOperations = 25'000;  // of four parts, which make 100,000
  const int pes[] = {2, 3, 4, 2};
  for (unsigned part = 0; part < 4; ++part) {
    if (!support::in_share(part)) continue;
    const std::uint64_t seed = support::first_seed() + part;
    std::cout << "seed " << seed << ", " << pes[part] << " PEs, " << kOperations << " operations\n";
    INFO("seed " << seed << ", " << pes[part] << " PEs");
    Job("shmem_model", pes[part],
        {{"TEST_SEED", std::to_string(seed % 1'000'000)},
         {"TEST_OPERATIONS", std::to_string(kOperations)}})
        .check_all_say("ok");
  }
}

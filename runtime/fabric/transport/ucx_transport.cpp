// SPDX-License-Identifier: Apache-2.0
#if ACLSIM_HAVE_UCX
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/fabric/transport/atomic.h"
#include "runtime/fabric/transport/message.h"
#include "runtime/fabric/transport/network.h"
#include "runtime/fabric/transport/ucx_messages.h"
#include "runtime/fabric/transport/ucx_worker.h"

namespace fabric {
namespace {

/// The maximum size of small puts that wait for the next message.
constexpr std::size_t kMostPending = kCopiedPut + 1000;
/// The maximum size of requests that travel with a large put.
constexpr std::size_t kMostBesidePut = 1000;
/// The chunk size of large puts; one message each. The system sends whole packets, up to 64 KiB in
/// a row: 45 of 1,448 bytes, or 7 of 8,948. A chunk with its header and requests fills two rows. A
/// few bytes more would begin a third one, which takes as long as a full one (measured: chunks of
/// 65,536 bytes are twice as slow as chunks of 64,512).
constexpr std::size_t kChunk = 121 << 10;

// ---- memory ----

struct NetworkCard {
  Bytes address;  // of the owner's worker
  Bytes key;      // packed

  Bytes pack() const { return Writer().bytes(address).bytes(key).take(); }
  static NetworkCard unpack(std::span<const std::byte> packed) {
    Reader reader(packed);
    NetworkCard card;
    const auto address = reader.bytes();
    card.address.assign(address.begin(), address.end());
    const auto key = reader.bytes();
    card.key.assign(key.begin(), key.end());
    reader.end();
    return card;
  }
};

class UcxExposure final : public Exposure {
 public:
  UcxExposure(std::shared_ptr<UcxWorker> worker, const MemoryCard& card)
      : worker_(std::move(worker)), key_(card.key) {
    const std::span memory(reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(card.base)),
                           card.bytes);
    NetworkCard made{worker_->core().address, {}};
    worker_->with([&] {
      worker_->assert_within();
      map(memory);
      made.key = pack_key();
      worker_->add_memory(key_, memory);
    });
    card_ = made.pack();
  }
  ~UcxExposure() override {
    worker_->with([&] {
      worker_->assert_within();
      worker_->remove_memory(key_);
      if (mapped_) ucx().ucp_mem_unmap(worker_->core().context, mapped_);
    });
  }
  const Bytes& card() const noexcept override { return card_; }

 private:
  void map(std::span<std::byte> memory) {
    ucp_mem_map_params_t params{};
    params.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                        UCP_MEM_MAP_PARAM_FIELD_FLAGS;
    params.address = memory.data();
    params.length = memory.size();
    params.flags = UCP_MEM_MAP_NONBLOCK;  // a device's memory gets no pages before it is used
    require_ucx(ucx().ucp_mem_map(worker_->core().context, &params, &mapped_), "memory");
  }
  Bytes pack_key() const {
    void* packed = nullptr;
    std::size_t bytes = 0;
    require_ucx(ucx().ucp_rkey_pack(worker_->core().context, mapped_, &packed, &bytes),
                "a key of memory");
    const auto* const begin = static_cast<const std::byte*>(packed);
    Bytes key(begin, begin + bytes);
    ucx().ucp_rkey_buffer_release(packed);
    return key;
  }

  const std::shared_ptr<UcxWorker> worker_;
  const std::uint64_t key_;
  ucp_mem_h mapped_ = nullptr;
  Bytes card_;
};

class RemoteMemory final : public PeerMemory {
 public:
  RemoteMemory(int rank, const MemoryCard& card, std::shared_ptr<UcxWorker> worker, ucp_rkey_h key)
      : PeerMemory(rank, card), worker_(std::move(worker)), key_(key) {}
  ~RemoteMemory() override {
    worker_->with([&] { ucx().ucp_rkey_destroy(key_); });
  }
  std::uint64_t address(std::size_t offset) const noexcept { return card_.base + offset; }
  std::uint64_t key() const noexcept { return card_.key; }
  ucp_rkey_h remote_key() const noexcept { return key_; }

 private:
  const std::shared_ptr<UcxWorker> worker_;
  const ucp_rkey_h key_;
};

// ---- the connection ----

/// The connection to one rank. It outlives its transport as long as UCX may call back. All
/// functions run within UcxWorker::with.
struct UcxConnection : std::enable_shared_from_this<UcxConnection> {
  struct Flush {
    int missing = 0;
    Transport::Done done{};
    std::uint64_t messages = 0;
  };

  UcxConnection(std::shared_ptr<UcxWorker> of, Group& group, int to)
      : worker(std::move(of)), peers(group.weak_from_this()), rank(to) {}

  void connect(const Bytes& address);
  void send_pending(bool wants_answer);
  void send_put(std::span<const std::byte> requests);
  void send_chunk(const PutHeader& about, std::span<const std::byte> chunk,
                  std::span<const std::byte> requests);
  enum class Until : std::uint8_t { arrived, sent };
  void begin_flush(Transport::Done done, Until until);
  void put(const RemoteMemory& to, std::size_t offset, std::span<const std::byte> source);
  void get(const RemoteMemory& from, std::size_t offset, std::span<std::byte> target);
  void request(const Request& what, std::span<const std::byte> bytes = {});
  void fail(ucs_status_t status);
  void part_ended(const std::shared_ptr<Flush>& flush);
  void get_ended();
  void put_ended();
  void message_arrived(std::uint64_t number);
  /// Sends the pending requests, and this one as the last. `before`: receives the old value of the
  /// word, or null.
  void ask(Request request, std::uint64_t* before);
  void wake();

  const std::shared_ptr<UcxWorker> worker;
  const std::weak_ptr<Group> peers;
  const int rank;
  ucp_ep_h end = nullptr;
  bool failed = false;
  Bytes pending;  // requests that were not sent yet
  struct Put {
    std::uint64_t key = 0;
    std::uint64_t offset = 0;
    std::span<const std::byte> source{};
  };
  Put held;                    // a large put that was not sent yet
  std::uint64_t puts = 0;      // chunks of large puts that are not complete
  std::uint64_t gets = 0;      // gets that are not complete
  std::uint64_t messages = 0;  // messages that were sent, large puts included
  std::uint64_t messages_arrived = 0;
  std::uint64_t asked = 0;  // the last message that the peer answers
  std::vector<std::shared_ptr<Flush>> flushes;
  std::vector<std::shared_ptr<Flush>> at_gets;      // flushes that wait for gets
  std::vector<std::shared_ptr<Flush>> at_messages;  // flushes that wait for replies
  // flushes that wait until the sources of puts were read
  std::vector<std::shared_ptr<Flush>> at_puts;
};

/// The data of a pending UCX request. It keeps the connection alive until UCX calls back.
struct Begun {
  std::shared_ptr<UcxConnection> connection;
  void (UcxConnection::*ended)() = nullptr;  // called when the request is complete
  Bytes header{};
};

ucp_request_param_t tracked(Begun* begun) {
  ucp_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.user_data = begun;
  param.cb.send = [](void* request, ucs_status_t status, void* data) {
    const std::unique_ptr<Begun> ended(static_cast<Begun*>(data));
    ucx().ucp_request_free(request);
    if (status != UCS_OK) return ended->connection->fail(status);
    if (ended->ended) (ended->connection.get()->*ended->ended)();
  };
  return param;
}

/// Returns true if the request is complete already.
bool ended_at_once(UcxConnection& connection, std::unique_ptr<Begun> begun,
                   ucs_status_ptr_t request) {
  connection.worker->assert_within();
  if (UCS_PTR_IS_PTR(request)) {
    begun.release();  // NOLINT: the callback deletes it
    connection.worker->kick();
    return false;
  }
  if (UCS_PTR_IS_ERR(request)) connection.fail(UCS_PTR_STATUS(request));
  return true;
}

void UcxConnection::connect(const Bytes& address) {
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.arg = this;
  params.err_handler.cb = [](void* connection, ucp_ep_h, ucs_status_t status) {
    static_cast<UcxConnection*>(connection)->fail(status);
  };
  require_ucx(ucx().ucp_ep_create(worker->core().worker, &params, &end), "a way to another host");
}

void UcxConnection::request(const Request& what, std::span<const std::byte> bytes) {
  if (pending.empty()) {
    constexpr std::size_t kUsual = 256;
    pending.reserve(kUsual);
  }
  append(pending, what, bytes);
}

// Requests after a large put travel with its last chunk, unless one expects a reply.
void UcxConnection::send_pending(bool wants_answer) {
  worker->assert_within();
  if (failed) return;
  if (!held.source.empty()) {
    const bool together = !wants_answer && !pending.empty() && pending.size() <= kMostBesidePut;
    const Bytes requests = together ? std::exchange(pending, {}) : Bytes();
    send_put(requests);
  }
  if (failed || pending.empty()) return;
  ++messages;
  if (!send_message(end, kRequests, std::exchange(pending, {}), wants_answer)) worker->kick();
}

// Sends the put in chunks. UCX sends each chunk as one message without a copy; the requests travel
// with the last one.
void UcxConnection::send_put(std::span<const std::byte> requests) {
  std::span<const std::byte> left = held.source;
  PutHeader about{held.key, held.offset};
  held = {};
  ++messages;
  while (!left.empty() && !failed) {
    const auto chunk = left.first(std::min(kChunk, left.size()));
    left = left.subspan(chunk.size());
    send_chunk(about, chunk, left.empty() ? requests : std::span<const std::byte>());
    about.offset += chunk.size();
  }
}

void UcxConnection::send_chunk(const PutHeader& about, std::span<const std::byte> chunk,
                               std::span<const std::byte> requests) {
  auto begun = std::make_unique<Begun>(Begun{shared_from_this(), &UcxConnection::put_ended});
  begun->header.resize(sizeof about + requests.size());
  std::memcpy(begun->header.data(), &about, sizeof about);
  std::copy(requests.begin(), requests.end(), begun->header.begin() + sizeof about);
  ucp_request_param_t param = tracked(begun.get());
  param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
  param.flags = UCP_AM_SEND_FLAG_EAGER;
  ++puts;
  const Bytes& header = begun->header;
  const ucs_status_ptr_t request = ucx().ucp_am_send_nbx(end, kPut, header.data(), header.size(),
                                                         chunk.data(), chunk.size(), &param);
  if (ended_at_once(*this, std::move(begun), request) && !failed) put_ended();
}

void UcxConnection::put(const RemoteMemory& to, std::size_t offset,
                        std::span<const std::byte> source) {
  if (failed) return fail(UCS_ERR_CONNECTION_RESET);
  if (source.size() <= kCopiedPut) {
    if (pending.size() + source.size() > kMostPending) send_pending(false);
    return request({.kind = Request::Kind::put, .key = to.key(), .offset = offset}, source);
  }
  if (!held.source.empty()) send_put({});
  held = {to.key(), offset, source};
}

void UcxConnection::get(const RemoteMemory& from, std::size_t offset, std::span<std::byte> target) {
  if (failed) return fail(UCS_ERR_CONNECTION_RESET);
  auto begun = std::make_unique<Begun>(Begun{shared_from_this(), &UcxConnection::get_ended});
  const ucp_request_param_t param = tracked(begun.get());
  ++gets;
  const ucs_status_ptr_t request = ucx().ucp_get_nbx(
      end, target.data(), target.size(), from.address(offset), from.remote_key(), &param);
  if (ended_at_once(*this, std::move(begun), request) && !failed) get_ended();
}

void UcxConnection::get_ended() {
  if (--gets != 0) return;
  for (const auto& flush : std::exchange(at_gets, {})) part_ended(flush);
}

void UcxConnection::put_ended() {
  if (--puts != 0) return;
  for (const auto& flush : std::exchange(at_puts, {})) part_ended(flush);
}

void UcxConnection::message_arrived(std::uint64_t number) {
  messages_arrived = std::max(messages_arrived, number);
  std::vector<std::shared_ptr<Flush>> over;
  std::erase_if(at_messages, [&](const std::shared_ptr<Flush>& flush) {
    if (flush->messages > number) return false;
    over.push_back(flush);
    return true;
  });
  for (const auto& flush : over) part_ended(flush);
}

// A flush does not wait for this request.
void UcxConnection::wake() {
  if (failed) return;
  request({.kind = Request::Kind::wake});
  const bool alone = pending.size() == sizeof(Request) && held.source.empty();
  send_pending(false);
  if (alone && messages_arrived + 1 == messages) ++messages_arrived;
}

void UcxConnection::ask(Request request, std::uint64_t* before) {
  worker->assert_within();
  if (!held.source.empty()) send_put({});
  asked = messages + 1;
  request.answer =
      worker->expect([connection = weak_from_this(), number = asked, before](std::uint64_t value) {
        if (before) *before = value;
        if (const auto there = connection.lock()) there->message_arrived(number);
      });
  this->request(request);
  send_pending(true);
}

void UcxConnection::part_ended(const std::shared_ptr<Flush>& flush) {
  worker->assert_within();
  if (--flush->missing != 0) return;
  flushes.erase(std::remove(flushes.begin(), flushes.end(), flush), flushes.end());
  worker->later([done = std::move(flush->done)] { done(nullptr); });
}

// UCX reports when gets are complete. Messages and puts are complete when the peer, which executes
// them first, answers the last one or a ping.
void UcxConnection::begin_flush(Transport::Done done, Until until) {
  worker->assert_within();
  if (failed) {
    fail(UCS_ERR_CONNECTION_RESET);
    worker->later([done = std::move(done), to = rank] {
      const FabricError error(Status::lost, "there is no way to rank " + std::to_string(to));
      done(&error);
    });
    return;
  }
  if (!held.source.empty()) send_pending(false);
  const auto flush = std::make_shared<Flush>();
  flush->done = std::move(done);
  flush->missing = 1;
  flushes.push_back(flush);
  if (until == Until::sent && puts > 0) {
    ++flush->missing;
    at_puts.push_back(flush);
  }
  if (until == Until::arrived && (!pending.empty() || messages_arrived < messages)) {
    ++flush->missing;
    at_messages.push_back(flush);
    flush->messages = messages;
    if (!pending.empty() || asked < messages) {
      ++flush->messages;
      ask({.kind = Request::Kind::ping}, nullptr);
    }
  }
  if (gets > 0) {
    ++flush->missing;
    at_gets.push_back(flush);
  }
  if (!failed) part_ended(flush);
}

// The rank is lost if an operation waits on this connection. An idle connection may close because
// the rank has left in order.
void UcxConnection::fail(ucs_status_t status) {
  worker->assert_within();
  const bool first = !std::exchange(failed, true);
  const bool used = !flushes.empty() || !first;
  pending.clear();
  held = {};
  std::vector<std::shared_ptr<Flush>> given_up;
  given_up.swap(flushes);
  at_gets.clear();
  at_messages.clear();
  at_puts.clear();
  if (!used) return;
  worker->later([given_up, group = peers, to = rank, why = text_of(status)] {
    const FabricError error(
        Status::lost, "rank " + std::to_string(to) + " of another host cannot be reached: " + why);
    if (const std::shared_ptr<Group> all = group.lock()) all->report_lost(to, error.what());
    for (const auto& flush : given_up) flush->done(&error);
  });
}

class UcxTransport final : public Transport {
 public:
  UcxTransport(const std::shared_ptr<UcxWorker>& worker, Group& group, int rank)
      : connection_(std::make_shared<UcxConnection>(worker, group, rank)),
        peer_(group.peer(rank).process.id) {}
  ~UcxTransport() override { close(); }

  const char* name() const noexcept override { return "ucx"; }
  std::shared_ptr<PeerMemory> attach(const MemoryCard& card) override;
  bool poll() override { return connection_->worker->poll(); }
  void begin_polls() noexcept override { connection_->worker->begin_polls(); }
  void end_polls() noexcept override { connection_->worker->end_polls(); }

  void put(PeerMemory& to, std::size_t offset, std::span<const std::byte> source) override {
    to.require(offset, source.size(), "a put");
    if (source.empty()) return;
    connection_->worker->with(
        [&] { connection_->put(static_cast<RemoteMemory&>(to), offset, source); });
  }
  void get(PeerMemory& from, std::size_t offset, std::span<std::byte> target) override {
    from.require(offset, target.size(), "a get");
    if (target.empty()) return;
    connection_->worker->with(
        [&] { connection_->get(static_cast<RemoteMemory&>(from), offset, target); });
  }
  void atomic(PeerMemory& at, std::size_t offset, const Atomic& what,
              std::uint64_t* before) override {
    request_atomic(at, offset, what, Request::Kind::atomic, before);
  }
  void notify(PeerMemory& at, std::size_t offset, const Atomic& what,
              std::uint64_t* before) override {
    request_atomic(at, offset, what, Request::Kind::notify, before);
  }
  void push() override {
    connection_->worker->with([&] {
      if (connection_->failed) return connection_->fail(UCS_ERR_CONNECTION_RESET);
      connection_->request({.kind = Request::Kind::wake});
      connection_->send_pending(false);
    });
  }
  void wake() override {
    connection_->worker->with([&] { connection_->wake(); });
  }
  void flush(Done done) override { flush(std::move(done), UcxConnection::Until::arrived); }
  void flush_sources(Done done) override { flush(std::move(done), UcxConnection::Until::sent); }

 private:
  void flush(Done done, UcxConnection::Until until) {
    const bool begun = connection_->worker->with([&] { connection_->begin_flush(done, until); });
    if (begun) return;
    const FabricError error(Status::closed, "this process is exiting");
    done(&error);
  }
  void request_atomic(PeerMemory& at, std::size_t offset, const Atomic& what, Request::Kind kind,
                      std::uint64_t* before) {
    require_word(at, offset, what);
    connection_->worker->with([&] {
      if (connection_->failed) return connection_->fail(UCS_ERR_CONNECTION_RESET);
      Request request{.kind = kind,
                      .key = static_cast<RemoteMemory&>(at).key(),
                      .offset = offset,
                      .what = what};
      if (before) return connection_->ask(request, before);
      connection_->request(request);
      connection_->send_pending(false);
    });
  }
  void close();

  const std::shared_ptr<UcxConnection> connection_;
  const ProcessId peer_;
};

std::shared_ptr<PeerMemory> UcxTransport::attach(const MemoryCard& card) {
  const std::string rank = "rank " + std::to_string(connection_->rank);
  if (card.process != peer_) throw FabricError(Status::invalid, "this memory is not of " + rank);
  if (card.network.empty()) {
    throw FabricError(Status::broken, rank +
                                          " is on another host and cannot use UCX, which "
                                          "carries what hosts exchange (install libucx0)");
  }
  const NetworkCard network = NetworkCard::unpack(card.network);
  ucp_rkey_h key = nullptr;
  const bool done = connection_->worker->with([&] {
    if (!connection_->end) connection_->connect(network.address);
    require_ucx(ucx().ucp_ep_rkey_unpack(connection_->end, network.key.data(), &key),
                "a key of memory");
  });
  if (!done) throw FabricError(Status::closed, "this process is exiting");
  return std::make_shared<RemoteMemory>(connection_->rank, card, connection_->worker, key);
}

// Sends everything that was issued, even if the program ends next. Does not wait for a lost rank.
void UcxTransport::close() {
  if (!connection_->end) return;
  Timekeeper& time = Timekeeper::real();
  const Moment limit = time.in(std::chrono::seconds(3));
  const auto lost = [&] {
    const std::shared_ptr<Group> group = connection_->peers.lock();
    return group && group->lost();
  };
  const auto arrived = std::make_shared<std::atomic<bool>>(false);
  const bool open = connection_->worker->with([&] {
    connection_->begin_flush([arrived](const FabricError*) { *arrived = true; },
                             UcxConnection::Until::arrived);
  });
  while (open && !*arrived && !lost() && !time.passed(limit)) connection_->worker->poll();
  connection_->worker->with([&] {
    connection_->worker->assert_within();
    auto begun = std::make_unique<Begun>(Begun{connection_});
    ucp_request_param_t param = tracked(begun.get());
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_EP_CLOSE_FLAG_FORCE;
    connection_->failed = true;  // later reports of UCX are ignored
    const ucs_status_ptr_t request = ucx().ucp_ep_close_nbx(connection_->end, &param);
    if (!UCS_PTR_IS_PTR(request)) return;
    begun.release();  // NOLINT: the callback deletes it
    connection_->worker->kick();
  });
}

}  // namespace

std::unique_ptr<Exposure> expose(const std::shared_ptr<Process>& process, const MemoryCard& card) {
  try {
    return std::make_unique<UcxExposure>(UcxWorker::of_process(process), card);
  } catch (const FabricError&) {
    return nullptr;  // make_network_transport gives the reason
  }
}

std::unique_ptr<Transport> make_network_transport(Group& group, int rank) {
  return std::make_unique<UcxTransport>(UcxWorker::of_process(group.process()), group, rank);
}

}  // namespace fabric
#endif

// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/tcp_store.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "runtime/fabric/store/connection.h"
#include "runtime/fabric/store/io_thread.h"
#include "runtime/fabric/store/protocol.h"
#include "runtime/fabric/store/socket_owner.h"

namespace fabric {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAttempt{2000};  // limit of an attempt at one place in the first round
constexpr milliseconds kLongestAttempt{16'000};
// limit of a call that the store answers without waiting for other ranks
constexpr milliseconds kAnswer{60'000};
constexpr milliseconds kFarewell{2000};  // limit of the wait for the reply to `leave`
constexpr std::size_t kMostReply = std::size_t{1} << 30;  // holds many values

/// The rank's end of the connection. Call number 1 is the introduction; the other numbers belong to
/// the store.
class Client final : public ConnectionHandler, public std::enable_shared_from_this<Client> {
 public:
  Client(const Identity& identity, Timekeeper& timekeeper)
      : calls(timekeeper), identity_(identity), introduction_(calls.begin()) {
    fill_random(challenge_);
  }

  void connect(const StorePlace& place, const std::shared_ptr<const Tls>& tls) {
    connection_ =
        Connection::to(IoThread::of_process(), place.host, place.port, weak_from_this(), tls);
    connection_->open();
  }
  /// Returns false if the store does not answer in time. Throws.
  bool introduced(Moment end) {
    const std::optional<Reply> reply = calls.await(introduction_, end);
    if (!reply) connection_->close();
    return reply.has_value();
  }
  void join(const RankPlace& place, const std::string& description, Moment end) {
    introduction_ = calls.begin();
    send(MessageType::join, 0,
         Writer().number(place.rank).number(place.ranks).text(description).take());
    if (!introduced(end)) throw FabricError(Status::timed_out, "the store does not answer");
    joined_ = true;
  }

  void send(MessageType type, std::uint64_t call, Bytes body) {
    connection_->send(frame(type, call, std::move(body)));
  }
  void close() { connection_->close(); }

  void received(Frame frame) override {
    switch (static_cast<MessageType>(frame.type)) {
      case MessageType::challenge:
        return answer(frame.body);
      case MessageType::welcome:
        return welcome(frame.body);
      case MessageType::joined:
        return calls.deliver(introduction_, {});
      case MessageType::refused:
        return calls.fail(
            {Status::refused, "the store refuses this rank: " + printable(text_of(frame.body))});
      case MessageType::over:
        return calls.fail({Status::closed, printable(text_of(frame.body))});
      case MessageType::reply:
        return calls.deliver(frame.call, unpack_reply(frame.body));
      case MessageType::departure:
        return calls.departed(unpack_departure(frame.body));
      default:
        throw FabricError(Status::broken, "a message of an unknown kind");
    }
  }

  void ended(const FabricError& why) override {
    if (why.status() != Status::closed || !joined_) return calls.fail(why);
    calls.fail({Status::closed, "the process that holds the store has ended"});
    calls.departed({kStoreHolder, true, "the process that holds the store has ended"});
  }

  Calls calls;

 private:
  void answer(const Bytes& challenge) {
    const Digest proof = identity_.prove(Identity::Side::rank, challenge);
    send(MessageType::hello, 0, Writer().raw(proof).raw(challenge_).take());
  }
  void welcome(const Bytes& body) {
    Digest proof{};
    Reader(body).fill(proof);
    if (!same(proof, identity_.prove(Identity::Side::store, challenge_))) {
      throw FabricError(Status::refused, kOtherIdentity);
    }
    if (identity_.users() == Identity::Users::same) {
      const std::string why = stranger_at(connection_->socket());
      if (!why.empty()) {
        connection_->close();
        return calls.fail({Status::refused, "this rank refuses the store: " + why});
      }
    }
    // until then the store does not trust this connection
    connection_->accept_frames_up_to(kMostReply);
    calls.deliver(introduction_, {});
  }

  const Identity identity_;
  Challenge challenge_{};
  std::atomic<std::uint64_t> introduction_;
  std::atomic<bool> joined_{false};
  std::shared_ptr<Connection> connection_;
};

class TcpStore final : public Store {
 public:
  explicit TcpStore(std::shared_ptr<Client> client) : client_(std::move(client)) {}
  // The store reports a rank that closes its connection without a farewell as lost.
  ~TcpStore() override { client_->close(); }

  void set(const std::string& key, Bytes value) override {
    request(MessageType::set, Writer().text(key).bytes(value).take());
  }
  std::int64_t add(const std::string& key, std::int64_t amount) override {
    return request(MessageType::add, Writer().text(key).number(amount).take()).number;
  }
  bool remove(const std::string& key) override {
    return request(MessageType::remove, Writer().text(key).take()).number != 0;
  }

  using Store::get;
  KeyTable::Values get(const std::vector<std::string>& keys, Moment end) override {
    return wait_for(MessageType::get, pack(keys), end);
  }
  KeyTable::Values exchange(Entries mine, const std::vector<std::string>& keys,
                            Moment end) override {
    Writer body;
    body.number(static_cast<std::uint32_t>(mine.size()));
    for (const auto& [key, value] : mine) body.text(key).bytes(value);
    return wait_for(MessageType::exchange, body.raw(pack(keys)).take(), end);
  }

  // After the reply, a rank that joins again is known to come after this departure.
  void leave() override {
    Calls& calls = client_->calls;
    std::uint64_t call = 0;
    try {
      call = calls.begin();
    } catch (const FabricError&) {  // other ranks were lost before
    }
    client_->send(MessageType::leave, call, {});
    try {
      if (call != 0 && !calls.await(call, timekeeper().in(kFarewell))) calls.drop(call);
    } catch (const FabricError&) {  // the store has ended
    }
    end_connection();
  }
  void give_up(const std::string& why) override {
    client_->send(MessageType::give_up, 0, Writer().text(why).take());
    end_connection();
  }
  void fail(const FabricError& why) override { client_->calls.fail(why); }
  bool is_local() const noexcept override { return false; }
  void on_departure(Hub::OnDeparture tell) override {
    client_->calls.on_departure(std::move(tell));
  }
  Timekeeper& timekeeper() const noexcept override { return client_->calls.timekeeper(); }

 private:
  /// Returns the values in the reply to a get or an exchange.
  KeyTable::Values wait_for(MessageType type, Bytes body, Moment end) {
    Calls& calls = client_->calls;
    const std::uint64_t call = calls.begin();
    client_->send(type, call, std::move(body));
    std::optional<Reply> reply = calls.await(call, end);
    if (!reply) {
      client_->send(MessageType::cancel, call, {});
      reply = awaited(call);
    }
    if (reply->kind != Reply::Kind::missing) return std::move(checked(*reply).values);
    const std::string first = printable(reply->missing.front());
    throw StoreTimeout(std::move(reply->missing), "nobody has set '" + first + "' in time");
  }
  void end_connection() {
    client_->close();
    IoThread::of_process()->drain();  // the process may end after this call
  }
  Reply request(MessageType type, Bytes body) {
    const std::uint64_t call = client_->calls.begin();
    client_->send(type, call, std::move(body));
    Reply reply = *awaited(call);
    return checked(reply);
  }
  std::optional<Reply> awaited(std::uint64_t call) {
    std::optional<Reply> reply = client_->calls.await(call, timekeeper().in(kAnswer));
    if (reply) return reply;
    client_->calls.drop(call);
    throw FabricError(Status::timed_out, "the store does not answer");
  }
  static Reply& checked(Reply& reply) {
    if (reply.kind == Reply::Kind::refused) throw FabricError(Status::invalid, reply.text);
    return reply;
  }

  const std::shared_ptr<Client> client_;
};

std::string list_of(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text;
}

struct Attempt {
  std::shared_ptr<Client> client{};  // a joined client, or null
  bool refused = false;
  bool silent = false;  // the place sent nothing
  std::string problem{};
};

/// Tries one place. Throws if a further attempt is useless: the store has this identity and refuses
/// this rank.
Attempt try_to_join(const StorePlace& place, const Identity& identity, const RankPlace& as,
                    const std::string& description, Moment introduced_by, Moment end,
                    Timekeeper& timekeeper, const std::shared_ptr<const Tls>& tls) {
  auto client = std::make_shared<Client>(identity, timekeeper);
  const std::string where = place.host + " port " + std::to_string(place.port);
  client->connect(place, tls);
  try {
    if (!client->introduced(introduced_by)) {
      return {.silent = true, .problem = where + " does not answer"};
    }
  } catch (const FabricError& error) {
    client->close();
    return {.refused = error.status() == Status::refused, .problem = error.what()};
  }
  try {
    client->join(as, description, end);
  } catch (const FabricError& error) {
    client->close();
    const bool silent = error.status() == Status::timed_out;
    if (!silent && error.status() != Status::closed) throw;
    return {.silent = silent, .problem = where + ": " + error.what()};
  }
  return {.client = std::move(client)};
}

}  // namespace

std::unique_ptr<Store> join_tcp_store(const std::vector<StorePlace>& places,
                                      const Identity& identity, const RankPlace& as,
                                      const std::string& description, Moment end,
                                      Timekeeper& timekeeper, const std::shared_ptr<const Tls>& tls,
                                      const std::function<bool()>& elsewhere) {
  std::vector<std::string> problems(places.size());
  std::size_t round = 0;
  for (milliseconds attempt = kAttempt;; attempt = std::min(attempt * 2, kLongestAttempt)) {
    std::size_t refusals = 0;
    // A host that drops packets is silent at all of its ports, so a round waits for it once. The
    // next round begins with another place, in case that only one port of the host is silent.
    std::set<std::string> silent_hosts;
    const std::size_t first = round++;
    for (std::size_t n = 0; n < places.size(); ++n) {
      const std::size_t i = (first + n) % places.size();
      if (silent_hosts.count(places[i].host) != 0) continue;
      if (elsewhere && elsewhere()) return nullptr;
      const Moment introduced_by = std::min(end, timekeeper.in(attempt));
      Attempt made =
          try_to_join(places[i], identity, as, description, introduced_by, end, timekeeper, tls);
      if (made.client) return std::make_unique<TcpStore>(std::move(made.client));
      // An earlier reply of a place is more helpful than its present silence.
      if (!made.silent || problems[i].empty()) problems[i] = std::move(made.problem);
      if (made.refused) ++refusals;
      if (made.silent) silent_hosts.insert(places[i].host);
    }
    // One address may lead different hosts to different stores (127.0.0.1 does), so the refusal of
    // one of several places is not decisive.
    if (refusals == places.size()) throw FabricError(Status::refused, list_of(problems));
    if (timekeeper.passed(end)) {
      throw FabricError(Status::timed_out, "rank " + std::to_string(as.rank) +
                                               " cannot reach the store: " + list_of(problems));
    }
    timekeeper.pause(kBetweenRounds, end);
  }
}

}  // namespace fabric

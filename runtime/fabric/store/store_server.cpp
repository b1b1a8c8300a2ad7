// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/store_server.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <deque>
#include <new>
#include <utility>

#include "runtime/fabric/base/error.h"
#include "runtime/fabric/store/connection.h"
#include "runtime/fabric/store/io_thread.h"
#include "runtime/fabric/store/protocol.h"
#include "runtime/fabric/store/socket_owner.h"

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace fabric {
namespace {

constexpr int kBacklog = 1024;
// The maximum number of unauthenticated connections. A new one replaces the oldest. A limit by time
// would need a clock.
constexpr std::size_t kMostStrangers = 128;

/// One connection. All members belong to the I/O thread.
class Session final : public ConnectionHandler, public std::enable_shared_from_this<Session> {
 public:
  Session(std::shared_ptr<Hub> hub, const Identity& identity, std::string address)
      : hub_(std::move(hub)), identity_(identity), address_(std::move(address)) {
    fill_random(challenge_);
  }

  ~Session() override {
    for (const auto& [call, ticket] : waiting_) hub_->cancel(ticket);
  }

  void start(const std::shared_ptr<IoThread>& io, sim::OwnedFd socket,
             const std::shared_ptr<const Tls>& tls) {
    io_ = io;
    connection_ = Connection::adopt(io, std::move(socket), address_, weak_from_this(), tls);
    connection_->send(
        frame(MessageType::challenge, 0, Bytes(challenge_.begin(), challenge_.end())));
    self_ = shared_from_this();
  }
  void stop() {
    connection_->close();
    self_.reset();
  }
  bool is_stranger() const noexcept { return !proven_ && self_; }

  void received(Frame frame) override {
    Reader reader(frame.body);
    const auto type = static_cast<MessageType>(frame.type);
    if (!proven_) return introduce(type, reader);
    if (member_ == 0) return join(type, reader);
    try {
      serve(type, frame.call, reader);
    } catch (const FabricError& error) {
      if (error.status() != Status::invalid) throw;
      reply(frame.call, {.kind = Reply::Kind::refused, .text = error.what()});
    }
  }

  void ended(const FabricError& why) override {
    if (member_ != 0) {
      hub_->lose(member_, why.status() == Status::closed ? "has died: its connection is closed"
                                                         : "is lost: " + std::string(why.what()));
    }
    self_.reset();
  }

 private:
  void introduce(MessageType type, Reader& reader) {
    Digest proof{};
    Challenge theirs{};
    if (type == MessageType::hello) {
      reader.fill(proof);
      reader.fill(theirs);
    }
    if (!same(proof, identity_.prove(Identity::Side::rank, challenge_))) {
      return refuse(kOtherIdentity);
    }
    if (identity_.users() == Identity::Users::same) {
      const std::string why = stranger_at(connection_->socket());
      if (!why.empty()) return refuse(why);
    }
    proven_ = true;
    const Digest mine = identity_.prove(Identity::Side::store, theirs);
    connection_->send(frame(MessageType::welcome, 0, Bytes(mine.begin(), mine.end())));
  }

  void join(MessageType type, Reader& reader) {
    if (type != MessageType::join) return refuse("it has not joined");
    const auto rank = reader.number<int>();
    const auto ranks = reader.number<int>();
    const std::string description = reader.printable_text() + " on " + address_;
    try {
      member_ = hub_->join(
          {rank, ranks}, description, [self = weak_from_this()](const Departure& departure) {
            const std::shared_ptr<Session> session = self.lock();
            if (session)
              session->connection_->send(frame(MessageType::departure, 0, pack(departure)));
          });
    } catch (const FabricError& error) {
      return refuse(error.what(),
                    error.status() == Status::closed ? MessageType::over : MessageType::refused);
    }
    connection_->accept_frames_up_to(kMostFrame);
    connection_->send(frame(MessageType::joined));
  }

  void refuse(const std::string& why, MessageType type = MessageType::refused) {
    connection_->send(frame(type, 0, bytes_of(why)));
    stop();
  }

  void reply(std::uint64_t call, const Reply& reply) {
    connection_->send(frame(MessageType::reply, call, pack(reply)));
  }

  void serve(MessageType type, std::uint64_t call, Reader& reader) {
    switch (type) {
      case MessageType::set: {
        const std::string key = reader.text();
        const auto value = reader.bytes();
        hub_->set(key, Bytes(value.begin(), value.end()));
        return reply(call, {});
      }
      case MessageType::add: {
        const std::string key = reader.text();
        const std::int64_t sum = hub_->add(key, reader.number<std::int64_t>());
        return reply(call, {.kind = Reply::Kind::number, .number = sum});
      }
      case MessageType::remove:
        return reply(call, {.kind = Reply::Kind::number, .number = hub_->remove(reader.text())});
      case MessageType::get:
        return get(call, reader);
      case MessageType::exchange:
        for (auto count = reader.number<std::uint32_t>(); count > 0; --count) {
          const std::string key = reader.text();
          const auto value = reader.bytes();
          hub_->set(key, Bytes(value.begin(), value.end()));
        }
        return get(call, reader);
      case MessageType::cancel:
        return cancel(call);
      case MessageType::leave:
        reply(call, {});
        return depart(true, {});
      case MessageType::give_up:
        return depart(false, reader.printable_text());
      default:
        throw FabricError(Status::broken, "a message of an unknown kind");
    }
  }

  void get(std::uint64_t call, Reader& reader) {
    const KeyTable::Ticket ticket =
        hub_->get(unpack_keys(reader), [self = weak_from_this(), call](KeyTable::Values values) {
          if (const std::shared_ptr<Session> session = self.lock()) {
            session->reply(call, {.kind = Reply::Kind::values, .values = std::move(values)});
            session->io_->post([session, call] { session->waiting_.erase(call); });
          }
        });
    if (ticket != 0) waiting_[call] = ticket;
  }

  void cancel(std::uint64_t call) {
    const auto it = waiting_.find(call);
    if (it == waiting_.end()) return;
    std::vector<std::string> missing = hub_->cancel(it->second);
    waiting_.erase(it);
    if (missing.empty()) return;  // the reply has been sent already
    reply(call, {.kind = Reply::Kind::missing, .missing = std::move(missing)});
  }

  void depart(bool orderly, const std::string& why) {
    const Hub::Member member = std::exchange(member_, 0);
    if (orderly) {
      hub_->leave(member);
    } else {
      hub_->lose(member, why);
    }
    stop();
  }

  const std::shared_ptr<Hub> hub_;
  const Identity identity_;
  const std::string address_;
  Challenge challenge_{};
  std::shared_ptr<IoThread> io_;
  std::shared_ptr<Connection> connection_;
  std::shared_ptr<Session> self_;  // set while the connection lasts
  bool proven_ = false;
  Hub::Member member_ = 0;
  std::map<std::uint64_t, KeyTable::Ticket> waiting_;
};

sim::OwnedFd open_reserve() { return sim::OwnedFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

class Server final : public StoreServer, public std::enable_shared_from_this<Server> {
 public:
  Server(std::shared_ptr<Hub> hub, const Identity& identity, std::shared_ptr<const Tls> tls)
      : io_(IoThread::of_process()),
        hub_(std::move(hub)),
        identity_(identity),
        tls_(std::move(tls)),
        acceptor_(io_->context()) {}
  ~Server() override {
    error_code ignored;
    if (acceptor_.is_open()) acceptor_.release(ignored);  // listening_ closes it
  }

  void listen(const std::string& address, std::uint16_t port);
  void stop();
  /// Refuses further connections; from any thread, without memory.
  void end() noexcept {
    stopped_ = true;
    shutdown(listening_.get(), SHUT_RDWR);
  }
  std::uint16_t port() const noexcept override { return port_; }
  std::size_t strangers() const override { return strangers_; }
  const std::shared_ptr<IoThread>& io() const noexcept { return io_; }

 private:
  void accept_next();
  sim::OwnedFd accept_one();
  void take(sim::OwnedFd socket);
  void forget_known();

  const std::shared_ptr<IoThread> io_;
  const std::shared_ptr<Hub> hub_;
  const Identity identity_;
  const std::shared_ptr<const Tls> tls_;
  sim::OwnedFd listening_;
  sim::OwnedFd reserve_ = open_reserve();
  tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<std::size_t> strangers_{0};
  std::deque<std::weak_ptr<Session>> sessions_;  // oldest first
};

sim::OwnedFd listen_at(const tcp::endpoint& place) {
  const int family = place.address().is_v6() ? AF_INET6 : AF_INET;
  sim::OwnedFd descriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!descriptor) return descriptor;
  const int on = 1;
  const int off = 0;
  setsockopt(descriptor.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) {
    setsockopt(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  }
  if (bind(descriptor.get(), place.data(), static_cast<socklen_t>(place.size())) != 0 ||
      ::listen(descriptor.get(), kBacklog) != 0) {
    const int error = errno;
    descriptor.reset();
    errno = error;
  }
  return descriptor;
}

void Server::listen(const std::string& address, std::uint16_t port) {
  error_code error;
  const auto where = asio::ip::make_address(address, error);
  if (error) throw FabricError(Status::invalid, "'" + address + "' is no numeric address");
  listening_ = listen_at({where, port});
  if (!listening_ && address == "::") {  // the host has no IPv6
    listening_ = listen_at({asio::ip::address_v4::any(), port});
  }
  if (!listening_) {
    throw FabricError(Status::broken, "cannot listen at " + address + " port " +
                                          std::to_string(port) + ": " + std::strerror(errno));
  }
  tcp::endpoint here;
  socklen_t size = static_cast<socklen_t>(here.capacity());
  getsockname(listening_.get(), here.data(), &size);
  port_ = here.port();
  const bool v6 = here.data()->sa_family == AF_INET6;
  acceptor_.assign(v6 ? tcp::v6() : tcp::v4(), listening_.get());
  asio::post(io_->context(), [self = shared_from_this()] { self->accept_next(); });
}

void Server::accept_next() {
  if (stopped_) return;
  acceptor_.async_wait(tcp::acceptor::wait_read,
                       [self = shared_from_this()](const error_code& error) {
                         if (error || self->stopped_) return;
                         self->take(self->accept_one());
                         self->accept_next();
                       });
}

// Without a free descriptor the connection would stay in the queue and be reported again and again.
// It is accepted with the reserved descriptor and closed.
sim::OwnedFd Server::accept_one() {
  const auto next = [this] {
    return sim::OwnedFd(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  };
  sim::OwnedFd socket = next();
  if (!socket && (errno == EMFILE || errno == ENFILE)) {
    reserve_.reset();
    next();
    reserve_ = open_reserve();
  }
  return socket;
}

void Server::forget_known() {
  std::deque<std::weak_ptr<Session>> strangers;
  for (const auto& place : sessions_) {
    const std::shared_ptr<Session> session = place.lock();
    if (session && session->is_stranger()) strangers.push_back(place);
  }
  sessions_ = std::move(strangers);
}

void Server::take(sim::OwnedFd socket) {
  if (!socket) return;
  forget_known();
  if (sessions_.size() >= kMostStrangers) {
    if (const std::shared_ptr<Session> oldest = sessions_.front().lock()) oldest->stop();
    sessions_.pop_front();
  }
  auto session = std::make_shared<Session>(hub_, identity_, peer_address(socket.get()));
  sessions_.push_back(session);
  strangers_ = sessions_.size();
  session->start(io_, std::move(socket), tls_);
}

// Ranks that are connected stay connected.
void Server::stop() {
  error_code ignored;
  acceptor_.cancel(ignored);
  end();
}

}  // namespace

std::shared_ptr<StoreServer> StoreServer::start(std::shared_ptr<Hub> hub, const Identity& identity,
                                                const std::string& address, std::uint16_t port,
                                                std::shared_ptr<const Tls> tls) {
  const auto server = std::make_shared<Server>(hub, identity, std::move(tls));
  server->listen(address, port);
  hub->set_flush([io = server->io()] { io->drain(); });
  // The server lives as long as its work in the I/O thread. This handle stops it.
  return {server.get(), [server](StoreServer*) {
            try {
              server->io()->post([server] { server->stop(); });
              server->io()->drain();  // the next server may need the port
            } catch (const std::bad_alloc&) {
              server->end();
            }
          }};
}

}  // namespace fabric

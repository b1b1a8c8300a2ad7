// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/store/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <deque>
#include <span>
#include <utility>
#include <vector>

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace fabric {
namespace {

constexpr std::size_t kPrelude = 8;
constexpr std::size_t kFrameHead = 4 + 1 + 8;  // length of the body, type, call
constexpr std::size_t kIntroduction = 4096;
// The system notices within about 20 seconds that a host has vanished.
constexpr int kIdleSeconds = 5;
constexpr int kProbes = 3;
constexpr unsigned kUnansweredMs = 20'000;

void set_option(int socket, int level, int name, int value) {
  setsockopt(socket, level, name, &value, sizeof value);
}

void set_options(int socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, kIdleSeconds);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, kIdleSeconds);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(kUnansweredMs));
}

// All members except the atomic belong to the I/O thread.
class TcpConnection final : public Connection, public std::enable_shared_from_this<TcpConnection> {
 public:
  TcpConnection(std::shared_ptr<IoThread> io, std::string other,
                std::weak_ptr<ConnectionHandler> handler, std::shared_ptr<const Tls> tls)
      : io_(std::move(io)),
        other_(std::move(other)),
        tls_(std::move(tls)),
        handler_(std::move(handler)),
        resolver_(io_->context()),
        socket_(io_->context()) {}
  ~TcpConnection() override {
    error_code ignored;
    if (socket_.is_open()) socket_.release(ignored);  // descriptor_ closes it
  }

  void start(sim::OwnedFd descriptor);
  void lead_to(const std::string& host, std::uint16_t port) {
    host_ = host;
    port_ = port;
  }

  int socket() const noexcept override { return descriptor_.get(); }
  void open() override;
  void send(Frame frame) override;
  void close() override;
  void accept_frames_up_to(std::size_t bytes) override { most_ = bytes; }

 private:
  void connect_next(tcp::resolver::results_type places, tcp::resolver::results_type::iterator next,
                    error_code last);
  bool attach(sim::OwnedFd descriptor, bool v6);
  void begin(Tls::Side side);
  using OnBytes = void (TcpConnection::*)();
  /// Calls `next` once when the bytes have arrived. Never calls it if the connection ends before.
  void read(std::span<std::byte> bytes, OnBytes next);
  void serve_read();
  void read_more();
  void take(std::span<const std::byte> bytes);
  bool may_write() const noexcept { return begun_ && (!session_ || session_->open()); }
  std::deque<Bytes> next_to_send();
  void check_prelude();
  void read_head();
  void read_body();
  void deliver();
  void write_more();
  void end(const FabricError& why);
  void end(Status status, const std::string& what) {
    end(FabricError(status, other_ + " " + what));
  }
  void failed(const error_code& code);

  const std::shared_ptr<IoThread> io_;
  const std::string other_;
  const std::shared_ptr<const Tls> tls_;
  std::unique_ptr<TlsSession> session_;
  std::array<std::byte, 16384> raw_{};  // as received
  Bytes plain_;                         // decrypted part of it that was not read yet
  std::span<std::byte> wanted_;
  OnBytes next_ = nullptr;  // called once `wanted_` bytes are here
  std::string host_;
  std::uint16_t port_ = 0;
  std::weak_ptr<ConnectionHandler> handler_;
  tcp::resolver resolver_;
  sim::OwnedFd descriptor_;  // closed in a forked child, which the socket would not be
  tcp::socket socket_;
  std::atomic<std::size_t> most_{kIntroduction};
  bool over_ = false;
  bool writing_ = false;
  bool closing_ = false;
  bool begun_ = false;
  bool unheard_ = false;  // the other end accepts no more data
  std::deque<Bytes> out_;
  std::deque<Bytes> sending_;
  std::array<std::byte, kFrameHead> head_{};
  Frame frame_;
};

void TcpConnection::start(sim::OwnedFd descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(descriptor.get(), reinterpret_cast<sockaddr*>(&address), &size);
  if (attach(std::move(descriptor), address.ss_family == AF_INET6)) begin(Tls::Side::store);
}

bool TcpConnection::attach(sim::OwnedFd descriptor, bool v6) {
  error_code error;
  if (socket_.is_open()) socket_.release(error);
  descriptor_ = std::move(descriptor);
  socket_.assign(v6 ? tcp::v6() : tcp::v4(), descriptor_.get(), error);
  if (error) failed(error);
  return !error;
}

void TcpConnection::open() {
  asio::post(io_->context(), [self = shared_from_this()] {
    if (self->over_) return;
    self->resolver_.async_resolve(
        self->host_, std::to_string(self->port_),
        [self](const error_code& error, tcp::resolver::results_type places) {
          if (error) return self->failed(error);
          const auto first = places.begin();
          self->connect_next(std::move(places), first, {});
        });
  });
}

void TcpConnection::connect_next(tcp::resolver::results_type places,
                                 tcp::resolver::results_type::iterator next, error_code last) {
  if (over_) return;
  if (next == places.end()) return failed(last);
  const tcp::endpoint place = next->endpoint();
  const bool v6 = place.address().is_v6();
  sim::OwnedFd descriptor(
      ::socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!descriptor) {
    const error_code error(errno, boost::system::system_category());
    return connect_next(std::move(places), std::next(next), error);
  }
  if (!attach(std::move(descriptor), v6)) return;
  socket_.async_connect(place, [self = shared_from_this(), places, next](const error_code& error) {
    if (self->over_) return;
    if (error) return self->connect_next(places, std::next(next), error);
    self->begin(Tls::Side::rank);
  });
}

void TcpConnection::begin(Tls::Side side) {
  set_options(descriptor_.get());
  out_.push_front(Writer().number(kWireMagic).number(kWireVersion).take());
  begun_ = true;
  if (tls_) session_ = tls_->begin(side);
  write_more();
  read(std::span(head_).first(kPrelude), &TcpConnection::check_prelude);
}

void TcpConnection::read(std::span<std::byte> bytes, OnBytes next) {
  if (session_) {
    wanted_ = bytes;
    next_ = next;
    return serve_read();
  }
  asio::async_read(socket_, asio::buffer(bytes.data(), bytes.size()),
                   [self = shared_from_this(), next](const error_code& error, std::size_t) {
                     if (error) return self->failed(error);
                     ((*self).*next)();
                   });
}

// `next` may request the following read itself, so this loop limits the recursion.
void TcpConnection::serve_read() {
  if (over_ || !next_) return;
  if (plain_.size() < wanted_.size()) return read_more();
  std::copy_n(plain_.begin(), wanted_.size(), wanted_.begin());
  plain_.erase(plain_.begin(), plain_.begin() + static_cast<std::ptrdiff_t>(wanted_.size()));
  (this->*std::exchange(next_, nullptr))();
}

void TcpConnection::read_more() {
  socket_.async_read_some(asio::buffer(raw_),
                          [self = shared_from_this()](const error_code& error, std::size_t bytes) {
                            if (error) return self->failed(error);
                            if (!self->over_) self->take(std::span(self->raw_).first(bytes));
                          });
}

void TcpConnection::take(std::span<const std::byte> bytes) {
  try {
    session_->take(bytes);
    const Bytes more = session_->read();
    plain_.insert(plain_.end(), more.begin(), more.end());
  } catch (const FabricError& error) {
    Bytes farewell = session_->to_send();  // holds the reason
    const Bytes plain = Writer().number(kWireMagic).take();
    if (bytes.size() >= plain.size() && std::equal(plain.begin(), plain.end(), bytes.begin())) {
      farewell = Writer().number(kWireMagic).number(kWireTlsOnly).take();
    }
    ::send(descriptor_.get(), farewell.data(), farewell.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return end(error.status(),
               std::string("and this process do not understand each other: ") + error.what());
  }
  write_more();
  serve_read();
}

void TcpConnection::check_prelude() {
  Reader reader{std::span<const std::byte>(head_).first(kPrelude)};
  if (reader.number<std::uint32_t>() != kWireMagic) {
    return end(Status::refused, "is no store or rank of this emulator");
  }
  const auto version = reader.number<std::uint32_t>();
  if (version == kWireTlsOnly) {
    return end(Status::refused, "speaks TLS, this process plain text");
  }
  if (version != kWireVersion) {
    return end(Status::refused, "speaks version " + std::to_string(version) +
                                    " of the protocol between ranks, this process version " +
                                    std::to_string(kWireVersion));
  }
  read_head();
}

void TcpConnection::read_head() { read(head_, &TcpConnection::read_body); }

void TcpConnection::read_body() {
  Reader reader(head_);
  const auto size = reader.number<std::uint32_t>();
  frame_.type = reader.number<std::uint8_t>();
  frame_.call = reader.number<std::uint64_t>();
  if (size > most_) {
    return end(Status::broken, "sends a message of " + std::to_string(size) + " bytes");
  }
  frame_.body.resize(size);
  read(frame_.body, &TcpConnection::deliver);
}

void TcpConnection::deliver() {
  if (over_) return;
  const std::shared_ptr<ConnectionHandler> handler = handler_.lock();
  if (!handler) return;
  try {
    handler->received(std::move(frame_));
  } catch (const FabricError& error) {
    return end(error.status(), std::string("sends nonsense: ") + error.what());
  }
  frame_ = {};
  if (!over_) read_head();
}

void TcpConnection::send(Frame frame) {
  Writer writer;
  writer.number(static_cast<std::uint32_t>(frame.body.size()));
  writer.number(frame.type).number(frame.call).raw(frame.body);
  asio::post(io_->context(), [self = shared_from_this(), bytes = writer.take()]() mutable {
    if (self->over_) return;
    self->out_.push_back(std::move(bytes));
    self->write_more();
  });
}

/// Returns the frames as they are, or their TLS records after the records that TLS itself has to
/// send.
std::deque<Bytes> TcpConnection::next_to_send() {
  if (!session_) return std::exchange(out_, {});
  if (may_write()) {
    for (const Bytes& bytes : std::exchange(out_, {})) session_->write(bytes);
  }
  std::deque<Bytes> sealed{session_->to_send()};
  if (sealed.front().empty()) sealed.clear();
  return sealed;
}

void TcpConnection::write_more() {
  if (writing_ || !begun_) return;
  if (unheard_) out_.clear();
  sending_ = unheard_ ? std::deque<Bytes>() : next_to_send();
  if (sending_.empty()) {
    if (closing_) {
      over_ = true;
      shutdown(descriptor_.get(), SHUT_RDWR);
    }
    return;
  }
  writing_ = true;
  std::vector<asio::const_buffer> buffers;
  for (const Bytes& bytes : sending_) buffers.push_back(asio::buffer(bytes));
  asio::async_write(socket_, buffers,
                    [self = shared_from_this()](const error_code& error, std::size_t) {
                      self->writing_ = false;
                      self->sending_.clear();
                      // An end that accepts no more data may have sent a farewell: the reader finds
                      // the farewell or the end.
                      if (error) self->unheard_ = true;
                      self->write_more();
                    });
}

void TcpConnection::close() {
  asio::post(io_->context(), [self = shared_from_this()] {
    self->handler_.reset();
    self->closing_ = true;
    if (self->begun_) return self->write_more();
    self->over_ = true;
    self->resolver_.cancel();
    error_code ignored;
    self->socket_.cancel(ignored);
  });
}

void TcpConnection::failed(const error_code& code) {
  const bool closed = code == asio::error::eof || code == asio::error::connection_reset ||
                      code == asio::error::broken_pipe;
  if (closed) return end(Status::closed, "has closed the connection");
  end(Status::broken, "cannot be reached: " + code.message());
}

void TcpConnection::end(const FabricError& why) {
  if (over_) return;
  over_ = true;
  if (descriptor_) shutdown(descriptor_.get(), SHUT_RDWR);
  if (const std::shared_ptr<ConnectionHandler> handler = handler_.lock()) handler->ended(why);
}

}  // namespace

std::shared_ptr<Connection> Connection::adopt(std::shared_ptr<IoThread> io, sim::OwnedFd socket,
                                              std::string other,
                                              std::weak_ptr<ConnectionHandler> handler,
                                              std::shared_ptr<const Tls> tls) {
  auto connection = std::make_shared<TcpConnection>(std::move(io), std::move(other),
                                                    std::move(handler), std::move(tls));
  connection->start(std::move(socket));
  return connection;
}

std::shared_ptr<Connection> Connection::to(std::shared_ptr<IoThread> io, const std::string& host,
                                           std::uint16_t port,
                                           std::weak_ptr<ConnectionHandler> handler,
                                           std::shared_ptr<const Tls> tls) {
  const std::string other = host + " port " + std::to_string(port);
  auto connection =
      std::make_shared<TcpConnection>(std::move(io), other, std::move(handler), std::move(tls));
  connection->lead_to(host, port);
  return connection;
}

std::string peer_address(int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return "?";
  tcp::endpoint place;
  std::memcpy(place.data(), &storage, std::min<std::size_t>(size, place.capacity()));
  const auto address = place.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
  }
  return address.to_string();
}

}  // namespace fabric

// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/ranks/group.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <utility>

#include "device_sim/base/mutex.h"

namespace asio = boost::asio;

namespace fabric {
namespace {

struct Card {
  GroupSpec spec;
  ProcessCard process;
  PresenceCard presence;
  bool holds_store = false;
};

Bytes pack(const Card& card) {
  Writer writer;
  writer.number(card.spec.size).text(card.spec.agreed).bytes(card.spec.about);
  card.process.pack(writer);
  writer.number(card.presence.slot).number(card.presence.number);
  writer.number(static_cast<std::uint8_t>(card.holds_store));
  return writer.take();
}

Card unpack(const Bytes& bytes) {
  Reader reader(bytes);
  Card card;
  card.spec.size = reader.number<int>();
  card.spec.agreed = reader.printable_text();
  const auto about = reader.bytes();
  card.spec.about.assign(about.begin(), about.end());
  card.process = ProcessCard::unpack(reader);
  card.presence.slot = reader.number<std::uint32_t>();
  card.presence.number = reader.number<std::uint64_t>();
  card.holds_store = reader.number<std::uint8_t>() != 0;
  reader.end();
  return card;
}

std::string in_words(const GroupSpec& spec) {
  std::string text = std::to_string(spec.size) + (spec.size == 1 ? " rank" : " ranks");
  if (!spec.agreed.empty()) text += ", " + spec.agreed;
  return text;
}

void require_agreement(const GroupSpec& mine, int rank, const GroupSpec& theirs) {
  if (mine.size == theirs.size && mine.agreed == theirs.agreed) return;
  throw FabricError(Status::invalid, "ranks do not agree: rank " + std::to_string(mine.rank) +
                                         " says " + in_words(mine) + "; rank " +
                                         std::to_string(rank) + " says " + in_words(theirs));
}

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

}  // namespace

const char* name(Locality locality) noexcept {
  switch (locality) {
    case Locality::self:
      return "this rank";
    case Locality::thread:
      return "same process";
    case Locality::host:
      return "same host";
    case Locality::remote:
      return "another host";
  }
  return "?";
}

/// Watches for the end of one process of this host. All members belong to the I/O thread.
class Group::Watch : public std::enable_shared_from_this<Watch> {
 public:
  Watch(const std::shared_ptr<Group>& group, const Peer& peer)
      : io_(group->process_->io()),
        group_(group),
        rank_(peer.rank),
        handle_(peer.reached->handle().duplicate()),
        descriptor_(io_->context()) {}
  ~Watch() {
    if (descriptor_.is_open()) descriptor_.release();
  }

  void start() {
    if (stopped_) return;
    boost::system::error_code error;
    descriptor_.assign(handle_.get(), error);
    if (error) return;  // then only the store reports the end of this rank
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read,
                           [self = shared_from_this()](const boost::system::error_code& failed) {
                             if (failed) return;
                             const std::shared_ptr<Group> group = self->group_.lock();
                             if (group) group->process_ended(self->rank_);
                           });
  }
  void stop() {
    stopped_ = true;
    boost::system::error_code ignored;
    if (descriptor_.is_open()) descriptor_.cancel(ignored);
  }

 private:
  const std::shared_ptr<IoThread> io_;
  const std::weak_ptr<Group> group_;
  const int rank_;
  const sim::OwnedFd handle_;
  asio::posix::stream_descriptor descriptor_;
  bool stopped_ = false;
};

std::shared_ptr<Group> Group::form(std::unique_ptr<Store> store, const GroupSpec& spec,
                                   Moment end) {
  const std::shared_ptr<Group> group(new Group(std::move(store), spec));
  try {
    group->meet(spec, end);
  } catch (const std::exception& error) {
    group->give_up(std::string("gave up: ") + error.what());
    throw;
  }
  group->watch_peers();
  return group;
}

Group::Group(std::unique_ptr<Store> store, const GroupSpec& spec)
    : rank_(spec.rank),
      process_(Process::mine()),
      store_(std::move(store)),
      presence_(process_),
      peers_(index_of(spec.size)) {
  store_->on_departure([this](const Departure& departure) { departed(departure); });
}

Group::~Group() {
  store_->on_departure(nullptr);
  for (const std::shared_ptr<Watch>& watch : watches_) {
    process_->io()->post([watch] { watch->stop(); });
  }
}

void Group::meet(const GroupSpec& spec, Moment end) {
  StoreCollectives collectives(*store_, "group", rank_, size());
  const Card mine{spec, process_->card(), presence_.card(), store_->is_local()};
  const std::vector<Bytes> all = collectives.allgather(pack(mine), end);
  const sim::LockGuard guard(mutex_);
  for (int rank = 0; rank < size(); ++rank) {
    Card card = unpack(all[index_of(rank)]);
    require_agreement(spec, rank, card.spec);
    Peer& peer = peers_[index_of(rank)];
    peer = {rank,          Locality::remote, card.process,
            card.presence, nullptr,          std::move(card.spec.about)};
    if (card.holds_store) holders_.insert(rank);
  }
  find_hosts(spec, collectives, end);
}

// Two ranks share a host if each of them reaches the abstract socket of the other.
void Group::find_hosts(const GroupSpec& spec, StoreCollectives& collectives, Moment end) {
  Bytes reached(peers_.size());
  const bool by_table = !spec.servers.empty();
  for (Peer& peer : peers_) {
    const bool same_server =
        by_table && spec.servers.at(index_of(peer.rank)) == spec.servers.at(index_of(rank_));
    if (by_table && !same_server) continue;
    if (peer.process.id == process_->card().id) {
      peer.locality = peer.rank == rank_ ? Locality::self : Locality::thread;
      continue;
    }
    std::string why;
    peer.reached = PeerProcess::reach(peer.process, &why);
    if (same_server && !peer.reached) {
      throw FabricError(Status::invalid, "rank " + std::to_string(peer.rank) +
                                             " is on the same server by the rank table, but " +
                                             why);
    }
    reached[index_of(peer.rank)] = std::byte{peer.reached != nullptr};
  }
  const std::vector<Bytes> all = collectives.allgather(std::move(reached), end);
  for (Peer& peer : peers_) {
    if (!peer.reached) continue;
    const Bytes& theirs = all[index_of(peer.rank)];
    if (theirs.size() == peers_.size() && theirs[index_of(rank_)] != std::byte{0}) {
      peer.locality = Locality::host;
    } else {
      peer.reached = nullptr;
    }
  }
}

void Group::watch_peers() {
  const std::weak_ptr<Group> self = weak_from_this();
  std::set<ProcessId> watched;
  for (const Peer& peer : peers_) {
    if (!peer.reached || !peer.reached->handle()) continue;
    auto watch = std::make_shared<Watch>(self.lock(), peer);
    watches_.push_back(watch);
    process_->io()->post([watch] { watch->start(); });
  }
}

std::vector<int> Group::ranks_of_host() const {
  std::vector<int> ranks;
  for (const Peer& peer : peers_) {
    if (peer.locality != Locality::remote) ranks.push_back(peer.rank);
  }
  return ranks;
}

void Group::departed(const Departure& departure) {
  if (!departure.orderly) return lose({departure.rank, departure.text});
  std::set<int> holders;
  {
    const sim::LockGuard guard(mutex_);
    left_.insert(departure.rank);
    if (departure.rank != kStoreHolder) return;
    for (const int rank : holders_) {
      if (left_.count(rank) == 0) holders.insert(rank);
    }
    // A process may end after all of its ranks have left.
    if (holders.empty() && !holders_.empty()) return;
  }
  std::string text = departure.text;
  for (const int rank : holders) {
    text = "rank " + std::to_string(rank) + " (process " + std::to_string(peer(rank).process.pid) +
           ") has died: " + departure.text;
  }
  lose({holders.empty() ? kStoreHolder : *holders.begin(), text});
}

void Group::process_ended(int rank) {
  const Peer& ended = peer(rank);
  if (!Presence::holds(*ended.reached->doorbell().page(), ended.presence)) return;
  lose({rank, "rank " + std::to_string(rank) + " (process " + std::to_string(ended.process.pid) +
                  " of this host) has died"});
}

void Group::report_lost(int rank, const std::string& text) {
  {
    const sim::LockGuard guard(mutex_);
    if (left_.count(rank) != 0) return;
  }
  lose({rank, text});
}

void Group::lose(Loss loss) {
  {
    const sim::LockGuard guard(mutex_);
    if (loss_ || gone_) return;
    loss_ = loss;
    lost_.store(true, std::memory_order_release);
  }
  store_->fail({Status::lost, loss.text});
  const sim::LockGuard guard(telling_);
  if (tell_) std::exchange(tell_, nullptr)(loss);
}

std::optional<Loss> Group::loss() const {
  const sim::LockGuard guard(mutex_);
  return loss_;
}

void Group::on_loss(std::function<void(const Loss&)> tell) {
  const sim::LockGuard guard(telling_);
  const std::optional<Loss> before = loss();
  if (before && tell) return tell(*before);
  tell_ = std::move(tell);
}

void Group::leave() {
  if (gone_.exchange(true)) return;
  presence_.leave();
  store_->leave();
}

void Group::give_up(const std::string& why) {
  if (gone_.exchange(true)) return;
  presence_.leave();
  store_->give_up(why);
}

}  // namespace fabric

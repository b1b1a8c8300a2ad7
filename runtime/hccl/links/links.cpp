// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/links/links.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <map>
#include <thread>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/identity.h"
#include "runtime/hccl/base/error.h"
#include "runtime/hccl/board/small.h"

namespace hccl {
namespace {

/// The ranks of this process, by the addresses of their boards.
struct OfProcess {
  sim::Mutex mutex;
  std::map<const std::byte*, std::weak_ptr<Links>> by_board GUARDED_BY(mutex);
  std::atomic<std::size_t> count{0};  // size of by_board
};

OfProcess& of_process() {
  static auto* const all = new OfProcess;  // used until the process exits
  return *all;
}

/// The inode number of the file, which is unique on this host while the file exists.
std::uint64_t number_of(const sim::OwnedFd& file) {
  struct stat about {};
  return fstat(file.get(), &about) == 0 ? about.st_ino : 0;
}

constexpr std::size_t kPage = 4096;
std::size_t pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

/// The size of the board, and of the copies if ranks are on other hosts.
std::size_t bytes_of_boards(const fabric::Group& group, std::size_t data_bytes) {
  const bool one_host = static_cast<int>(group.ranks_of_host().size()) == group.size();
  const auto copies = one_host ? std::size_t{0} : static_cast<std::size_t>(group.size());
  return pages(Board::bytes(group.size(), data_bytes)) * (1 + copies);
}

sim::OwnedFd duplicate(int fd) { return sim::OwnedFd(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

}  // namespace

acl::embedding::Runtime& embedding() {
  acl::embedding::Runtime* const runtime = aclsimEmbedding(acl::embedding::kVersion);
  if (!runtime) {
    fail(HCCL_E_INTERNAL,
         "libascendcl does not serve this libhccl: it is of another version, or has no runtime "
         "here");
  }
  return *runtime;
}

std::string text_of(const Call& call, const Site& site) {
  const void* const here = site.here();
  return fmt::format("{} at {}", call.text(), here ? embedding().place_of(here) : site.text());
}

std::shared_ptr<Links> Links::make(const std::shared_ptr<fabric::Group>& group,
                                   std::string communicator, std::vector<int> devices,
                                   std::vector<std::uint32_t> servers, fabric::Moment end) {
  const std::shared_ptr<Links> made(
      new Links(group, std::move(communicator), std::move(devices), std::move(servers)));
  {
    const sim::LockGuard guard(of_process().mutex);
    of_process().by_board[made->pages_->base] = made;
    of_process().count = of_process().by_board.size();
  }
  made->connect(end);
  return made;
}

Links::Pages::Pages(std::size_t size)
    : bytes(pages(size)), file(sim::make_memory_file("aclsim.hccl", bytes)) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED) {
    hccl::fail(HCCL_E_MEMORY, "no addresses are left for a board of {} bytes", bytes);
  }
  base = static_cast<std::byte*>(at);
}

Links::Pages::~Pages() { munmap(base, bytes); }

Links::Links(const std::shared_ptr<fabric::Group>& group, std::string communicator,
             std::vector<int> devices, std::vector<std::uint32_t> servers)
    : group_(group),
      communicator_(std::move(communicator)),
      me_(group->rank()),
      devices_(std::move(devices)),
      hosts_(std::move(servers)),
      data_bytes_(most_of_small(devices_.size(), hosts_.count())),
      pages_(std::make_shared<Pages>(bytes_of_boards(*group, data_bytes_))),
      peers_(static_cast<std::size_t>(group->size())) {
  own_board_ =
      fabric::RegisteredMemory::of(*group, {pages_->base, pages_->bytes, &pages_->file, 0});
  acl::embedding::DeviceFile device;
  if (const auto error = embedding().device_file(devices_[static_cast<std::size_t>(me_)], device)) {
    hccl::fail(HCCL_E_RUNTIME, "{}", error.text);
  }
  device_file_ = duplicate(device.fd);
  own_memory_ =
      fabric::RegisteredMemory::of(*group, {device.engine, device.bytes, &device_file_, 0});
}

void Links::connect(fabric::Moment end) {
  fabric::StoreCollectives collectives = group_->collectives("links");
  fabric::Writer mine;
  mine.bytes(own_board_->card().pack()).bytes(own_memory_->card().pack());
  mine.number(number_of(pages_->file)).number(fabric::random_number());
  const std::vector<fabric::Bytes> cards = collectives.allgather(mine.take(), end);
  for (int rank = 0; rank < group_->size(); ++rank) {
    fabric::Reader reader(cards[static_cast<std::size_t>(rank)]);
    const auto board = fabric::MemoryCard::unpack(reader.bytes());
    const auto memory = fabric::MemoryCard::unpack(reader.bytes());
    const auto file = reader.number<std::uint64_t>();
    const auto drawn = reader.number<std::uint64_t>();
    if (rank == 0) id_ = drawn;
    const fabric::Peer& other = group_->peer(rank);
    if (is_remote(rank)) {
      connect_to_host(rank, board, memory);
      continue;
    }
    if (id_on_host_ == 0) id_on_host_ = file;
    peer(rank).board = fabric::map_peer_memory(other, board);
    peer(rank).memory = fabric::map_peer_memory(other, memory);
    boards_.emplace_back(peer(rank).board->mapped(), group_->size(), data_bytes_);
    one_process_ = one_process_ && other.locality != fabric::Locality::host;
    if (other.locality == fabric::Locality::host) continue;
    if (ranks_here_++ != 0) continue;
    index_of_first_ = static_cast<std::size_t>(rank);
    id_here_ = reinterpret_cast<std::uintptr_t>(boards_.back().base());
  }
  find_threads();
  poll_limits_ =
      PollLimits::on_host(ranks_on_host(), ranks_here_, std::thread::hardware_concurrency());
  // The checker cannot see an order between ranks that is made by way of another host.
  if (!remote_ranks_.empty() && embedding().listened()) embedding().tell_unknown_writers();
  // From here on the other ranks may change their boards and expect this rank to notice.
  listener_ = group_->process()->listen([this] { wake_own(); });
  group_->on_loss([this](const fabric::Loss&) { wake_own(); });
  collectives.barrier(end);
  connected_.store(true, std::memory_order_release);
}

void Links::connect_to_host(int rank, const fabric::MemoryCard& board,
                            const fabric::MemoryCard& memory) {
  Peer& other = peer(rank);
  other.transport = fabric::make_transport(*group_, rank);
  other.board = other.transport->attach(board);
  other.memory = other.transport->attach(memory);
  const std::size_t stride = pages(Board::bytes(group_->size(), data_bytes_));
  boards_.emplace_back(pages_->base + (1 + static_cast<std::size_t>(rank)) * stride, group_->size(),
                       data_bytes_);
  one_process_ = false;
  remote_ranks_.push_back(rank);
}

std::vector<std::shared_ptr<Links>> Links::of_this_process() {
  std::vector<std::shared_ptr<Links>> all;
  const sim::LockGuard guard(of_process().mutex);
  for (const auto& [board, links] : of_process().by_board) {
    auto live = links.lock();
    if (live && live->connected_.load(std::memory_order_acquire)) all.push_back(std::move(live));
  }
  return all;
}

int Links::rank_of(const fabric::ProcessId& process) const noexcept {
  for (int rank = 0; rank < ranks(); ++rank) {
    if (group_->peer(rank).process.id == process) return rank;
  }
  return -1;
}

const fabric::ProcessId& Links::own_process() const noexcept {
  return group_->peer(me_).process.id;
}

void Links::find_threads() {
  const sim::LockGuard guard(of_process().mutex);
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    const auto it = of_process().by_board.find(boards_[rank].base());
    const auto thread = it == of_process().by_board.end() ? nullptr : it->second.lock();
    if (!thread) continue;
    peers_[rank].thread = thread;
    peers_[rank].pages = thread->pages_;
  }
}

// Neither the communicator nor an operation uses the links any more: ranks that wait for this one
// now or later learn that it has left.
Links::~Links() {
  if (listener_ != 0) group_->process()->forget(listener_);
  group_->on_loss(nullptr);
  {
    const sim::LockGuard guard(of_process().mutex);
    of_process().by_board.erase(pages_->base);
    of_process().count = of_process().by_board.size();
  }
  if (boards_.size() != peers_.size()) return;  // `connect` did not complete
  show_leaving(mine());
  show_end();
  wake_others();
}

void Links::keep(std::shared_ptr<void> memory) {
  const sim::LockGuard guard(mutex_);
  kept_.push_back(std::move(memory));
}

bool Links::is_here(int rank) const noexcept {
  const fabric::Locality locality = group_->peer(rank).locality;
  return locality == fabric::Locality::self || locality == fabric::Locality::thread;
}

std::optional<int> Links::device_of(int rank) const noexcept {
  if (is_remote(rank)) return std::nullopt;
  return devices_[static_cast<std::size_t>(rank)];
}

std::byte* Links::locate(int rank, const BufferRef& buffer) const noexcept {
  if (!buffer.in_file) return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(buffer.at));
  return peers_[static_cast<std::size_t>(rank)].memory->mapped() + buffer.at;
}

// Each rank of this process has its own Links object.
bool Links::alone() const noexcept {
  return of_process().count.load(std::memory_order_relaxed) == ranks_here_;
}

// ---- waiting ----

// A rank that changes something reads the `sleepers` of the others afterwards. A rank that is about
// to sleep sets its `sleepers` and then checks the boards once more. All of these accesses are
// sequentially consistent, so one of the two ranks sees the other's write.
void Links::sleep(std::shared_ptr<Signal> signal) {
  {
    const sim::LockGuard guard(mutex_);
    sleepers_.push_back(std::move(signal));
    mine().sleepers().store(1);
  }
  if (!one_process_) group_->process()->doorbell().arm();
}

int Links::first_blocking(const Round& round) noexcept {
  if (round.number() < clear_.load(std::memory_order_acquire)) return -1;
  if (const int rank = round.first_blocking(); rank >= 0) return rank;
  clear_.store(round.ended_by_all() + Board::kEntries, std::memory_order_release);
  return -1;
}

void Links::show_held(std::uint64_t number, const Held& held) {
  {
    const sim::LockGuard guard(showing_);
    mine().held(number).write(number, held);
    for (const int rank : remote_ranks_) send_published(rank, mine().held(number));
  }
  wake_others();
}

// Until the rank arrives, it may publish another collective in this place.
std::optional<Held> Links::held(int rank, std::uint64_t number) const {
  const Board& board = boards_[static_cast<std::size_t>(rank)];
  if (board.phase(number) != Phase::none) return std::nullopt;
  return board.held(number).read(number);
}

void Links::wake_own() {
  std::vector<std::shared_ptr<Signal>> woken;
  {
    const sim::LockGuard guard(mutex_);
    mine().sleepers().store(0);
    woken.swap(sleepers_);
  }
  for (const auto& signal : woken) signal->complete();
}

void Links::wake(int rank) {
  if (const auto thread = peer(rank).thread.lock()) return thread->wake_own();
  const auto& reached = group_->peer(rank).reached;
  if (reached) reached->doorbell().ring();
}

void Links::wake_others() {
  for (int rank = 0; rank < ranks(); ++rank) {
    if (rank == me_ || boards_[static_cast<std::size_t>(rank)].sleepers().load() == 0) continue;
    wake(rank);
  }
}

// ---- the end ----

std::optional<Links::Trouble> Links::trouble(std::optional<int> awaited) const {
  if (auto shown = first_failure(boards_))
    return Trouble{shown->code, std::move(shown->text), false};
  if (group_->lost()) {  // the loss may be the reason why another rank has left
    const auto loss = group_->loss();
    return Trouble{ACL_ERROR_RT_DRV_INTERNAL_ERROR, loss ? loss->text : "a rank was lost", true,
                   true};
  }
  if (!awaited || !has_left(boards_[static_cast<std::size_t>(*awaited)])) return std::nullopt;
  return Trouble{ACL_ERROR_RT_DRV_INTERNAL_ERROR,
                 fmt::format("rank {} has destroyed its communicator", *awaited), false, true};
}

void Links::fail(aclError code, const std::string& text) {
  if (!show_failure(mine(), code, text)) return;
  show_end();
  wake_others();
  wake_own();
}

}  // namespace hccl

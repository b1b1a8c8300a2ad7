// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ascendc/impl/cube.h"
#include "ascendc/impl/instruction.h"
#include "ascendc/impl/machine.h"
#include "runtime/ascendc/core/arch.h"
#include "runtime/ascendc/core/clocks.h"
#include "runtime/ascendc/core/host.h"
#include "runtime/ascendc/core/moves.h"
#include "runtime/ascendc/core/pipes.h"
#include "runtime/ascendc/core/queues.h"
#include "runtime/ascendc/core/register_call.h"
#include "runtime/ascendc/core/shadow.h"
#include "runtime/ascendc/core/whats.h"
#include "runtime/ascendc/cube/unit.h"
#include "runtime/ascendc/vector/unit.h"

namespace ascendc {

class GroupMemory;

namespace library {
class Call;
class Plan;
}  // namespace library

/// How a core works.
struct CoreOptions {
  bool checks = true;
  bool seeded = false;  // its pipes take turns as a generator decides
  std::uint64_t seed = 0;
};

/// One core of a device. One thread at a time.
///
/// It has more than 60 functions, since kernels call one function for each kind of instruction and
/// access, and all of them read and advance the same clocks of pipes and checks of memory.
class Core {
 public:
  Core();
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// As it is when a block starts: nothing written, no flag set.
  void reset(const Arch& arch, Host& host, const CoreOptions& options);
  /// The function of the kernel has returned.
  void finish();

  /// The core's properties as the kernel reads them.
  aclsimCore info{};
  bool info_given = false;  // to the kernel, which may have changed it
  aclsimCubeRegisters cube_registers{};

  void issue(const aclsimInstruction& instruction, const void* site);
  /// A tensor that has no memory ends the kernel; `which`: "src".
  void require_memory(const void* address, bool local, const char* called, const char* which,
                      const void* site);
  /// The kernel gets a pointer to these bytes of local memory; its writes through it are not seen.
  void pointer_taken(const void* address, std::uint64_t bytes);
  /// `value`: what it writes; null: the kernel does so itself.
  void* scalar_access(void* address, std::uint64_t bytes, std::uint64_t end, std::uint64_t tensor,
                      std::uint32_t access, const void* site, const void* value = nullptr);

  // --- accesses that others carry out for the kernel, from this call of the scalar unit on ---
  /// Ends the kernel if the bytes are not in one allocation of global memory.
  void require_served(std::uintptr_t begin, std::uint64_t bytes, bool write, const char* called,
                      const void* site) {
    require_global(begin, bytes, write, called, site);
  }
  /// Returns the step of the scalar unit to which the access belongs.
  std::uint32_t serve(std::uintptr_t begin, std::uint64_t bytes, bool write, const char* called,
                      const void* site);
  /// The accesses of that step are over: all pipes are ordered after them.
  void served(std::uint32_t step);

  // --- functions of registers of the vector unit ---
  /// A call begins; calls inside of it belong to it.
  void begin_registers(const void* site);
  void end_registers();
  /// How often the call has come to the line before.
  std::uint64_t register_iteration(const char* file, std::uint32_t line);
  /// Later accesses of one kind (MemType) follow the earlier ones of the other.
  void register_barrier(std::uint32_t before, std::uint32_t after);
  struct RegisterAccess {
    const void* address;
    std::uint64_t bytes;
    std::uint64_t alignment;
    bool write;
    const char* name;
    const void* data;  // the register
  };
  /// Ends the kernel if the bytes are not in the unified buffer, or a write passes its tensor.
  void register_access(const RegisterAccess& access, const void* site);
  /// Reports a finding once for each place.
  void found_once(const char* rule, std::string text, const void* site, Level level = Level::error);
  /// Reports that an access ends in the reserved part of the unified buffer.
  void uses_reserved(const char* called, std::uint64_t at, std::uint64_t bytes, const void* site);
  const vector::State& registers() const noexcept { return options_.seeded ? issued_ : unit_; }
  /// The bytes that the last squeeze of a register has kept. The program can read the address
  /// register (AR), which counts the stored bytes, so `info` has it.
  std::uint64_t& squeezed() noexcept { return squeezed_; }
  std::uint64_t& address_register() noexcept { return info.counters[1]; }

  // --- pipes ---
  void set_flag(std::uint32_t event, std::int32_t id, const void* site);
  void wait_flag(std::uint32_t event, std::int32_t id, const void* site);
  void lock_mutex(std::uint32_t pipe, std::uint32_t id, const void* site);
  void unlock_mutex(std::uint32_t pipe, std::uint32_t id, const void* site);
  std::uint32_t take_mutex_id(const void* site);
  void release_mutex_id(std::uint32_t id, const void* site);
  void barrier(std::uint32_t pipe, const void* site);
  /// Completes the writes of copies, so that other cores see them after the following notification.
  void settle();
  /// Waits until the pipe has executed all its instructions, and returns the clock of completed
  /// steps. Any number that is not a pipe means all pipes.
  Clock reach(std::uint32_t pipe);
  /// The clock of steps that happen before the current instruction of the pipe.
  Clock over(Pipe pipe) const noexcept;
  /// Orders later instructions of all pipes after these steps.
  void order_after(const Clock& clock);
  void set_atomic(std::uint32_t operation, std::uint32_t element);
  void set_pad_value(std::uint64_t value, std::uint32_t bytes);
  std::int32_t event_id(std::uint32_t event, bool take);
  void release_event_id(std::uint32_t event, std::int32_t id);

  /// The core shares its memories with the other cores of a group: 3510.
  void join_group(std::uint64_t group);
  void leave_group() {
    if (grouped_) drop_group();
  }

  // --- memory and queues ---
  std::byte* memory(Memory memory) {
    std::byte* const bytes = memories_[static_cast<std::size_t>(memory)];
    return bytes ? bytes : make_memory(memory);
  }
  const MemoryRow& row_of(Memory memory) const noexcept {
    return arch_->memories[static_cast<std::size_t>(memory)];
  }
  /// The bytes that programs may use.
  std::uint32_t memory_bytes(Memory memory) const noexcept { return row_of(memory).bytes; }
  void* local_address(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                      const void* site);
  /// An array that a function declares in a local memory.
  struct LocalArray {
    Memory memory = Memory::ub;
    const void* key = nullptr;
    std::uint64_t bytes = 0;
    const char* name = "";
    const void* site = nullptr;
    std::uint64_t begin = 0;
  };
  /// The address of an array: as low as the earlier arrays allow; the same for equal keys.
  void* local_array(LocalArray array);
  /// The start of the lowest array in a memory; the end of the memory if it has no arrays.
  std::uint64_t arrays_begin(Memory memory = Memory::ub) const noexcept;
  /// The memory that contains an address; `count` if it belongs to no memory of this core.
  Memory locate(const void* address, std::uint64_t& offset) const noexcept;
  void open_pipe(void* pipe, const void* site);
  void close_pipe(void* pipe, bool barrier);
  void reset_pipe();
  std::uint32_t create_pool(std::uint32_t parent, std::uint32_t position, std::uint64_t bytes,
                            std::uint32_t share, const void* site);
  void init_queue(std::uint32_t queue, std::uint32_t pool, std::uint32_t position,
                  std::uint32_t num, std::uint64_t bytes, const void* site);
  void start_queue(std::uint32_t queue, std::uint32_t num, const void* site);
  void place_buffer(std::uint32_t queue, std::uint32_t number, std::uint32_t position,
                    std::uint64_t offset, std::uint64_t bytes, const void* site);
  aclsimBuffer place_one(std::uint32_t position, std::uint64_t offset, std::uint64_t bytes,
                         const void* site);
  aclsimBuffer create_buffer(std::uint32_t pool, std::uint32_t position, std::uint64_t bytes,
                             const void* site);
  aclsimBuffer buffer_of(std::uint64_t tensor);
  aclsimBuffer alloc(std::uint32_t queue, const void* site);
  void enque(std::uint32_t queue, std::uint64_t tensor, const void* site);
  aclsimBuffer deque(std::uint32_t queue, const void* site);
  void free(std::uint32_t queue, std::uint64_t tensor, const void* site);
  Queues& queues() noexcept { return queues_; }

  /// Says what is wrong and ends the kernel.
  [[noreturn]] void violated(const char* rule, std::string text, const void* site);
  Host& host() noexcept { return *host_; }
  /// The kernel's accesses to global memory.
  const Shadow& global() const noexcept { return global_; }
  /// Its reads of local memory that other cores of its group write. Addresses: 2^32 for each
  /// memory.
  const Shadow& group_reads() const noexcept { return group_reads_; }
  /// How far its pipes have come.
  Clock steps() const noexcept { return clocks_.steps(); }
  /// The access that a mark refers to.
  const void* site_of(std::uint32_t what) const { return whats_[what].site; }

 private:
  static constexpr std::int8_t kNoReceiver = -1;
  void drop_group();
  struct Flag {
    bool set = false;
    const void* site = nullptr;
    Clock clock{};
    Token token{};
  };
  /// Which reads of bytes without a value are errors.
  enum class Unwritten : std::uint8_t {
    bytes,   // of any byte
    blocks,  // of blocks of 32 bytes that have no value at all: the instruction moves whole blocks
    none     // of no byte: the instruction moves whole fractals
  };
  /// An instruction while it is looked at.
  struct Issued {
    const aclsimInstruction& instruction;
    Pipe pipe;
    const char* name;
    const void* site;
    std::uint32_t tick;
    Unwritten unwritten = Unwritten::bytes;
  };
  /// An offset in a memory of the core, or an address in global memory (Memory::count).
  struct Place {
    Memory memory;
    std::uint64_t at;
  };
  /// The data that a copy needs when it is executed.
  struct Moved {
    Atomic atomic;
    std::uint8_t element;
    bool global;  // it writes global memory
    Pipe pipe;
    std::uint32_t tick;
    const void* site;
    const Seen* seen;
    std::int8_t receiver;  // the core of the group whose memory it writes
  };

  /// A unit flag of L0C: the last instruction that changed it.
  struct UnitFlag {
    std::uint64_t begin;  // bytes of L0C
    std::uint64_t end;
    bool full;  // Mmad has set it, and Fixpipe has not reset it
    const void* site;
    Clock clock;
    Token token;
  };

  class CubeOutput;

  using Tokens = std::map<std::uint64_t, Token>;  // by buffer

  // Apart from the short ways:
  [[noreturn, gnu::cold]] void refused(const void* site);
  [[gnu::cold]] void wait_for(Tokens& tokens, std::uint64_t tensor, Pipe pipe);
  [[gnu::cold]] void tell(Tokens& tokens, std::uint64_t tensor, Pipe pipe);
  [[gnu::cold]] void queue_vector(const aclsimInstruction& instruction, const void* site);
  [[gnu::cold]] void queue_move(const aclsimMove& how, const Moved& moved);
  std::byte* make_memory(Memory memory);
  void compute(const aclsimInstruction& instruction, const void* site);
  aclsimBuffer buffer_of(const LocalBuffer& buffer, std::uint64_t tensor);
  void issue_vector(const aclsimInstruction& instruction, const void* site);
  void look_at_values(const aclsimInstruction& instruction);
  void issue_move(const aclsimInstruction& instruction, const void* site);
  void issue_move(const aclsimInstruction& instruction, const aclsimMove& move, const void* site);
  void issue_axes(const aclsimInstruction& instruction, const void* site);
  void issue_rows(const aclsimInstruction& instruction, const aclsimMove& move, const char* called,
                  const void* site);
  [[gnu::cold]] void tell_dropped(const aclsimInstruction& instruction, const aclsimMove& move,
                                  const void* site);
  void issue_library(const aclsimInstruction& instruction, const void* site);
  void check_library(const Issued& issued, const library::Call& call, const library::Plan& plan);
  void issue_cube(const aclsimInstruction& instruction, const void* site);
  void require_position(const Issued& issued, const aclsimOperand& operand, const char* name,
                        std::uint16_t expected);
  void check_load(const Issued& issued);
  void check_cube(const Issued& issued);
  void touch_cube(const Issued& issued);
  void find_unwritten_sums(const Issued& issued);
  void keep_unwritten_sums(const Issued& issued);
  bool is_written(const cube::Touch& touch);
  void require_value(const Issued& issued, const std::vector<RowCopy>& rows);
  void keep_unwritten(const RowCopy& row);
  void wait_for_unit_flag(const Issued& issued, const cube::Touch& sums);
  void set_unit_flag(const Issued& issued, const cube::Touch& sums);
  void issue_matmul(const aclsimInstruction& instruction, const void* site);
  void check_matmul(const Issued& issued, const aclsimMatmul& what);
  void touch_matrix(const Issued& issued, const aclsimOperand& operand,
                    const std::vector<Span>& spans, bool write);
  void multiply(const aclsimInstruction& instruction, const aclsimMatmul& what, std::uint32_t tick,
                const void* site);
  void store_row(const RowCopy& row, const Moved& moved);
  /// The core of the group whose memory an instruction with that destination writes.
  std::int8_t receiver_of(const aclsimOperand& to, std::uint32_t sub_block) const;
  void require_receiver(const Issued& issued, std::uint32_t sub_block);
  /// The bytes at the address, in the memory of this core, belong to the receiver.
  void forward(std::int8_t receiver, std::uintptr_t at, std::uint64_t bytes, const Moved& moved);
  void move(const aclsimMove& how, const std::vector<RowCopy>& rows, const Moved& moved);
  void check_move(const Issued& issued, const aclsimMove& move, const std::vector<RowCopy>& rows);
  void check_end(const Issued& issued, const aclsimOperand& operand, std::uintptr_t begin,
                 std::uint64_t bytes);
  /// An access passes the end of its tensor. It ends the kernel unless the bytes exist.
  void passed_tensor(std::uintptr_t begin, std::uint64_t bytes, bool local, std::string text,
                     const void* site);
  void require_live(const aclsimInstruction& instruction, const void* site, const char* name);
  void require_global(std::uintptr_t begin, std::uint64_t bytes, bool write, const char* name,
                      const void* site);
  /// Reports an access that passes the end of the allocation, and returns true, if its bytes exist:
  /// aclrtMalloc rounds sizes up to 32 bytes and adds 32.
  bool passed_allocation(const GmRange& piece, std::uintptr_t begin, std::uint64_t bytes,
                         bool write, const char* called, const void* site);
  void touch(const Issued& issued, std::uintptr_t begin, std::uint64_t bytes, bool write,
             std::uint64_t tensor);
  void touch(const Place& place, const Issued& issued, std::uint64_t bytes, bool write,
             std::uint64_t tensor);
  /// The part of `touch` that follows the checks of the address.
  void record(const Place& place, const Issued& issued, std::uint64_t bytes, bool write,
              std::uint32_t what);
  void take_received();
  void look_for_received() {
    if (grouped_) take_received();
  }
  void record_shared(const Place& place, const Issued& issued, std::uint64_t bytes, bool write,
                     std::uint32_t what);
  void tell_conflicts(const Issued& issued, std::uint32_t what, bool write);
  /// Checks an access to bytes that may belong to arrays in the unified buffer.
  void tell_arrays(const Issued& issued, std::uint32_t what, Memory memory, std::uint64_t begin,
                   std::uint64_t end, bool write);
  void tell_unwritten(const Issued& issued, std::uint32_t what, Memory memory, std::uint64_t offset,
                      std::uint64_t begin, std::uint64_t end);
  void tell_unwritten(const Issued& issued, const cube::Touch& touch);
  std::string words(const What& what, Pipe pipe);
  void record_as_vector(const RegisterCall::Access& access, std::uint32_t tick);
  void record_register_access(const RegisterCall::Access& access, const void* data);
  void require_event(std::uint32_t event, std::int32_t id, const char* function, const void* site);
  Pipe require_mutex(std::uint32_t pipe, std::uint32_t id, const char* function, const void* site);
  /// An instruction of the pipe begins. Without checks the order of accesses is not recorded.
  std::uint32_t step(Pipe pipe) { return options_.checks ? clocks_.step(pipe) : 0; }
  vector::State& issue_state() { return options_.seeded ? issued_ : unit_; }
  void leftovers();

  // Members that every tile needs are neighbours, because each copy of a tile evicts them from the
  // first-level cache.
  const Arch* arch_;
  Host* host_ = nullptr;
  CoreOptions options_;
  std::uint64_t global_bytes_ = 0;  // written by copies
  bool streams_ = false;            // past the caches, since settle()
  Atomic atomic_ = Atomic::none;
  std::uint8_t atomic_element_ = 0;
  std::uint32_t pad_bytes_ = 0;
  std::uint64_t pad_value_ = 0;
  std::array<std::byte*, kMemories> memories_{};  // null: not used yet
  Queues queues_;
  std::vector<RowCopy> rows_;
  std::vector<vector::Touch> touches_;
  std::vector<cube::Touch> cube_touches_;
  std::vector<std::pair<Memory, Span>> unwritten_sums_;  // of the Mmad that is checked
  std::vector<UnitFlag> unit_flags_;
  vector::State unit_;
  vector::State issued_;  // under a seed: the state after the instructions that wait

  PipeClocks clocks_;
  Pipes pipes_;
  // Used only under a seed:
  Tokens ready_;     // from EnQue to DeQue
  Tokens released_;  // from FreeTensor to AllocTensor

  std::array<Shadow, kMemories> local_;
  std::uint32_t register_depth_ = 0;  // of calls of register functions
  RegisterCall register_call_;
  /// How many times the call has asked for an address register, by line of the kernel.
  std::map<std::pair<std::string_view, std::uint32_t>, std::uint64_t> register_iterations_;
  PointedTensors pointed_;
  std::uint64_t squeezed_ = 0;
  std::vector<LocalArray> arrays_;                 // from the end downwards
  std::uint64_t first_array_ = ~std::uint64_t{0};  // the start of the lowest one in UB
  Shadow global_;
  bool grouped_ = false;  // it shares memories with other cores
  std::unique_ptr<GroupMemory> group_memory_;
  std::array<bool, kMemories> shared_{};  // other cores have written it
  Shadow group_reads_;
  Whats whats_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> told_;
  std::vector<Conflict> conflicts_;
  std::array<GmRange, 4> pieces_{};  // recently used allocations of global memory
  std::size_t next_piece_ = 0;
  std::array<std::array<Flag, 8>, kEvents> flags_;
  // By event and id: what was set while the flag was set, which later waits take.
  std::map<std::pair<std::uint32_t, std::int32_t>, std::deque<Flag>> further_sets_;
  struct Mutex {
    std::array<Flag, kPipes> released;         // by each pipe, the last time
    std::array<const void*, kPipes> locked{};  // by the pipe, at that place
  };
  static constexpr std::uint32_t kMutexes = 32;
  static constexpr std::uint32_t kMutexIds = 28;    // the toolkit uses the others
  std::vector<Mutex> mutexes_;                      // empty until the first lock
  std::uint32_t mutex_ids_ = 0;                     // AllocMutexID has returned them
  std::array<std::uint8_t, kEvents> flags_used_{};  // by id: the others are as they were made
  bool any_flag_used_ = false;
  std::array<std::uint8_t, kEvents> taken_ids_{};
};

}  // namespace ascendc

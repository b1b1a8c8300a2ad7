// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace ascendc {

/// A stack of its own on which a function runs until it parks or leaves. Any thread may resume it.
/// A fibre that leaves is not unwound: destructors of its frames do not run, so it can leave from
/// anywhere, also from a signal handler.
class Fibre {
 public:
  static constexpr std::size_t kStackBytes = std::size_t{1} << 20;

  /// Whether ThreadSanitizer treats the fibre as a thread of its own. Fibres that another fibre
  /// runs in turn share its history: hundreds of histories are slow and find no more races.
  enum class History { own, of_caller };

  explicit Fibre(History history = History::own) : history_(history) {}
  ~Fibre();
  Fibre(const Fibre&) = delete;
  Fibre& operator=(const Fibre&) = delete;

  /// `body(argument)` will run with the first resume. Throws std::bad_alloc where there is no
  /// stack.
  void start(void (*body)(void*), void* argument);
  /// Runs it until it parks or is over; false when it is over.
  bool resume();
  /// `start` and `resume` in one, for functions that rarely park. On supported processors this is a
  /// call, and a function that ends returns from it, which takes a tenth of the time.
  bool call(void (*body)(void*), void* argument);

  /// Returns to who resumed it, and from here with the next resume.
  void park();
  /// Returns to the thread that resumed it and ends the fibre.
  [[noreturn]] void leave();

  /// Whether the address is in the guard page below its stack.
  bool overflowed(const void* address) const noexcept;
  /// Whether the address is in its stack, or where AddressSanitizer keeps variables of the fibre
  /// that runs.
  bool contains(const void* address) const noexcept;

 private:
  static void enter(boost::context::detail::transfer_t from);
  void switched_in(boost::context::detail::transfer_t from, void* fake);
  void enter_call();
  void park_call();
  static void leave_call(boost::context::detail::transfer_t from);
  [[noreturn]] void end_call();

  std::byte* stack_ = nullptr;  // the guard page is its first
  boost::context::detail::fcontext_t context_ = nullptr;
  boost::context::detail::fcontext_t back_ = nullptr;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool over_ = false;
  bool called_ = false;   // it runs in `call`
  void* caller_[3] = {};  // where that returns to when it does not come to its end
  // For the sanitizers.
  const void* back_bottom_ = nullptr;
  std::size_t back_size_ = 0;
  void* fake_ = nullptr;
  [[maybe_unused]] History history_;
  void* tsan_ = nullptr;
  void* tsan_back_ = nullptr;
};

}  // namespace ascendc

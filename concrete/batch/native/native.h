#pragma once
/// A program as machine code that is made when it runs.
///
/// The kernels' loops are bound by what they read and write: each step goes through memory. Machine
/// code keeps what it can in the processor's registers: it runs the whole program on 16 lanes, then
/// on the next 16. It is there on x86-64 with AVX2 if the library Xbyak was found, for programs of
/// integers of at most 64 bits; all others keep the kernels.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "concrete/batch/kernels/draft.h"

namespace mmaspec::batch {

/// Machine code of one program. Immutable; many threads may run it.
class Native {
 public:
  /// nullptr where there is none for this machine or program. `draft` is as put_in_order() left it.
  static std::unique_ptr<const Native> make(const Draft& draft, std::size_t held_steps,
                                            std::size_t inputs, std::size_t roots);
  virtual ~Native() = default;

  /// Whether this machine runs such code, and this build makes it.
  static bool is_there();

  /// Bytes of a scratch: what run() works on, aligned to 64.
  virtual std::size_t bytes() const = 0;

  /// As the program's steps. `frame.registers` are bytes() of a scratch of its own; `same_held`:
  /// they have what the last call's held inputs gave, which are those of this call.
  virtual void run(const Frame& frame, bool same_held) const = 0;
};

/// Machine code that is made once the program ran often enough for it to pay.
class LateNative {
 public:
  LateNative(Draft draft, std::size_t held_steps, std::size_t inputs, std::size_t roots,
             std::size_t after_blocks)
      : draft_(std::move(draft)),
        held_steps_(held_steps),
        inputs_(inputs),
        roots_(roots),
        blocks_left_(static_cast<std::ptrdiff_t>(after_blocks)) {}

  /// What to run the next `blocks` by: nullptr for the program's steps. Once it is not nullptr it
  /// stays what it is.
  const Native* next(std::size_t blocks);

 private:
  Draft draft_;
  std::size_t held_steps_;
  std::size_t inputs_;
  std::size_t roots_;
  std::atomic<std::ptrdiff_t> blocks_left_;
  std::once_flag made_;
  std::unique_ptr<const Native> native_;
};

}  // namespace mmaspec::batch

#pragma once
/// Generates machine code for a program at run time.
///
/// The kernels' loops are limited by memory accesses, because each step reads and writes memory.
/// Machine code keeps values in the processor's registers where possible: it executes the whole
/// program on 16 lanes, then on the next 16. It needs x86-64 with AVX2 and the library Xbyak, and a
/// program of integers of at most 64 bits. All other programs use the kernels.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "concrete/batch/kernels/draft.h"

namespace mmaspec::batch {

/// Machine code of one program. Immutable; many threads may use it.
class Native {
 public:
  /// nullptr if machine code is not available for this machine or program. `draft` must be the
  /// result of put_in_order().
  static std::unique_ptr<const Native> make(const Draft& draft, std::size_t held_steps,
                                            std::size_t inputs, std::size_t roots);
  virtual ~Native() = default;

  /// Whether this machine can execute such code, and this build can generate it.
  static bool is_there();

  /// Size in bytes of the scratch that run() uses. It must be aligned to 64 bytes.
  virtual std::size_t bytes() const = 0;

  /// Executes the program. `frame.registers` is a scratch of bytes() bytes that no other thread
  /// uses. `same_held`: the scratch contains the results of the last call for the same held inputs.
  virtual void run(const Frame& frame, bool same_held) const = 0;
};

/// Generates machine code after the program was executed often enough for it to pay off.
class LateNative {
 public:
  LateNative(Draft draft, std::size_t held_steps, std::size_t inputs, std::size_t roots,
             std::size_t after_blocks)
      : draft_(std::move(draft)),
        held_steps_(held_steps),
        inputs_(inputs),
        roots_(roots),
        blocks_left_(static_cast<std::ptrdiff_t>(after_blocks)) {}

  /// The machine code for the next `blocks` blocks; nullptr: use the program's steps. Once it is
  /// not nullptr it does not change.
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

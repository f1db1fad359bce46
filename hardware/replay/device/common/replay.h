#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "hardware/replay/device/common/packing.h"

/// The device-independent part of the CUDA and the HIP program: reads rows and writes answered
/// rows.
namespace mmaspec::replay {

/// The result of one dot product. Device code writes it.
struct Result {
  enum State : std::uint32_t {
    unwritten = 0,  ///< device code did not compute it
    good = 1,
    uneven = 2,   ///< copies of the same dot product in one instruction did not all agree
    missing = 3,  ///< this device's code lacks the instruction
  };
  std::uint64_t bits;
  std::uint32_t state;
  std::uint32_t padding;
};

/// A GPU, or a substitute in a test.
class Device {
 public:
  virtual ~Device() = default;

  /// The first line of the output: a JSON object that describes the device.
  virtual std::string header() const = 0;

  /// The index of the instruction `<arch>/<mnemonic>` for `layout` and `run`. -1 if it is unknown,
  /// -2 if it is another vendor's.
  virtual int find(std::string_view instr) const = 0;
  virtual const OperandLayout& layout(int instruction) const = 0;

  /// Computes `count` packed dot products. Returns an error message; empty if it succeeded.
  virtual std::string run(int instruction, const std::uint32_t* rows, std::size_t count,
                          Result* results) = 0;
};

/// Bad input: a one-line message with position and reason.
struct InputError {
  std::string what;
};

/// Reads rows from file descriptor `in` until its end, and writes the header and the answered rows,
/// in order, to `out`. All rows that have arrived form one batch of at most `batch_bytes` bytes of
/// text. A pipe that waits for an answer therefore gets one, and a file is read in large pieces.
/// Throws InputError.
void replay(int in, int out, Device& device, std::size_t batch_bytes = std::size_t{16} << 20);

/// `text` as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace mmaspec::replay

#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

#include "hardware/replay/device/common/packing.h"

/// What the CUDA and the HIP program share: rows in, answered rows out, whatever the device.
namespace mmaspec::replay {

/// What became of one dot product. Written by device code.
struct Result {
  enum State : std::uint32_t {
    unwritten = 0,  ///< no device code ran for it
    good = 1,
    uneven = 2,   ///< copies of the same dot product in one instruction did not all agree
    missing = 3,  ///< this device's code has no such instruction
  };
  std::uint64_t bits;
  std::uint32_t state;
  std::uint32_t padding;
};

/// A GPU, or what stands for one in a test.
class Device {
 public:
  virtual ~Device() = default;

  /// The first line of the output: a JSON object that says what computed.
  virtual std::string header() const = 0;

  /// An instruction by its name, `<arch>/<mnemonic>`, as an index for `layout` and `run`; -1 if
  /// there is none, -2 if it is one of another vendor.
  virtual int find(std::string_view instr) const = 0;
  virtual const OperandLayout& layout(int instruction) const = 0;

  /// Runs `count` packed dot products. Returns why the device cannot, empty if it did.
  virtual std::string run(int instruction, const std::uint32_t* rows, std::size_t count,
                          Result* results) = 0;
};

/// Bad input: one line that says where and what.
struct InputError {
  std::string what;
};

/// Reads rows from file descriptor `in` until its end, writes the header and the answered rows, in
/// order, to `out`. Rows are taken as they come: what has arrived is run as one batch, up to
/// `batch_bytes` of text, so that a pipe that waits for an answer gets one, and a file is read in
/// large pieces. Throws InputError.
void replay(int in, int out, Device& device, std::size_t batch_bytes = std::size_t{16} << 20);

/// `text` as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace mmaspec::replay

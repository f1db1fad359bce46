// Computes matrices on a device, several tiles at a time.
#include "concrete/device/runner.h"

#include <algorithm>
#include <stdexcept>

#include "concrete/device/kernel.h"
#include "concrete/evaluator.h"
#include "util/deadline.h"

namespace mmaspec::device {
namespace {

/// Size of the buffer for matrices on their way to or from the device.
constexpr std::size_t kStagingBytes = std::size_t{1} << 20;
/// Approximate number of products of one launch: the user can stop the work between launches.
constexpr std::size_t kProductsTogether = std::size_t{1} << 28;

template <typename Byte>
bool is_dense(const PatternsAt<Byte>& view, unsigned bytes) {
  const auto step = static_cast<std::ptrdiff_t>(bytes);
  return view.bytes == bytes && view.column_step == step &&
         view.row_step == step * static_cast<std::ptrdiff_t>(view.columns);
}

std::size_t rows_together(std::size_t columns, unsigned bytes) {
  return std::max<std::size_t>(1, kStagingBytes / std::max<std::size_t>(1, columns * bytes));
}

/// Copies elements to words of `bytes` bytes in row-major order.
std::vector<std::byte> packed(const PatternView& view, std::size_t row, std::size_t rows,
                              unsigned bytes) {
  std::vector<std::byte> all(rows * view.columns * bytes);
  with_word(bytes, [&](auto word) {
    std::byte* at = all.data();
    for (std::size_t r = row; r < row + rows; ++r) {
      for (std::size_t c = 0; c < view.columns; ++c, at += sizeof word) {
        word = static_cast<decltype(word)>(pattern_at(view, r, c));
        std::memcpy(at, &word, sizeof word);
      }
    }
  });
  return all;
}

void unpack(const std::vector<std::byte>& all, const PatternSpan& span, std::size_t row,
            std::size_t rows, unsigned bytes) {
  const auto step = static_cast<std::ptrdiff_t>(bytes);
  const PatternView from{
      all.data(), bytes, rows, span.columns, step * static_cast<std::ptrdiff_t>(span.columns),
      step};
  with_word(span.bytes, [&](auto word) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < span.columns; ++c) {
        word = static_cast<decltype(word)>(pattern_at(from, r, c));
        std::memcpy(span.at(row + r, c), &word, sizeof word);
      }
    }
  });
}

void upload(const PatternView& view, unsigned bytes, Device::Memory& memory) {
  const std::size_t line = view.columns * bytes;
  if (line == 0 || view.rows == 0) return;
  if (is_dense(view, bytes)) return memory.write(0, view.data, view.rows * line);
  const std::size_t most = rows_together(view.columns, bytes);
  for (std::size_t row = 0; row < view.rows; row += most) {
    const std::size_t rows = std::min(most, view.rows - row);
    memory.write(row * line, packed(view, row, rows, bytes).data(), rows * line);
  }
}

void download(const Device::Memory& memory, unsigned bytes, const PatternSpan& span) {
  const std::size_t line = span.columns * bytes;
  if (is_dense(span, bytes)) return memory.read(0, span.data, span.rows * line);
  const std::size_t most = rows_together(span.columns, bytes);
  for (std::size_t row = 0; row < span.rows; row += most) {
    const std::size_t rows = std::min(most, span.rows - row);
    std::vector<std::byte> all(rows * line);
    memory.read(row * line, all.data(), all.size());
    unpack(all, span, row, rows, bytes);
  }
}

/// True if all elements are +0 in one word.
bool is_zero(const PatternView& c) {
  return c.row_step == 0 && c.column_step == 0 && pattern_at(c, 0, 0) == 0;
}

}  // namespace

DeviceRunner::DeviceRunner(std::shared_ptr<Device> device, const Algorithm& algorithm,
                           const DotFormats& formats, const std::string& title)
    : device_(std::move(device)), formats_(formats) {
  MatrixKernel kernel = matrix_kernel(algorithm, formats, device_->dialect(), title);
  claims_ = std::move(kernel.claims);
  kernel_ = device_->compile(kernel.source);
  violated_ = device_->allocate(sizeof(std::uint32_t));
}

void DeviceRunner::run(const std::vector<MatrixTask>& tasks) {
  const bool any_k = *formats_.c == *formats_.d;
  for (const MatrixTask& task : tasks) require_shapes(task, formats_, any_k);
  for (const MatrixTask& task : tasks) run(task);
}

void DeviceRunner::run(const MatrixTask& task) {
  const MatrixOperands& in = task.operands;
  const std::size_t m = task.d.rows;
  const std::size_t n = task.d.columns;
  const std::size_t k = in.a.columns;
  if (m == 0 || n == 0) return;
  std::vector<std::unique_ptr<Device::Memory>> memory;
  std::vector<Device::Argument> arguments;
  const auto add = [&](std::size_t rows, std::size_t columns, const Format& format) {
    const std::size_t bytes = rows * columns * element_bytes(format);
    memory.push_back(device_->allocate(std::max<std::size_t>(1, bytes)));
    arguments.emplace_back(memory.back().get());
  };
  const auto add_operand = [&](const PatternView& view, const Format& format) {
    add(view.rows, view.columns, format);
    upload(view, element_bytes(format), *memory.back());
  };
  add_operand(in.a, *formats_.a);
  add_operand(in.b, *formats_.b);
  if (formats_.scale != nullptr) {
    add_operand(in.scale_a, *formats_.scale);
    add_operand(in.scale_b, *formats_.scale);
  }
  if (is_zero(in.c)) {
    arguments.emplace_back(nullptr);
  } else {
    add_operand(in.c, *formats_.c);
  }
  add(m, n, *formats_.d);
  std::uint32_t violated = 0;
  violated_->write(0, &violated, sizeof violated);
  arguments.emplace_back(violated_.get());
  for (const std::size_t size : {m, n, k}) arguments.emplace_back(std::uint64_t{size});
  const std::size_t tiles = ((m + kTile - 1) / kTile) * ((n + kTile - 1) / kTile);
  const std::size_t products = std::max<std::size_t>(k, static_cast<std::size_t>(formats_.k));
  const std::size_t together =
      std::max<std::size_t>(64, kProductsTogether / (std::size_t{kTile} * kTile * products));
  for (std::size_t first = 0; first < tiles; first += together) {
    if (work_is_stopped()) throw OutOfTime();
    std::vector<Device::Argument> all = arguments;
    all.emplace_back(std::uint64_t{first});
    kernel_->run(all, std::min(together, tiles - first));
  }
  violated_->read(0, &violated, sizeof violated);
  if (violated != 0) throw ClaimViolated(claims_.at(violated - 1));
  download(*memory.back(), element_bytes(*formats_.d), task.d);
}

}  // namespace mmaspec::device

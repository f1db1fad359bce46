// Computes matrices on a device, several tiles at a time.
#include "concrete/device/runner.h"

#include <fmt/format.h>

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

/// A matrix's start, and the distances of its rows and columns in elements.
void add_matrix(std::vector<Device::Argument>& arguments, Device::Argument start,
                std::ptrdiff_t row, std::ptrdiff_t column) {
  arguments.push_back(start);
  arguments.emplace_back(static_cast<std::uint64_t>(row));
  arguments.emplace_back(static_cast<std::uint64_t>(column));
}

template <typename Byte>
void add_in_place(std::vector<Device::Argument>& arguments, const PatternsAt<Byte>& view,
                  const Format& format) {
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  const auto bytes = static_cast<std::ptrdiff_t>(element_bytes(format));
  if (view.data != nullptr && view.bytes != element_bytes(format)) {
    throw std::invalid_argument(fmt::format("elements of {} bytes: expected {} for {}", view.bytes,
                                            element_bytes(format), format.name));
  }
  if (address % element_bytes(format) != 0 || view.row_step % bytes != 0 ||
      view.column_step % bytes != 0) {
    throw std::invalid_argument(
        fmt::format("a matrix of {} starts, or has steps, within an element", format.name));
  }
  add_matrix(arguments, std::uint64_t{address}, view.row_step / bytes, view.column_step / bytes);
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

void DeviceRunner::require_all(const std::vector<MatrixTask>& tasks) const {
  const bool any_k = *formats_.c == *formats_.d;
  for (const MatrixTask& task : tasks) require_shapes(task, formats_, any_k);
}

void DeviceRunner::run(const std::vector<MatrixTask>& tasks) {
  require_all(tasks);
  for (const MatrixTask& task : tasks) run(task);
}

void DeviceRunner::run(const MatrixTask& task) {
  const MatrixOperands& in = task.operands;
  if (task.d.rows == 0 || task.d.columns == 0) return;
  std::vector<std::unique_ptr<Device::Memory>> memory;
  std::vector<Device::Argument> arguments;
  const auto add = [&](std::size_t rows, std::size_t columns, const Format& format) {
    const std::size_t bytes = rows * columns * element_bytes(format);
    memory.push_back(device_->allocate(std::max<std::size_t>(1, bytes)));
    add_matrix(arguments, memory.back().get(), static_cast<std::ptrdiff_t>(columns), 1);
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
    add_matrix(arguments, nullptr, 0, 0);
  } else {
    add_operand(in.c, *formats_.c);
  }
  add(task.d.rows, task.d.columns, *formats_.d);
  launch(std::move(arguments), task, Device::kDefaultStream);
  download(*memory.back(), element_bytes(*formats_.d), task.d);
}

void DeviceRunner::run_in_place(const std::vector<MatrixTask>& tasks, Device::Stream stream) {
  require_all(tasks);
  for (const MatrixTask& task : tasks) {
    const MatrixOperands& in = task.operands;
    if (task.d.rows == 0 || task.d.columns == 0) continue;
    std::vector<Device::Argument> arguments;
    add_in_place(arguments, in.a, *formats_.a);
    add_in_place(arguments, in.b, *formats_.b);
    if (formats_.scale != nullptr) {
      add_in_place(arguments, in.scale_a, *formats_.scale);
      add_in_place(arguments, in.scale_b, *formats_.scale);
    }
    add_in_place(arguments, in.c, *formats_.c);
    add_in_place(arguments, task.d, *formats_.d);
    launch(std::move(arguments), task, stream);
  }
}

void DeviceRunner::launch(std::vector<Device::Argument> arguments, const MatrixTask& task,
                          Device::Stream stream) {
  const std::size_t m = task.d.rows;
  const std::size_t n = task.d.columns;
  const std::size_t k = task.operands.a.columns;
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
    kernel_->run(all, std::min(together, tiles - first), stream);
  }
  violated_->read(0, &violated, sizeof violated);
  if (violated != 0) throw ClaimViolated(claims_.at(violated - 1));
}

}  // namespace mmaspec::device

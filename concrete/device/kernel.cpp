// Writes a kernel's source: tiles, the loop over K, and the steps of the program.
#include "concrete/device/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "concrete/device/steps.h"
#include "concrete/dot/model.h"
#include "concrete/matrix/matrix.h"
#include "spec/formats/text.h"

namespace mmaspec::device {
namespace {

/// Limit for all programs of a kernel. PoCL's compiler takes minutes for more steps.
constexpr std::size_t kMostSteps = 20000;
/// Limit for a group's operands in local memory. Longer parts are read from the matrices.
constexpr std::size_t kMostLocalBytes = 24576;

constexpr std::string_view kUsage = R"( *
 * Elements are bit patterns, in row-major order without gaps: a is m x k, b is k x n, c and d are
 * m x n.{scales} c may be a null pointer: all its elements are +0.
 * *violated must be 0 before the kernel runs. If it is not 0 afterwards, the specification has a
 * wrong claim, and d is not valid.
 *
 * D is split into tiles of 16 x 16 elements, ceil(m / 16) rows of ceil(n / 16) tiles. A group of
 * 16 x 16 threads computes a tile; group g computes tile first_tile + g.{most_k}
 */
)";

const char* element_type(const Format& format) {
  switch (element_bytes(format)) {
    case 1:
      return "u8";
    case 2:
      return "u16";
    case 4:
      return "u32";
    default:
      return "u64";
  }
}

batch::Compiled program_of(const Algorithm& algorithm, const DotFormats& formats) {
  const DotModel model(algorithm, formats);
  return batch::compile(model.graph(), {model.result()}, {}, batch::Type::i32);
}

/// One operand of a part: a row of a or scale_a, or a column of b or scale_b.
struct Operand {
  std::string name;
  const Format* format;
  std::size_t count;      ///< number of elements in a part
  bool is_row;            ///< of the left matrix
  std::string length;     ///< name of the variable with the length of the whole row or column
  std::string otherwise;  ///< the pattern for elements beyond it

  std::string tile() const { return "tile_" + name; }
  std::size_t bytes() const { return kTile * count * element_bytes(*format); }
};

class KernelWriter {
 public:
  KernelWriter(const Algorithm& algorithm, const DotFormats& formats)
      : f_(formats), part_k_(part_for_matrices(algorithm, formats)) {
    first_ = program_of(algorithm, part_of(f_, part_k_));
    if (!(*f_.c == *f_.d) && part_k_ < f_.k) {
      next_ = program_of(algorithm, continuing_part_of(f_, part_k_));
      for (batch::DraftStep& s : next_->draft.steps) {
        if (s.choice.code == batch::Code::check) s.m += first_.claims.size();
      }
    }
    const std::size_t steps = first_.draft.steps.size() + (next_ ? next_->draft.steps.size() : 0);
    if (steps > kMostSteps) {
      throw std::invalid_argument(fmt::format(
          "a kernel would be {} operations long, more than {}: it is too long to be compiled",
          steps, kMostSteps));
    }
    const auto k = static_cast<std::size_t>(part_k_);
    operands_ = {{"a", f_.a, k, true, "k", "0"}, {"b", f_.b, k, false, "k", "0"}};
    if (f_.scale != nullptr) {
      const std::size_t scales =
          static_cast<std::size_t>(f_.scales()) * k / static_cast<std::size_t>(f_.k);
      const std::string one = fmt::format("0x{}", to_hex(parse_pattern_of(*f_.scale, "1")));
      operands_.push_back({"scale_a", f_.scale, scales, true, "scales", one});
      operands_.push_back({"scale_b", f_.scale, scales, false, "scales", one});
    }
    std::size_t bytes = 0;
    for (const Operand& o : operands_) bytes += o.bytes();
    uses_tiles_ = bytes <= kMostLocalBytes;
  }

  MatrixKernel write(Dialect dialect, const std::string& title) {
    text_ = comment(title);
    text_ += prelude(dialect);
    if (has_wide_integers(first_) || (next_ && has_wide_integers(*next_))) text_ += wide_library();
    signature();
    body();
    MatrixKernel kernel{std::move(text_), first_.claims};
    if (next_)
      kernel.claims.insert(kernel.claims.end(), next_->claims.begin(), next_->claims.end());
    return kernel;
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  std::string comment(const std::string& title) const {
    std::string text = fmt::format(
        "/* {}\n * d = c + a * b for whole matrices: {}, {}, {} -> {}, K = {}{}.\n", title,
        f_.a->name, f_.b->name, f_.c->name, f_.d->name, f_.k, *f_.c == *f_.d ? " chained" : "");
    const std::string scales =
        f_.scale == nullptr
            ? ""
            : fmt::format(
                  "\n * scale_a is m x ceil(k / {0}) and scale_b is ceil(k / {0}) x n, of {1}.\n *",
                  f_.scale_block, f_.scale->name);
    const std::string most_k = *f_.c == *f_.d ? "" : fmt::format(" k is at most {}.", f_.k);
    return text + fmt::format(kUsage, fmt::arg("scales", scales), fmt::arg("most_k", most_k));
  }

  void signature() {
    text_ += fmt::format("\nKERNEL {}(", kKernelName);
    for (const Operand& o : operands_) {
      text_ += fmt::format("\n    GLOBAL const {} *RESTRICT {},", element_type(*o.format), o.name);
    }
    text_ += fmt::format(
        "\n    GLOBAL const {} *RESTRICT c,\n    GLOBAL {} *RESTRICT d,\n"
        "    GLOBAL u32 *violated, u64 m, u64 n, u64 k, u64 first_tile)\n",
        element_type(*f_.c), element_type(*f_.d));
  }

  /// An element of the thread's row or column.
  static std::string element(const Operand& o, const std::string& index) {
    return o.is_row ? fmt::format("(row < m && {1} < {2} ? {0}[row * {2} + {1}] : {3})", o.name,
                                  index, o.length, o.otherwise)
                    : fmt::format("(column < n && {1} < {2} ? {0}[({1}) * n + column] : {3})",
                                  o.name, index, o.length, o.otherwise);
  }
  static std::string index_of(const Operand& o, const std::string& i) {
    return fmt::format("part * {} + {}", o.count, i);
  }

  void body() {
    line("{");
    for (const Operand& o : operands_) {
      if (uses_tiles_) {
        line(fmt::format("  LOCAL {} {}[{}];", element_type(*o.format), o.tile(), kTile * o.count));
      }
    }
    line(fmt::format("  const u64 tiles = (n + {}) / {}, tile = first_tile + GROUP;", kTile - 1,
                     kTile));
    line("  const u32 x = THREAD_X, y = THREAD_Y;");
    line(fmt::format("  const u64 row = tile / tiles * {0} + y, column = tile % tiles * {0} + x;",
                     kTile));
    if (f_.scale != nullptr) {
      line(fmt::format("  const u64 scales = (k + {}) / {};", f_.scale_block - 1, f_.scale_block));
    }
    line(fmt::format("  const u64 parts = (k == 0 ? 1 : (k + {}) / {}) * {};", f_.k - 1, f_.k,
                     f_.k / part_k_));
    line("  u64 result = c && row < m && column < n ? c[row * n + column] : 0;");
    line("  for (u64 part = 0; part < parts; ++part) {");
    if (uses_tiles_) load_tiles();
    if (next_) {
      line("    if (part == 0) {");
      program(first_, "      ");
      line("    } else {");
      program(*next_, "      ");
      line("    }");
    } else {
      program(first_, "    ");
    }
    line("  }");
    line(fmt::format("  if (row < m && column < n) d[row * n + column] = ({})result;",
                     element_type(*f_.d)));
    line("}");
  }

  void load_tiles() {
    line("    BARRIER();");
    for (const Operand& o : operands_) {
      const char* first = o.is_row ? "x" : "y";
      const std::string place =
          o.is_row ? fmt::format("y * {} + i", o.count) : fmt::format("i * {} + x", kTile);
      line(fmt::format("    for (u32 i = {}; i < {}; i += {}) {}[{}] = {};", first, o.count, kTile,
                       o.tile(), place, element(o, index_of(o, "i"))));
    }
    line("    BARRIER();");
  }

  /// Rows of inputs: a, b, c, scale_a, scale_b.
  void program(const batch::Compiled& program, const std::string& indent) {
    const auto k = static_cast<std::size_t>(part_k_);
    const auto input = [&](std::size_t row) -> std::string {
      if (row == 2 * k) return "result";
      std::size_t operand = row / k;
      std::size_t i = row % k;
      if (row > 2 * k) {
        const std::size_t scales = operands_.at(2).count;
        operand = 2 + (row - 2 * k - 1) / scales;
        i = (row - 2 * k - 1) % scales;
      }
      const Operand& o = operands_.at(operand);
      if (!uses_tiles_) return element(o, index_of(o, std::to_string(i)));
      return o.is_row ? fmt::format("{}[y * {} + {}]", o.tile(), o.count, i)
                      : fmt::format("{}[{} + x]", o.tile(), kTile * i);
    };
    text_ += statements_of(program, input, "result", indent);
  }

  DotFormats f_;
  int part_k_;
  batch::Compiled first_;
  std::optional<batch::Compiled> next_;  ///< set if c's format differs from d's
  std::vector<Operand> operands_;
  bool uses_tiles_ = false;
  std::string text_;
};

}  // namespace

unsigned element_bytes(const Format& format) {
  return format.storage_bits <= 8    ? 1
         : format.storage_bits <= 16 ? 2
         : format.storage_bits <= 32 ? 4
                                     : 8;
}

MatrixKernel matrix_kernel(const Algorithm& algorithm, const DotFormats& formats, Dialect dialect,
                           const std::string& title) {
  return KernelWriter(algorithm, formats).write(dialect, title);
}

}  // namespace mmaspec::device

// Writes a kernel's source: tiles, the loop over K, and the steps of the program.
#include "concrete/device/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "concrete/device/steps.h"
#include "concrete/dot/model.h"
#include "concrete/matrix/matrix.h"
#include "spec/algorithms/chain_step.h"
#include "spec/formats/text.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec::device {
namespace {

/// Limit for all programs of a kernel. PoCL's compiler takes minutes for more steps.
constexpr std::size_t kMostSteps = 20000;
/// Limit for a group's operands in local memory. Longer parts are read from the matrices.
constexpr std::size_t kMostLocalBytes = 24576;

constexpr std::string_view kUsage = R"( *
 * Elements are bit patterns: a is m x k, b is k x n, c and d are m x n.{scales} Element (i, j) of a
 * is a[i * a_row + j * a_column], and likewise for the others. Rows without gaps have a_row = k and
 * a_column = 1. c may be a null pointer: all its elements are +0.
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

/// A plan that a kernel computes part by part: parts of K, each a chain of the inner design, whose
/// sums are added, and an epilogue.
struct Parts {
  std::vector<int> lengths;  ///< products of each
  Inner inner;
  bool first_takes_c = false;
  batch::Compiled combine;  ///< of the parts' sums, and c
};

/// nullopt for designs that are not such plans, and for plans with scale factors.
std::optional<Parts> parts_of(const Algorithm& algorithm, const DotFormats& formats) {
  if (formats.scale != nullptr) return std::nullopt;
  const Unpadded plan = unpadded(algorithm, formats);
  const auto* epilogue = scheme_of<Epilogue>(*plan.algorithm);
  const auto* split = scheme_of<SplitK>(*plan.algorithm);
  Parts parts;
  if (epilogue != nullptr) {
    parts.inner = epilogue->inner();
    parts.lengths = {plan.formats.k};
    const Unpadded inner = unpadded(parts.inner.algorithm, parts.inner.formats);
    if (inner.formats.k == plan.formats.k) split = scheme_of<SplitK>(*inner.algorithm);
  }
  if (epilogue == nullptr && split == nullptr) return std::nullopt;
  if (split != nullptr) {
    parts.inner = split->inner();
    parts.lengths = lengths_of_parts(split->scheme(), plan.formats.k);
    parts.first_takes_c =
        epilogue == nullptr && split->scheme().accumulator == WholeAccumulator::first;
  }
  const Format& d = *parts.inner.formats.d;
  Graph graph;
  const Graph::Building building(graph);
  std::vector<Int> sums;
  for (std::size_t i = 0; i < parts.lengths.size(); ++i) {
    sums.push_back(input(fmt::format("sum[{}]", i), static_cast<unsigned>(d.storage_bits)));
  }
  const Int c = input("c", static_cast<unsigned>(formats.c->storage_bits));
  Int whole = sums.front();
  if (split != nullptr) {
    whole = combine(split->scheme(), d, std::move(sums), epilogue == nullptr ? c : Int(0));
  }
  if (epilogue != nullptr) whole = finish(epilogue->scheme(), whole, c);
  parts.combine = batch::compile(graph, {whole.id()}, {}, batch::Type::i32);
  return parts;
}

/// Numbers the checks of a program that follows others with this many claims.
void renumber_checks(batch::Compiled& program, std::size_t claims) {
  for (batch::DraftStep& s : program.draft.steps) {
    if (s.choice.code == batch::Code::check) s.m += claims;
  }
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
      : f_(formats), parts_(parts_of(algorithm, formats)) {
    const Algorithm& chained = parts_ ? parts_->inner.algorithm : algorithm;
    const DotFormats& of_chain = parts_ ? parts_->inner.formats : f_;
    part_k_ = part_for_matrices(chained, of_chain);
    first_ = program_of(chained, part_of(of_chain, part_k_));
    if (!parts_ && !(*f_.c == *f_.d) && part_k_ < f_.k) {
      next_ = program_of(algorithm, continuing_part_of(f_, part_k_));
    }
    if (batch::Compiled* second = second_program()) renumber_checks(*second, first_.claims.size());
    const std::size_t steps =
        first_.draft.steps.size() +
        (second_program() == nullptr ? 0 : second_program()->draft.steps.size());
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
    const batch::Compiled* second = second_program();
    if (has_wide_integers(first_) || (second != nullptr && has_wide_integers(*second))) {
      text_ += wide_library();
    }
    signature();
    body();
    MatrixKernel kernel{std::move(text_), first_.claims};
    if (second != nullptr) {
      kernel.claims.insert(kernel.claims.end(), second->claims.begin(), second->claims.end());
    }
    return kernel;
  }

 private:
  /// The program of the later parts, or of the parts' sums.
  batch::Compiled* second_program() {
    if (parts_) return &parts_->combine;
    return next_ ? &*next_ : nullptr;
  }

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
    for (const Operand& o : operands_) parameters("const ", *o.format, o.name);
    parameters("const ", *f_.c, "c");
    parameters("", *f_.d, "d");
    line("\n    GLOBAL u32 *violated, u64 m, u64 n, u64 k, u64 first_tile)");
  }
  /// A matrix, and the distances of its rows and columns.
  void parameters(const char* qualifier, const Format& format, const std::string& name) {
    text_ += fmt::format("\n    GLOBAL {0}{1} *RESTRICT {2}, i64 {2}_row, i64 {2}_column,",
                         qualifier, element_type(format), name);
  }

  static std::string element_at(const std::string& name, const std::string& row,
                                const std::string& column) {
    return fmt::format("{0}[(i64)({1}) * {0}_row + (i64)({2}) * {0}_column]", name, row, column);
  }
  std::string start_value() const {
    return fmt::format("c && row < m && column < n ? {} : 0", element_at("c", "row", "column"));
  }

  /// An element of the thread's row or column.
  std::string element(const Operand& o, const std::string& index) const {
    const std::string at =
        o.is_row ? element_at(o.name, "row", index) : element_at(o.name, index, "column");
    return fmt::format("({} && {} < {} ? {} : {})", o.is_row ? "row < m" : "column < n", index,
                       end_of(o), at, o.otherwise);
  }
  /// The variable that holds the end of the elements that are read: parts of a plan may end with
  /// zeros before the end of the matrix.
  std::string end_of(const Operand& o) const { return parts_ ? "end" : o.length; }
  std::string index_of(const Operand& o, const std::string& i) const {
    return fmt::format("{}part * {} + {}", parts_ ? "start + " : "", o.count, i);
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
    if (parts_) {
      body_of_parts();
    } else {
      body_of_chain();
    }
    line(fmt::format("  if (row < m && column < n) {} = ({})result;",
                     element_at("d", "row", "column"), element_type(*f_.d)));
    line("}");
  }

  void body_of_chain() {
    line(fmt::format("  const u64 parts = (k == 0 ? 1 : (k + {}) / {}) * {};", f_.k - 1, f_.k,
                     f_.k / part_k_));
    line("  u64 result = " + start_value() + ";");
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
  }

  /// `whole` is c, and then the result of each round: a longer K chains the plan.
  void body_of_parts() {
    const std::size_t count = parts_->lengths.size();
    std::string ends;
    int steps = 0;
    for (const int length : parts_->lengths) {
      steps += length / part_k_;
      ends += fmt::format("{}{}", ends.empty() ? "" : ", ", steps);
    }
    line(fmt::format("  const u32 ends[{}] = {{{}}};", count, ends));
    line(fmt::format("  u64 sums[{}];", count));
    line("  u64 result = 0;");
    line("  u64 whole = " + start_value() + ";");
    line(fmt::format("  for (u64 start = 0; start == 0 || start < k; start += {}) {{", f_.k));
    line(fmt::format("    const u64 end = start + {0} < k ? start + {0} : k;", f_.k));
    line("    u32 part = 0;");
    line(fmt::format("    for (u32 at = 0; at < {}; ++at) {{", count));
    line(parts_->first_takes_c ? "      result = at == 0 ? whole : 0;" : "      result = 0;");
    line("      for (; part < ends[at]; ++part) {");
    if (uses_tiles_) load_tiles();
    program(first_, "        ");
    line("      }");
    line("      sums[at] = result;");
    line("    }");
    const auto sum = [&](std::size_t row) {
      return row == count ? std::string("whole") : fmt::format("sums[{}]", row);
    };
    text_ += statements_of(parts_->combine, sum, "result", "    ");
    line("    whole = result;");
    line("  }");
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
  std::optional<Parts> parts_;
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

#pragma once
/// How kernels cut a long dot product into instructions and put the pieces together again.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// The order in which partial sums are added.
enum class Reduce {
  forward,   ///< ((p0 + p1) + p2) + ...
  backward,  ///< from the last one on
  /// Neighbours, `fan` at a time and one after the other, then the sums of neighbours: (p0 + p1) +
  /// (p2 + p3).
  tree,
  /// The first half and the second, one by one, then the halves of these sums: (p0 + p2) + (p1 +
  /// p3). Of an odd number the middle one has no partner.
  halves,
  atomic,  ///< each is added to memory that held c (or +0), in the order `order`
  /// The same in whatever order the parts end: as many results as there are orders. It builds
  /// nothing; queries/prove/any_order.h asks of all.
  atomic_any,
};

/// Where the accumulator of the whole joins.
enum class WholeAccumulator {
  last,   ///< it is added to the sum of the parts: beta * C of an epilogue
  first,  ///< the first part starts from it
  none,   ///< of atomic additions: to memory that holds +0; c is not read
};

std::string to_string(Reduce reduce);
std::string to_string(WholeAccumulator accumulator);
/// The format's name; `same` without a format.
std::string to_string(const Format* format);

/// K is cut into parts, each a chain of its own from zero; the partial sums are added in the
/// results' format, each sum rounded to nearest even. Unless `lengths` says otherwise all parts are
/// equal, except for the last one, which may be shorter.
struct SplitK {
  static constexpr std::string_view kName = "split-k";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, media/docs/efficient_gemm.md, \"Parallelized Reductions\"";

  int parts = 2;
  Reduce reduce = Reduce::forward;
  WholeAccumulator accumulator = WholeAccumulator::last;
  int order = 0;  ///< of atomic additions: see order_of_parts()
  int part = 0;   ///< products of each part but the last, which has the rest; 0: all have as many
  std::vector<int> lengths = {};  ///< products of each part; empty: as `parts` and `part` say
  /// What each partial sum is rounded to, to nearest even, before they are added in f32: the format
  /// of the kernel's workspace. nullptr: they are added as they are.
  const Format* partial = nullptr;
  int fan = 2;  ///< summands of each sum of a tree

  /// Results in any order are not equal to themselves.
  friend bool operator==(const SplitK& x, const SplitK& y) {
    const auto& [parts, reduce, accumulator, order, part, lengths, partial, fan] = x;
    const bool same_partial = (partial == nullptr) == (y.partial == nullptr) &&
                              (partial == nullptr || *partial == *y.partial);
    return reduce != Reduce::atomic_any && parts == y.parts && reduce == y.reduce &&
           accumulator == y.accumulator && order == y.order && part == y.part &&
           lengths == y.lengths && same_partial && fan == y.fan;
  }
};

/// Products of each part of K.
std::vector<int> lengths_of_parts(const SplitK& scheme, int k);

/// How many additions a part's sum takes part in at most, before c joins.
int most_additions(const SplitK& scheme);

/// The `number`th order of the last parts (up to twelve; those before come first): 0 is ascending,
/// the last one descending.
std::vector<int> order_of_parts(int parts, int number);
/// How many there are.
int orders_of_parts(int parts);

/// After every `every` products the accumulator of the matrix unit is added to a register, rounded
/// to nearest even, and starts from zero again. The whole is a chain of such steps. With scale
/// factors the register gets scale_a * scale_b * accumulator, the scale factors' product rounded
/// first.
struct Promote {
  static constexpr std::string_view kName = "promote";
  static constexpr std::string_view kReference =
      "DeepSeek-AI, DeepSeek-V3 Technical Report, arXiv:2412.19437, section 3.3.2; "
      "deepseek-ai/DeepGEMM";

  int every = 0;        ///< products between two promotions
  bool scales = false;  ///< a block of `every` products has an f32 scale factor for each of a, b
  bool fma = true;      ///< the scaled accumulator is not rounded before it is added

  friend bool operator==(const Promote&, const Promote&) = default;
};

/// What c is to an epilogue.
enum class Bias {
  no,     ///< the matrix C
  yes,    ///< a bias, added in f32 before the result is converted
  after,  ///< a bias, added to the converted result by another kernel: in f32, and converted again
};
std::string to_string(Bias bias);

/// The epilogue of the accumulator before it is stored: out(alpha * sum + beta * c), computed in
/// f32 and rounded to nearest even at each step.
struct Epilogue {
  static constexpr std::string_view kName = "epilogue";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, include/cutlass/epilogue/thread/linear_combination.h";

  Integer alpha = 0x3f800000;  ///< f32 patterns
  Integer beta = 0x3f800000;
  const Format* out = &formats::f32;
  Bias bias = Bias::no;
  bool fma = true;        ///< alpha * sum is not rounded before beta * c is added
  bool saturate = false;  ///< numbers beyond out's largest become that

  friend bool operator==(const Epilogue& x, const Epilogue& y) {
    const auto& [alpha, beta, out, bias, fma, saturate] = x;
    return alpha == y.alpha && beta == y.beta && *out == *y.out && bias == y.bias && fma == y.fma &&
           saturate == y.saturate;
  }
};

// formats_around(): the plan's formats around such an inner one, for K = k. Throws
// std::invalid_argument where the scheme does not go with it.
DotFormats formats_around(const SplitK& scheme, const Inner& inner, int k);
DotFormats formats_around(const Promote& scheme, const Inner& inner, int k);
DotFormats formats_around(const Epilogue& scheme, const Inner& inner, int k);

// `formats` are the plan's, except for those that formats_around() derives from the parameters.
void describe(SplitK& scheme, const DotFormats& formats, ParameterVisitor& visit);
void describe(Promote& scheme, const DotFormats& formats, ParameterVisitor& visit);
void describe(Epilogue& scheme, const DotFormats& formats, ParameterVisitor& visit);

/// The parts' sums, and c, which is one of them already where the first part starts from it.
Int combine(const SplitK& scheme, const Format& format, std::vector<Int> sums, Int c);
/// What is stored of an f32 sum and c.
Int finish(const Epilogue& scheme, Int sum, Int c);

Int build_plan(const SplitK& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
Int build_plan(const Promote& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
Int build_plan(const Epilogue& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);

// Products of one step of a chain that the whole is; 0: it is none.
int plan_step(const SplitK& scheme, const Inner& inner);
int plan_step(const Promote& scheme, const Inner& inner);
int plan_step(const Epilogue& scheme, const Inner& inner);

}  // namespace mmaspec

#pragma once
/// How kernels split a long dot product into instructions and combine the partial results.

#include "spec/plans/scheme.h"

namespace mmaspec {

/// The order in which partial sums are added.
enum class Reduce {
  forward,   ///< ((p0 + p1) + p2) + ...
  backward,  ///< starting from the last one
  /// Neighbours, `fan` at a time in sequence, then the sums of neighbours: (p0 + p1) + (p2 + p3).
  tree,
  /// The first half and the second, element by element, then the halves of these sums: (p0 + p2) +
  /// (p1 + p3). If the number is odd, the middle one is added later.
  halves,
  atomic,  ///< each is added to memory that held c (or +0), in the order `order`
  /// The same, in any order in which the parts may end: there are as many results as orders.
  /// Building it throws; queries/prove/any_order.h asks about all orders.
  atomic_any,
};

/// Where c is added.
enum class WholeAccumulator {
  last,   ///< to the sum of the parts: beta * C of an epilogue
  first,  ///< the first part starts from it
  none,   ///< for atomic additions to memory that holds +0; c is not read
};

std::string to_string(Reduce reduce);
std::string to_string(WholeAccumulator accumulator);
/// The format's name; `same` without a format.
std::string to_string(const Format* format);

/// K is split into parts, each of which is a chain from zero; the partial sums are added in the
/// results' format, each sum rounded to nearest even. Without `lengths` all parts are equal, except
/// for the last one, which may be shorter.
struct SplitK {
  static constexpr std::string_view kName = "split-k";
  static constexpr std::string_view kReference =
      "NVIDIA CUTLASS, media/docs/efficient_gemm.md, \"Parallelized Reductions\"";

  int parts = 2;
  Reduce reduce = Reduce::forward;
  WholeAccumulator accumulator = WholeAccumulator::last;
  int order = 0;  ///< for atomic additions: see order_of_parts()
  int part = 0;   ///< products of each part except the last, which has the rest; 0: equal parts
  std::vector<int> lengths = {};  ///< products of each part; empty: determined by `parts` and
                                  ///< `part`
  /// The format to which each partial sum is rounded, to nearest even, before the sums are added in
  /// f32: that of the kernel's workspace. nullptr: they are not rounded.
  const Format* partial = nullptr;
  int fan = 2;  ///< number of summands of each sum of a tree

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

/// The largest number of additions through which a part's sum passes before c is added.
int most_additions(const SplitK& scheme);

/// The order with this number of the last parts (at most twelve; earlier parts come first): 0 is
/// ascending, the last one descending.
std::vector<int> order_of_parts(int parts, int number);
/// The number of such orders.
int orders_of_parts(int parts);

/// After every `every` products the accumulator of the matrix unit is added to a register, rounded
/// to nearest even, and starts from zero again. The whole is a chain of such steps. With scale
/// factors scale_a * scale_b * accumulator is added; the product of the scale factors is rounded
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

/// The role of c in an epilogue.
enum class Bias {
  no,     ///< the matrix C
  yes,    ///< a bias, added in f32 before the result is converted
  after,  ///< a bias, added to the converted result by another kernel in f32, and converted again
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
  bool saturate = false;  ///< numbers beyond out's largest become the largest

  friend bool operator==(const Epilogue& x, const Epilogue& y) {
    const auto& [alpha, beta, out, bias, fma, saturate] = x;
    return alpha == y.alpha && beta == y.beta && *out == *y.out && bias == y.bias && fma == y.fma &&
           saturate == y.saturate;
  }
};

// formats_around(): the plan's formats around such an inner unit for K = k. Throws
// std::invalid_argument if the scheme cannot be used with it.
DotFormats formats_around(const SplitK& scheme, const Inner& inner, int k);
DotFormats formats_around(const Promote& scheme, const Inner& inner, int k);
DotFormats formats_around(const Epilogue& scheme, const Inner& inner, int k);

// `formats` are the plan's, except for those that formats_around() derives from the parameters.
void describe(SplitK& scheme, const DotFormats& formats, ParameterVisitor& visit);
void describe(Promote& scheme, const DotFormats& formats, ParameterVisitor& visit);
void describe(Epilogue& scheme, const DotFormats& formats, ParameterVisitor& visit);

/// Adds the parts' sums, and c, which is already included if the first part starts from it.
Int combine(const SplitK& scheme, const Format& format, std::vector<Int> sums, Int c);
/// The stored result for an f32 sum and c.
Int finish(const Epilogue& scheme, Int sum, Int c);

Int build_plan(const SplitK& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
Int build_plan(const Promote& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);
Int build_plan(const Epilogue& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands);

// Products of one step if the whole is a chain; 0: it is not.
int plan_step(const SplitK& scheme, const Inner& inner);
int plan_step(const Promote& scheme, const Inner& inner);
int plan_step(const Epilogue& scheme, const Inner& inner);

}  // namespace mmaspec

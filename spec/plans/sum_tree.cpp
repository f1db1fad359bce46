#include "spec/plans/sum_tree.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "spec/algorithms/chain_step.h"

namespace mmaspec {
namespace {

constexpr std::size_t kShownText = 60;  // characters of a tree in an error message
constexpr int kSumBegins = -1;
constexpr int kSumEnds = -2;

/// Reads a tree. Its terms, in the order of the text, are products, and sums between kSumBegins and
/// kSumEnds.
class TreeText {
 public:
  TreeText(const std::string& tree, int k)
      : tree_(tree),
        at_(tree.data()),
        end_(at_ + tree.size()),
        is_read_(static_cast<std::size_t>(k)) {}

  std::vector<int> terms() {
    int depth = 0;
    bool expects_term = true;
    do {
      if (at_ == end_) refuse();
      if (expects_term && *at_ == '(') {
        ++at_;
        ++depth;
        terms_.push_back(kSumBegins);
      } else if (expects_term) {
        if (depth == 0) refuse();
        read_products();
        expects_term = false;
      } else if (*at_ == '+') {
        ++at_;
        expects_term = true;
      } else if (*at_ == ')') {
        ++at_;
        --depth;
        terms_.push_back(kSumEnds);
      } else {
        refuse();
      }
    } while (depth > 0);
    const bool has_all = std::all_of(is_read_.begin(), is_read_.end(), [](bool x) { return x; });
    if (at_ != end_ || !has_all) refuse();
    return std::move(terms_);
  }

 private:
  /// A product, or an arithmetic sequence of products.
  void read_products() {
    const int first = number();
    int last = first;
    int step = 1;
    if (end_ - at_ >= 2 && at_[0] == '.' && at_[1] == '.') {
      at_ += 2;
      last = number();
      if (at_ != end_ && *at_ == '/') {
        ++at_;
        step = number();
      }
      if (last < first || step == 0 || (last - first) % step != 0) refuse();
    }
    for (int i = first; i <= last; i += step) {
      const auto product = static_cast<std::size_t>(i);
      if (product >= is_read_.size() || is_read_[product]) refuse();
      is_read_[product] = true;
      terms_.push_back(i);
    }
  }

  int number() {
    int value = 0;
    const auto [rest, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || value < 0 || value >= static_cast<int>(is_read_.size())) refuse();
    at_ = rest;
    return value;
  }

  [[noreturn]] void refuse() const {
    const bool is_long = tree_.size() > kShownText;
    throw std::invalid_argument(
        "tree=" + tree_.substr(0, kShownText) + (is_long ? "..." : "") +
        ": expected sums such as ((0..62/2)+(1..63/2)), with each product from 0 to " +
        std::to_string(is_read_.size() - 1) + " once");
  }

  const std::string& tree_;
  const char* at_;
  const char* end_;
  std::vector<bool> is_read_;
  std::vector<int> terms_;
};

}  // namespace

DotFormats formats_around(const SumTree& scheme, const Inner& inner, int k) {
  if (inner.formats.k != 1 || !(*inner.formats.c == *inner.formats.d)) {
    throw std::invalid_argument(
        "a tree of sums needs an instruction with one product, such as x86/vfmadd231ps, whose "
        "accumulator has the format of its result; " +
        inner.name + " is not");
  }
  TreeText(scheme.tree, k).terms();
  DotFormats formats = inner.formats;
  formats.k = k;
  return formats;
}

void describe(SumTree& scheme, const DotFormats&, ParameterVisitor& visit) {
  auto& [tree] = scheme;
  visit.text(
      {.key = "tree",
       .meaning =
           "the sums, such as ((0..62/2)+(1..63/2)): the even products one after the "
           "other, the odd ones, and both sums; (7): product 7 is rounded before it is added",
       .required = true},
      tree, "a tree");
}

Int build_plan(const SumTree& scheme, const Inner& inner, const DotFormats& formats,
               const DotOperands& operands) {
  const Format& d = *formats.d;
  std::vector<std::optional<Int>> open;
  for (const int term : TreeText(scheme.tree, formats.k).terms()) {
    if (term == kSumBegins) {
      open.emplace_back();
    } else if (term != kSumEnds) {
      const Int sum = open.back().value_or(Int(0));
      open.back() = inner.algorithm.build(inner.formats, slice(formats, operands, term, 1, sum));
    } else if (open.size() > 1) {
      const Int sum = *open.back();
      open.pop_back();
      open.back() = open.back() ? plus(d, *open.back(), sum) : sum;
    }
  }
  return plus(d, *open.back(), operands.c);
}

int plan_step(const SumTree&, const Inner&) { return 0; }

}  // namespace mmaspec

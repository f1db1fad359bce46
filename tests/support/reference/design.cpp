#include "tests/support/reference/design.h"

#include <map>
#include <stdexcept>

namespace mmaspec::reference {
namespace {

const std::map<std::string, Algorithm>& algorithms() {
  static const std::map<std::string, Algorithm> all = {
      {"fused-dot-add", Algorithm::fused_dot_add},
      {"sequential-fma", Algorithm::sequential_fma},
      {"group-pairwise-sum", Algorithm::group_pairwise_sum},
      {"round-down-dot-add", Algorithm::round_down_dot_add},
      {"group-dot-fused-sum", Algorithm::group_dot_fused_sum},
      {"exact-dot-add", Algorithm::exact_dot_add},
      {"split-fp8", Algorithm::split_fp8},
      {"pair-dot-add", Algorithm::pair_dot_add},
      {"bulk-normalized-dot-add", Algorithm::bulk_normalized_dot_add},
      {"ones-complement-dot-add", Algorithm::ones_complement_dot_add},
      {"floored-dot-add", Algorithm::floored_dot_add},
      {"partial-product-dot-add", Algorithm::partial_product_dot_add},
      {"rounded-product-dot-add", Algorithm::rounded_product_dot_add},
      {"f32-chain", Algorithm::f32_chain},
      {"integer-dot-add", Algorithm::integer_dot_add}};
  return all;
}

/// The key-value pairs of the text. A pair is removed when it is read.
class Pairs {
 public:
  explicit Pairs(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      std::size_t end = text.find(',', at);
      if (end == std::string::npos) end = text.size();
      const std::size_t equals = text.find('=', at);
      pairs_[text.substr(at, equals - at)] = text.substr(equals + 1, end - equals - 1);
      at = end + 1;
    }
  }

  std::string word(const std::string& key, const std::string& otherwise) {
    const auto it = pairs_.find(key);
    if (it == pairs_.end()) return otherwise;
    std::string value = it->second;
    pairs_.erase(it);
    return value;
  }
  int number(const std::string& key, int otherwise) {
    const std::string value = word(key, "");
    return value.empty() ? otherwise : std::stoi(value);
  }
  std::optional<int> number_or_none(const std::string& key) {
    const std::string value = word(key, "none");
    if (value == "none") return std::nullopt;
    return std::stoi(value);
  }
  /// True for `yes`, false for `no`.
  bool is(const std::string& key, const std::string& yes, const std::string& no, bool otherwise) {
    const std::string value = word(key, otherwise ? yes : no);
    if (value != yes && value != no) throw std::invalid_argument(key + "=" + value);
    return value == yes;
  }
  void require_empty() const {
    if (!pairs_.empty()) throw std::invalid_argument("unknown: " + pairs_.begin()->first);
  }

 private:
  std::map<std::string, std::string> pairs_;
};

const std::map<std::string, Mode>& modes() {
  static const std::map<std::string, Mode> all = {{"rz", Mode::rz},   {"rne", Mode::rne},
                                                  {"rd", Mode::rd},   {"ru", Mode::ru},
                                                  {"rna", Mode::rna}, {"rto", Mode::rto}};
  return all;
}

Result read_result(Pairs& pairs, const Format& format, const std::string& otherwise,
                   const std::string& underflow_otherwise) {
  static const std::map<std::string, Result::Overflow> overflows = {
      {"infinity", Result::Overflow::infinity},
      {"directed", Result::Overflow::directed},
      {"saturate", Result::Overflow::saturate}};
  Result result;
  result.format = &format;
  result.round = modes().at(pairs.word("round", otherwise));
  result.kept_bits = pairs.number("kept_bits", format.fraction_bits);
  const std::string underflow = pairs.word("underflow", underflow_otherwise);
  result.flush = underflow == "flush";
  result.flush_tiny = underflow == "flush-tiny";
  if (!result.flush && !result.flush_tiny && underflow != "gradual") {
    throw std::invalid_argument("underflow=" + underflow);
  }
  result.overflow = overflows.at(pairs.word("overflow", "infinity"));
  return result;
}

void read_fused(Pairs& pairs, Design& design) {
  design.fraction_bits = pairs.number("fraction_bits", 0);
  design.floor = pairs.number_or_none("floor");
  design.align_down = pairs.is("align_round", "rd", "rz", false);
  design.c_late = pairs.is("c_joins", "late", "early", false);
  design.normalize_products = pairs.is("normalize_products", "yes", "no", false);
  design.flush_inputs = pairs.is("flush_inputs", "yes", "no", false);
  design.product_overflow = pairs.number_or_none("product_overflow");
  design.minus_zero = pairs.is("minus_zero", "yes", "no", false);
  design.normalize_c = pairs.is("normalize_c", "yes", "no", true);
}

}  // namespace

Design read_design(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::size_t open = text.find('(');
  const std::string name = text.substr(colon + 1, open - colon - 1);
  if (text.substr(0, colon) != "design" || !algorithms().contains(name) || !text.ends_with(')')) {
    throw std::invalid_argument("no design: " + text);
  }
  Pairs pairs(text.substr(open + 1, text.size() - open - 2));
  Design design;
  design.text = text;
  design.algorithm = algorithms().at(name);
  const bool of_integers = design.algorithm == Algorithm::integer_dot_add;
  design.a = &format(pairs.word("a", of_integers ? "s8" : "f16"));
  design.b = &format(pairs.word("b", design.a->name));
  design.c = &format(pairs.word("c", of_integers ? "s32" : "f32"));
  design.d = &format(pairs.word("d", design.c->name));
  design.k = pairs.number("k", 0);
  const std::string scale = pairs.word("scale", "");
  if (!scale.empty()) {
    design.scale = &format(scale);
    design.scale_block = pairs.number("scale_block", design.k);
  }
  if (of_integers) {
    design.saturates = pairs.is("overflow", "saturate", "wrap", false);
    design.group = pairs.number("group", design.k);
    pairs.require_empty();
    return design;
  }
  const bool truncates = design.algorithm == Algorithm::fused_dot_add ||
                         design.algorithm == Algorithm::group_dot_fused_sum ||
                         design.algorithm == Algorithm::split_fp8;
  const bool jams = design.algorithm == Algorithm::bulk_normalized_dot_add;
  const bool in_parts = design.algorithm == Algorithm::partial_product_dot_add;
  design.result = read_result(pairs, *design.d,
                              truncates  ? "rz"
                              : jams     ? "rto"
                              : in_parts ? "rna"
                                         : "rne",
                              in_parts ? "flush-tiny" : "gradual");
  design.block = design.k;
  switch (design.algorithm) {
    case Algorithm::fused_dot_add:
      design.block = pairs.number("block", design.k);
      read_fused(pairs, design);
      design.zeros_count = pairs.is("zero_terms", "operands-count", "left-out", false);
      break;
    case Algorithm::split_fp8:
      read_fused(pairs, design);
      design.zeros_count = pairs.is("zero_terms", "operands-count", "left-out", false);
      design.halves_added = pairs.is("halves", "added", "chained", false);
      break;
    case Algorithm::sequential_fma:
      design.subnormals_are_zeros = pairs.is("flush_inputs", "yes", "no", false);
      design.reversed = pairs.number("reversed", 1);
      design.chains = pairs.number("chains", 1);
      break;
    case Algorithm::pair_dot_add:
      design.fused = pairs.is("fused", "yes", "no", true);
      design.subnormals_are_zeros = pairs.is("flush_inputs", "yes", "no", false);
      break;
    case Algorithm::bulk_normalized_dot_add:
      design.block = pairs.number("block", design.k);
      design.guard_bits = pairs.number("guard_bits", 0);
      design.pseudo_code = pairs.is("dot", "pseudo-code", "to-odd", false);
      design.flush_c = pairs.is("flush_c", "yes", "no", false);
      design.numbers_alone = pairs.is("numbers_alone", "yes", "no", false);
      break;
    case Algorithm::ones_complement_dot_add:
    case Algorithm::floored_dot_add:
      design.block = pairs.number("block", design.k);
      design.product_bits = pairs.number("product_bits", 24);
      design.c_bits = pairs.number("c_bits", 26);
      design.through_f32 = pairs.is("through_f32", "yes", "no", false);
      design.zero_c_counts = pairs.is("zero_c_counts", "yes", "no", false);
      design.halves_alternate = pairs.is("halves_alternate", "yes", "no", false);
      design.group = pairs.number("group", 2);
      break;
    case Algorithm::partial_product_dot_add:
      design.block = pairs.number("block", design.k);
      design.group = pairs.number("group", 8);
      design.first_phase = pairs.number("first_phase", 0);
      design.phases = pairs.number("phases", 1);
      design.a_bits = pairs.number("a_bits", 5);
      design.b_bits = pairs.number("b_bits", 7);
      design.aligned_bits = pairs.number("aligned_bits", 23);
      design.fraction_bits = pairs.number("fraction_bits", 0);
      design.minus_one_wraps = pairs.is("minus_one_wraps", "yes", "no", false);
      break;
    case Algorithm::group_pairwise_sum:
      design.group = pairs.number("group", design.k);
      design.flush_inputs = pairs.is("flush_inputs", "yes", "no", false);
      design.minus_zero_products = pairs.is("minus_zero_products", "yes", "no", false);
      break;
    case Algorithm::round_down_dot_add:
      design.block = pairs.number("block", design.k);
      design.groups = pairs.number("groups", 1);
      design.product_bits = pairs.number("product_bits", 24);
      design.sum_bits = pairs.number("sum_bits", 31);
      design.sum_down = pairs.is("sum_round", "rd", "rz", true);
      design.c_bits = pairs.number("c_bits", 24);
      design.c_down = pairs.is("c_round", "rd", "rz", true);
      design.c_reach = pairs.number_or_none("c_reach");
      design.product_overflow = pairs.number("product_overflow", 128);
      design.normalized_bits = pairs.number_or_none("normalized_bits");
      design.overflow_joins = pairs.is("overflow_joins", "yes", "no", false);
      design.zeros_count = pairs.is("zero_terms", "operands-count", "left-out", true);
      break;
    case Algorithm::group_dot_fused_sum:
      design.group = pairs.number("group", design.k);
      design.fraction_bits = pairs.number("fraction_bits", 35);
      design.zeros_count = pairs.is("zero_terms", "operands-count", "left-out", false);
      design.floor = pairs.number_or_none("floor");
      design.cancelled_groups_count = pairs.is("cancelled_groups_count", "yes", "no", false);
      break;
    case Algorithm::exact_dot_add:
      design.block = pairs.number("block", design.k);
      break;
    case Algorithm::rounded_product_dot_add:
      design.block = pairs.number("block", design.k);
      design.product_bits = pairs.number("product_bits", 0);
      design.product_round = modes().at(pairs.word("product_round", "rto"));
      design.fraction_bits = pairs.number("fraction_bits", 0);
      design.kept_of_sum = pairs.number_or_none("sum_bits");
      design.flush_inputs = pairs.is("flush_inputs", "yes", "no", false);
      break;
    case Algorithm::f32_chain:  // its only parameter is the result's rounding
    case Algorithm::integer_dot_add:
      break;  // read above
  }
  design.zero_exponent = pairs.number("zero_exponent", -126);
  pairs.require_empty();
  return design;
}

}  // namespace mmaspec::reference

#include "spec/catalog/open_design.h"

#include <stdexcept>

#include "spec/algorithms/exact_dot_add.h"
#include "spec/algorithms/fused_dot_add.h"
#include "spec/algorithms/group_dot_fused_sum.h"
#include "spec/algorithms/group_pairwise_sum.h"
#include "spec/algorithms/round_down_dot_add.h"
#include "spec/algorithms/sequential_fma.h"
#include "spec/algorithms/split_fp8.h"
#include "spec/parts/parameters.h"

namespace mmaspec {
namespace {

constexpr int kLongestDot = 4096;

const std::vector<Rounding> kAlignRoundings{Rounding::toward_zero, Rounding::down};

FusedDotAdd read_fused(ParameterReader& reader, const DotFormats& formats, int block) {
  FusedDotAdd design{};
  design.block = block;
  design.fraction_bits = reader.integer("fraction_bits", 0, 600);
  design.exponent_floor = reader.integer_or_none("floor", -5000, 5000);
  design.zero_terms = reader.one_of<ZeroTerms>(
      "zero_terms", {ZeroTerms::left_out, ZeroTerms::operands_count}, ZeroTerms::left_out);
  design.zero_exponent = reader.integer("zero_exponent", -5000, 5000, -126);
  design.result = read_result(reader, *formats.d, Rounding::toward_zero);
  design.align_rounding = reader.one_of("align_round", kAlignRoundings, Rounding::toward_zero);
  design.c_joins = reader.choice("c_joins", {"early", "late"}) == "late" ? AccumulatorJoins::late
                                                                         : AccumulatorJoins::early;
  design.normalized_products = reader.yes_no("normalize_products", false);
  design.flush_inputs = reader.yes_no("flush_inputs", false);
  design.product_overflow = reader.integer_or_none("product_overflow", -5000, 5000);
  design.minus_zero = reader.yes_no("minus_zero", false);
  return design;
}

Algorithm read_fused_dot_add(ParameterReader& reader, const DotFormats& formats) {
  const int block = read_divisor(reader, "block", formats.k);
  return read_fused(reader, formats, block);
}

Algorithm read_sequential_fma(ParameterReader& reader, const DotFormats& formats) {
  return SequentialFma{read_result(reader, *formats.d, Rounding::nearest_even)};
}

Algorithm read_group_pairwise_sum(ParameterReader& reader, const DotFormats& formats) {
  GroupPairwiseSum design{read_divisor(reader, "group", formats.k),
                          reader.yes_no("flush_inputs", false),
                          read_result(reader, *formats.d, Rounding::nearest_even)};
  if (!is_power_of_two(design.group)) {
    throw std::invalid_argument("group=" + std::to_string(design.group) +
                                ": expected a power of two");
  }
  return design;
}

Algorithm read_round_down_dot_add(ParameterReader& reader, const DotFormats& formats) {
  RoundDownDotAdd design{};
  design.block = read_divisor(reader, "block", formats.k);
  design.groups = reader.integer("groups", 1, design.block, 1);
  design.product_fraction_bits = reader.integer("product_bits", 0, 600, 24);
  design.sum_fraction_bits = reader.integer("sum_bits", 0, 600, 31);
  design.sum_rounding = reader.one_of("sum_round", kAlignRoundings, Rounding::down);
  design.c_fraction_bits = reader.integer("c_bits", 0, 600, 24);
  design.c_rounding = reader.one_of("c_round", kAlignRoundings, Rounding::down);
  design.c_reach = reader.integer_or_none("c_reach", 0, 5000);
  design.product_overflow = reader.integer("product_overflow", -5000, 5000, 128);
  design.zero_terms = reader.one_of<ZeroTerms>(
      "zero_terms", {ZeroTerms::left_out, ZeroTerms::operands_count}, ZeroTerms::operands_count);
  design.zero_exponent = reader.integer("zero_exponent", -5000, 5000, -126);
  design.result = read_result(reader, *formats.d, Rounding::nearest_even);
  return design;
}

Algorithm read_group_dot_fused_sum(ParameterReader& reader, const DotFormats& formats) {
  if (formats.scale == nullptr) {
    throw std::invalid_argument("group-dot-fused-sum needs scale factors: scale=, scale_block=");
  }
  GroupDotFusedSum design{};
  design.group = read_divisor(reader, "group", formats.k);
  if (formats.scale_block % design.group != 0) {
    throw std::invalid_argument(
        "group=" + std::to_string(design.group) +
        ": does not divide scale_block=" + std::to_string(formats.scale_block));
  }
  design.fraction_bits = reader.integer("fraction_bits", 0, 600, 35);
  design.zero_terms = reader.one_of<ZeroTerms>(
      "zero_terms", {ZeroTerms::left_out, ZeroTerms::operands_count}, ZeroTerms::left_out);
  design.zero_exponent = reader.integer("zero_exponent", -5000, 5000, -126);
  design.result = read_result(reader, *formats.d, Rounding::toward_zero);
  return design;
}

Algorithm read_exact_dot_add(ParameterReader& reader, const DotFormats& formats) {
  const int block = read_divisor(reader, "block", formats.k);
  return ExactDotAdd{block, read_result(reader, *formats.d, Rounding::nearest_even)};
}

Algorithm read_split_fp8(ParameterReader& reader, const DotFormats& formats) {
  if (formats.k % 4 != 0) throw std::invalid_argument("split-fp8 needs k divisible by 4");
  const bool chained = reader.choice("halves", {"chained", "added"}) == "chained";
  return SplitFp8{read_fused(reader, formats, formats.k / 2), chained};
}

struct OpenAlgorithm {
  std::string name;
  Algorithm (*read)(ParameterReader&, const DotFormats&);
  bool scales;  ///< takes block scale factors
};

const std::vector<OpenAlgorithm>& table() {
  static const std::vector<OpenAlgorithm> all = {
      {"fused-dot-add", read_fused_dot_add, true},
      {"sequential-fma", read_sequential_fma, false},
      {"group-pairwise-sum", read_group_pairwise_sum, false},
      {"round-down-dot-add", read_round_down_dot_add, false},
      {"group-dot-fused-sum", read_group_dot_fused_sum, true},
      {"exact-dot-add", read_exact_dot_add, true},
      {"split-fp8", read_split_fp8, false}};
  return all;
}

std::map<std::string, std::string> parse_pairs(std::string_view text) {
  std::map<std::string, std::string> pairs;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string_view pair = text.substr(start, end - start);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw std::invalid_argument("'" + std::string(pair) + "': expected key=value");
    }
    const std::string key(pair.substr(0, equals));
    if (!pairs.emplace(key, pair.substr(equals + 1)).second) {
      throw std::invalid_argument("the parameter " + key + " is given twice");
    }
    start = end + 1;
  }
  return pairs;
}

/// Operands of any format with a sign; accumulators and results of those that can say NaN.
const Format& operand(ParameterReader& reader, const std::string& key, const Format& otherwise,
                      bool is_result) {
  const Format& f = reader.format(key, otherwise);
  const bool says_nan = f.specials == Specials::ieee || f.specials == Specials::nan_all_ones;
  if (!f.has_sign || (is_result && !says_nan)) {
    throw std::invalid_argument(
        key + "=" + std::string(f.name) +
        (is_result ? ": a result needs a sign and NaNs of its own" : ": an operand needs a sign"));
  }
  return f;
}

DotFormats read_formats(ParameterReader& reader) {
  DotFormats formats{};
  formats.a = &operand(reader, "a", formats::f16, false);
  formats.b = &operand(reader, "b", *formats.a, false);
  formats.c = &operand(reader, "c", formats::f32, true);
  formats.d = &operand(reader, "d", *formats.c, true);
  formats.k = reader.integer("k", 1, kLongestDot);
  if (reader.has("scale")) {
    formats.scale = &reader.format("scale", formats::ue8m0);
    if (formats.scale->has_sign) {
      throw std::invalid_argument("scale=" + std::string(formats.scale->name) +
                                  ": expected ue8m0 or ue4m3");
    }
    formats.scale_block = read_divisor(reader, "scale_block", formats.k);
  }
  return formats;
}

}  // namespace

const std::vector<std::string>& open_algorithms() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const OpenAlgorithm& a : table()) all.push_back(a.name);
    return all;
  }();
  return names;
}

Instruction open_design(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::string name(text.substr(0, open));
  const OpenAlgorithm* chosen = nullptr;
  for (const OpenAlgorithm& a : table()) {
    if (a.name == name) chosen = &a;
  }
  if (chosen == nullptr) {
    std::string all;
    for (const std::string& a : open_algorithms()) all += (all.empty() ? "" : ", ") + a;
    const std::string near = nearest(name, open_algorithms());
    throw std::invalid_argument("unknown algorithm '" + name.substr(0, 60) + "'" +
                                (near.empty() ? "" : "; did you mean '" + near + "'?") +
                                " (algorithms: " + all + ")");
  }
  if (open == std::string_view::npos || !text.ends_with(')')) {
    throw std::invalid_argument("design:" + name + ": expected (key=value,...) behind the name");
  }
  try {
    ParameterReader reader(parse_pairs(text.substr(open + 1, text.size() - open - 2)));
    const DotFormats formats = read_formats(reader);
    if (formats.scale != nullptr && !chosen->scales) {
      throw std::invalid_argument("scale factors are not for this algorithm");
    }
    Algorithm algorithm = chosen->read(reader, formats);
    reader.require_all_read();
    return {"design", std::string(text), "", formats, std::move(algorithm), {}, true};
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("design:" + name + ": " + error.what());
  }
}

Instruction open_design(const Algorithm& algorithm, const DotFormats& formats) {
  const auto& [a, b, c, d, k, scale, scale_block] = formats;
  std::string text = algorithm.name() + "(a=" + std::string(a->name) +
                     ",b=" + std::string(b->name) + ",c=" + std::string(c->name) +
                     ",d=" + std::string(d->name) + ",k=" + std::to_string(k);
  if (scale != nullptr) {
    text += ",scale=" + std::string(scale->name) + ",scale_block=" + std::to_string(scale_block);
  }
  for (const Parameter& p : algorithm.parameters()) text += "," + p.key + "=" + p.value;
  return {"design", text + ")", "", formats, algorithm, {}, true};
}

}  // namespace mmaspec

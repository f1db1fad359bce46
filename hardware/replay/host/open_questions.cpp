#include "hardware/replay/host/open_questions.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>

#include "spec/catalog/names/names.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// Hypotheses prepared for evaluation, and their predictions for a row.
class HypothesisModels {
 public:
  HypothesisModels(const Instruction& instruction, const std::vector<Hypothesis>& hypotheses)
      : instruction_(instruction) {
    for (const Hypothesis& r : hypotheses) {
      names_.push_back(r.name);
      models_.emplace_back(r.model.algorithm, r.model.formats);
      scratch_.push_back(models_.back().evaluator().scratch());
    }
  }

  std::vector<Prediction> ask(const DotValues& values) {
    std::vector<Prediction> all;
    for (std::size_t i = 0; i < models_.size(); ++i) {
      all.push_back({names_[i], models_[i].run(values, scratch_[i])});
    }
    return all;
  }

  /// Draws until `wanted` rows distinguish each pair of hypotheses that the draws can distinguish.
  std::vector<std::pair<DotValues, std::vector<Prediction>>> choose(
      const std::function<DotValues()>& draw, int wanted, int draws) {
    std::vector<std::pair<DotValues, std::vector<Prediction>>> chosen;
    const std::size_t n = models_.size();
    std::vector<int> separators(n * n);
    for (int t = 0; t < draws; ++t) {
      DotValues values = draw();
      std::vector<Prediction> answers = ask(values);
      bool useful = false;
      for (std::size_t i = 0; i < n * n; ++i) {
        useful = useful || (apart(answers, i / n, i % n) && separators[i] < wanted);
      }
      if (!useful) continue;
      for (std::size_t i = 0; i < n * n; ++i) separators[i] += apart(answers, i / n, i % n) ? 1 : 0;
      chosen.emplace_back(std::move(values), std::move(answers));
    }
    return chosen;
  }

 private:
  bool apart(const std::vector<Prediction>& answers, std::size_t i, std::size_t j) const {
    return !same_result(*instruction_.formats.d, instruction_.canonical_nan, answers[i].d,
                        answers[j].d);
  }

  const Instruction& instruction_;
  std::vector<std::string> names_;
  std::vector<DotModel> models_;
  std::vector<ExactEvaluator::Values> scratch_;
};

/// Collects the rows of one instruction.
class QuestionRows {
 public:
  QuestionRows(Instruction instruction, std::vector<ReplayRow>& rows)
      : instruction_(std::move(instruction)), rows_(rows) {}

  void all() {
    const DotFormats& f = instruction_.formats;
    if (instruction_.algorithm.as<SplitFp8>() != nullptr) return halves();
    if (instruction_.algorithm.as<GroupDotFusedSum>() != nullptr) return groups();
    if (instruction_.algorithm.as<GroupPairwiseSum>() != nullptr) return minus_zero_products();
    if (instruction_.algorithm.as<RoundDownDotAdd>() != nullptr) return rounded_down();
    if (f.a->storage_bits >= 16) {
      floor_ladder();
      subnormal_c();
      zero_products();
      specials();
    }
    signs_of_zero();
    overflow();
    steps();
    subnormal_c_of_another_format();
  }

 private:
  static constexpr int kWanted = 3;

  const DotFormats& formats() const { return instruction_.formats; }
  bool f16_result() const { return formats().d->name == "f16"; }

  DotValues zeros() const {
    DotValues v;
    v.a.assign(static_cast<std::size_t>(formats().k), 0);
    v.b = v.a;
    return v;
  }
  static Integer negative(const Format& f, const Integer& p) {
    const Integer sign = power_of_two(static_cast<unsigned>(f.sign_bit()));
    return p >= sign ? Integer(p - sign) : Integer(p + sign);
  }
  /// 2^e, if the format has it.
  static std::optional<Integer> power(const Format& f, int e) {
    try {
      return parse_pattern_of(f, "0x1p" + std::to_string(e));
    } catch (const std::invalid_argument&) {
      return std::nullopt;
    }
  }
  /// Sets product k to +-2^e from two powers of two; false if the operands' formats lack them.
  bool set_product(DotValues& v, std::size_t k, int e, bool minus) const {
    const int first = e >> 1;
    const auto a = power(*formats().a, first);
    const auto b = power(*formats().b, e - first);
    if (!a || !b) return false;
    v.a[k] = minus ? negative(*formats().a, *a) : *a;
    v.b[k] = *b;
    return true;
  }
  void set(DotValues& v, std::size_t k, const std::string& a, const std::string& b) const {
    v.a[k] = parse_pattern_of(*formats().a, a);
    v.b[k] = parse_pattern_of(*formats().b, b);
  }

  void add(const char* question, const std::string& why, DotValues values,
           std::vector<Prediction> answers) {
    VectorRow row;
    row.instruction = instruction_.name();
    row.values = std::move(values);
    rows_.push_back(made_row(std::move(row), instruction_, "question " + std::string(question),
                             question, why, std::move(answers)));
  }

  /// 2^-149 - 2^-j, rounded toward zero, is 0 if and only if the small term survives the cut; for
  /// rounding to nearest even, 2^-25 + 2^-j is more than a tie under the same condition.
  void floor_ladder() {
    HypothesisModels panel(instruction_, floor_hypotheses(instruction_));
    const int least = f16_result() ? -25 : -149;
    const int first = f16_result() ? 38 : 150;
    const int last = f16_result() ? 48 : 175;
    for (int j = first; j <= last; ++j) {
      DotValues v = zeros();
      if (!set_product(v, 0, least, false) || !set_product(v, 1, -j, !f16_result())) continue;
      std::vector<Prediction> answers = panel.ask(v);
      add("1", "floor of e_max, c = 0: small term 2^-" + std::to_string(j), std::move(v),
          std::move(answers));
    }
  }

  /// The same with a subnormal c in place of the large term.
  void subnormal_c() {
    if (f16_result() || !(*formats().c == *formats().d)) return;
    HypothesisModels panel(instruction_, {{"c counts as -126", instruction_}});
    for (int j = 150; j <= 162; ++j) {
      DotValues v = zeros();
      if (!set_product(v, 1, -j, true)) continue;
      // A product counts with the exponent of its leading bit.
      DotValues moved = v;
      if (!set_product(moved, 0, -149, false)) continue;
      v.c = 1;
      std::vector<Prediction> answers = panel.ask(v);
      answers.push_back({"c counts by its leading bit", panel.ask(moved)[0].d});
      add("1", "c subnormal: 2^-149 - 2^-" + std::to_string(j), std::move(v), std::move(answers));
    }
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::size_t any_k() { return static_cast<std::size_t>(below(formats().k)); }
  /// A number of the format with its exponent field near the given one.
  Integer near(const Format& f, int field) {
    const Integer pattern = (Integer(std::clamp(field + below(6) - 3, 0, f.field_maximum() - 1))
                             << static_cast<unsigned>(f.fraction_bits)) +
                            below(1 << f.fraction_bits);
    const Integer shifted = pattern << static_cast<unsigned>(f.ignored_low_bits);
    return below(2) == 0 ? shifted : negative(f, shifted);
  }

  /// A zero next to a huge operand, and terms that a cut would lose.
  void zero_products() {
    const Format& fa = *formats().a;
    const Format& fc = *formats().c;
    const bool wide = fa.exponent_bits == 8;
    const auto draw = [&] {
      DotValues v = zeros();
      for (int n = below(4); n > 0; --n) {
        const std::size_t k = any_k();
        v.a[k] = near(fa, wide ? 108 : 3);
        v.b[k] = near(*formats().b, wide ? 108 : 3);
      }
      const std::size_t k = any_k();
      v.a[k] = *power(fa, fa.bias - below(4));
      if (below(2) == 0) v.a[k] = negative(fa, v.a[k]);
      v.b[k] = below(2) == 0 ? Integer(0) : negative(*formats().b, 0);
      if (below(2) == 0) std::swap(v.a[k], v.b[k]);
      v.c =
          f16_result() ? Integer(1 + below(3)) : near(fc, wide ? 16 + below(110) : 85 + below(20));
      return v;
    };
    HypothesisModels panel(instruction_, zero_product_hypotheses(instruction_));
    for (auto& [v, answers] : panel.choose(draw, 6, 400)) {
      add("2", "does a zero product raise e_max", std::move(v), std::move(answers));
    }
  }

  void signs_of_zero() {
    const Format& fd = *formats().d;
    const Integer minus = negative(fd, 0);
    const std::string zero = "+0 always";
    const std::string any = "-0 if all terms are zero and one is -0";
    const std::string every = "-0 if all terms are -0";
    const auto n = static_cast<std::size_t>(formats().k);
    struct Case {
      const char* why;
      std::size_t minus_products;
      bool minus_c;
    };
    for (const Case& c : {Case{"all +0, c = -0", 0, true}, Case{"all products -0, c = -0", n, true},
                          Case{"all products -0, c = +0", n, false},
                          Case{"one product -0, rest +0, c = -0", 1, true},
                          Case{"one product -0, rest +0, c = +0", 1, false}}) {
      DotValues v = zeros();
      for (std::size_t k = 0; k < c.minus_products; ++k) {
        v.a[k] = negative(*formats().a, 0);
        v.b[k] = parse_pattern_of(*formats().b, "1");
      }
      v.c = c.minus_c ? negative(*formats().c, 0) : Integer(0);
      const bool all_minus = c.minus_products == n && c.minus_c;
      add("3", std::string("zeros: ") + c.why, std::move(v),
          {{zero, 0}, {any, minus}, {every, all_minus ? minus : Integer(0)}});
    }
    for (const bool minus_c : {false, true}) {
      DotValues v = zeros();
      set(v, 0, "1", "1");
      set(v, 1, "-1", "1");
      v.c = minus_c ? negative(*formats().c, 0) : Integer(0);
      add("3", std::string("zeros: exact cancellation 1 - 1") + (minus_c ? ", c = -0" : ""),
          std::move(v), {{zero, 0}, {any, 0}, {every, 0}});
    }
    DotValues v = zeros();
    const int underflow = f16_result() ? -28 : -152;
    if (!set_product(v, 0, underflow, true)) return;
    add("3", "negative sum below the least subnormal: -2^" + std::to_string(underflow),
        std::move(v), {{zero, 0}, {"the sum's sign stays", minus}});
  }

  /// Products that cancel if added in a suitable order, in both halves.
  void halves() {
    const Format& fa = *formats().a;
    const Format& fb = *formats().b;
    const auto draw = [&] {
      DotValues v = zeros();
      const int quads = 1 + below(formats().k / 4);
      for (std::size_t q = 0; q < static_cast<std::size_t>(quads) * 4; q += 4) {
        for (std::size_t i = q; i < q + 2; ++i) {
          v.a[i] = near(fa, below(fa.field_maximum()));
          v.b[i] = near(fb, below(fb.field_maximum()));
          v.a[i + 2] = below(3) == 0 ? near(fa, below(fa.field_maximum())) : negative(fa, v.a[i]);
          v.b[i + 2] = v.b[i];
        }
      }
      if (below(2) == 0) {
        v.c = f16_result() ? near(*formats().c, 15) : near(*formats().c, 120 + below(14));
      }
      return v;
    };
    HypothesisModels panel(instruction_, split_hypotheses(instruction_));
    for (auto& [v, answers] : panel.choose(draw, 4, 300)) {
      add("4", "FP8 mma.sync", std::move(v), std::move(answers));
    }
  }

  void overflow() {
    HypothesisModels panel(instruction_, result_hypotheses(instruction_));
    const Format& fc = *formats().c;
    const Integer largest = formats().c->largest_finite();
    const auto ask = [&](const std::string& why, DotValues v) {
      std::vector<Prediction> answers = panel.ask(v);
      add("5", why, std::move(v), std::move(answers));
    };
    if (f16_result()) {
      if (!(fc == *formats().d) || formats().a->name != "f16") return;
      for (const char* small :
           {"15", "15.5", "15.875", "15.984375", "16", "16.015625", "17", "32"}) {
        for (const bool minus : {false, true}) {
          const std::string sign = minus ? "-" : "";
          DotValues v = zeros();
          set(v, 0, sign + "65504", "1");
          set(v, 1, sign + small, "1");
          ask("f16 result: " + sign + "65504 + " + small, v);
          v = zeros();
          set(v, 0, sign + small, "1");
          v.c = minus ? negative(fc, largest) : largest;
          ask("f16 result: c = " + sign + "65504, product " + small, v);
        }
      }
      return;
    }
    if (formats().a->exponent_bits != 8 || fc.name != "f32") return;
    struct Case {
      const char* why;
      std::array<const char*, 4> terms;
      bool largest_c;
    };
    for (const Case& c :
         {Case{"2^128 exactly", {"0x1.fep127", "1", "0x1p120", "1"}, false},
          Case{"just below 2^128", {"0x1.fep127", "1", "0x1.fep119", "1"}, false},
          Case{"product above 2^128 cancelled by another",
               {"0x1.fep127", "2", "-0x1.fep127", "1"},
               false},
          Case{"products above 2^128 cancel exactly",
               {"0x1.fep127", "2", "-0x1.fep127", "2"},
               false},
          Case{"c = largest finite, product 1", {"1", "1", "0", "0"}, true},
          Case{"c = largest finite plus half an ulp", {"0x1p103", "1", "0", "0"}, true},
          Case{"c = largest finite plus one ulp", {"0x1p104", "1", "0", "0"}, true}}) {
      DotValues v = zeros();
      set(v, 0, c.terms[0], c.terms[1]);
      set(v, 1, c.terms[2], c.terms[3]);
      if (c.largest_c) v.c = largest;
      ask(std::string("f32 overflow: ") + c.why, v);
    }
  }

  /// Whether a result is rounded between steps with fewer products than K.
  void steps() {
    if (formats().k < 8 || formats().a->name != "f16") return;
    const auto draw = [&] {
      DotValues v = zeros();
      for (std::size_t k = 0; k < v.a.size(); ++k) {
        v.a[k] = near(*formats().a, 15);
        v.b[k] = near(*formats().b, 15);
      }
      v.c = near(*formats().c, formats().c->bias);
      return v;
    };
    HypothesisModels panel(instruction_, result_hypotheses(instruction_));
    for (auto& [v, answers] : panel.choose(draw, kWanted, 60)) {
      add("5", "steps within K", std::move(v), std::move(answers));
    }
  }

  /// An f16 c with f32 results, next to products such that a cut below 2^-14 loses more than a cut
  /// below c's leading bit.
  void subnormal_c_of_another_format() {
    if (*formats().c == *formats().d) return;
    const auto draw = [&] {
      DotValues v = zeros();
      for (int n = 1 + below(formats().k); n > 0; --n) {
        const std::size_t k = any_k();
        v.a[k] = near(*formats().a, 3);
        v.b[k] = near(*formats().b, 3);
      }
      v.c = 1 + below((1 << formats().c->fraction_bits) - 1);
      if (below(2) == 0) v.c = negative(*formats().c, v.c);
      return v;
    };
    HypothesisModels panel(instruction_, c_hypotheses(instruction_));
    for (auto& [v, answers] : panel.choose(draw, 6, 400)) {
      add("6", "a subnormal c of another format than d's", std::move(v), std::move(answers));
    }
  }

  /// Groups of FP4 products that cancel, next to a c that their scale factors would cut; and groups
  /// far below the least subnormal number.
  void groups() {
    const auto& design = *instruction_.algorithm.as<GroupDotFusedSum>();
    const Format& scale = *formats().scale;
    const auto count = static_cast<std::size_t>(formats().scales());
    const int top = scale.largest_exponent();
    HypothesisModels panel(instruction_, group_hypotheses(instruction_));
    const auto draw = [&] {
      DotValues v = zeros();
      v.scale_a.assign(count, *power(scale, 0));
      v.scale_b = v.scale_a;
      const bool tiny = top > 100 && below(2) == 0;
      for (std::size_t first = 0; first < v.a.size();
           first += static_cast<std::size_t>(design.group)) {
        const std::size_t factor = first / static_cast<std::size_t>(formats().scale_block);
        v.a[first] = 1 + below(7);
        v.b[first] = 1 + below(7);
        if (below(2) == 0) v.b[first] = negative(*formats().b, v.b[first]);
        if (!tiny && below(2) == 0) {
          v.a[first + 1] = v.a[first];
          v.b[first + 1] = negative(*formats().b, v.b[first]);
        }
        const int e = tiny ? -70 - below(20) : below(std::min(top, 30));
        v.scale_a[factor] = *power(scale, tiny ? e : std::min(e, top));
        v.scale_b[factor] = *power(scale, tiny ? -70 - below(20) : below(std::min(top, 30)));
      }
      if (!tiny) v.c = near(*formats().c, 115);
      return v;
    };
    for (auto& [v, answers] : panel.choose(draw, 6, 400)) {
      add("6", "FP4 by 64: groups that cancel, the floor", std::move(v), std::move(answers));
    }
  }

  /// A sum that is flushed to -0, followed by products of -0.
  void minus_zero_products() {
    const auto& design = *instruction_.algorithm.as<GroupPairwiseSum>();
    const auto group = static_cast<std::size_t>(design.group);
    if (!design.flush_inputs || formats().a->exponent_bits != 8 ||
        group == static_cast<std::size_t>(formats().k)) {
      return;
    }
    HypothesisModels panel(instruction_, minus_zero_hypotheses(instruction_));
    for (const char* first : {"-0x1.8p-63", "-0x1.4p-63"}) {
      DotValues v = zeros();
      set(v, 0, first, "0x1p-63");
      for (std::size_t k = group; k < v.a.size(); ++k) set(v, k, "0", "-1");
      v.c = parse_pattern_of(*formats().c, "0x1p-126");
      std::vector<Prediction> answers = panel.ask(v);
      add("6", "products of -0 behind a sum of -0", std::move(v), std::move(answers));
    }
  }

  void rounded_down() {
    HypothesisModels panel(instruction_, round_down_hypotheses(instruction_));
    const Format& fa = *formats().a;
    const Format& fb = *formats().b;
    const auto draw = [&] {
      DotValues v = zeros();
      const int field = below(fa.field_maximum());
      for (int n = 1 + below(formats().k); n > 0; --n) {
        const std::size_t k = any_k();
        v.a[k] = near(fa, field);
        v.b[k] = near(fb, fb.bias);
        if (below(4) == 0) v.b[k] = 0;
      }
      v.c = near(*formats().c, std::max(1, field - fa.bias + formats().c->bias + below(9) - 4));
      return v;
    };
    for (auto& [v, answers] : panel.choose(draw, kWanted, 200)) {
      add("6", "rounding of sums, zero products", std::move(v), std::move(answers));
    }
    // 2^25 - 8 + 10 is a tie, which a smaller product breaks unless it is cut again.
    for (const char* small : {"0x1p-6", "0x1p-7", "-0x1p-7"}) {
      DotValues v = zeros();
      set(v, 0, "10", "1");
      set(v, 1, small, "1");
      v.c = parse_pattern_of(*formats().c, "0x1.fffff8p24");
      std::vector<Prediction> answers = panel.ask(v);
      add("6", "rounding of sums: a tie and " + std::string(small), std::move(v),
          std::move(answers));
    }
    if (fa.exponent_bits != 8) return;
    for (const bool minus : {false, true}) {
      DotValues v = zeros();
      set(v, 0, minus ? "-0x1p64" : "0x1p64", "0x1p64");
      v.c = parse_pattern_of(*formats().c, minus ? "inf" : "-inf");
      std::vector<Prediction> answers = panel.ask(v);
      add("6", "a product of 2^128 next to an infinite c", std::move(v), std::move(answers));
    }
  }

  void specials() {
    HypothesisModels panel(instruction_, {{"as in the catalogue", instruction_}});
    const Format& fa = *formats().a;
    const Format& fb = *formats().b;
    const Integer infinity = parse_pattern_of(fa, "inf");
    const Integer one = parse_pattern_of(fb, "1");
    const auto ask = [&](const std::string& why, const std::function<void(DotValues&)>& change) {
      DotValues v = zeros();
      change(v);
      std::vector<Prediction> answers = panel.ask(v);
      add("5", "special values: " + why, std::move(v), std::move(answers));
    };
    if (fa.ignored_low_bits > 0) {
      ask("NaN whose payload is cut off", [&](DotValues& v) {
        v.a[0] = infinity + 1;
        v.b[0] = one;
      });
      ask("operands with all ignored bits set", [&](DotValues& v) {
        v.a[0] = one + power_of_two(static_cast<unsigned>(fa.ignored_low_bits)) - 1;
        v.b[0] = v.a[0];
      });
    }
    ask("infinity times zero", [&](DotValues& v) { v.a[0] = infinity; });
    ask("infinities of both signs", [&](DotValues& v) {
      v.a[0] = infinity;
      v.a[1] = negative(fa, infinity);
      v.b[0] = v.b[1] = one;
    });
    ask("infinite product against infinite c", [&](DotValues& v) {
      v.a[0] = infinity;
      v.b[0] = one;
      v.c = negative(*formats().c, parse_pattern_of(*formats().c, "inf"));
    });
    ask("NaN operand", [&](DotValues& v) {
      v.a[0] = parse_pattern_of(fa, "nan");
      v.b[0] = one;
    });
    ask("NaN c with payload", [&](DotValues& v) {
      set(v, 0, "1", "1");
      v.c = parse_pattern_of(*formats().c, "inf") + 3;
    });
  }

  Instruction instruction_;
  std::vector<ReplayRow>& rows_;
  std::mt19937_64 random_{1};
};

}  // namespace

std::vector<ReplayRow> open_questions(const std::vector<std::string>& architectures) {
  std::vector<ReplayRow> rows;
  const std::vector<std::string> asked =
      architectures.empty() ? std::vector<std::string>{"hopper"} : architectures;
  for (const std::string& given : asked) {
    const std::string architecture = find_architecture(given);
    const std::size_t before = rows.size();
    for (const Instruction& i : catalogue()) {
      const bool split = i.algorithm.as<SplitFp8>() != nullptr;
      const bool fused = i.algorithm.as<FusedDotAdd>() != nullptr && i.formats.scale == nullptr;
      const bool others = i.algorithm.as<GroupDotFusedSum>() != nullptr ||
                          i.algorithm.as<GroupPairwiseSum>() != nullptr ||
                          i.algorithm.as<RoundDownDotAdd>() != nullptr;
      if (i.architecture != architecture || !(split || fused || others)) continue;
      QuestionRows(i, rows).all();
    }
    if (rows.size() == before) {
      throw std::invalid_argument("--questions: there are no open questions for " +
                                  given.substr(0, 60));
    }
  }
  return rows;
}

}  // namespace mmaspec

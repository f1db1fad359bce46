#include "report/picture/ruler.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "concrete/dot/lengths.h"
#include "report/picture/families.h"
#include "spec/formats/text.h"

namespace mmaspec {
namespace {

/// "k = 0..7", or a list if the indices are not consecutive.
std::string products_title(const RulerPart& part) {
  const std::vector<int>& n = part.numbers;
  bool in_order = true;
  for (std::size_t i = 1; i < n.size(); ++i) in_order = in_order && n[i] == n[i - 1] + 1;
  if (n.size() == 1) return fmt::format("k = {}", n[0]);
  if (in_order) return fmt::format("k = {}..{}", n.front(), n.back());
  return fmt::format("k = {}", fmt::join(n, ", "));
}

class RulerMaker {
 public:
  explicit RulerMaker(Ruler& ruler) : ruler_(ruler) {}

  /// Adds the steps of a design; returns the pattern of d.
  Integer add(const Algorithm& algorithm, const RulerPart& part) {
    return std::visit([&](const auto& design) { return add_design(design, part); },
                      algorithm.design());
  }

 private:
  /// For a design without blocks.
  template <typename D>
  Integer add_design(const D& design, const RulerPart& part) {
    return add_step(design, part);
  }
  Integer add_design(const FusedDotAdd& d, const RulerPart& p) { return add_blocks(d, p); }
  Integer add_design(const RoundDownDotAdd& d, const RulerPart& p) { return add_blocks(d, p); }
  Integer add_design(const ExactDotAdd& d, const RulerPart& p) { return add_blocks(d, p); }
  Integer add_design(const BulkNormalizedDotAdd& d, const RulerPart& p) {
    if (p.formats.scale == nullptr && !d.numbers_alone) return add_blocks(d, p);
    return add_marks(d, p, "products with scale factors, or of patterns that are all numbers");
  }
  Integer add_design(const OnesComplementDotAdd& d, const RulerPart& p) { return add_blocks(d, p); }
  Integer add_design(const FlooredDotAdd& design, const RulerPart& part) {
    if (!design.halves_alternate) return add_blocks(design, part);
    FlooredDotAdd in_order = design;
    in_order.halves_alternate = false;
    return add_blocks(in_order, with_halves_in_turns(part, design.block));
  }
  Integer add_design(const SequentialFma& design, const RulerPart& part) {
    if (part.formats.scale == nullptr) return add_step(design, part);
    return add_marks(design, part, "blocks with scale factors, each a separate chain");
  }
  Integer add_design(const GroupPairwiseSum& design, const RulerPart& part) {
    if (part.formats.scale == nullptr) return add_step(design, part);
    return add_marks(design, part, "products that are rounded after they are scaled");
  }
  Integer add_design(const Chained& design, const RulerPart& part) {
    return for_each_slice(part, design.step_formats.k, [&](RulerPart slice) {
      slice.formats = design.step_formats;
      return add(*design.step, slice);
    });
  }
  Integer add_design(const Padded& design, const RulerPart& part) {
    RulerPart whole = part;
    const auto k = static_cast<std::size_t>(design.whole_formats.k);
    whole.formats = design.whole_formats;
    whole.values.a.resize(k, 0);
    whole.values.b.resize(k, 0);
    whole.numbers.resize(k);
    std::iota(whole.numbers.begin(), whole.numbers.end(), 0);
    return add(*design.whole, whole);
  }
  Integer add_design(const PartialProductDotAdd& design, const RulerPart& part) {
    return add_marks(design, part, "products of parts of significands, in fidelity phases");
  }
  Integer add_design(const RoundedProductDotAdd& design, const RulerPart& part) {
    return add_marks(design, part, "products that are rounded before they are aligned");
  }
  Integer add_design(const IntegerDotAdd& design, const RulerPart& part) {
    return add_marks(design, part, "an exact sum of integers: nothing is aligned or cut");
  }
  Integer add_design(const FixedPointDotAdd& design, const RulerPart& part) {
    return add_marks(design, part, "an accumulator in fixed point: nothing is aligned");
  }
  Integer add_design(const Composed& design, const RulerPart& part) {
    return add_marks(design, part, "a plan that combines several instructions");
  }
  Integer add_design(const F32Chain& design, const RulerPart& part) {
    if (part.formats.scale != nullptr) {
      return add_marks(design, part, "blocks with scale factors, each a separate chain");
    }
    const auto [chain, formats] = unconverted(part.formats);
    RulerPart unrounded = part;
    unrounded.formats = formats;
    const Integer sum = add_step(chain, unrounded);
    const Integer d = marked_run(design, part.formats, part.values).d;
    add_conversion(*formats.d, sum, {part.formats.d, design.round}, d);
    return d;
  }
  Integer add_design(const Custom& design, const RulerPart& part) {
    return add_marks(design, part, "a design of which only the marked stages are known");
  }

  template <typename Step>
  static Integer for_each_slice(const RulerPart& part, int length, const Step& step) {
    Integer d = part.values.c;
    for (int first = 0; first < part.formats.k; first += length) {
      const std::string c =
          first == 0
              ? part.first_c
              : fmt::format("d after k={}", part.numbers[static_cast<std::size_t>(first) - 1]);
      d = step(slice(part, first, length, d, c));
    }
    return d;
  }

  template <typename D>
  Integer add_blocks(const D& design, const RulerPart& part) {
    return for_each_slice(part, design.block,
                          [&](const RulerPart& slice) { return add_step(design, slice); });
  }

  static RulerPart with_halves_in_turns(const RulerPart& part, int block) {
    RulerPart in{part.formats, {{}, {}, part.values.c, {}, {}}, {}, part.first_c};
    const std::size_t k = part.values.a.size();
    const auto step = static_cast<std::size_t>(block);
    for (std::size_t first = 0; first < k / 2; first += step) {
      for (const std::size_t half : {first, k / 2 + first}) {
        for (std::size_t i = half; i < half + step; ++i) {
          in.values.a.push_back(part.values.a[i]);
          in.values.b.push_back(part.values.b[i]);
          in.numbers.push_back(part.numbers[i]);
        }
      }
    }
    return in;
  }

  template <typename D>
  Integer add_step(const D& design, const RulerPart& part) {
    const MarkedRun run = marked_run(design, part.formats, part.values);
    const std::string title = products_title(part);
    if (!is_finite(part)) {
      add_finished(special_step(title, *part.formats.d, run.d));
      return run.d;
    }
    try {
      for (RulerStep& step : steps_of(design, part, run)) {
        if (step.title.empty()) step.title = title;
        add_finished(std::move(step));
      }
    } catch (const Unexplained& why) {
      add_finished(declining_step(title, run, *part.formats.d, why.what()));
    }
    return run.d;
  }

  template <typename D>
  Integer add_marks(const D& design, const RulerPart& part, const std::string& why) {
    const MarkedRun run = marked_run(design, part.formats, part.values);
    add_finished(declining_step(products_title(part), run, *part.formats.d, why));
    return run.d;
  }

  /// The last number of a chain becomes a number of d's format.
  void add_conversion(const Format& from, const Integer& pattern, const ResultFormat& result,
                      const Integer& d) {
    const std::string title = fmt::format("{} to {}", from.name, result.format->name);
    const bool is_number =
        decode(from, pattern).is_finite() && decode(*result.format, d).is_finite();
    add_finished(is_number ? rounded_step(title, {{"chain", placed(from, pattern)}}, "d", d, result)
                           : special_step(title, *result.format, d));
  }

  void add_finished(RulerStep step) { ruler_.steps.push_back(std::move(step)); }

  Ruler& ruler_;
};

}  // namespace

Ruler ruler_of(const Instruction& instruction, const DotValues& values) {
  require_lengths(instruction.formats, values);
  Ruler ruler{.name = instruction.name()};
  RulerPart whole{instruction.formats, values, std::vector<int>(values.a.size())};
  std::iota(whole.numbers.begin(), whole.numbers.end(), 0);
  const Integer d = RulerMaker(ruler).add(instruction.algorithm, whole);
  ruler.result = pattern_text(*instruction.formats.d, d);
  const std::size_t all = ruler.steps.size();
  ruler.steps.erase(std::remove_if(ruler.steps.begin(), ruler.steps.end() - 1,
                                   [](const RulerStep& step) { return is_dull(step); }),
                    ruler.steps.end() - 1);  // the last one shows d
  ruler.dull_steps = static_cast<int>(all - ruler.steps.size());
  return ruler;
}

}  // namespace mmaspec

#include <algorithm>

#include "queries/exact.h"
#include "queries/properties/property.h"
#include "queries/replay_questions.h"
#include "queries/steps.h"
#include "spec/algorithms/exact_dot_add.h"

namespace mmaspec {
namespace {

/// f equals the design with all terms added in one piece, normalised and rounded once at the end:
/// for the fused dot-adds, themselves with one block of K; for others, the exact sum rounded as
/// they round. Valpey et al.; Fasi et al. III-D2.
class SingleNormalization : public Property {
 public:
  std::string name() const override { return "single-normalization"; }
  std::string summary() const override {
    return "equal to normalising and rounding once, after all terms are added";
  }
  std::string source() const override { return "Fasi et al. III-D2; Valpey et al."; }
  UnderCondition under_condition() const override { return {Conditioned::the_input, kNotReduced}; }

  std::string not_applicable(const Subject& s) const override {
    return s.first.algorithm.name == "split-fp8" ? "it is two instructions and an addition" : "";
  }

  std::string holds_because(const Subject& s) const override {
    return equal_because(s.first, in_one_piece(s.first));
  }

  Statement state(const Subject& s, int) const override {
    const Format& d = *s.formats().d;
    const DotOperands in = dot_inputs(s.formats());
    const Run one = run(s, "as it is", in);
    Subject whole{s.first, in_one_piece(s.first)};
    const Run two = run_second(whole, "normalised once", in);
    return {{one, two}, {}, {differ({}, d, one.d, d, two.d)}};
  }
  bool violated(const Subject& s, int, const std::vector<RunValues>& runs) const override {
    return !same_value(*s.formats().d, runs[0].d, runs[1].d);
  }
  std::optional<Instruction> other(const Subject& s) const override {
    return in_one_piece(s.first);
  }

 private:
  static Instruction in_one_piece(const Instruction& instruction) {
    Instruction whole = instruction;
    const auto& parameters = instruction.algorithm.parameters;
    const auto block = std::find_if(parameters.begin(), parameters.end(),
                                    [](const Parameter& p) { return p.key == "block"; });
    const bool fused = instruction.algorithm.name.find("fused") != std::string::npos ||
                       instruction.algorithm.name.find("round-down") != std::string::npos;
    if (fused && block == parameters.end()) return whole;
    if (fused) {
      return redesigned(instruction, instruction.algorithm.name,
                        {{"block", std::to_string(instruction.formats.k)}});
    }
    Rounding rounding = Rounding::nearest_even;
    for (const Parameter& p : parameters) {
      if (p.key == "round" && p.value == "rz") rounding = Rounding::toward_zero;
    }
    whole.variant = "";
    whole.algorithm =
        algorithm(ExactDotAdd{instruction.formats.k, {instruction.formats.d, rounding}});
    return whole;
  }
};

}  // namespace

std::unique_ptr<Property> single_normalization() { return std::make_unique<SingleNormalization>(); }

}  // namespace mmaspec

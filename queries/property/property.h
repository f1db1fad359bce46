#pragma once
/// Properties: statements about what an instruction computes, for all inputs.
///
/// f(c, a, b) is the dot-add of one instruction. Each property is a file of this folder that states
/// it twice: in the language, over the same graph as the instruction, for proofs; and on numbers,
/// in plain rational arithmetic, which every witness must satisfy too.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "concrete/dot/model.h"
#include "queries/arguments/theorems.h"
#include "queries/ask/condition.h"
#include "queries/ask/lemmas/relation.h"
#include "queries/errors/range_error.h"
#include "queries/numbers/difference.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

class Portfolio;

/// Which inputs a condition (`--where`) is asked of, each with its own result.
enum class Conditioned {
  the_input,  ///< the property speaks of one input, of one design or of two: of that, and the first
              ///< one's result
  the_given,  ///< of an input and what a fixed rule makes of it: of the input
  both,       ///< of any two inputs that are related so: of both
};

/// Some properties have a reduced form, a few cases that all others follow from: any two numbers
/// are joined by steps to the next one. Where a condition leaves gaps they do not follow.
enum class Form {
  reduced,  ///< the property itself, where it has no such form
  whole,    ///< the property itself
};

/// What a property is asked of, and with which parameters.
struct Subject {
  Instruction first;
  std::optional<Instruction> second = std::nullopt;  ///< of properties of two; formats as first's
  int within = 0;  ///< permutations inside blocks of so many; 0: all
  std::optional<Rational> parameter = std::nullopt;  ///< of properties with a number

  /// What the user's condition leaves: no factor of a product is subnormal.
  bool normal_factors = false;
  /// Is every factor zero, or from 2^-exponent to 2^exponent in magnitude? Asks a solver; empty
  /// where there is no condition.
  std::function<bool(int exponent)> factors_are_within = nullptr;
  /// The range of the operands that the condition leaves; nullopt: it is not known. Asks a solver;
  /// empty without a condition.
  std::function<std::optional<OperandRange>()> range = nullptr;

  Form form = Form::reduced;

  const DotFormats& formats() const { return first.formats; }
};

/// One evaluation of f, or of the second instruction, that a statement speaks of.
struct Run {
  std::string label;
  DotOperands operands;
  Int d;
  bool of_second = false;
};

/// A property, or one of the cases that make it up, in the current graph.
struct Statement {
  std::vector<Run> runs;
  /// What the property presumes of inputs and results: it says nothing where one does not hold.
  std::vector<Bool> premises;
  std::vector<Bool> violated;  ///< it is violated where all of these hold too
  /// Nodes whose values follow from the premises: proofs may put them in.
  std::vector<std::pair<NodeId, Integer>> known = {};
  /// Nodes behind which proofs need not look, beside those that every statement has.
  std::vector<std::vector<NodeId>> cuts = {};
};

/// A run on numbers.
struct RunValues {
  DotValues operands;
  Integer d;
};

/// An input that is no operand of the first run.
struct Extra {
  std::string name;
  unsigned bits;
  const Format* format = nullptr;  ///< of which it is a pattern; nullptr: bits that say yes or no
};

inline Extra extra(std::string name, const Format& format) {
  return {std::move(name), static_cast<unsigned>(format.storage_bits), &format};
}

/// What derivations (queries/derive/) can make of a property's statement.
enum class Derivable {
  no,
  order,    ///< it is about two runs of one design: the second's result is not below the first's
  related,  ///< the nodes of its runs are functions of one another
  error,    ///< it is about one run, whose result lies no further from the exact one than the
            ///< parameter, in ulp of the largest term
  early_overflow,  ///< it is about one run, whose result is infinite only if the exact one rounds
                   ///< to infinity to nearest
};

/// The inputs of a statement on numbers.
struct Candidate {
  DotValues values;
  std::map<std::string, Integer> extras = {};
};

using Random = std::mt19937_64;

/// What a condition does to a property.
struct UnderCondition {
  Conditioned of;
  /// True if the reduced form, asked of the inputs that satisfy the condition, says all that the
  /// whole says of them. Empty: there is no reduced form.
  std::function<bool(const Subject&, const Condition&, const Portfolio&)> reduces;
};
inline const std::nullptr_t kNotReduced = nullptr;

class Property {
 public:
  Property() = default;
  Property(const Property&) = delete;
  Property& operator=(const Property&) = delete;
  virtual ~Property() = default;

  virtual std::string name() const = 0;
  virtual std::string summary() const = 0;  ///< one line
  virtual std::string source() const = 0;   ///< in the literature

  virtual bool of_two() const { return false; }
  /// Whether tables of all properties have a column of it.
  virtual bool in_tables() const { return !of_two(); }
  virtual InputClass inputs() const { return InputClass::finite; }
  virtual UnderCondition under_condition() const = 0;

  /// Why the property means nothing for the subject; empty: it means something. Asked of integers
  /// only where the property is of those too.
  virtual std::string not_applicable(const Subject&) const { return ""; }
  /// It means something for integers, which know no rounding, no infinity, no NaN and no subnormal.
  virtual bool is_of_integers() const { return false; }
  /// Why it means nothing for the subject, integers or not.
  std::string says_nothing_because(const Subject& subject) const {
    if (are_integers(subject.formats()) && !is_of_integers()) {
      return "it is about floating-point numbers, but the formats are integers";
    }
    return not_applicable(subject);
  }

  /// Cases: the property holds if each of them does.
  virtual int cases(const Subject&) const { return 1; }
  virtual std::string case_name(const Subject&, int) const { return ""; }

  virtual Statement state(const Subject& subject, int which) const = 0;
  /// The same on numbers: `runs` in the order of the statement's.
  virtual bool violated(const Subject& subject, int which,
                        const std::vector<RunValues>& runs) const = 0;

  /// The design that runs marked as the second's are of, where the property makes one.
  virtual std::optional<Instruction> other(const Subject& s) const { return s.second; }

  virtual std::vector<Extra> extras(const Subject&) const { return {}; }
  /// Brings drawn operands nearer to where the property may fail, and draws the extras.
  virtual void incline(const Subject&, int /*which*/, Candidate&, Random&) const {}

  /// What a stage of its two runs may keep, of which a proof could make use.
  virtual Relation relation(const StagePair&) const { return Relation::equal; }

  /// The trusted theorem by which it holds for the subject, and why that applies; nullopt: none
  /// is known.
  virtual std::optional<Argument> holds_because(const Subject&) const { return std::nullopt; }

  virtual Derivable derivable() const { return Derivable::no; }

  /// The values of the parameter that are worth asking for, ascending; empty: it has none. What the
  /// property presumes of inputs must not depend on it.
  virtual std::vector<Rational> parameters(const Subject&) const { return {}; }
};

/// All of them, in the order in which they are explained.
const std::vector<const Property*>& properties();
/// Throws std::invalid_argument with the nearest name.
const Property& find_property(const std::string& name);

/// f on operands that are inputs of the current graph, or made of them.
Run run(const Subject& subject, std::string label, DotOperands operands);
Run run_second(const Subject& subject, std::string label, DotOperands operands);

}  // namespace mmaspec

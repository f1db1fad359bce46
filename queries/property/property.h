#pragma once
/// Properties: statements about what an instruction computes, for all inputs.
///
/// f(c, a, b) is the dot-add of one instruction. Each property has a file in queries/properties/
/// that states it in the language, over the graph of the instruction; and one in
/// queries/counterexamples/ that states it on numbers, which every witness must satisfy too.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "concrete/dot/model.h"
#include "queries/errors/range_error.h"
#include "queries/numbers/difference.h"
#include "queries/statement/condition.h"
#include "queries/statement/relation.h"
#include "queries/theorems/theorems.h"
#include "spec/catalog/instruction.h"
#include "spec/conversions/conversion_design.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// True only if it is proved that no input of the graph satisfies all conditions.
using Refuter = std::function<bool(const Graph& graph, const std::vector<NodeId>& conditions)>;

/// The inputs to which a condition (`--where`) applies. Each of them has its own result.
enum class Conditioned {
  the_input,  ///< The property concerns one input of one or two designs. The condition applies to
              ///< that input and the first design's result.
  the_given,  ///< The second execution's inputs are a function of the first one's. The condition
              ///< applies to the first input.
  both,       ///< The property concerns any two inputs that are related in some way. The condition
              ///< applies to both.
};

/// Some properties have a reduced form: a few cases from which all others follow, because steps to
/// the next number connect any two numbers. If a condition leaves gaps, the other cases do not
/// follow.
enum class Form {
  reduced,  ///< the property itself if it does not have a reduced form
  whole,    ///< the property itself
};

/// The design or designs that a property is asked about, and its parameters.
struct Subject {
  Instruction first;
  std::optional<Instruction> second = std::nullopt;  ///< for properties of two designs; its formats
                                                     ///< equal those of `first`
  int within = 0;  ///< permutations inside blocks of this many products; 0: all
  std::optional<Rational> parameter = std::nullopt;  ///< for properties with a number

  /// True if the user's condition excludes subnormal factors of products.
  bool normal_factors = false;
  /// True if every factor is zero or has a magnitude from 2^-exponent to 2^exponent. Asks a solver.
  /// Empty if there is no condition.
  std::function<bool(int exponent)> factors_are_within = nullptr;
  /// The range of the operands under the condition; nullopt: it is not known. Asks a solver. Empty
  /// if there is no condition.
  std::function<std::optional<OperandRange>()> range = nullptr;

  Form form = Form::reduced;

  const DotFormats& formats() const { return first.formats; }
};

/// One evaluation of f, or of the second instruction, in a statement.
struct Run {
  std::string label;
  DotOperands operands;
  Int d;
  bool of_second = false;
};

/// A property, or one of its cases, in the current graph.
struct Statement {
  std::vector<Run> runs;
  /// The property's assumptions about inputs and results. It holds vacuously if one of them is
  /// false.
  std::vector<Bool> premises;
  std::vector<Bool> violated;  ///< the property is violated if all of these hold too
  /// Nodes whose values follow from the premises. Proofs may substitute them.
  std::vector<std::pair<NodeId, Integer>> known = {};
  /// Further sets of nodes that proofs may replace by free variables, in addition to those of every
  /// statement.
  std::vector<std::vector<NodeId>> cuts = {};
};

/// An input of a statement that is not an operand of the first evaluation.
struct Extra {
  std::string name;
  unsigned bits;
  const Format* format = nullptr;  ///< the format of the pattern; nullptr: Boolean bits
};

inline Extra extra(std::string name, const Format& format) {
  return {std::move(name), static_cast<unsigned>(format.storage_bits), &format};
}

/// How derivations (queries/derive/) can use a property's statement.
enum class Derivable {
  no,
  order,    ///< two evaluations of one design: the second result is at least the first
  related,  ///< the nodes of the evaluations are functions of one another
  error,    ///< one evaluation: |d - exact| is at most the parameter, in ulp of the largest term
  early_overflow,  ///< one evaluation: d is infinite only if the exact result rounded to nearest is
};

/// How a condition affects a property.
struct UnderCondition {
  Conditioned of;
  /// True if the reduced form, restricted to inputs that satisfy the condition, is equivalent to
  /// the whole form with the same restriction. Empty: there is no reduced form.
  std::function<bool(const Subject&, const Condition&, const Refuter&)> reduces;
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
  virtual std::string source() const = 0;   ///< the source in the literature

  virtual bool of_two() const { return false; }
  /// Whether tables of all properties have a column for it.
  virtual bool in_tables() const { return !of_two(); }
  virtual InputClass inputs() const { return InputClass::finite; }
  virtual UnderCondition under_condition() const = 0;

  /// The reason why the property is not defined for the subject; empty: it is. Called for integer
  /// formats only if the property covers integers.
  virtual std::string not_applicable(const Subject&) const { return ""; }
  /// Whether the property is defined for integer formats, which have no rounding, infinities, NaNs
  /// and subnormals.
  virtual bool is_of_integers() const { return false; }
  /// The reason why the property is not defined for the subject, for integer and floating-point
  /// formats.
  std::string says_nothing_because(const Subject& subject) const {
    if (are_integers(subject.formats()) && !is_of_integers()) {
      return "it is about floating-point numbers, but the formats are integers";
    }
    if (accumulate_in_fixed_point(subject.formats())) {
      return "it is about floating-point results, but the accumulator is in fixed point";
    }
    if (is_conversion(subject.formats())) {
      if (!is_of_conversions()) {
        return "it is about products, but the instruction converts a number";
      }
      if (!has_two_zeros_and_nan(subject.formats()) && !is_of_ordered_formats()) {
        return "its operand or its result has no sign, no NaN, or no -0";
      }
      if (scales_its_number(subject.first.algorithm) && !is_of_ordered_formats()) {
        return "its result is a number near a multiple of c, not near c";
      }
    } else if (subject.formats().a->is_integer() && !subject.formats().d->is_integer()) {
      return "it is about numbers of one kind, but integers are added to floating-point numbers";
    }
    return not_applicable(subject);
  }
  /// Whether the property is defined for conversions, which have no products.
  virtual bool is_of_conversions() const { return true; }
  /// Whether it is defined for conversions that scale, or to formats without NaN or -0, too.
  virtual bool is_of_ordered_formats() const { return false; }

  /// Number of cases. The property holds if each case does.
  virtual int cases(const Subject&) const { return 1; }
  virtual std::string case_name(const Subject&, int) const { return ""; }

  virtual Statement state(const Subject& subject, int which) const = 0;

  /// The design of the evaluations marked `of_second`, if the property defines it.
  virtual std::optional<Instruction> other(const Subject& s) const { return s.second; }

  virtual std::vector<Extra> extras(const Subject&) const { return {}; }

  /// The relation between two evaluations at a stage that a proof could use.
  virtual Relation relation(const StagePair&) const { return Relation::equal; }

  /// The trusted theorem by which it holds for the subject, and why that applies; nullopt: none
  /// is known.
  virtual std::optional<Argument> holds_because(const Subject&) const { return std::nullopt; }

  virtual Derivable derivable() const { return Derivable::no; }

  /// The parameter values worth asking for, ascending; empty: the property does not have a
  /// parameter. The property's assumptions about inputs must not depend on it.
  virtual std::vector<Rational> parameters(const Subject&) const { return {}; }
};

/// All properties, in the order in which they are explained.
const std::vector<const Property*>& properties();
/// Throws std::invalid_argument that suggests the nearest name.
const Property& find_property(const std::string& name);

/// Evaluates f on operands that are expressions of the current graph.
Run run(const Subject& subject, std::string label, DotOperands operands);
Run run_second(const Subject& subject, std::string label, DotOperands operands);

}  // namespace mmaspec

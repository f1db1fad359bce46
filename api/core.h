#pragma once
/// Helpers that the sources of this folder share: conversions between the library's values and the
/// API's.
///
/// Inside mmaspec::v0 the API's names hide the library's; the namespace `core` gives access to the
/// library's.

#include <mmaspec/ask.h>
#include <mmaspec/errors.h>
#include <mmaspec/evaluate.h>
#include <mmaspec/formats.h>
#include <mmaspec/units.h>

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "queries/ask/question.h"
#include "queries/ask/scope.h"
#include "queries/ask/vacuity.h"
#include "queries/compare/prepared_unit.h"
#include "queries/draw/samples.h"
#include "queries/numbers/where.h"
#include "queries/statement/condition.h"
#include "queries/statement/justification.h"
#include "util/deadline.h"

namespace mmaspec::v0 {

namespace core = ::mmaspec;

/// Rethrows the exception that is being handled as one of the API's. Call it in a handler.
[[noreturn]] void rethrow_translated();

/// Returns work(), with the library's exceptions translated to the API's.
template <typename Work>
auto translated(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    rethrow_translated();
  }
}

struct FormatAccess {
  static const Format::Data* address(const core::Format* format) {
    return reinterpret_cast<const Format::Data*>(format);
  }
  static Format make(const core::Format& format) { return Format(address(&format)); }
  static const core::Format& data(const Format& format) {
    return *reinterpret_cast<const core::Format*>(format.data_);
  }
};

struct Unit::Data : PreparedUnit {
  using PreparedUnit::PreparedUnit;
};

struct UnitAccess {
  static Unit make(Instruction instruction) {
    return Unit(std::make_shared<const Unit::Data>(std::move(instruction)));
  }
  static const PreparedUnit& data(const Unit& unit) { return *unit.data_; }
};

inline const Instruction& instruction_of(const Unit& unit) {
  return UnitAccess::data(unit).instruction();
}

/// Throws std::invalid_argument that names the operand if a pattern has more bits than its format.
void require_pattern(const std::string& operand, const core::Format& format, std::uint64_t pattern);

/// Patterns of the formats. Throws std::invalid_argument for other lengths, and as
/// require_pattern() does.
DotValues values_of(const DotFormats& formats, const DotProduct& operands);
DotProduct product_of(const DotValues& values);
/// Throws Contradiction for a pattern of more than 64 bits.
std::uint64_t pattern_of(const Integer& pattern);

/// The library's matrices. Throws std::invalid_argument for shapes that do not match, words that
/// are too small, and patterns with more bits than their formats. The object must outlive its
/// result.
class CheckedOperands {
 public:
  CheckedOperands(const DotFormats& formats, const MatrixOperands& operands);

  const core::MatrixOperands& operands() const { return operands_; }
  std::size_t k() const { return operands_.a.columns; }
  std::size_t rows() const { return operands_.a.rows; }
  std::size_t columns() const { return operands_.b.columns; }

 private:
  core::MatrixOperands operands_;
  std::unique_ptr<std::uint64_t> zero_;  ///< used if c is not given
};

/// A matrix of patterns to read.
PatternView view_of(const std::string& operand, const core::Format& format, const MatrixView& view);
/// A matrix for results.
PatternSpan span_of(const std::string& operand, const core::Format& format,
                    const MutableMatrixView& view);

Evidence evidence_of(core::Evidence evidence);
std::vector<UnitEvidence> evidence_of(const std::vector<core::UnitEvidence>& evidence);

/// The strategies for a question.
Strategies strategies_of(const AskOptions& options);

/// Carries an exception of the caller's progress function past rethrow_translated().
struct CallersException {
  std::exception_ptr exception;
};

/// Returns ask(solvers) with the solvers that the options name. If their progress function throws,
/// the question continues without it, and the exception is rethrown at the end.
template <typename Ask>
auto with_solvers(const AskOptions& options, const Ask& ask) -> decltype(ask(no_solvers())) {
  Limits limits;
  limits.seconds = options.seconds;
  Portfolio solvers(options.solver, limits);
  std::exception_ptr exception;
  if (options.progress) {
    solvers.on_wait([&](double seconds, const std::string& running) {
      if (exception) return;
      try {
        options.progress(seconds, running);
      } catch (...) {
        exception = std::current_exception();
      }
    });
  }
  auto answer = ask(solvers);
  if (exception) throw CallersException{exception};
  return answer;
}

InputClass input_class_of(Inputs inputs);
/// `where` must outlive the condition.
Condition condition_of(const Where& where);
constexpr int kMostThreads = 4096;
/// Throws std::invalid_argument that names the option.
void require_range(const std::string& option, int value, int low, int high);

Vacuity vacuity_of(core::Vacuity vacuity);

/// Sets the members that every answer has; `by` only for a proof.
void fill_answer(AnswerBase& answer, Verdict verdict, const Justification& justification,
                 core::Vacuity vacuity, const Scope& scope, double seconds);

}  // namespace mmaspec::v0

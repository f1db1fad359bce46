#include "api/core.h"

#include <limits>
#include <new>

#include "concrete/dot/lengths.h"
#include "solver/solver.h"

namespace mmaspec::v0 {
namespace {

constexpr double kLongestSeconds = 1e6;
constexpr int kMostJobs = 4096;

/// Whether a machine word can hold more bits than the format has.
bool may_exceed(const core::Format& format, unsigned bytes) {
  return format.storage_bits < static_cast<int>(8 * bytes);
}

template <typename View, typename Given>
View same_shape(const std::string& operand, const core::Format& format, const Given& given) {
  const unsigned bytes = given.word_bytes;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
    throw std::invalid_argument(operand + ": a word has 1, 2, 4 or 8 bytes, not " +
                                std::to_string(bytes));
  }
  if (static_cast<int>(8 * bytes) < format.storage_bits) {
    throw std::invalid_argument(operand + ": words of " + std::to_string(bytes) +
                                " bytes do not hold " + std::string(format.name));
  }
  if (given.data == nullptr && given.rows > 0 && given.columns > 0) {
    throw std::invalid_argument(operand + " has no data");
  }
  return {given.data, bytes, given.rows, given.columns, given.row_step, given.column_step};
}

}  // namespace

void rethrow_translated() {
  try {
    throw;
  } catch (const CallersException& callers) {
    std::rethrow_exception(callers.exception);
  } catch (const BadInput&) {
    throw;
  } catch (const Contradiction&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Failure&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw BadInput(error.what());
  } catch (const OutOfTime& error) {
    throw Stopped(error.what());
  } catch (const std::range_error& error) {
    throw Contradiction(error.what());  // from Boost's integers
  } catch (const std::overflow_error& error) {
    throw Contradiction(error.what());  // the same
  } catch (const std::runtime_error& error) {
    throw Failure(error.what());
  } catch (const std::exception& error) {
    throw Contradiction(error.what());
  }
}

void require_pattern(const std::string& operand, const core::Format& format,
                     std::uint64_t pattern) {
  if (format.storage_bits < 64 && (pattern >> format.storage_bits) != 0) {
    throw std::invalid_argument(operand + ": 0x" + to_hex(pattern) + " has more than " +
                                std::to_string(format.storage_bits) + " bits, which " +
                                std::string(format.name) + " has");
  }
}

DotValues values_of(const DotFormats& formats, const DotProduct& operands) {
  const auto all = [](const std::string& name, const core::Format* format,
                      const std::vector<std::uint64_t>& patterns) {
    std::vector<Integer> values;
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (format != nullptr) {
        require_pattern(name + "[" + std::to_string(i) + "]", *format, patterns[i]);
      }
      values.emplace_back(patterns[i]);
    }
    return values;
  };
  require_pattern("c", *formats.c, operands.c);
  DotValues values{all("a", formats.a, operands.a), all("b", formats.b, operands.b), operands.c,
                   all("scale_a", formats.scale, operands.scale_a),
                   all("scale_b", formats.scale, operands.scale_b)};
  require_lengths(formats, values);
  return values;
}

std::uint64_t pattern_of(const Integer& pattern) {
  if (pattern < 0 || bit_length(pattern) > 64) {
    throw Contradiction("a result is not a bit pattern: " + pattern.str());
  }
  return pattern.convert_to<std::uint64_t>();
}

DotProduct product_of(const DotValues& values) {
  const auto all = [](const std::vector<Integer>& given) {
    std::vector<std::uint64_t> patterns;
    for (const Integer& x : given) patterns.push_back(pattern_of(x));
    return patterns;
  };
  return {all(values.a), all(values.b), pattern_of(values.c), all(values.scale_a),
          all(values.scale_b)};
}

PatternView view_of(const std::string& operand, const core::Format& format,
                    const MatrixView& view) {
  const auto matrix = same_shape<PatternView>(operand, format, view);
  if (may_exceed(format, matrix.bytes)) {
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      for (std::size_t column = 0; column < matrix.columns; ++column) {
        require_pattern(operand, format, pattern_at(matrix, row, column));
      }
    }
  }
  return matrix;
}

PatternSpan span_of(const std::string& operand, const core::Format& format,
                    const MutableMatrixView& view) {
  return same_shape<PatternSpan>(operand, format, view);
}

CheckedOperands::CheckedOperands(const DotFormats& formats, const MatrixOperands& operands) {
  operands_.a = view_of("a", *formats.a, operands.a);
  operands_.b = view_of("b", *formats.b, operands.b);
  if (operands.c.data == nullptr) {
    zero_ = std::make_unique<std::uint64_t>(0);
    operands_.c = {reinterpret_cast<const std::byte*>(zero_.get()),
                   sizeof(std::uint64_t),
                   operands_.a.rows,
                   operands_.b.columns,
                   0,
                   0};
  } else {
    operands_.c = view_of("c", *formats.c, operands.c);
  }
  if (formats.scale != nullptr) {
    operands_.scale_a = view_of("scale_a", *formats.scale, operands.scale_a);
    operands_.scale_b = view_of("scale_b", *formats.scale, operands.scale_b);
  } else if (operands.scale_a.data != nullptr || operands.scale_b.data != nullptr) {
    throw std::invalid_argument("the unit has no scale factors");
  }
}

Evidence evidence_of(core::Evidence evidence) {
  switch (evidence) {
    case core::Evidence::hardware:
      return Evidence::hardware;
    case core::Evidence::documented:
      return Evidence::documented;
    case core::Evidence::emulator:
      return Evidence::emulator;
    case core::Evidence::model:
      return Evidence::model;
    case core::Evidence::open:
      break;
  }
  return Evidence::open;
}

std::vector<UnitEvidence> evidence_of(const std::vector<core::UnitEvidence>& evidence) {
  std::vector<UnitEvidence> all;
  for (const core::UnitEvidence& e : evidence) {
    all.push_back({e.unit, evidence_of(e.weakest), e.parameters});
  }
  return all;
}

void require_range(const std::string& option, int value, int low, int high) {
  if (value < low || value > high) {
    throw std::invalid_argument(option + ": expected an integer from " + std::to_string(low) +
                                " to " + std::to_string(high) + ", got " + std::to_string(value));
  }
}

Strategies strategies_of(const AskOptions& options) {
  if (!(options.seconds > 0 && options.seconds <= kLongestSeconds)) {
    throw std::invalid_argument("seconds: expected more than 0, 1000000 at most, got " +
                                std::to_string(options.seconds));
  }
  require_range("jobs", options.jobs, 0, kMostJobs);
  Strategies strategies;
  strategies.seed = options.seed;
  strategies.jobs = options.jobs;
  strategies.deadline = Deadline::in(options.seconds);
  return strategies;
}

InputClass input_class_of(Inputs inputs) {
  switch (inputs) {
    case Inputs::finite:
      return InputClass::finite;
    case Inputs::normal:
      return InputClass::normal;
    case Inputs::any:
      return InputClass::any;
  }
  throw std::invalid_argument("inputs: expected finite, normal or any");
}

Condition condition_of(const Where& where) {
  if (where.empty()) return {};
  return
      [&where](const DotFormats& f, const DotOperands& in, Int d) { return where.holds(f, in, d); };
}

Vacuity vacuity_of(core::Vacuity vacuity) {
  switch (vacuity) {
    case core::Vacuity::none:
      return Vacuity::no;
    case core::Vacuity::no_such_input:
    case core::Vacuity::premises_exclude:
      return Vacuity::yes;
    case core::Vacuity::unknown:
      break;
  }
  return Vacuity::unknown;
}

void fill_answer(AnswerBase& answer, Verdict verdict, const Justification& justification,
                 core::Vacuity vacuity, const Scope& scope, double seconds) {
  answer.verdict = verdict;
  if (verdict == Verdict::proved) {
    answer.by = core::by(justification.kind);
    answer.vacuous = vacuity_of(vacuity);
  }
  answer.how = justification.how();
  answer.inputs = inputs_text(scope);
  answer.evidence = evidence_of(scope.evidence);
  answer.seconds = seconds;
}

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::refuted:
      return "refuted";
    case Verdict::undecided:
      return "undecided";
    case Verdict::not_applicable:
      break;
  }
  return "not applicable";
}

void stop_work() noexcept { core::stop_work(); }
void resume_work() noexcept { core::resume_work(); }

}  // namespace mmaspec::v0

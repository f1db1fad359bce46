#include "hardware/rtl/cases/case_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "hardware/rtl/cases/small_terms.h"
#include "hardware/rtl/cases/specialize.h"
#include "solver/ask.h"

namespace mmaspec::rtl {
namespace {

/// Seconds for a case before it is divided, in the first round; more in later rounds.
constexpr double kCaseSeconds = 20;

/// Bits of differences of exponents, more than any format needs.
constexpr unsigned kDifferenceBits = 32;

/// Combinations of classes of numbers. Each may be divided into hundreds of cases.
constexpr std::size_t kMostTriples = 64;

/// How often the terms of a case are simplified again.
constexpr int kPasses = 4;

/// A condition on operands of three classes, with the exponents for which it is asked.
struct Case {
  TermId condition = 0;
  /// The sum of the exponents of a and b, and the exponent of c; nullopt: they are constants.
  std::array<std::optional<TermId>, 2> variables;
  Column least{0, 0};
  Column largest{0, 0};
  long offset = 0;  ///< difference of exponents = first variable - second variable + offset
  long from = 0;    ///< the least and the largest difference
  long to = 0;
  std::string text;

  long difference(const Column& x) const {
    return static_cast<long>(x[0]) - static_cast<long>(x[1]) + offset;
  }
  std::vector<Column> columns() const {
    std::vector<Column> all;
    for (std::uint64_t s = least[0]; s <= largest[0]; ++s) {
      for (std::uint64_t e = least[1]; e <= largest[1]; ++e) {
        const long d = difference({s, e});
        if (d >= from && d <= to) all.push_back({s, e});
      }
    }
    return all;
  }
  /// Those with this difference, ascending.
  std::vector<Column> columns_of(long d) const {
    std::vector<Column> all;
    for (std::uint64_t e = least[1]; e <= largest[1]; ++e) {
      const long s = static_cast<long>(e) + d - offset;
      if (s >= static_cast<long>(least[0]) && s <= static_cast<long>(largest[0])) {
        all.push_back({static_cast<std::uint64_t>(s), e});
      }
    }
    return all;
  }
  std::string name() const {
    return fmt::format("{}, {} to {} minus {} to {}, difference {} to {}", text, least[0],
                       largest[0], least[1], largest[1], from, to);
  }
};

/// Thrown if a condition depends on more than the sum of two exponents.
struct NotOfSum {};

class CaseSplit {
 public:
  CaseSplit(BvTerms& terms, TermId condition, const std::array<SplitOperand, 3>& operands,
            const Portfolio& solvers, int jobs, const Deadline& deadline)
      : terms_(terms),
        condition_(condition),
        operands_(operands),
        solvers_(solvers),
        jobs_(jobs > 0 ? jobs : static_cast<int>(std::thread::hardware_concurrency())),
        deadline_(deadline),
        specialize_(terms) {}

  CaseReport run() {
    CaseReport report;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      classes_[i] = classes_of(terms_, specialize_, condition_, operands_[i], solvers_, deadline_);
    }
    if (triples() > kMostTriples) {
      report.reason = "results do not depend on normalized significands and exponents alone";
      return report;
    }
    try {
      add_cases();
    } catch (const NotOfSum&) {
      report.reason = "the exponents of a and b are not added";
      return report;
    }
    if (deadline_.passed()) {
      report.reason = "timed out while dividing into cases";
      return report;
    }
    const Answer rest = ask_by(deadline_, {&terms_, {terms_.bool_and(uncovered_)}}, solvers_);
    if (rest.verdict != Verdict::unsatisfiable) {
      report.reason = "it was not proved that the cases cover all inputs";
      return report;
    }
    prove_all(report);
    return report;
  }

 private:
  using Kind = OperandClass::Kind;
  using Classes = std::vector<OperandClass>;

  /// The root, simplified by all values of these variables.
  TermId folded(TermId root, const std::vector<TermId>& variables,
                const std::vector<Column>& columns) {
    for (int pass = 0; pass < kPasses; ++pass) {
      const TermId before = root;
      root = specialize_(root, SmallTerms(terms_, {root}, variables).fold(columns));
      if (root == before) break;
    }
    return root;
  }

  /// The number of combinations of classes of numbers.
  std::size_t triples() const {
    std::size_t all = 1;
    for (const Classes& classes : classes_) {
      const auto numbers = std::count_if(classes.begin(), classes.end(), [](const OperandClass& x) {
        return x.kind == Kind::number;
      });
      all *= std::max<std::size_t>(1, static_cast<std::size_t>(numbers));
    }
    return all;
  }

  bool is_false(TermId t) const {
    return terms_[t].op == BvOp::bool_constant && terms_[t].value == 0;
  }

  /// Cases of all inputs: an operand with the top exponent field; a or b is zero; or neither.
  void add_cases() {
    const Classes& of_a = classes_[0];
    const Classes& of_b = classes_[1];
    const Classes& of_c = classes_[2];
    const auto each = [](const Classes& classes, const auto& wanted, const auto& use) {
      for (const OperandClass& x : classes) {
        if (wanted(x)) use(x);
      }
    };
    const auto is_top = [](const OperandClass& x) { return x.kind == Kind::top_field; };
    const auto is_zero = [](const OperandClass& x) { return x.kind == Kind::zero; };
    const auto is_number_of = [](const Classes& classes) {
      return [&classes](const OperandClass& x) {
        return x.kind == (classes.size() == 1 ? Kind::any : Kind::number);
      };
    };
    const auto is_finite_c = [&](const OperandClass& x) {
      return is_zero(x) || is_number_of(of_c)(x);
    };
    each(of_a, is_top, [&](const auto& a) { add_case(a, of_b[0], of_c[0]); });
    each(of_b, is_top, [&](const auto& b) { add_case(of_a[0], b, of_c[0]); });
    each(of_c, is_top, [&](const auto& c) { add_case(of_a[0], of_b[0], c); });
    each(of_c, is_finite_c, [&](const auto& c) {
      each(of_a, is_zero, [&](const auto& a) { add_case(a, of_b[0], c); });
      each(of_b, is_zero, [&](const auto& b) { add_case(of_a[0], b, c); });
      each(of_a, is_number_of(of_a), [&](const auto& a) {
        each(of_b, is_number_of(of_b), [&](const auto& b) {
          if (!deadline_.passed()) add_case(a, b, c);
        });
      });
    });
  }

  void add_case(const OperandClass& a, const OperandClass& b, const OperandClass& c) {
    uncovered_.push_back(terms_.bool_not(terms_.bool_and({a.premise, b.premise, c.premise})));
    Case whole;
    whole.text = fmt::format("a {}, b {}, c {}", a.text, b.text, c.text);
    whole.condition = condition_;
    for (const auto part : {&OperandClass::constants, &OperandClass::replaced}) {
      Replaced replaced = a.*part;
      replaced.insert((b.*part).begin(), (b.*part).end());
      replaced.insert((c.*part).begin(), (c.*part).end());
      whole.condition = specialize_(whole.condition, std::move(replaced));
    }
    if (a.exponent && b.exponent) {
      add_exponents(whole, a, b);
    } else if (a.exponent || b.exponent) {
      const OperandClass& x = a.exponent ? a : b;
      whole.variables[0] = x.exponent;
      whole.least[0] = 1;
      whole.largest[0] = x.most;
    }
    if (c.exponent) {
      whole.variables[1] = c.exponent;
      whole.least[1] = 1;
      whole.largest[1] = c.most;
    }
    for (const std::size_t i : {0U, 1U}) {
      if (!whole.variables[i]) continue;
      std::vector<Column> columns;
      for (std::uint64_t x = whole.least[i]; x <= whole.largest[i]; ++x) columns.push_back({x, 0});
      whole.condition = folded(whole.condition, {*whole.variables[i]}, columns);
    }
    whole.condition = specialize_.without_products(whole.condition);
    whole.offset = a.offset + b.offset - c.offset;
    whole.from = whole.difference({whole.least[0], whole.largest[1]});
    whole.to = whole.difference({whole.largest[0], whole.least[1]});
    if (is_false(whole.condition)) {
      ++trivial_;
      return;
    }
    if (!whole.variables[0] || !whole.variables[1]) {
      waiting_.push_back(whole);
      return;
    }
    // Beyond this distance, one summand is below all bits of the other that an adder has.
    const long near = 3 * most_precision() + 6;
    const std::size_t before = waiting_.size();
    const auto add_part = [&](long from, long to) {
      Case part = whole;
      part.from = std::max(from, whole.from);
      part.to = std::min(to, whole.to);
      if (part.from <= part.to) waiting_.push_back(part);
    };
    SmallTerms small(terms_, {whole.condition}, {*whole.variables[0], *whole.variables[1]});
    add_part(whole.from, -near - 1);
    for (long d = std::max(-near, whole.from); d <= std::min(near, whole.to); ++d) {
      // Cases of successive exponents for which the condition decides alike, so that its
      // multiplexers become constant.
      std::vector<Column> columns = whole.columns_of(d);
      const std::vector<std::uint64_t> decisions = small.decisions(columns);
      for (std::size_t i = 0, next = 0; i < columns.size(); i = next) {
        while (next < columns.size() && decisions[next] == decisions[i]) ++next;
        Case part = whole;
        part.from = part.to = d;
        part.least = columns[i];
        part.largest = columns[next - 1];
        waiting_.push_back(std::move(part));
      }
    }
    add_part(near + 1, whole.to);
    std::size_t divided = 0;
    for (std::size_t i = before; i < waiting_.size(); ++i) divided += waiting_[i].columns().size();
    if (divided != whole.columns().size()) throw std::logic_error("exponents without a case");
  }

  long most_precision() const {
    long most = 0;
    for (const SplitOperand& o : operands_) most = std::max<long>(most, o.format->precision());
    return most;
  }

  /// The root with sums in another order: what depends on these variables alone is added first.
  TermId added_first(TermId root, const std::vector<TermId>& variables) {
    const SmallTerms small(terms_, {root}, variables);
    Replaced replaced;
    std::map<TermId, std::vector<TermId>> summands;  // of rebuilt sums
    for (const TermId id : terms_.cone({root})) {
      const BvTerm t = terms_[id];
      if (t.op != BvOp::add || small.contains(id)) {
        replaced[id] = remade(terms_, id, replaced);
        continue;
      }
      std::vector<TermId> all;
      for (const TermId arg : t.args) {
        const auto parts = summands.find(arg);
        if (parts == summands.end()) {
          all.push_back(arg);
        } else {
          all.insert(all.end(), parts->second.begin(), parts->second.end());
        }
      }
      constexpr std::size_t kMostSummands = 16;
      if (all.size() <= kMostSummands) summands[id] = all;
      std::stable_partition(all.begin(), all.end(), [&](TermId x) { return small.contains(x); });
      TermId sum = terms_.constant(0, t.width);
      for (const TermId x : all) sum = terms_.add(sum, replaced.at(x));
      replaced[id] = sum;
    }
    return replaced.at(root);
  }

  /// Replaces two variable exponents by their sum, if the condition depends on nothing else of
  /// them.
  void add_exponents(Case& whole, const OperandClass& a, const OperandClass& b) {
    std::vector<Column> columns;
    for (std::uint64_t x = 1; x <= a.most; ++x) {
      for (std::uint64_t y = 1; y <= b.most; ++y) columns.push_back({x, y});
    }
    const std::vector<TermId> both{*a.exponent, *b.exponent};
    whole.condition = folded(added_first(whole.condition, both), both, columns);
    if (!SmallTerms(terms_, {whole.condition}, both).depend_on_sum(columns)) {
      throw NotOfSum();
    }
    // One pair of exponents for each sum: x = min(sum - 1, most), y = sum - x.
    const unsigned width = std::max(terms_.width(*a.exponent), terms_.width(*b.exponent)) + 1;
    const TermId sum = terms_.variable("sum of exponents", width);
    const TermId most = terms_.constant(Integer(a.most), width);
    const TermId x =
        terms_.ite(terms_.ult(most, sum), most, terms_.add(sum, terms_.constant(-1, width)));
    const TermId y = terms_.add(sum, terms_.add(terms_.bv_not(x), terms_.constant(1, width)));
    whole.condition = specialize_(
        whole.condition, {{*a.exponent, terms_.extract(x, terms_.width(*a.exponent) - 1, 0)},
                          {*b.exponent, terms_.extract(y, terms_.width(*b.exponent) - 1, 0)}});
    whole.variables[0] = sum;
    whole.least[0] = 2;
    whole.largest[0] = a.most + b.most;
  }

  const Backend& solver(int round) const {
    const auto& all = solvers_.backends();
    for (const auto& b : all) {
      if (round % 2 == 0 && b->name() == "cvc5") return *b;
    }
    return *all[static_cast<std::size_t>(round) % all.size()];
  }

  static Answer none_exists() {
    Answer answer;
    answer.verdict = Verdict::unsatisfiable;
    return answer;
  }

  /// Asks a case, in the process that calls it.
  Answer ask_case(const Case& x, int round) {
    std::vector<Column> columns = x.columns();
    if (columns.empty()) return none_exists();
    std::vector<TermId> assertions = within(x, columns);
    std::vector<TermId> variables;
    for (const auto& v : x.variables) {
      if (v) variables.push_back(*v);
    }
    if (!x.variables[0]) {
      for (Column& column : columns) column = {column[1], 0};
    }
    const TermId left = variables.empty() ? x.condition : folded(x.condition, variables, columns);
    if (is_false(left)) return none_exists();
    assertions.push_back(left);
    const std::vector<TermId> cone = terms_.cone({left});
    for (const FreshProduct& p : specialize_.products()) {
      if (!std::binary_search(cone.begin(), cone.end(), p.variable)) continue;
      const unsigned width = terms_.width(p.variable);
      assertions.push_back(
          terms_.bool_not(terms_.ult(p.variable, terms_.constant(p.least, width))));
      assertions.push_back(
          terms_.bool_not(terms_.ult(terms_.constant(p.largest, width), p.variable)));
    }
    return solver(round).solve({&terms_, assertions});
  }

  /// That the variables have the values of the columns.
  std::vector<TermId> within(const Case& x, const std::vector<Column>& columns) {
    std::vector<TermId> all;
    const auto wide = [&](std::optional<TermId> variable) {
      return variable ? terms_.zero_extend(*variable, kDifferenceBits)
                      : terms_.constant(0, kDifferenceBits);
    };
    const auto between = [&](TermId value, const Integer& least, const Integer& largest) {
      all.push_back(terms_.bool_not(terms_.slt(value, terms_.constant(least, kDifferenceBits))));
      all.push_back(terms_.bool_not(terms_.slt(terms_.constant(largest, kDifferenceBits), value)));
    };
    const TermId sum = wide(x.variables[0]);
    const TermId field = wide(x.variables[1]);
    Column least = columns[0];
    Column largest = columns[0];
    for (const Column& column : columns) {
      for (std::size_t i = 0; i < column.size(); ++i) {
        least[i] = std::min(least[i], column[i]);
        largest[i] = std::max(largest[i], column[i]);
      }
    }
    between(sum, Integer(least[0]), Integer(largest[0]));
    between(field, Integer(least[1]), Integer(largest[1]));
    const TermId minus = terms_.add(terms_.bv_not(field), terms_.constant(1, kDifferenceBits));
    between(terms_.add(terms_.add(sum, minus), terms_.constant(x.offset, kDifferenceBits)), x.from,
            x.to);
    return all;
  }

  /// Two halves; nothing if it has one column.
  static std::vector<Case> halves(const Case& x) {
    Case low = x;
    Case high = x;
    if (x.from < x.to) {
      low.to = x.from + (x.to - x.from) / 2;
      high.from = low.to + 1;
    } else if (x.least[0] < x.largest[0]) {
      low.largest[0] = x.least[0] + (x.largest[0] - x.least[0]) / 2;
      high.least[0] = low.largest[0] + 1;
    } else if (x.least[1] < x.largest[1]) {
      low.largest[1] = x.least[1] + (x.largest[1] - x.least[1]) / 2;
      high.least[1] = low.largest[1] + 1;
    } else {
      return {};
    }
    std::vector<Case> both;
    for (const Case& half : {low, high}) {
      if (!half.columns().empty()) both.push_back(half);
    }
    return both;
  }

  void prove_all(CaseReport& report) {
    report.cases = trivial_;
    for (int round = 0; !waiting_.empty(); ++round) {
      std::vector<Attempt> attempts;
      std::map<std::string, std::size_t> index;
      for (std::size_t i = 0; i < waiting_.size(); ++i) {
        Attempt attempt;
        attempt.name = waiting_[i].name();
        attempt.run = [this, i, round] { return ask_case(waiting_[i], round); };
        attempt.refutes = false;
        attempt.group = 0;
        attempt.seconds = kCaseSeconds * (1 << std::min(round, 8));
        index[attempt.name] = i;
        attempts.push_back(std::move(attempt));
      }
      RaceOptions options;
      options.limits = solvers_.limits();
      options.limits.seconds = std::min(options.limits.seconds, deadline_.left());
      options.slots = jobs_;
      options.progress = solvers_.progress();
      const Race result = race(attempts, options);
      std::set<std::size_t> open;
      for (std::size_t i = 0; i < waiting_.size(); ++i) open.insert(i);
      for (const AttemptReport& r : result.reports) {
        if (r.verdict == Verdict::unsatisfiable) {
          open.erase(index.at(r.name));
          ++report.cases;
        }
        if (r.verdict == Verdict::satisfiable) {
          report.reason = "not equal for arbitrary products: " + r.name;
          return;
        }
      }
      if (deadline_.passed()) {
        report.reason = fmt::format("{} cases are left", open.size());
        return;
      }
      std::vector<Case> left;
      for (const std::size_t i : open) {
        const std::vector<Case> parts = halves(waiting_[i]);
        if (parts.empty()) {
          report.reason = "undecided: " + waiting_[i].name();
          return;
        }
        left.insert(left.end(), parts.begin(), parts.end());
      }
      waiting_ = std::move(left);
    }
    report.proved = true;
  }

  BvTerms& terms_;
  const TermId condition_;
  const std::array<SplitOperand, 3> operands_;
  const Portfolio& solvers_;
  const int jobs_;
  const Deadline deadline_;
  Specializer specialize_;
  std::array<Classes, 3> classes_;
  std::vector<TermId> uncovered_;  ///< for each case, that the operands do not belong to it
  std::vector<Case> waiting_;
  std::size_t trivial_ = 0;  ///< cases without a question
};

}  // namespace

CaseReport prove_by_cases(BvTerms& terms, TermId condition,
                          const std::array<SplitOperand, 3>& operands, const Portfolio& solvers,
                          int jobs, const Deadline& deadline) {
  return CaseSplit(terms, condition, operands, solvers, jobs, deadline).run();
}

}  // namespace mmaspec::rtl

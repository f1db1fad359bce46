#include "queries/studies/identify/identify.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "concrete/dot/runner.h"
#include "queries/studies/identify/conflict.h"
#include "queries/studies/identify/questions.h"
#include "spec/catalog/open_design.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFailing = 4;          // largest number of confirming rows that are used as
                                             // answers
constexpr double kConflictShare = 0.5;       // of the remaining time
constexpr std::size_t kMostUnsteady = 1000;  // largest number of such inputs that are stored

int jobs_of(const Strategies& strategies) {
  if (strategies.jobs > 0) return strategies.jobs;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// The catalogued variants with these formats and K.
std::vector<Instruction> catalogued(const DotFormats& formats) {
  std::vector<Instruction> all;
  for (const Instruction& i : catalogue()) {
    if (!(i.formats == formats)) continue;
    all.push_back(i);
  }
  const std::size_t defaults = all.size();
  for (std::size_t i = 0; i < defaults; ++i) {
    for (const std::string& variant : variants()) {
      try {
        all.push_back(find_instruction(all[i].name() + "@" + variant));
      } catch (const std::invalid_argument&) {
        // The instruction lacks this variant.
      }
    }
  }
  return all;
}

/// Whether the value is the default of designs.
bool is_plain(const Axis& axis, int value) {
  const std::string text = axis.text(value);
  return text == "none" || text == "no" || text == "gradual" || text == "infinity" ||
         (axis.key == "kept_bits" && value == axis.values.back());
}

/// One execution of an identification.
class Run {
 public:
  Run(const Space& space, Oracle* oracle, const IdentifyOptions& options, const Portfolio& solvers)
      : space_(space),
        oracle_(oracle),
        options_(options),
        solvers_(solvers),
        survivors_(space),
        questions_(space, options.strategies.seed) {}

  Identification all(const std::vector<Answered>& known) {
    const auto start = Clock::now();
    require_answerable(known);
    try {
      take(known);
      work();
    } catch (const OutOfTime&) {
      result_.verdict = Identified::undecided;
      result_.why = "out of time";
    }
    finish();
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(result_);
  }

  std::vector<DotValues> next() { return std::move(next_); }
  std::vector<Open> open() const { return what_is_open(survivors_); }

 private:
  const Deadline& deadline() const { return options_.strategies.deadline; }
  int jobs() const { return jobs_of(options_.strategies); }
  const DotFormats& formats() const { return space_.formats(); }

  void tell(const std::string& what) const {
    if (options_.progress) options_.progress(what);
  }

  /// Throws std::invalid_argument for an answer with a c if the unit does not have one.
  void require_answerable(const std::vector<Answered>& answers) const {
    for (const Answered& a : answers) {
      if (space_.has_c() || a.values.c == 0) continue;
      throw std::invalid_argument("--no-c: an answer has a c that is not +0: " +
                                  oracle_row(formats(), a.values, a.d));
    }
  }

  void take(const std::vector<Answered>& answers) {
    constexpr std::size_t kAtOnce = 16;
    for (std::size_t first = 0; first < answers.size() && !survivors_.empty(); first += kAtOnce) {
      const auto from = answers.begin() + static_cast<std::ptrdiff_t>(first);
      const std::vector<Answered> some(
          from, from + static_cast<std::ptrdiff_t>(std::min(kAtOnce, answers.size() - first)));
      before_ = std::exchange(last_, survivors_);
      survivors_.take(some, deadline(), jobs());
      all_.insert(all_.end(), some.begin(), some.end());
    }
  }

  /// Asks each input twice, the second time in reverse order after all others. Inputs whose answers
  /// differ are recorded and left out.
  std::vector<Answered> put(const std::vector<DotValues>& inputs, bool confirming) {
    if (options_.asking) options_.asking(inputs, confirming);
    std::vector<DotValues> twice = inputs;
    twice.insert(twice.end(), inputs.rbegin(), inputs.rend());
    const std::vector<Integer> d = oracle_->ask(twice);
    std::vector<Answered> answers;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Integer& second = d[twice.size() - 1 - i];
      if (same_answer(*formats().d, d[i], second)) {
        answers.push_back({inputs[i], d[i]});
      } else if (result_.unsteady.size() < kMostUnsteady) {
        result_.unsteady.push_back({inputs[i], d[i], second});
      }
    }
    if (options_.answered) options_.answered(answers, confirming);
    return answers;
  }

  void work() {
    for (;;) {
      if (!narrow()) return;
      if (survivors_.empty()) return none_fits();
      centre_ = representative(survivors_);
      // Confirming rows cost less than a proof.
      if (const std::vector<Answered> failing = confirm(); !failing.empty()) {
        take(failing);
        continue;
      }
      EqualityOptions equality{options_.strategies, deadline(), options_.pair_seconds};
      tell("proving that the designs that fit are equal");
      result_.equality = all_equal(survivors_, *centre_, equality, solvers_);
      if (!result_.equality.witness) break;
      if (!ask({*result_.equality.witness})) return;
    }
    result_.verdict = Identified::identified;
    if (!result_.unsteady.empty()) {
      result_.verdict = Identified::undecided;
      result_.why = "answers change";
    }
  }

  /// Asks until no input is found that distinguishes fitting designs; false: it ended before.
  bool narrow() {
    while (survivors_.size() > 1) {
      tell(counted(survivors_.answers().size(), "answer") + ", about " +
           std::to_string(static_cast<long long>(std::min(survivors_.size(), 9e18))) +
           " designs fit");
      std::vector<DotValues> inputs = questions_.choose(survivors_, options_.batch, deadline());
      if (inputs.empty()) return true;
      if (!ask(std::move(inputs))) return false;
    }
    return true;
  }

  /// Asks and takes the answers; false: no more questions are allowed.
  bool ask(std::vector<DotValues> inputs) {
    if (oracle_ == nullptr) {
      next_ = std::move(inputs);
      result_.why = "some inputs have not been asked";
      return false;
    }
    if (result_.inputs >= options_.questions) {
      result_.why = "the limit on the number of questions was reached";
      return false;
    }
    result_.inputs += inputs.size();
    const std::size_t unsteady = result_.unsteady.size();
    take(put(inputs, false));
    if (result_.unsteady.size() > unsteady + inputs.size() / 2 && result_.unsteady.size() > 16) {
      result_.why = "answers change";
      return false;
    }
    return true;
  }

  /// Some confirming rows that the design does not explain; empty: it explains all. They are asked
  /// once.
  std::vector<Answered> confirm() {
    if (options_.confirm == 0 || oracle_ == nullptr) return {};
    if (result_.confirming == 0) {
      tell("asking " + std::to_string(options_.confirm) + " confirming rows");
      std::vector<DotValues> rows =
          confirming_rows(formats(), options_.confirm, options_.strategies.seed + 1);
      if (!space_.has_c()) {
        for (DotValues& row : rows) row.c = 0;
      }
      result_.confirming = rows.size();
      confirming_ = put(rows, true);
    }
    std::vector<Answered> failing = unexplained(*centre_, confirming_);
    result_.confirmed = failing.empty();
    failed_ = failing;
    failing.resize(std::min(failing.size(), kFailing));
    return failing;
  }

  void none_fits() {
    result_.verdict = Identified::none_fits;
    if (!result_.unsteady.empty()) {
      result_.verdict = Identified::undecided;
      result_.why = "answers change";
    }
    tell("searching for a smallest conflict");
    const Conflict conflict =
        smallest_conflict(space_, all_, jobs(), deadline().part(kConflictShare));
    result_.conflict = conflict.answers;
    result_.conflict_is_smallest = conflict.smallest;
    result_.conflict_is_irreducible = conflict.irreducible;
    nearest_design();
  }

  /// Of designs that explained most answers, finds the one that explains the most.
  void nearest_design() {
    all_.insert(all_.end(), failed_.begin(), failed_.end());
    std::optional<VersionSpace::Point> best;
    std::vector<Answered> failing;
    const auto consider = [&](const VersionSpace::Point& point) {
      std::vector<Answered> wrong =
          unexplained(space_.families()[point.family].design(point.values), all_);
      if (best && wrong.size() >= failing.size()) return false;
      best = point;
      failing = std::move(wrong);
      return true;
    };
    SplitMix random(options_.strategies.seed);
    for (const auto& near : {last_, before_}) {
      if (!near) continue;
      for (const FamilySurvivors& of : near->families()) {
        for (int i = 0; i < 8; ++i) consider(near->draw(of, random));
        if (deadline().passed()) break;
      }
    }
    // Better designs that differ in one parameter.
    for (bool better = best.has_value(); better && !deadline().passed();) {
      better = false;
      const VersionSpace::Point centre = *best;
      const auto& axes = space_.families()[centre.family].axes;
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        for (const int value : axes[axis].values) {
          VersionSpace::Point point = centre;
          point.values[axis] = value;
          if (deadline().passed()) break;
          better = consider(point) || better;
        }
      }
    }
    if (!best) return;
    result_.design = open_design(space_.families()[best->family].design(best->values), formats());
    result_.failing = std::move(failing);
  }

  std::vector<Answered> unexplained(const Algorithm& design, const std::vector<Answered>& answers) {
    std::vector<const DotValues*> inputs;
    for (const Answered& a : answers) inputs.push_back(&a.values);
    const std::vector<Integer> d = DotRunner(design, formats()).run(inputs);
    std::vector<Answered> wrong;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!same_answer(*formats().d, d[i], answers[i].d)) wrong.push_back(answers[i]);
    }
    return wrong;
  }

  void finish() {
    result_.answers = all_.size();
    result_.fitting = survivors_.size();
    if (survivors_.empty() || result_.verdict == Identified::none_fits) return;
    if (!centre_) centre_ = representative(survivors_);
    // The reference evaluator must give every answer for the identified design.
    if (const auto wrong = unexplained(*centre_, all_);
        !wrong.empty() && !survivors_.has_pending()) {
      throw Contradiction("a design that was reported to fit does not explain the answer " +
                          oracle_row(formats(), wrong[0].values, wrong[0].d));
    }
    result_.design = open_design(*centre_, formats());
    for (const Instruction& i : catalogued(formats())) {
      const auto place = space_.find(i.algorithm);
      const bool fits = place && survivors_.holds(*place);
      const bool same = i.algorithm == *centre_ || (fits && result_.equality.proved);
      if (same) result_.names.push_back(i.name());
    }
  }

  const Space& space_;
  Oracle* oracle_;
  const IdentifyOptions& options_;
  const Portfolio& solvers_;
  VersionSpace survivors_;
  Questions questions_;
  Identification result_;
  std::vector<Answered> all_;           ///< answers that were used
  std::vector<Answered> confirming_;    ///< all confirming rows
  std::vector<Answered> failed_;        ///< those that the last design does not explain
  std::optional<VersionSpace> before_;  ///< designs that explained all answers until recently
  std::optional<VersionSpace> last_;
  std::optional<Algorithm> centre_;
  std::vector<DotValues> next_;
};

}  // namespace

Algorithm representative(const VersionSpace& survivors) {
  const Space& space = survivors.space();
  for (const Instruction& i : catalogued(space.formats())) {
    const auto place = space.find(i.algorithm);
    if (place && survivors.holds(*place)) return i.algorithm;
  }
  const FamilySurvivors& of = survivors.families().front();
  const auto& axes = space.families()[of.family].axes;
  VersionSpace::Point best = survivors.first(of);
  int most = -1;
  for (const Box& box : of.boxes) {
    int plain = 0;
    std::vector<int> values;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto value = [&](int place) { return axes[i].values[static_cast<std::size_t>(place)]; };
      int chosen = value(box.runs[i][0]);
      for (int place = box.runs[i][0]; place <= box.runs[i][1]; ++place) {
        if (is_plain(axes[i], value(place))) chosen = value(place);
      }
      plain += is_plain(axes[i], chosen) ? 1 : 0;
      values.push_back(chosen);
    }
    if (!box.open.empty() || plain <= most) continue;
    most = plain;
    best.values = std::move(values);
  }
  return survivors.design(best);
}

std::vector<Open> what_is_open(const VersionSpace& survivors) {
  std::vector<Open> all;
  for (const FamilySurvivors& of : survivors.families()) {
    const Family& family = survivors.space().families()[of.family];
    Open open{family.name, of.size(), {}};
    const std::vector<Axis> axes = survivors.axes_of(of);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Open::Values values{axes[i].key, {}, family.axes[i].values.size()};
      for (const int v : axes[i].values) values.left.push_back(axes[i].text(v));
      open.parameters.push_back(std::move(values));
    }
    all.push_back(std::move(open));
  }
  return all;
}

Identification identify(const Space& space, Oracle& oracle, const std::vector<Answered>& known,
                        const IdentifyOptions& options, const Portfolio& solvers) {
  return Run(space, &oracle, options, solvers).all(known);
}

Left identify_offline(const Space& space, const std::vector<Answered>& known,
                      const IdentifyOptions& options, const Portfolio& solvers) {
  Run run(space, nullptr, options, solvers);
  Left left;
  left.so_far = run.all(known);
  left.open = run.open();
  left.next = run.next();
  return left;
}

}  // namespace mmaspec

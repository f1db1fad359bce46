#include "hardware/replay/host/replay.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "concrete/dot/runner.h"
#include "queries/prove/diff.h"

namespace mmaspec {
namespace {

constexpr std::size_t kShownDisagreements = 3;

void count_answer(ReplayReport& report, std::size_t i, const Integer& computed,
                  const DeviceAnswer& answer, const RowModels::Entry& entry) {
  ReplayCounts& counts = report.by_instruction[entry.run.name()];
  if (!answer.d) {
    ++counts.lacking;
    ++report.lacking;
    ++counts.lacks[answer.lacks];
    return;
  }
  if (answer.uneven) ++counts.uneven;
  if (!answer.uneven &&
      same_result(*entry.run.formats.d, entry.run.canonical_nan, computed, *answer.d)) {
    ++counts.passed;
    ++report.passed;
    return;
  }
  ++counts.failed;
  ++report.failed;
  if (counts.first.size() < kShownDisagreements) counts.first.push_back({i, computed, *answer.d});
}

/// The specification's results for the rows that the device answered.
std::vector<Integer> compute(const std::vector<ReplayRow>& rows, const DeviceRun& run,
                             RowModels& models) {
  std::map<const RowModels::Entry*, std::vector<std::size_t>> rows_of;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (run.answers[i].d) rows_of[&models.of(rows[i].row)].push_back(i);
  }
  std::vector<Integer> all(rows.size());
  for (const auto& [entry, numbers] : rows_of) {
    std::vector<const DotValues*> values;
    for (std::size_t i : numbers) values.push_back(&rows[i].row.values);
    std::vector<Integer> results = DotRunner(entry->run.algorithm, entry->run.formats).run(values);
    for (std::size_t j = 0; j < numbers.size(); ++j) all[numbers[j]] = std::move(results[j]);
  }
  return all;
}

void count_rivals(RivalGroup& group, const ReplayRow& row, const DeviceAnswer& answer,
                  const Instruction& instruction) {
  ++group.rows;
  if (answer.d) ++group.answered;
  for (const Prediction& p : row.answers) {
    auto score = std::find_if(group.rivals.begin(), group.rivals.end(),
                              [&](const RivalGroup::Score& s) { return s.rival == p.rival; });
    if (score == group.rivals.end()) score = group.rivals.insert(score, {p.rival, 0, 0});
    if (!answer.d) continue;
    ++score->asked;
    if (!answer.uneven &&
        same_result(*instruction.formats.d, instruction.canonical_nan, p.d, *answer.d)) {
      ++score->right;
    }
  }
}

/// A rival hypothesis, prepared for evaluation.
struct Rival {
  std::string name;
  Instruction instruction;
  DotRunner runner;
};

bool same_formats(const DotFormats& x, const DotFormats& y) {
  const bool scales = x.scale == nullptr ? y.scale == nullptr
                                         : y.scale != nullptr && *x.scale == *y.scale &&
                                               x.scale_block == y.scale_block;
  return *x.a == *y.a && *x.b == *y.b && *x.c == *y.c && *x.d == *y.d && x.k == y.k && scales;
}

std::vector<Rival> rivals_of(const std::vector<std::string>& names) {
  if (names.size() < 2) throw std::invalid_argument("--decide needs at least two models");
  std::vector<Rival> rivals;
  for (const std::string& name : names) {
    Instruction instruction = find_instruction(name);
    const std::string canonical = instruction.name();
    for (const Rival& r : rivals) {
      if (r.name == canonical) throw std::invalid_argument("--decide: " + name + " is given twice");
    }
    if (!rivals.empty() && !same_formats(rivals[0].instruction.formats, instruction.formats)) {
      throw std::invalid_argument("--decide: " + name + " and " + rivals[0].name +
                                  " are not models of one instruction: formats or K differ");
    }
    DotRunner runner(instruction.algorithm, instruction.formats);
    rivals.push_back({canonical, std::move(instruction), std::move(runner)});
  }
  return rivals;
}

/// The instruction that the rows name: one that a device has.
Instruction asked_instruction(const std::vector<Rival>& rivals) {
  for (const Rival& r : rivals) {
    if (r.instruction.architecture == "design") continue;
    return find_instruction(r.name.substr(0, r.name.find('@')));
  }
  return rivals[0].instruction;
}

bool told_apart(const std::vector<ReplayRow>& rows, std::size_t i, std::size_t j,
                const Instruction& instruction) {
  return std::any_of(rows.begin(), rows.end(), [&](const ReplayRow& r) {
    return !same_result(*instruction.formats.d, instruction.canonical_nan, r.answers[i].d,
                        r.answers[j].d);
  });
}

}  // namespace

ReplayReport compare(const std::vector<ReplayRow>& rows, const DeviceRun& run, RowModels& models) {
  ReplayReport report;
  const std::vector<Integer> computed = compute(rows, run, models);
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ReplayRow& row = rows[i];
    RowModels::Entry& entry = models.of(row.row);
    count_answer(report, i, computed[i], run.answers[i], entry);
    if (row.answers.empty()) continue;
    const std::string why = row.why.substr(0, row.why.find(':'));
    const auto [it, is_new] =
        groups.try_emplace({row.question, why, row.row.instruction}, report.groups.size());
    if (is_new) {
      report.groups.emplace_back();
      report.groups.back().question = row.question;
      report.groups.back().why = why;
      report.groups.back().instruction = row.row.instruction;
    }
    count_rivals(report.groups[it->second], row, run.answers[i], entry.run);
  }
  return report;
}

Decision discriminate(const std::vector<std::string>& names, int count, unsigned seed,
                      const Portfolio& solvers, const Deadline& deadline) {
  std::vector<Rival> rivals = rivals_of(names);
  const Instruction asked = asked_instruction(rivals);
  Decision decision;
  DiffOptions options;
  options.difference.signed_zero = true;
  options.inputs = InputClass::any;
  options.count = count;
  options.strategies.seed = seed;
  options.strategies.deadline = deadline;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    for (std::size_t j = i + 1; j < rivals.size(); ++j) {
      if (told_apart(decision.rows, i, j, asked)) continue;
      const DiffResult found = diff(rivals[i].instruction, rivals[j].instruction, options, solvers);
      if (found.witnesses.empty()) {
        decision.unseparated.push_back({rivals[i].name, rivals[j].name,
                                        found.verdict == Verdict::unsatisfiable,
                                        found.justification.how()});
      }
      for (const Witness& w : found.witnesses) {
        VectorRow row;
        row.instruction = asked.name();
        row.values = w.row.values;
        std::vector<Prediction> answers;
        for (Rival& r : rivals) {
          answers.push_back({r.name, r.runner.run(row.values)});
        }
        decision.rows.push_back(
            made_row(std::move(row), asked, "decide", "", "which rival", std::move(answers)));
      }
    }
  }
  return decision;
}

}  // namespace mmaspec

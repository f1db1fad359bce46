// A certificate's goals as files: NUMBER.goal.json, NUMBER.proof.jsonl, NUMBER.STEP.lrat.

#include "proof/store/goals.h"

#include <unistd.h>

#include <algorithm>

#include "proof/kernel/proof.h"
#include "proof/recorded/backends.h"
#include "proof/store/folder.h"
#include "proof/store/prove_goal.h"
#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

constexpr const char* kGoalEnding = ".goal.json";
constexpr const char* kProofEnding = ".proof.jsonl";

std::string goal_text(const Question& question) {
  return kernel::to_json(kernel::goal_of(*question.graph, question.conditions));
}

std::string lrat_name(const std::string& number, std::size_t step) {
  return number + "." + std::to_string(step) + ".lrat";
}

void write_goal(const GoalProof& proof, const std::string& folder) {
  const std::string number = number_of(sha256(proof.goal));
  write_file(folder + "/" + number + kGoalEnding, proof.goal);
  write_file(folder + "/" + number + kProofEnding, proof.proof);
  for (std::size_t i = 0; i < proof.lrat.size(); ++i) {
    write_file(folder + "/" + lrat_name(number, i + 1), proof.lrat[i]);
  }
}

/// The text of the goal with this file number, if the kernel accepts its proof. Throws what the
/// kernel throws.
std::string checked_goal(const std::string& folder, const std::string& number,
                         const OtherChecker& other, CheckedGoals& counts) {
  const std::string text = content_of(folder + "/" + number + kGoalEnding);
  if (number_of(sha256(text)) != number) throw kernel::Rejected("the goal is another one");
  const auto lrat = [&](std::size_t step, const Cnf& clauses) {
    const std::string file = folder + "/" + lrat_name(number, step);
    if (other) {
      const TemporaryFile cnf;
      write_file(cnf.path(), to_dimacs(clauses));
      const std::string fault = other(cnf.path(), file);
      if (!fault.empty()) throw kernel::Rejected(fault);
    }
    return content_of(file);
  };
  const kernel::Theorem theorem =
      kernel::check(kernel::goal_of(text), content_of(folder + "/" + number + kProofEnding), lrat);
  counts.steps += theorem.steps();
  counts.claims += theorem.claims();
  return text;
}

}  // namespace

std::optional<std::vector<std::string>> prove_goals(const Theorem& theorem,
                                                    const std::string& folder,
                                                    const Portfolio& solvers,
                                                    const Deadline& deadline) {
  std::set<std::string> proved;
  const auto oracle = [&](const Question& question) {
    const auto proof =
        prove_goal(question, folder + "/goal." + std::to_string(getpid()), solvers, deadline);
    if (!proof) return false;
    write_goal(*proof, folder);
    proved.insert(sha256(proof->goal));
    return true;
  };
  if (!follows_from_goals(theorem, oracle)) return std::nullopt;
  return follows(theorem, proved);
}

CheckedGoals check_goals(const std::string& folder, const OtherChecker& other) {
  CheckedGoals result;
  for (const std::string& number : goals_in(folder)) {
    try {
      result.proved.insert(sha256(checked_goal(folder, number, other, result)));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      result.fault = "goal " + number + ": " + error.what();
      break;
    }
  }
  return result;
}

std::optional<std::vector<std::string>> follows(const Theorem& theorem,
                                                const std::set<std::string>& proved) {
  std::vector<std::string> asked;
  const auto oracle = [&](const Question& question) {
    const std::string digest = sha256(goal_text(question));
    if (!proved.contains(digest)) return false;
    if (std::find(asked.begin(), asked.end(), digest) == asked.end()) asked.push_back(digest);
    return true;
  };
  if (!follows_from_goals(theorem, oracle)) return std::nullopt;
  return asked;
}

std::vector<std::string> goals_in(const std::string& folder) {
  std::vector<std::string> numbers;
  for (const std::string& name : files_of(folder)) {
    if (name.ends_with(kGoalEnding)) numbers.push_back(name.substr(0, name.find('.')));
  }
  return numbers;
}

}  // namespace mmaspec

// A certificate's goals as files: NUMBER.goal.json, NUMBER.proof.jsonl, NUMBER.STEP.lrat.

#include "proof/certify/goals.h"

#include <algorithm>

#include "proof/certify/folder.h"
#include "proof/certify/subject.h"
#include "proof/kernel/proof.h"
#include "queries/goals/follows.h"
#include "queries/statement/justification.h"
#include "util/file.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

constexpr const char* kGoalEnding = ".goal.json";
constexpr const char* kProofEnding = ".proof.jsonl";

std::string lrat_name(const std::string& number, std::size_t step) {
  return number + "." + std::to_string(step) + ".lrat";
}

/// The text of the goal with this file number, if the kernel accepts its proof. Throws what the
/// kernel throws.
std::string checked_goal(const std::string& folder, const std::string& number,
                         const OtherChecker& other, CheckedGoals& counts) {
  const std::string text = content_of(folder + "/" + number + kGoalEnding);
  if (short_digest(sha256(text)) != number) throw kernel::Rejected("the goal is another one");
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

void write_goal(const GoalProof& proof, const std::string& folder) {
  const std::string number = short_digest(sha256(proof.goal));
  write_file(folder + "/" + number + kGoalEnding, proof.goal);
  write_file(folder + "/" + number + kProofEnding, proof.proof);
  for (std::size_t i = 0; i < proof.lrat.size(); ++i) {
    write_file(folder + "/" + lrat_name(number, i + 1), proof.lrat[i]);
  }
}

CertifiedStatement statement_in(const std::string& folder) {
  const std::vector<std::string> files = files_of(folder);
  for (const char* name : {kStatementFile, kDerivationFile, kSumsFile}) {
    if (!std::binary_search(files.begin(), files.end(), name)) {
      throw std::invalid_argument(std::string("it has no ") + name);
    }
  }
  if (content_of(folder + "/" + kSumsFile) != sums_of(folder)) {
    throw std::invalid_argument("a file was changed (SHA256SUMS)");
  }
  return certified_statement_of(content_of(folder + "/" + kStatementFile));
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

std::optional<std::vector<std::string>> goals_asked(const Theorem& theorem,
                                                    const std::set<std::string>& proved) {
  // A statement about every K does not reduce to finitely many goals.
  if (theorem.all_k) return std::nullopt;
  std::vector<std::string> asked;
  const Refuter is_proved = [&](const Graph& graph, const std::vector<NodeId>& conditions) {
    const std::string digest = sha256(kernel::to_json(kernel::goal_of(graph, conditions)));
    if (!proved.contains(digest)) return false;
    if (std::find(asked.begin(), asked.end(), digest) == asked.end()) asked.push_back(digest);
    return true;
  };
  const Where where(theorem.where);
  const Condition condition = condition_of(where);
  const bool holds =
      theorem.property.empty()
          ? never_differ(pair_of(theorem), theorem.difference, theorem.inputs,
                         theorem.pairing.match, condition, is_proved)
          : follows(find_property(theorem.property), subject_of(theorem), condition, is_proved);
  return holds ? std::optional(asked) : std::nullopt;
}

std::string fault_of_goals(const std::string& folder, const CertifiedStatement& statement,
                           const std::vector<std::string>& files, const OtherChecker& other,
                           CheckedGoals& goals) {
  goals = check_goals(folder, other);
  if (!goals.fault.empty()) return goals.fault;
  // Each goal has two files, and each step one.
  if (files.size() != 2 * goals.proved.size() + goals.steps + 3) {
    return "it contains unexpected files";
  }
  const auto asked = goals_asked(statement.theorem, goals.proved);
  if (!asked) return "the statement needs goals without a proof in this folder";
  if (*asked != *statement.goals) return "its goals differ from those that it names";
  if (asked->size() != goals.proved.size()) return "it has goals that the statement does not need";
  const Justification::Kind kind =
      asked->empty() ? Justification::Kind::one_expression : Justification::Kind::solver;
  if (statement.by != by(kind)) return "it is not proved by " + statement.by;
  return "";
}

std::vector<std::string> goals_in(const std::string& folder) {
  std::vector<std::string> numbers;
  for (const std::string& name : files_of(folder)) {
    if (name.ends_with(kGoalEnding)) numbers.push_back(name.substr(0, name.find('.')));
  }
  return numbers;
}

}  // namespace mmaspec

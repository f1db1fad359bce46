#include "queries/prove/any_order.h"

#include <stdexcept>

#include "spec/algorithms/chain_step.h"
#include "spec/catalog/instruction.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec {
namespace {

constexpr int kMostOrders = 120;  // the orders of five parts

const SplitK* split_of(const Instruction& instruction) {
  const auto* split =
      scheme_of<SplitK>(*unpadded(instruction.algorithm, instruction.formats).algorithm);
  return split == nullptr ? nullptr : &split->scheme();
}

/// The instruction with one of its orders, as a user names it.
Instruction in_order(const Instruction& instruction, int order) {
  const std::string any = "reduce=" + to_string(Reduce::atomic_any);
  std::string name = instruction.name();
  const std::size_t at = name.rfind(any);
  if (at == std::string::npos) throw std::logic_error(name + " has only one order");
  name.replace(at, any.size(),
               "reduce=" + to_string(Reduce::atomic) + ",order=" + std::to_string(order));
  return find_instruction(name);
}

}  // namespace

bool is_of_any_order(const Instruction& instruction) {
  const SplitK* split = split_of(instruction);
  return split != nullptr && split->reduce == Reduce::atomic_any;
}

DiffResult diff_in_any_order(const Instruction& first, const Instruction& second,
                             const DiffOptions& options, const Portfolio& solvers) {
  if (is_of_any_order(first) && is_of_any_order(second) && first.name() != second.name()) {
    throw std::invalid_argument(
        "reduce=atomic-any: compare a plan with itself, or with a plan that has one order");
  }
  const Deadline deadline =
      earlier(options.strategies.deadline, Deadline::in(solvers.limits().seconds));
  const bool of_second = is_of_any_order(second);
  const Instruction& many = of_second ? second : first;
  const bool both = of_second && is_of_any_order(first);
  const Instruction one = both ? in_order(first, 0) : of_second ? first : second;
  const int orders = orders_of_parts(split_of(many)->parts);
  DiffResult result;
  // The last order comes first, because it differs most from the first one.
  int asked = 0;
  for (int order = orders - 1; order >= (both ? 1 : 0) && asked < kMostOrders; --order, ++asked) {
    DiffOptions o = options;
    o.strategies.deadline = deadline;
    const Instruction run = in_order(many, order);
    DiffResult next = of_second ? diff(one, run, o, solvers) : diff(run, one, o, solvers);
    next.seconds += result.seconds;
    next.attempts.insert(next.attempts.begin(), result.attempts.begin(), result.attempts.end());
    const bool first_undecided = result.verdict == Verdict::unknown && asked > 0;
    if (next.verdict == Verdict::satisfiable || !first_undecided) {
      result = std::move(next);
    }
    if (result.verdict == Verdict::satisfiable) return result;
  }
  if (asked < orders - (both ? 1 : 0) && result.verdict == Verdict::unsatisfiable) {
    result.verdict = Verdict::unknown;
    result.exhausted = false;
    result.justification = Justification::none(std::to_string(asked) + " of " +
                                               std::to_string(orders) + " orders do not differ");
  }
  return result;
}

}  // namespace mmaspec

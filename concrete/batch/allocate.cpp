#include <algorithm>
#include <map>
#include <stdexcept>

#include "concrete/batch/compile.h"

namespace mmaspec::batch {
namespace {

Kernel kernel_of(BatchIsa isa, const Choice& choice) {
  const Kernel kernel = isa == BatchIsa::avx512 ? avx512_kernel(choice)
                        : isa == BatchIsa::avx2 ? avx2_kernel(choice)
                                                : portable_kernel(choice);
  if (kernel == nullptr) {
    throw std::logic_error("the batch evaluator has no kernel for operation " +
                           std::to_string(static_cast<int>(choice.code)) + " on type " +
                           std::to_string(static_cast<int>(choice.from)));
  }
  return kernel;
}

void drop_unused(Draft& draft) {
  std::vector<bool> used(draft.registers.size(), false);
  std::vector<DraftStep> kept;
  for (std::size_t i = draft.steps.size(); i-- > 0;) {
    DraftStep& step = draft.steps[i];
    if (!step.keeps && !used[step.out]) continue;
    for (Register r : step.in) used[r] = true;
    kept.push_back(std::move(step));
  }
  draft.steps.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

/// Moves the steps that depend only on held inputs and constants to the front. Returns their
/// number.
std::size_t put_held_first(Draft& draft) {
  std::vector<bool> is_held(draft.registers.size(), false);
  for (Register r = 0; r < draft.registers.size(); ++r) {
    is_held[r] = !draft.registers[r].value.empty();
  }
  const auto depends_on_held = [&](const DraftStep& step) {
    if (step.keeps) return false;
    if (step.choice.code == Code::load) {
      return step.m < draft.held_inputs.size() && draft.held_inputs[step.m];
    }
    return std::all_of(step.in.begin(), step.in.end(), [&](Register r) { return is_held[r]; });
  };
  std::vector<bool> first;
  for (const DraftStep& step : draft.steps) {
    first.push_back(depends_on_held(step));
    if (first.back()) is_held[step.out] = true;
  }
  std::vector<DraftStep> ordered;
  for (const bool wanted : {true, false}) {
    for (std::size_t i = 0; i < draft.steps.size(); ++i) {
      if (first[i] == wanted) ordered.push_back(std::move(draft.steps[i]));
    }
  }
  draft.steps = std::move(ordered);
  return static_cast<std::size_t>(std::count(first.begin(), first.end(), true));
}

/// Allocates addresses in the registers' memory. The address that was released last is reused
/// first, because it is still in the cache.
class Places {
 public:
  std::uint32_t take(std::uint32_t size) {
    auto& same = free_[size];
    if (same.empty()) {
      end_ += size;
      return end_ - size;
    }
    const std::uint32_t at = same.back();
    same.pop_back();
    return at;
  }
  void give_back(std::uint32_t at, std::uint32_t size) { free_[size].push_back(at); }
  std::uint32_t end() const { return end_; }

 private:
  std::map<std::uint32_t, std::vector<std::uint32_t>> free_;
  std::uint32_t end_ = 0;
};

}  // namespace

std::size_t put_in_order(Draft& draft) {
  drop_unused(draft);
  return put_held_first(draft);
}

void allocate(const Draft& draft, BatchIsa isa, Program& program) {
  constexpr std::size_t kNever = ~std::size_t{0};
  std::vector<std::size_t> last_use(draft.registers.size(), kNever);
  for (std::size_t i = 0; i < draft.steps.size(); ++i) {
    for (Register r : draft.steps[i].in) last_use[r] = i;
  }
  // Results of held steps that other steps need must stay for the next block, too.
  for (std::size_t i = 0; i < program.held_steps; ++i) {
    std::size_t& last = last_use[draft.steps[i].out];
    if (last != kNever && last >= program.held_steps) last = kNever;
  }
  Places places;
  std::vector<std::uint32_t> at(draft.registers.size(), 0);
  const auto size = [&](Register r) {
    return size_of(draft.registers[r].type, draft.registers[r].words);
  };
  for (Register r = 0; r < draft.registers.size(); ++r) {
    const DraftRegister& constant = draft.registers[r];
    if (constant.value.empty() || last_use[r] == kNever) continue;
    at[r] = places.take(size(r));
    program.constants.push_back({at[r], constant.type, constant.value});
    last_use[r] = kNever;  // must stay for the whole program
  }
  for (std::size_t i = 0; i < draft.steps.size(); ++i) {
    const DraftStep& from = draft.steps[i];
    Step to{nullptr, 0, {}, 1, 1, from.m, from.m2};
    if (!from.keeps) {
      to.out = at[from.out] = places.take(size(from.out));
      to.words = draft.registers[from.out].words;
    }
    for (std::size_t k = 0; k < from.in.size(); ++k) to.in[k] = at[from.in[k]];
    if (!from.in.empty()) {
      const DraftRegister& x = draft.registers[from.in[0]];
      to.words_in = x.words;
      if (from.choice.to == Type::boolean) to.words = x.words;  // comparisons
    }
    Choice choice = from.choice;
    choice.words = to.words;
    to.run = kernel_of(isa, choice);
    program.steps.push_back(to);
    // After allocating the output, because a step's output must not overlap its inputs.
    for (std::size_t k = 0; k < from.in.size(); ++k) {
      const Register r = from.in[k];
      if (last_use[r] != i) continue;
      places.give_back(at[r], size(r));
      last_use[r] = kNever;  // released once, even if it is two inputs
    }
  }
  program.bytes = places.end();
}

}  // namespace mmaspec::batch

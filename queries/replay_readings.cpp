// Readings of the hardware as models.

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "queries/replay_questions.h"

namespace mmaspec {
namespace {

/// The products in another order: number k is the given one's `order(k)`.
Instruction permuted(Instruction instruction, const std::function<int(int)>& order) {
  const auto build = instruction.algorithm.build;
  instruction.algorithm.build = [build, order](const DotFormats& formats,
                                               const DotOperands& operands) {
    DotOperands in = operands;
    for (int k = 0; k < formats.k; ++k) {
      in.a[static_cast<std::size_t>(k)] = operands.a[static_cast<std::size_t>(order(k))];
      in.b[static_cast<std::size_t>(k)] = operands.b[static_cast<std::size_t>(order(k))];
    }
    return build(formats, in);
  };
  return instruction;
}

}  // namespace

Instruction redesigned(const Instruction& instruction, const std::string& algorithm,
                       const std::vector<std::pair<std::string, std::string>>& changes,
                       const std::vector<std::string>& without) {
  const DotFormats& f = instruction.formats;
  std::string text = "design:" + algorithm + "(a=" + std::string(f.a->name) +
                     ",b=" + std::string(f.b->name) + ",c=" + std::string(f.c->name) +
                     ",d=" + std::string(f.d->name) + ",k=" + std::to_string(f.k);
  if (f.scale != nullptr) {
    text +=
        ",scale=" + std::string(f.scale->name) + ",scale_block=" + std::to_string(f.scale_block);
  }
  for (const Parameter& p : instruction.algorithm.parameters) {
    const bool dropped = std::find(without.begin(), without.end(), p.key) != without.end();
    const bool changed = std::any_of(changes.begin(), changes.end(),
                                     [&](const auto& change) { return change.first == p.key; });
    if (!dropped && !changed) text += "," + p.key + "=" + p.value;
  }
  for (const auto& [key, value] : changes) text += "," + key + "=" + value;
  return find_instruction(text + ")");
}

std::vector<Reading> floor_readings(const Instruction& instruction) {
  const bool f16 = instruction.formats.d->name == "f16";
  std::vector<Reading> all{
      {"no floor", redesigned(instruction, "fused-dot-add", {{"floor", "none"}})}};
  for (int floor = f16 ? -14 : -126; floor >= (f16 ? -26 : -141); --floor) {
    all.push_back({"floor " + std::to_string(floor),
                   redesigned(instruction, "fused-dot-add", {{"floor", std::to_string(floor)}})});
  }
  return all;
}

std::vector<Reading> zero_product_readings(const Instruction& instruction) {
  const auto counting = [&](int exponent) {
    return redesigned(instruction, "fused-dot-add",
                      {{"floor", "none"},
                       {"zero_terms", "operands-count"},
                       {"zero_exponent", std::to_string(exponent)}});
  };
  return {{"zero products left out", instruction},
          {"zero product keeps its encoded exponent", counting(1 - instruction.formats.a->bias)},
          {"as MMA-Sim (a zero operand counts 2^-126)", counting(-126)}};
}

std::vector<Reading> split_readings(const Instruction& instruction) {
  const int k = instruction.formats.k;
  const int half = k / 2;
  // Place j of the low half is k = 4 * (j / 2) + j % 2; the high half's is two more.
  const auto place = [](int j) { return 4 * (j / 2) + j % 2; };
  const auto halves_in_a_row = [=](int i) { return i < half ? place(i) : place(i - half) + 2; };
  const auto halves_from_halves = [=](int i) {
    const int j = 2 * (i / 4) + i % 2;
    return i % 4 < 2 ? j : j + half;
  };
  const Instruction chain =
      redesigned(instruction, "fused-dot-add", {{"block", std::to_string(half)}}, {"halves"});
  const auto whole = [&](const char* bits, bool cut) {
    std::vector<std::pair<std::string, std::string>> changes{{"block", std::to_string(k)},
                                                             {"fraction_bits", bits}};
    if (cut) changes.emplace_back("kept_bits", bits);
    return redesigned(instruction, "fused-dot-add", changes, {"halves"});
  };
  const bool f32 = instruction.formats.d->name == "f32";
  std::vector<Reading> all{
      {"two halves k mod 4 in {0,1} then {2,3}, c added last", instruction},
      {"the halves the other way round, c added last",
       permuted(instruction, [](int i) { return i % 4 < 2 ? i + 2 : i - 2; })},
      {"the halves in order, starting from c", permuted(chain, halves_in_a_row)},
      {"first " + std::to_string(half) + " then last " + std::to_string(half) + ", c added last",
       permuted(instruction, halves_from_halves)},
      {"one fused dot-add of " + std::to_string(k) + ", F=25", whole("25", false)},
      {"one fused dot-add of " + std::to_string(k) + ", F=13", whole("13", f32)}};
  all.push_back({"the halves apart, added, c added last (CUDA 12.4 to 12.6)",
                 redesigned(instruction, "split-fp8", {{"halves", "added"}})});
  return all;
}

std::vector<Reading> result_readings(const Instruction& instruction) {
  const int k = instruction.formats.k;
  const auto with = [&](const char* key, const std::string& value) {
    return redesigned(instruction, "fused-dot-add", {{key, value}});
  };
  std::vector<Reading> all{
      {"as the catalogue has it", instruction},
      {"overflow saturates", with("overflow", "saturate")},
      {"rounds toward zero",
       redesigned(instruction, "fused-dot-add", {{"round", "rz"}, {"overflow", "directed"}})},
      {"products from 2^128 on are infinities", with("product_overflow", "128")}};
  for (int block = k; block >= 4; block /= 2) {
    all.push_back(
        {"steps of " + std::to_string(block) + " products", with("block", std::to_string(block))});
  }
  return all;
}

}  // namespace mmaspec

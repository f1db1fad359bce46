#include "concrete/batch/draft_builder.h"

#include <algorithm>

namespace mmaspec::batch {
namespace {

/// x modulo 2^(64 * words).
std::vector<std::uint64_t> words_of(const Integer& x, std::uint32_t words) {
  const Integer modulus = power_of_two(64 * words);
  Integer rest = x % modulus;
  if (rest < 0) rest += modulus;
  std::vector<std::uint64_t> result;
  const Integer word = power_of_two(64) - 1;
  for (std::uint32_t w = 0; w < words; ++w) {
    result.push_back(Integer((rest >> (64 * w)) & word).convert_to<std::uint64_t>());
  }
  return result;
}

}  // namespace

std::uint64_t word_of(const Integer& x) { return words_of(x, 1)[0]; }

Register DraftBuilder::constant(const Integer& x, Kind k) {
  std::vector<std::uint64_t> words = words_of(x, k.is_wide() ? k.words : 1);
  if (k.type == Type::boolean) words[0] = x != 0 ? ~std::uint64_t{0} : 0;
  const auto [it, is_new] =
      constants_.try_emplace({k.type, words}, static_cast<Register>(draft_.registers.size()));
  if (is_new) draft_.registers.push_back({k.type, k.is_wide() ? k.words : 1, std::move(words)});
  return it->second;
}

Register DraftBuilder::emit(Choice choice, Kind to, std::vector<Register> in, std::uint64_t m,
                            std::uint64_t m2) {
  choice.to = to.type;
  const auto out = static_cast<Register>(draft_.registers.size());
  draft_.registers.push_back({to.type, to.words, {}});
  draft_.steps.push_back({choice, out, std::move(in), m, m2, false});
  return out;
}

Register DraftBuilder::emit(Code code, Kind k, std::vector<Register> in, std::uint64_t m) {
  return emit({code, k.type, k.type}, k, std::move(in), m);
}

Register DraftBuilder::cast(Register x, Kind from, Kind to) {
  if (from.type == to.type && from.words == to.words) return x;
  const bool through_i64 = (from.is_wide() && !to.is_wide() && to.type != Type::i64) ||
                           (to.is_wide() && !from.is_wide() && from.type != Type::i64);
  if (through_i64) {
    const Kind between{Type::i64, from.is_signed};
    return cast(cast(x, from, between), between, to);
  }
  return emit({from.is_signed ? Code::convert_s : Code::convert_u, from.type, to.type}, to, {x});
}

Register DraftBuilder::narrow_sum(std::uint64_t value, std::vector<Register> positive,
                                  std::vector<Register> negative, Kind k) {
  if (positive.empty() && negative.empty()) return constant(value, k);
  while (true) {
    // The first ones; their sum becomes the first of the remaining terms.
    const std::size_t p = std::min<std::size_t>(positive.size(), kArity);
    const std::size_t m = std::min<std::size_t>(negative.size(), kArity - p);
    std::vector<Register> in(positive.begin(), positive.begin() + static_cast<int>(p));
    in.insert(in.end(), negative.begin(), negative.begin() + static_cast<int>(m));
    const Register out =
        emit({Code::linear, k.type, k.type, static_cast<unsigned>(p), static_cast<unsigned>(m)}, k,
             std::move(in), value);
    if (p == positive.size() && m == negative.size()) return out;
    positive.erase(positive.begin(), positive.begin() + static_cast<int>(p));
    negative.erase(negative.begin(), negative.begin() + static_cast<int>(m));
    positive.insert(positive.begin(), out);
    value = 0;
  }
}

Register DraftBuilder::wide_sum(const Integer& value, std::vector<Register> positive,
                                const std::vector<Register>& negative, Kind k) {
  if (value != 0 || positive.empty()) positive.push_back(constant(value, k));
  Register out = positive[0];
  for (std::size_t i = 1; i < positive.size(); ++i) {
    out = emit({Code::linear, k.type, k.type, 2, 0}, k, {out, positive[i]});
  }
  for (Register x : negative) out = emit({Code::linear, k.type, k.type, 1, 1}, k, {out, x});
  return out;
}

}  // namespace mmaspec::batch

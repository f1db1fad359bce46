#pragma once
/// Helpers that the fields of several algorithms share.

#include <algorithm>

#include "queries/studies/identify/space/fields.h"

namespace mmaspec {

inline constexpr int kMostBits = 600;       // as `design:` allows
inline constexpr int kMostExponent = 5000;  // as `design:` allows

inline std::vector<int> range(int low, int high) {
  std::vector<int> all;
  for (int i = low; i <= high; ++i) all.push_back(i);
  return all;
}

inline std::vector<int> with_none(int none, std::vector<int> values) {
  values.insert(none < 0 ? values.begin() : values.end(), none);
  return values;
}

inline std::vector<int> divisors(int k) {
  std::vector<int> all;
  for (int i = 1; i <= k; ++i) {
    if (k % i == 0) all.push_back(i);
  }
  return all;
}

/// A choice among all or some enumerators.
template <typename E>
struct Words {
  std::vector<int> values;
  std::vector<std::pair<int, std::string>> words;

  explicit Words(const std::vector<E>& all) {
    for (const E e : all) {
      values.push_back(static_cast<int>(e));
      words.emplace_back(static_cast<int>(e), to_string(e));
    }
    std::sort(values.begin(), values.end());
  }
};

/// CPUs' vector units also round to odd, and flush results that are tiny after rounding.
enum class Unit { matrix, vector };

inline const Words<Rounding>& roundings() {
  static const Words<Rounding> all({Rounding::toward_zero, Rounding::nearest_even, Rounding::down,
                                    Rounding::up, Rounding::nearest_away, Rounding::to_odd});
  return all;
}
inline const Words<Underflow>& underflows() {
  static const Words<Underflow> all({Underflow::gradual, Underflow::flush, Underflow::flush_tiny});
  return all;
}
template <typename E>
std::vector<int> values_for(Unit unit, std::vector<int> values, E vectors_alone) {
  if (unit == Unit::matrix) std::erase(values, static_cast<int>(vectors_alone));
  return values;
}
inline const std::vector<std::pair<int, std::string>>& no_yes() {
  static const std::vector<std::pair<int, std::string>> words{{0, "no"}, {1, "yes"}};
  return words;
}

/// Adds round, kept_bits, underflow and overflow of the result that `of` and `of_symbolic` return.
template <typename D, typename S, typename Of, typename OfSymbolic>
void append_result(const DotFormats& formats, const Of& of, const OfSymbolic& of_symbolic,
                   Fields<D, S>& all, Unit unit) {
  {
    // All members of ResultFormat must be handled below.
    [[maybe_unused]] const auto& [format, rounding, underflow, overflow, kept] = ResultFormat{};
  }
  const Format& d = *formats.d;
  const Words<Overflow> overflows({Overflow::to_infinity, Overflow::directed, Overflow::saturate});
  all.push_back(
      {"round", values_for(unit, roundings().values, Rounding::to_odd), 0, -1, roundings().words,
       [of](const D& x) { return static_cast<int>(of(x).rounding); },
       [of](D& x, int v) { of(x).rounding = static_cast<Rounding>(v); },
       [of_symbolic](S& x, Int v) { of_symbolic(x).rounding = Choice<Rounding>::numbered(v); }});
  all.push_back({"kept_bits",
                 range(std::max(0, d.fraction_bits - 13), d.fraction_bits),
                 0,
                 d.fraction_bits,
                 {},
                 [of](const D& x) { return of(x).fraction_bits(); },
                 [of](D& x, int v) { of(x).kept_fraction_bits = v; },
                 [of_symbolic](S& x, Int v) { of_symbolic(x).kept_fraction_bits = v; }});
  all.push_back(
      {"underflow", values_for(unit, underflows().values, Underflow::flush_tiny), 0, -1,
       underflows().words, [of](const D& x) { return static_cast<int>(of(x).underflow); },
       [of](D& x, int v) { of(x).underflow = static_cast<Underflow>(v); },
       [of_symbolic](S& x, Int v) { of_symbolic(x).underflow = Choice<Underflow>::numbered(v); }});
  all.push_back(
      {"overflow", overflows.values, 0, -1, overflows.words,
       [of](const D& x) { return static_cast<int>(of(x).overflow); },
       [of](D& x, int v) { of(x).overflow = static_cast<Overflow>(v); },
       [of_symbolic](S& x, Int v) { of_symbolic(x).overflow = Choice<Overflow>::numbered(v); }});
}

template <typename D, typename S>
void append_result(const DotFormats& formats, ResultFormat D::*result,
                   SymbolicResultFormat S::*symbolic, Fields<D, S>& all, Unit unit = Unit::matrix) {
  append_result(
      formats, [result](auto& x) -> auto& { return x.*result; },
      [symbolic](S& x) -> SymbolicResultFormat& { return x.*symbolic; }, all, unit);
}

template <typename D, typename S>
Field<D, S> bits_field(std::string key, std::vector<int> values, int D::*bits, Int S::*symbolic) {
  return {std::move(key),
          std::move(values),
          0,
          kMostBits,
          {},
          [=](const D& x) { return x.*bits; },
          [=](D& x, int v) { x.*bits = v; },
          [=](S& x, Int v) { x.*symbolic = v; }};
}

template <typename D, typename S>
Field<D, S> flag_field(std::string key, bool D::*flag, Bool S::*symbolic) {
  return {std::move(key),
          {0, 1},
          0,
          -1,
          no_yes(),
          [=](const D& x) { return static_cast<int>(x.*flag); },
          [=](D& x, int v) { x.*flag = v != 0; },
          [=](S& x, Int v) { x.*symbolic = v == 1; }};
}

/// A number that determines the graph's shape; it must be one of the values.
template <typename D, typename S>
Field<D, S> shape_field(std::string key, std::vector<int> values, int D::*number) {
  std::vector<std::pair<int, std::string>> words;
  for (const int v : values) words.emplace_back(v, std::to_string(v));
  return {std::move(key),
          std::move(values),
          0,
          -1,
          std::move(words),
          [=](const D& x) { return x.*number; },
          [=](D& x, int v) { x.*number = v; },
          {}};
}

inline std::vector<int> powers_of_two(std::vector<int> values) {
  std::erase_if(values, [](int v) { return !is_power_of_two(v); });
  return values;
}

}  // namespace mmaspec

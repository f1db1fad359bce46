#pragma once
/// The order of adding the parts' sums, where C is added, and the format of the stored result.

#include <stdexcept>
#include <string>
#include <vector>

#include "queries/studies/explain/space/units.h"
#include "spec/plans/kernel_schemes.h"

namespace mmaspec::explain {

/// Where C is added.
enum class Joins {
  none,   ///< without C: c is +0
  first,  ///< the first part, or the memory to which atomic additions go, starts from it
  last,   ///< it is added to the sum of all parts
  after   ///< a bias, added to the stored result by another kernel
};

/// How the parts' sums become the result.
struct Finish {
  Reduce reduce = Reduce::forward;
  int order = 0;                    ///< for Reduce::atomic
  const Format* partial = nullptr;  ///< see SplitK
  Joins joins = Joins::none;
  const Format* out;      ///< the format of D
  int fan = 2;            ///< for Reduce::tree
  bool fma = true;        ///< for Joins::last with factors: see Epilogue
  bool saturate = false;  ///< see Epilogue
};

/// The possible treatments of sums.
struct ResultChoices {
  std::vector<const Format*> outs;       ///< the possible formats of D
  std::vector<const Format*> saturated;  ///< see MatrixFormats
  bool has_c = false;
  Extent extent = Extent::usual;
};

/// The sum of some values in the order of a reduction, by `add`. `start`: the initial value of
/// atomic additions.
template <typename T, typename Add>
T reduced(const Finish& finish, std::vector<T> all, const T* start, const Add& add) {
  const std::size_t n = all.size();
  switch (finish.reduce) {
    case Reduce::forward: {
      T sum = all[0];
      for (std::size_t i = 1; i < n; ++i) sum = add(sum, all[i]);
      return sum;
    }
    case Reduce::backward: {
      T sum = all[n - 1];
      for (std::size_t i = n - 1; i-- > 0;) sum = add(sum, all[i]);
      return sum;
    }
    case Reduce::tree:
      while (all.size() > 1) {
        std::size_t sums = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
          if (i % static_cast<std::size_t>(finish.fan) == 0) {
            all[sums++] = all[i];
          } else {
            all[sums - 1] = add(all[sums - 1], all[i]);
          }
        }
        all.resize(sums);
      }
      return all[0];
    case Reduce::halves:
      while (all.size() > 1) {
        const std::size_t half = (all.size() + 1) / 2;
        for (std::size_t i = 0; i + half < all.size(); ++i) all[i] = add(all[i], all[i + half]);
        all.resize(half);
      }
      return all[0];
    case Reduce::atomic: {
      const std::vector<int> order = order_of_parts(static_cast<int>(n), finish.order);
      std::optional<T> sum;
      if (start != nullptr) sum = *start;
      for (const int i : order) {
        const T& next = all[static_cast<std::size_t>(i)];
        sum = sum ? add(*sum, next) : next;
      }
      return *sum;
    }
    case Reduce::atomic_any:
      break;
  }
  throw std::logic_error("no such reduction");
}

/// The text of a sum of two terms, the same in both orders.
std::string sum_text(const std::string& x, const std::string& y);

/// The finishes that are tried for one unit.
class Finishes {
 public:
  Finishes(const PreparedUnit& unit, const ResultChoices& choices);
  /// The same finishes for all numbers of parts.
  explicit Finishes(std::vector<Finish> all) : by_parts_{std::move(all)} {}

  const std::vector<Finish>& of_parts(std::size_t parts) const;

 private:
  std::vector<std::vector<Finish>> by_parts_;  ///< the last entry applies to that number of parts
                                               ///< and more
};

}  // namespace mmaspec::explain

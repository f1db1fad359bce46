#include <algorithm>

#include "tests/support/reference/dot.h"

namespace mmaspec::reference {

bool exact_terms(const Design& formats, const Operands& x, ExactTerms& result) {
  std::vector<std::pair<Wide, int>> terms;
  for (int k = 0; k < formats.k; ++k) {
    const auto i = static_cast<std::size_t>(k);
    std::vector<Value> factors{formats.a->value(x.a[i]), formats.b->value(x.b[i])};
    if (formats.scale != nullptr) {
      const auto block = static_cast<std::size_t>(k / formats.scale_block);
      factors.push_back(formats.scale->value(x.sa[block]));
      factors.push_back(formats.scale->value(x.sb[block]));
    }
    Wide digits = 1;
    int unit = 0;
    for (const Value& f : factors) {
      if (!f.is_number()) return false;
      digits *= f.negative ? -Wide(f.digits) : Wide(f.digits);
      unit += f.unit;
    }
    terms.emplace_back(digits, unit);
  }
  const Value c = formats.c->value(x.c);
  if (!c.is_number()) return false;
  terms.emplace_back(c.negative ? -Wide(c.digits) : Wide(c.digits), c.unit);
  result.unit = 0;
  bool first = true;
  for (const auto& [digits, unit] : terms) {
    if (digits == 0) continue;
    result.unit = first ? unit : std::min(result.unit, unit);
    first = false;
  }
  result.terms.clear();
  for (const auto& [digits, unit] : terms) {
    result.terms.push_back(digits == 0 ? Wide(0) : Wide(digits << (unit - result.unit)));
  }
  return true;
}

}  // namespace mmaspec::reference

#include "queries/studies/explain/space/word_plans.h"

#include <algorithm>

namespace mmaspec::explain {
namespace {

struct WordSchemes {
  const Format* word;
  std::vector<const char*> names;
};

const std::vector<WordSchemes>& word_schemes() {
  static const std::vector<WordSchemes> all{
      {&formats::bf16, {"bf16x3", "bf16x6", "bf16x9"}},
      {&formats::tf32, {"tf32x3"}},
      {&formats::f16, {"markidis", "ootomo"}},
  };
  return all;
}

bool may_be_f32(const std::vector<const Format*>& all) {
  return std::any_of(all.begin(), all.end(), [](const Format* f) { return *f == formats::f32; });
}

}  // namespace

std::vector<std::string> word_plans(const std::vector<Instruction>& instructions,
                                    const MatrixFormats& formats, std::size_t k) {
  std::vector<std::string> all;
  const bool are_f32 = may_be_f32(formats.a) && may_be_f32(formats.b) && may_be_f32(formats.d);
  if (!are_f32 || !formats.c.empty()) return all;
  for (const auto& [word, names] : word_schemes()) {
    const MatrixFormats of_words{{word}, {word}, {}, {&mmaspec::formats::f32}};
    for (const PreparedUnit& unit : fitting_units(instructions, of_words, Extent::usual)) {
      if (unit.converts()) continue;
      for (const char* name : names) {
        all.push_back("plan:" + std::string(name) + "(" + unit.unit->names.front().first +
                      ",k=" + std::to_string(k) + ")");
      }
    }
  }
  return all;
}

}  // namespace mmaspec::explain

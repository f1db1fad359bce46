#include "queries/studies/identify/space/space.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "queries/studies/identify/space/fields.h"
#include "spec/catalog/instruction.h"

namespace mmaspec {
namespace {

/// A parsed restriction.
struct Restricted {
  std::string algorithm;
  std::map<std::string, std::string> values;
};

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw std::invalid_argument("--space '" + text.substr(0, 200) + "': " + why);
}

Restricted parse(const std::string& text) {
  Restricted r;
  const std::size_t open = text.find('(');
  r.algorithm = text.substr(0, open);
  if (open == std::string::npos) return r;
  if (!text.ends_with(')')) refuse(text, "expected algorithm(key=values,...)");
  const std::string inner = text.substr(open + 1, text.size() - open - 2);
  for (std::size_t start = 0; start < inner.size();) {
    const std::size_t end = std::min(inner.find(',', start), inner.size());
    const std::string pair = inner.substr(start, end - start);
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      refuse(text, "'" + pair + "': expected key=values");
    }
    if (!r.values.emplace(pair.substr(0, equals), pair.substr(equals + 1)).second) {
      refuse(text, "the parameter " + pair.substr(0, equals) + " is given twice");
    }
    start = end + 1;
  }
  return r;
}

/// Parses `20..30|none|-133`; each must be a value of the field.
std::vector<int> values_of(const FieldText& field, const std::string& text,
                           const std::string& whole) {
  std::set<int> all;
  const auto one = [&](const std::string& word) {
    const auto value = field.value_of(word);
    if (value) return *value;
    std::string allowed;
    for (const auto& [number, name] : field.words) {
      allowed += (allowed.empty() ? "" : ", ") + name;
    }
    if (field.low <= field.high) {
      allowed += (allowed.empty() ? "" : ", ") + std::to_string(field.low) + ".." +
                 std::to_string(field.high);
    }
    refuse(whole, field.key + "=" + word + ": expected values of " + allowed +
                      ", separated by |, ranges with ..");
  };
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('|', start), text.size());
    const std::string part = text.substr(start, end - start);
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      all.insert(one(part));
    } else {
      const int low = one(part.substr(0, dots));
      const int high = one(part.substr(dots + 2));
      if (low > high) refuse(whole, field.key + "=" + part + ": an empty range");
      for (int v = low; v <= high; ++v) {
        if (field.value_of(field.text(v)) == v) all.insert(v);
      }
    }
    start = end + 1;
  }
  return {all.begin(), all.end()};
}

/// The values in the notation of restrictions: consecutive numbers as ranges.
std::string text_of(const FieldText& field) {
  std::string text;
  for (std::size_t i = 0; i < field.values.size();) {
    const auto is_number = [&](std::size_t j) {
      return field.text(field.values[j]) == std::to_string(field.values[j]);
    };
    std::size_t j = i;
    while (j + 1 < field.values.size() && is_number(j) && is_number(j + 1) &&
           field.values[j + 1] == field.values[j] + 1) {
      ++j;
    }
    text += (text.empty() ? "" : "|") + field.text(field.values[i]);
    if (j > i) text += (j == i + 1 ? "|" : "..") + field.text(field.values[j]);
    i = j + 1;
  }
  return text;
}

/// Gives the fields the values that a restriction names; nullptr: no restriction.
void restrict_to(const Restricted* restricted, const std::string& text,
                 const std::vector<FieldText*>& fields) {
  if (restricted == nullptr) return;
  auto left = restricted->values;
  for (FieldText* field : fields) {
    const auto it = left.find(field->key);
    if (it == left.end()) continue;
    field->values = values_of(*field, it->second, text);
    left.erase(it);
  }
  if (left.empty()) return;
  std::string all;
  for (const FieldText* field : fields) all += (all.empty() ? "" : ", ") + field->key;
  refuse(text, "unknown parameter '" + left.begin()->first + "' (parameters: " + all + ")");
}

/// All fields with their values, in the notation of restrictions.
std::string line_of(const std::vector<FieldText*>& fields) {
  std::string line;
  for (const FieldText* field : fields) {
    line += (line.empty() ? "" : ",") + field->key + "=" + text_of(*field);
  }
  return line;
}

/// A value for each of the fields, and a text for them.
using Combination = std::pair<std::vector<int>, std::string>;

/// The values of the last field vary fastest.
std::vector<Combination> combinations(const std::vector<FieldText>& fields) {
  std::vector<Combination> all(1);
  for (const FieldText& field : fields) {
    std::vector<Combination> next;
    for (const auto& [values, name] : all) {
      for (const int value : field.values) {
        Combination longer{values,
                           name + (name.empty() ? "" : ",") + field.key + "=" + field.text(value)};
        longer.first.push_back(value);
        next.push_back(std::move(longer));
      }
    }
    all = std::move(next);
  }
  return all;
}

/// An axis for each of the fields.
std::vector<Axis> axes_of(const std::vector<FieldText>& fields) {
  std::vector<Axis> axes;
  for (const FieldText& field : fields) {
    axes.push_back({field.key, field.values, [field](int v) { return field.text(v); },
                    [field](const std::string& t) { return field.value_of(t); }});
  }
  return axes;
}

/// Collects the families of one algorithm after another.
class Collector {
 public:
  Collector(const DotFormats& formats, const std::vector<std::string>& restrictions)
      : formats_(formats), texts_(restrictions) {
    for (const std::string& text : restrictions) restricted_.push_back(parse(text));
    used_.resize(restricted_.size(), false);
  }

  template <typename D>
  void add(const D& prototype) {
    if (restricted_.empty()) return add(prototype, nullptr, "");
    for (std::size_t i = 0; i < restricted_.size(); ++i) {
      if (restricted_[i].algorithm != D::kName) continue;
      used_[i] = true;
      add(prototype, &restricted_[i], texts_[i]);
    }
  }

  /// Throws for a restriction that no algorithm used.
  void finish() const {
    for (std::size_t i = 0; i < restricted_.size(); ++i) {
      if (used_[i]) continue;
      std::string all;
      for (const std::string& name : names_) all += (all.empty() ? "" : ", ") + name;
      const std::string near = nearest(restricted_[i].algorithm, names_);
      refuse(texts_[i], "this space does not contain the algorithm" +
                            (near.empty() ? "" : "; did you mean '" + near + "'?") +
                            " (algorithms: " + all + ")");
    }
  }

  void know(std::string_view name) { names_.emplace_back(name); }

  std::vector<Family> families;
  std::vector<std::string> lines;

 private:
  template <typename D>
  void add(const D& prototype, const Restricted* restricted, const std::string& text) {
    auto fields = fields_of(prototype, formats_);
    std::vector<FieldText*> texts;
    for (auto& field : fields) texts.push_back(&field);
    restrict_to(restricted, text, texts);
    lines.push_back(std::string(D::kName) + "(" + line_of(texts) + ")");
    // Shape parameters are enumerated.
    auto symbolic = fields;
    std::erase_if(symbolic, [](const auto& f) { return !f.set_symbolic; });
    auto shapes = fields;
    std::erase_if(shapes, [](const auto& f) { return static_cast<bool>(f.set_symbolic); });
    const std::vector<FieldText> shape_texts(shapes.begin(), shapes.end());
    for (const auto& [values, name] : combinations(shape_texts)) {
      D design = prototype;
      for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i].set(design, values[i]);
      if (is_possible(design)) add_family(design, name, symbolic, shapes);
    }
  }

  bool is_possible(const RoundDownDotAdd& design) const { return design.groups <= design.block; }
  bool is_possible(const FlooredDotAdd& design) const {
    const bool has_halves = formats_.k % (2 * design.block) == 0;
    return design.block % design.group == 0 && (!design.halves_alternate || has_halves);
  }
  bool is_possible(const PartialProductDotAdd& design) const {
    return design.block % design.group == 0 && design.first_phase + design.phases <= 4;
  }
  bool is_possible(const IntegerDotAdd& design) const {
    return design.overflow == IntegerOverflow::saturate || design.group == 1;
  }
  bool is_possible(const FixedPointDotAdd& design) const {
    const bool rounds = lowest_product_exponent(formats_) + formats_.d->point < 0;
    return (design.overflow == IntegerOverflow::saturate || design.group == 1) &&
           (rounds || design.product_rounding == Rounding::toward_zero);
  }
  template <typename D>
  bool is_possible(const D&) const {
    return true;
  }

  template <typename D, typename S>
  void add_family(const D& design, const std::string& shape, const Fields<D, S>& fields,
                  const Fields<D, S>& shapes) {
    Family family;
    family.name = std::string(D::kName) + (shape.empty() ? "" : "(" + shape + ")");
    family.axes = axes_of({fields.begin(), fields.end()});
    family.build = [design, fields, formats = formats_](const std::vector<Int>& parameters,
                                                        const DotOperands& operands) {
      S changed = symbolic(design);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        fields[i].set_symbolic(changed, parameters.at(i));
      }
      return mmaspec::build(changed, formats, operands);
    };
    family.design = [design, fields](const std::vector<int>& values) -> Algorithm {
      D changed = design;
      for (std::size_t i = 0; i < fields.size(); ++i) fields[i].set(changed, values.at(i));
      return changed;
    };
    family.find = [design, fields, shapes](const Algorithm& algorithm) {
      const D* given = algorithm.as<D>();
      std::optional<std::vector<int>> values;
      if (given == nullptr) return values;
      for (const auto& shape_field : shapes) {
        if (shape_field.get(*given) != shape_field.get(design)) return values;
      }
      values.emplace();
      for (const auto& field : fields) values->push_back(field.get(*given));
      return values;
    };
    families.push_back(std::move(family));
  }

  DotFormats formats_;
  std::vector<std::string> texts_;
  std::vector<Restricted> restricted_;
  std::vector<bool> used_;
  std::vector<std::string> names_;
};

/// Adds a design of each floating-point algorithm that accepts the formats.
template <typename Add>
void add_floating_point(const DotFormats& formats, const Add& add) {
  const ResultFormat result{formats.d};
  FusedDotAdd fused{};
  fused.block = formats.k;
  fused.result = result;
  const bool plain = formats.scale == nullptr;
  add(fused);
  add(SequentialFma{result});
  if (plain && formats.k % 2 == 0) add(PairDotAdd{true, false, result});
  add(GroupPairwiseSum{formats.k, false, result});
  if (plain) {
    RoundDownDotAdd down{};
    down.block = formats.k;
    down.result = result;
    add(down);
    add(BulkNormalizedDotAdd{formats.k, 0, BulkResult::to_odd, result});
    OnesComplementDotAdd complement{};
    complement.block = formats.k;
    complement.result = result;
    add(complement);
    FlooredDotAdd floored{};
    floored.block = formats.k;
    floored.group = 1;
    floored.result = result;
    add(floored);
    if (formats.k % 16 == 0 && (*formats.d == formats::f32 || *formats.d == formats::bf16)) {
      PartialProductDotAdd partial{};
      partial.block = 16;
      partial.result = result;
      add(partial);
    }
  } else {
    GroupDotFusedSum groups{};
    groups.result = result;
    add(groups);
    add(BulkNormalizedDotAdd{formats.k, 0, BulkResult::to_odd, result});
  }
  add(ExactDotAdd{formats.k, result});
  // Exact products are not rounded.
  if (formats.d->fraction_bits < exact_product_bits(formats)) {
    RoundedProductDotAdd rounded{};
    rounded.block = formats.k;
    rounded.result = result;
    add(rounded);
  }
  const auto is_part_of_f32 = [](const Format& format) {
    return format == formats::f32 || format == formats::f16 || format == formats::bf16;
  };
  const bool is_a_plain_fma = plain && *formats.d == formats::f32;
  if (is_part_of_f32(*formats.c) && is_part_of_f32(*formats.d) && !is_a_plain_fma) add(F32Chain{});
  if (plain && formats.k % 4 == 0) {
    fused.block = formats.k / 2;
    add(SplitFp8{fused, true});
  }
}

}  // namespace

Space::Space(const DotFormats& formats, const std::vector<std::string>& restrictions, bool has_c)
    : formats_(formats), has_c_(has_c) {
  for (const Format* f : {formats.a, formats.b, formats.c, formats.d}) {
    if (f->is_integer() == formats.d->is_integer() || accumulate_in_fixed_point(formats)) continue;
    throw std::invalid_argument("a space cannot contain both integer and floating-point designs");
  }
  Collector all(formats, restrictions);
  const auto add = [&](auto design) {
    all.know(decltype(design)::kName);
    all.add(design);
  };
  if (are_integers(formats)) {
    add(IntegerDotAdd{});
  } else if (accumulate_in_fixed_point(formats)) {
    add(FixedPointDotAdd{});
  } else {
    add_floating_point(formats, add);
  }
  all.finish();
  families_ = std::move(all.families);
  lines_ = std::move(all.lines);
}

double Space::size() const {
  double all = 0;
  for (const Family& family : families_) {
    double count = 1;
    for (const Axis& axis : family.axes) count *= static_cast<double>(axis.values.size());
    all += count;
  }
  return all;
}

std::optional<Space::Place> Space::find(const Algorithm& algorithm) const {
  for (std::size_t i = 0; i < families_.size(); ++i) {
    const auto values = families_[i].find(algorithm);
    if (!values) continue;
    const auto& axes = families_[i].axes;
    bool inside = families_[i].design(*values) == algorithm;
    for (std::size_t j = 0; j < axes.size() && inside; ++j) {
      inside = std::binary_search(axes[j].values.begin(), axes[j].values.end(), (*values)[j]);
    }
    if (inside) return Place{i, *values};
  }
  return std::nullopt;
}

std::vector<Int> parameter_inputs(const std::vector<Axis>& axes, const std::string& prefix) {
  std::vector<Int> all;
  for (const Axis& axis : axes) {
    const Integer low = axis.values.front();
    const Integer high = axis.values.back();
    if (low == high) {
      all.emplace_back(low);
      continue;
    }
    const unsigned width = bit_length(Integer(high - low));
    all.push_back(min(low + input(prefix + axis.key, width), high));
  }
  return all;
}

}  // namespace mmaspec

#include "queries/studies/explain/two_plans.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "queries/studies/explain/check_plan.h"

namespace mmaspec::explain {
namespace {

constexpr std::size_t kMostPartial = 256;  // number of numbers of products, at first
constexpr std::string_view kPlan = "plan:";

/// `scheme(INNER,k=...,key=value,...)` without the inner part.
struct PlanLayer {
  std::string scheme;
  std::string k;        ///< empty: not given
  std::string options;  ///< the others, each with a comma before it

  friend bool operator==(const PlanLayer& x, const PlanLayer& y) {
    return x.scheme == y.scheme && x.options == y.options;
  }
};

/// A plan's name, split from the outside to the inside.
struct LayersOfPlan {
  std::vector<PlanLayer> result;
  std::vector<PlanLayer> operands;
  std::vector<PlanLayer> products;
  std::vector<PlanLayer> sums;
  std::string instruction;
};

/// The positions of the commas outside of parentheses.
std::vector<std::size_t> commas_of(std::string_view text) {
  std::vector<std::size_t> all;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) all.push_back(i);
  }
  return all;
}

std::optional<LayersOfPlan> layers_of(std::string_view name) {
  LayersOfPlan plan;
  if (name.starts_with(kPlan)) name.remove_prefix(kPlan.size());
  const std::array<std::pair<std::string_view, std::vector<PlanLayer>*>, 3> outer{
      {{"epilogue", &plan.result}, {"convert", &plan.operands}, {"permute", &plan.products}}};
  const std::array<std::string_view, 4> of_sums{"split-k", "promote", "chain", "rest-first"};
  std::size_t level = 0;
  while (true) {
    const std::size_t open = name.find('(');
    const std::string_view scheme = name.substr(0, open);
    std::vector<PlanLayer>* layers = nullptr;
    for (std::size_t i = level; i < outer.size(); ++i) {
      if (outer[i].first != scheme) continue;
      layers = outer[i].second;
      level = i;
    }
    if (std::find(of_sums.begin(), of_sums.end(), scheme) != of_sums.end()) {
      layers = &plan.sums;
      level = outer.size();
    }
    if (layers == nullptr || !name.ends_with(')')) {
      plan.instruction = std::string(name);
      const bool is_design = name.starts_with("design:");
      if (open != std::string_view::npos && !is_design) return std::nullopt;
      if (plan.sums.empty()) plan.sums.push_back({"chain", {}, {}});  // for a single instruction
      return plan;
    }
    const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
    std::vector<std::size_t> commas = commas_of(inside);
    commas.push_back(inside.size());
    PlanLayer layer{std::string(scheme), {}, {}};
    for (std::size_t i = 0; i + 1 < commas.size(); ++i) {
      const std::string option(inside.substr(commas[i] + 1, commas[i + 1] - commas[i] - 1));
      if (option.starts_with("k=")) {
        layer.k = option.substr(2);
      } else {
        layer.options += "," + option;
      }
    }
    layers->push_back(layer);
    name = inside.substr(0, commas.front());
  }
}

std::string text_of_layers(const std::vector<PlanLayer>& layers) {
  std::string text;
  for (const PlanLayer& layer : layers) {
    text += (text.empty() ? "" : " of ") + layer.scheme;
    if (!layer.options.empty()) text += "(" + layer.options.substr(1) + ")";
  }
  return text;
}

/// The name of a plan for K products. `inner_k`: the number of products inside of the order of
/// products; those from K on are +0 * +0.
std::string name_of(const LayersOfPlan& plan, const std::string& k, const std::string& inner_k) {
  std::string name = plan.instruction;
  const auto around = [&](const std::vector<PlanLayer>& layers, const std::string& size) {
    for (std::size_t i = layers.size(); i-- > 0;) {
      const bool is_outermost = i == 0;
      name = layers[i].scheme + "(" + name +
             (is_outermost          ? ",k=" + size
              : layers[i].k.empty() ? ""
                                    : ",k=" + layers[i].k) +
             layers[i].options + ")";
    }
  };
  around(plan.sums, inner_k);
  around(plan.products, k);
  around(plan.operands, k);
  around(plan.result, k);
  return std::string(kPlan) + name;
}

/// The K of the sums inside of the plan's order of products.
std::string inner_k_of(const LayersOfPlan& plan, const std::string& k) {
  return plan.products.empty() || plan.sums.empty() || plan.sums.front().k.empty()
             ? k
             : plan.sums.front().k;
}

std::string k_of(const std::string& name) {
  return std::to_string(find_instruction(name).formats.k);
}

}  // namespace

std::vector<ChangedPart> changed_parts(const std::string& first, const std::string& second) {
  const std::optional<LayersOfPlan> x = layers_of(first);
  const std::optional<LayersOfPlan> y = layers_of(second);
  if (!x || !y || k_of(first) != k_of(second)) return {};
  const std::string k = k_of(first);
  std::vector<ChangedPart> parts;
  const auto add = [&](const std::string& part, auto member, const std::string& without) {
    const auto& of_x = (*x).*member;
    const auto& of_y = (*y).*member;
    if (of_x == of_y) return;
    const auto text = [&](const auto& value) {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
        return value;
      } else {
        return value.empty() ? without : text_of_layers(value);
      }
    };
    LayersOfPlan hybrid = *x;
    hybrid.*member = of_y;
    const bool of_order = part == "products";
    const std::string inner_k = inner_k_of(of_order ? *y : *x, k);
    ChangedPart changed{part, text(of_x), text(of_y), name_of(hybrid, k, inner_k)};
    try {
      const DotFormats own = find_instruction(first).formats;
      const DotFormats formats = find_instruction(*changed.plan).formats;
      const bool fits = formats.k == own.k && *formats.a == *own.a && *formats.b == *own.b;
      if (!fits) changed.plan.reset();
    } catch (const std::invalid_argument&) {
      changed.plan.reset();
    }
    parts.push_back(std::move(changed));
  };
  add("instruction", &LayersOfPlan::instruction, "");
  add("operands", &LayersOfPlan::operands, "as they are");
  add("products", &LayersOfPlan::products, "ascending");
  add("sums", &LayersOfPlan::sums, "chain");
  add("result", &LayersOfPlan::result, "the sums as they are");
  return parts;
}

void try_parts(std::vector<ChangedPart>& parts, const Instruction& first, const Instruction& second,
               const Product& product, const Format* c_format, const std::vector<Element>& elements,
               const Deadline& deadline) {
  const auto results = [&](const Instruction& plan) {
    if (deadline.passed()) throw OutOfTime();
    return results_of_plan(plan, product, c_format, elements);
  };
  const std::vector<std::uint64_t> of_first = results(first);
  const std::vector<std::uint64_t> of_second = results(second);
  for (ChangedPart& part : parts) {
    if (!part.plan) continue;
    const Instruction plan = find_instruction(*part.plan);
    const std::vector<std::uint64_t> all = results(plan);
    const SameNumber follows(*plan.formats.d, *second.formats.d);
    const SameNumber keeps(*plan.formats.d, *first.formats.d);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (follows(all[i], of_second[i])) ++part.follow;
      if (keeps(all[i], of_first[i])) ++part.keep;
    }
  }
}

std::optional<Parting> parting(const Instruction& first, const Instruction& second,
                               const Product& product, const Format* c_format,
                               const Element& element) {
  const std::size_t k = product.a.columns;
  const SameNumber same(*first.formats.d, *second.formats.d);
  constexpr auto kBytes = static_cast<std::ptrdiff_t>(sizeof(std::uint64_t));
  const auto partial = [&](const std::vector<std::size_t>& counts) {
    // A row of A for each number of products, B's column, and one C for all rows.
    std::vector<std::uint64_t> a(counts.size() * k);
    std::vector<std::uint64_t> b(k);
    for (std::size_t i = 0; i < k; ++i) {
      b[i] = pattern_at(product.b, i, element.column);
      for (std::size_t row = 0; row < counts.size(); ++row) {
        if (i < counts[row]) a[row * k + i] = pattern_at(product.a, element.row, i);
      }
    }
    std::uint64_t c = 0;
    if (c_format != nullptr) c = pattern_at(product.c, element.row, element.column);
    const auto view = [&](const std::uint64_t* data, std::size_t rows, std::size_t columns,
                          std::ptrdiff_t row_step) {
      return PatternView{reinterpret_cast<const std::byte*>(data),
                         sizeof(std::uint64_t),
                         rows,
                         columns,
                         row_step,
                         kBytes};
    };
    Product some{view(a.data(), counts.size(), k, kBytes * static_cast<std::ptrdiff_t>(k)),
                 view(b.data(), k, 1, kBytes),
                 {},
                 {}};
    if (c_format != nullptr) some.c = view(&c, counts.size(), 1, 0);
    std::vector<Element> elements;
    for (std::size_t row = 0; row < counts.size(); ++row) elements.push_back({row, 0});
    const auto of_first = results_of_plan(first, some, c_format, elements);
    const auto of_second = results_of_plan(second, some, c_format, elements);
    std::vector<PartialResults> all;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      all.push_back({counts[i], of_first[i], of_second[i], !same(of_first[i], of_second[i])});
    }
    return all;
  };
  const auto differ = [](const PartialResults& r) { return r.differ; };
  std::vector<std::size_t> counts;
  const std::size_t step = (k + kMostPartial - 1) / kMostPartial;
  for (std::size_t n = step; n < k; n += step) counts.push_back(n);
  counts.push_back(k);
  Parting found{element, partial(counts), 0};
  if (!differ(found.partial.back())) return std::nullopt;
  const auto at = std::find_if(found.partial.begin(), found.partial.end(), differ);
  // All numbers of products between two of these.
  const std::size_t before = at == found.partial.begin() ? 0 : std::prev(at)->products;
  std::vector<std::size_t> between(at->products - before - 1);
  std::iota(between.begin(), between.end(), before + 1);
  if (!between.empty()) {
    const std::vector<PartialResults> more = partial(between);
    found.partial.insert(at, more.begin(), more.end());
  }
  found.at = static_cast<std::size_t>(
      std::find_if(found.partial.begin(), found.partial.end(), differ) - found.partial.begin());
  return found;
}

}  // namespace mmaspec::explain

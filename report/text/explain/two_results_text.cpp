#include "report/text/explain/two_results_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text/explain/explain_text.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

using explain::ChangedPart;
using explain::Verdict;

constexpr std::size_t kShownBefore = 2;   // number of partial results shown before the plans
                                          // diverge
constexpr std::size_t kShownAfter = 2;    // and after
constexpr std::size_t kShownOnPage = 24;  // number shown of each

/// The first 100 characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t kShown = 100;
  return text.size() <= kShown ? text : text.substr(0, kShown) + "...";
}

std::string hex_digits_of(const Format& format, std::uint64_t pattern) {
  return fmt::format("{:0{}x}", pattern, format.hex_digits());
}

std::string shown_pattern(const Format& format, std::uint64_t pattern) {
  return fmt::format("0x{}  {}", hex_digits_of(format, pattern), to_hex_float(format, pattern));
}

/// Elements for which the plan with only this part changed gives neither result.
std::size_t neither(const ChangedPart& part, std::size_t tried) {
  return tried - std::min(tried, part.follow + part.keep);
}

/// The effect on the differing elements if only this part is changed.
std::string outcome(const ChangedPart& part, std::size_t tried) {
  if (!part.plan) return "cannot be changed alone";
  const std::size_t others = neither(part, tried);
  std::string text = fmt::format(
      "changed alone: {} of {} follow the second result, {} keep the "
      "first one",
      part.follow, counted(tried, "element"), part.keep);
  if (others > 0) text += fmt::format(", {} match neither", others);
  return text;
}

/// The indices of the partial results that are shown: around the one at which the plans diverge,
/// and the last.
std::vector<std::size_t> shown_partial(const explain::Parting& p, std::size_t before,
                                       std::size_t after) {
  std::vector<std::size_t> all;
  for (std::size_t i = p.at - std::min(p.at, before);
       i <= std::min(p.at + after, p.partial.size() - 1); ++i) {
    all.push_back(i);
  }
  if (all.back() + 1 < p.partial.size()) all.push_back(p.partial.size() - 1);
  return all;
}

bool is_one_plan(const TwoResults& r) {
  const explain::ExplainedPlan& x = r.first.plans.front();
  const explain::ExplainedPlan& y = r.second.plans.front();
  const auto has = [](const explain::ExplainedPlan& plan, const std::string& name) {
    return plan.plan == name ||
           std::find(plan.equal_to.begin(), plan.equal_to.end(), name) != plan.equal_to.end();
  };
  return has(x, y.plan) || has(y, x.plan);
}

std::string parting_text(const TwoResults& r) {
  const explain::Parting& p = *r.parting;
  std::string text = fmt::format(
      "D[{}, {}] of the first products alone (+0 * +0 for the others): the plans diverge "
      "at product {}\n",
      p.element.row, p.element.column, p.partial[p.at].products - 1);
  text += fmt::format("  {:>8}  {:<34}  {}\n", "products", "first", "second");
  std::size_t last = 0;
  for (const std::size_t i : shown_partial(p, kShownBefore, kShownAfter)) {
    if (last > 0 && i > last + 1) text += "    ...\n";
    last = i;
    const explain::PartialResults& q = p.partial[i];
    text +=
        fmt::format("  {:>8}  {:<34}  {}{}\n", q.products, shown_pattern(*r.first_format, q.first),
                    shown_pattern(*r.second_format, q.second), q.differ ? "  *" : "");
  }
  return text;
}

}  // namespace

bool are_explained(const TwoResults& r) {
  return r.first.verdict == explain::Verdict::explained &&
         r.second.verdict == explain::Verdict::explained && r.first.plans.size() == 1 &&
         r.second.plans.size() == 1;
}

std::string text_of(const TwoResults& r, bool full) {
  std::string text = "first: " + text_of(r.first, std::nullopt, full) +
                     "second: " + text_of(r.second, std::nullopt, full);
  text += fmt::format("{} of {} differ\n", r.differing, counted(r.compared, "element"));
  if (r.worst) {
    text += fmt::format("most: D[{}, {}]\n", r.worst->element.row, r.worst->element.column);
    text += show_results({{"  first", r.first_format, r.worst->given},
                          {"  second", r.second_format, r.worst->computed}});
  }
  if (!are_explained(r)) return text;
  if (is_one_plan(r)) return text + "one plan explains both\n";
  if (!r.parts.empty()) text += "the plans differ in\n";
  for (const ChangedPart& part : r.parts) {
    text +=
        fmt::format("  {}: {}\n  {:{}}  {}\n", part.part, full ? part.first : shortened(part.first),
                    "", part.part.size(), full ? part.second : shortened(part.second));
    if (r.tried > 0 && r.parts.size() > 1) text += "    " + outcome(part, r.tried) + "\n";
    if (full && part.plan) text += "    " + *part.plan + "\n";
  }
  if (r.parting) text += parting_text(r);
  return text;
}

std::string json_of(const TwoResults& r) {
  Json object;
  object["first"] = Json::parse(json_of(r.first, std::nullopt));
  object["second"] = Json::parse(json_of(r.second, std::nullopt));
  object["elements"] = r.compared;
  object["differing"] = r.differing;
  if (r.worst) {
    Json worst;
    worst["row"] = r.worst->element.row;
    worst["column"] = r.worst->element.column;
    worst["first"] = hex_digits_of(*r.first_format, r.worst->given);
    worst["second"] = hex_digits_of(*r.second_format, r.worst->computed);
    object["worst"] = worst;
  }
  auto unlike = Json::array();
  for (const ChangedPart& part : r.parts) {
    Json entry;
    entry["part"] = part.part;
    entry["first"] = part.first;
    entry["second"] = part.second;
    if (part.plan && r.tried > 0) {
      Json alone;
      alone["plan"] = *part.plan;
      alone["elements"] = r.tried;
      alone["follow"] = part.follow;
      alone["keep"] = part.keep;
      entry["alone"] = alone;
    }
    unlike.push_back(entry);
  }
  object["unlike"] = unlike;
  if (r.parting) {
    const explain::Parting& p = *r.parting;
    Json parting;
    parting["row"] = p.element.row;
    parting["column"] = p.element.column;
    parting["product"] = p.partial[p.at].products - 1;
    auto partial = Json::array();
    for (const std::size_t i : shown_partial(p, kShownOnPage, kShownOnPage)) {
      Json entry;
      entry["products"] = p.partial[i].products;
      entry["first"] = hex_digits_of(*r.first_format, p.partial[i].first);
      entry["second"] = hex_digits_of(*r.second_format, p.partial[i].second);
      partial.push_back(entry);
    }
    parting["partial"] = partial;
    object["parting"] = parting;
  }
  return object.dump() + "\n";
}

Page page_of(const TwoResults& r, const std::string& question, const std::string& command) {
  Page page{"MMA-Spec: " + question, question, {}, Tone::open, {}, command};
  page.verdict = fmt::format("{} of {} differ", r.differing, counted(r.compared, "element"));
  const bool explained = are_explained(r);
  if (explained && is_one_plan(r)) {
    page.verdict += ": one plan explains both results";
    page.tone = Tone::good;
  } else if (explained) {
    std::string names;
    for (const ChangedPart& part : r.parts) names += (names.empty() ? "" : ", ") + part.part;
    page.verdict += names.empty() ? ": the plans are unlike" : ": the plans differ in " + names;
    page.tone = Tone::bad;
  }
  page.sections.push_back({"First result", text_html(text_of(r.first, std::nullopt, false))});
  page.sections.push_back({"Second result", text_html(text_of(r.second, std::nullopt, false))});
  if (r.worst) {
    page.sections.push_back({fmt::format("The element that differs most: D[{}, {}]",
                                         r.worst->element.row, r.worst->element.column),
                             results_html({{"first", r.first_format, r.worst->given},
                                           {"second", r.second_format, r.worst->computed}})});
  }
  if (!explained) return page;
  std::vector<std::vector<std::string>> rows;
  std::string plans;
  for (const ChangedPart& part : r.parts) {
    std::vector<std::string> row{part.part, shortened(part.first), shortened(part.second)};
    const bool is_tried = part.plan && r.tried > 0;
    if (is_tried) plans += part.part + ": " + *part.plan + "\n";
    for (const std::size_t count : {part.follow, part.keep, neither(part, r.tried)}) {
      row.push_back(is_tried ? std::to_string(count) : "");
    }
    rows.push_back(std::move(row));
  }
  if (!rows.empty()) {
    page.sections.push_back(
        {"Which difference matters",
         table_html({"part", "first", "second", "follow the second", "keep the first", "neither"},
                    rows)});
  }
  if (!plans.empty()) {
    page.sections.push_back(
        {fmt::format("The first plan with one part of the second one, on {}",
                     counted(r.tried, "element that differs", "elements that differ")),
         text_html(plans)});
  }
  if (r.parting) {
    const explain::Parting& p = *r.parting;
    rows.clear();
    std::vector<bool> marked;
    for (const std::size_t i : shown_partial(p, kShownOnPage, kShownOnPage)) {
      const explain::PartialResults& q = p.partial[i];
      rows.push_back({std::to_string(q.products), shown_pattern(*r.first_format, q.first),
                      shown_pattern(*r.second_format, q.second), q.differ ? "differs" : ""});
      marked.push_back(q.differ);
    }
    page.sections.push_back(
        {fmt::format("D[{}, {}] of the first products alone: the plans diverge at product {}",
                     p.element.row, p.element.column, p.partial[p.at].products - 1),
         table_html({"products", "first", "second", ""}, rows, marked)});
  }
  return page;
}

}  // namespace mmaspec

#include "report/text/explain/explain_text.h"

#include <fmt/format.h>

#include "report/values.h"
#include "spec/catalog/instruction.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

using explain::Explanation;
using explain::Verdict;

constexpr std::size_t kShownPlans = 8;
constexpr std::size_t kShownNames = 4;
constexpr std::size_t kShownSums = 8;  // number of sums shown at each end of a trace

std::string verdict_of_explanation(Verdict verdict) {
  switch (verdict) {
    case explain::Verdict::explained:
      return "explained";
    case explain::Verdict::none_fits:
      return "none fits";
    case explain::Verdict::several:
    case explain::Verdict::out_of_time:
      break;
  }
  return "undecided";
}

std::string plan_text(const explain::ExplainedPlan& plan, const std::string& indent, bool full) {
  std::string text = indent + plan.plan + "\n";
  if (full && !plan.parts.sums.empty()) text += indent + "  sums: " + plan.parts.sums + "\n";
  const std::size_t shown = full ? plan.equal_to.size() : kShownNames;
  for (std::size_t i = 0; i < std::min(shown, plan.equal_to.size()); ++i) {
    text += indent + "  equal for all inputs: " + plan.equal_to[i] + "\n";
  }
  if (plan.equal_to.size() > shown) {
    text += fmt::format("{}  and {} more (--full)\n", indent, plan.equal_to.size() - shown);
  }
  return text;
}

std::string region_text(const explain::Region& r) {
  return fmt::format("rows {} to {}, columns {} to {}", r.first_row, r.end_row - 1, r.first_column,
                     r.end_column - 1);
}

std::string searched_text(const Explanation& found) {
  const bool all = found.searched.extent == explain::Extent::all;
  return fmt::format("searched: {} around {}{}\n", counted(found.searched.plans, "plan"),
                     counted(found.searched.units, "instruction"),
                     all ? "" : ", of the usual orders and parts of K (--space all: all)");
}

/// The first and the last sums.
std::string sums_text(const std::vector<explain::TracedSum>& trace, bool full) {
  std::string text;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (!full && trace.size() > 2 * kShownSums && i == kShownSums) {
      text += fmt::format("    ... {} more (--full)\n", trace.size() - 2 * kShownSums);
      i = trace.size() - kShownSums;
    }
    const explain::TracedSum& t = trace[i];
    text += fmt::format("    {:<40}  0x{:0{}x}  {}\n", t.sum, t.value, t.format->hex_digits(),
                        to_hex_float(*t.format, t.value));
  }
  return text.empty() ? text : "  the plan's partial sums of this element:\n" + text;
}

std::string nearest_text(const explain::NearestPlan& nearest, bool full) {
  std::string text = fmt::format("nearest: {} of {} by\n  {}\n", nearest.matched,
                                 counted(nearest.checked, "element"), nearest.plan);
  if (nearest.first) {
    const Format& d = *find_instruction(nearest.plan).formats.d;
    text += fmt::format("  D[{}, {}] refutes it\n", nearest.first->element.row,
                        nearest.first->element.column);
    text += show_results(
        {{"    D", &d, nearest.first->given}, {"    the plan", &d, nearest.first->computed}});
  }
  return text + sums_text(nearest.trace, full);
}

Json plan_json(const explain::ExplainedPlan& plan) {
  Json object;
  object["plan"] = plan.plan;
  object["elements"] = plan.elements;
  auto names = Json::array();
  for (const std::string& name : plan.equal_to) names.push_back(name);
  object["equal_to"] = names;
  if (!plan.parts.sums.empty()) object["tree"] = plan.parts.sums;
  return object;
}

Json mismatch_json(const explain::Mismatch& mismatch, const Format& d) {
  const auto digits = [&](std::uint64_t x) { return fmt::format("{:0{}x}", x, d.hex_digits()); };
  Json object;
  object["row"] = mismatch.element.row;
  object["column"] = mismatch.element.column;
  object["d"] = digits(mismatch.given);
  object["computed"] = digits(mismatch.computed);
  return object;
}

}  // namespace

std::string text_of(const Explanation& found, const std::optional<Suggested>& suggested,
                    bool full) {
  std::string text;
  const std::string all = counted(found.elements, "element");
  switch (found.verdict) {
    case explain::Verdict::explained:
      text = found.regions.empty() ? "explained: one plan reproduces all " + all + "\n"
                                   : "explained: two plans reproduce all " + all + "\n";
      break;
    case explain::Verdict::several:
      text = fmt::format("undecided: {}{} not known to be equal reproduce all {}\n",
                         found.unchecked > 0 ? "at least " : "",
                         counted(found.plans.size(), "plan that is", "plans that are"), all);
      break;
    case explain::Verdict::none_fits:
      text = "none fits: no plan of the space reproduces all " + all + "\n";
      break;
    case explain::Verdict::out_of_time:
      text = "undecided: the time ended before all plans were tried\n";
      break;
  }
  const std::size_t shown = full ? found.plans.size() : kShownPlans;
  for (std::size_t i = 0; i < std::min(shown, found.plans.size()); ++i) {
    text += plan_text(found.plans[i], "  ", full);
  }
  if (found.plans.size() > shown) {
    text += fmt::format("  and {} more (--full)\n", found.plans.size() - shown);
  }
  if (found.unchecked > 0) {
    text += fmt::format("  {} reproduce the elements on which they were tried\n",
                        counted(found.unchecked, "other plan"));
  }
  for (std::size_t i = 0; i < found.regions.size(); ++i) {
    const explain::RegionPlan& r = found.regions[i];
    text +=
        fmt::format("  {} {}: {} by\n", i == 0 ? "outside of" : "inside of",
                    region_text(found.regions.back().region), counted(r.plan.elements, "element"));
    text += plan_text(r.plan, "    ", full);
  }
  if (found.nearest && found.regions.empty()) text += nearest_text(*found.nearest, full);
  if (found.left_out > 0) {
    text += counted(found.left_out, "other element") + " of D left out (--elements)\n";
  }
  if (found.unknown > 0) text += counted(found.unknown, "element") + " of D unknown (NaN)\n";
  text += searched_text(found);
  if (found.verdict == explain::Verdict::explained) {
    text += "This is evidence of what ran, not a proof: another plan may give the same elements.\n";
  }
  if (suggested) {
    text += fmt::format("{}/a.npy and b.npy: {} of {}\n", suggested->folder,
                        counted(suggested->products, "product", "unlike products"),
                        counted(found.plans.size(), "plan"));
  } else if (found.verdict == explain::Verdict::several) {
    text += "--suggest FOLDER writes matrices whose product distinguishes the plans\n";
  }
  return text;
}

std::string json_of(const Explanation& found, const std::optional<Suggested>& suggested) {
  Json object;
  object["verdict"] = verdict_of_explanation(found.verdict);
  auto plans = Json::array();
  for (const explain::ExplainedPlan& plan : found.plans) plans.push_back(plan_json(plan));
  for (const explain::RegionPlan& region : found.regions) {
    Json plan = plan_json(region.plan);
    const explain::Region& r = found.regions.back().region;
    Json box;
    box["first_row"] = r.first_row;
    box["end_row"] = r.end_row;
    box["first_column"] = r.first_column;
    box["end_column"] = r.end_column;
    plan[&region == &found.regions.back() ? "inside" : "outside"] = box;
    plans.push_back(plan);
  }
  object["plans"] = plans;
  object["elements"] = found.elements;
  object["unknown"] = found.unknown;
  object["left_out"] = found.left_out;
  object["tried"] = found.searched.plans;
  object["space"] = found.searched.extent == explain::Extent::all ? "all" : "usual";
  object["unchecked"] = found.unchecked;
  if (found.nearest && found.regions.empty()) {
    Json best;
    best["plan"] = found.nearest->plan;
    best["matched"] = found.nearest->matched;
    best["checked"] = found.nearest->checked;
    if (found.nearest->first) {
      best["first_mismatch"] =
          mismatch_json(*found.nearest->first, *find_instruction(found.nearest->plan).formats.d);
    }
    if (!found.nearest->trace.empty()) {
      auto trace = Json::array();
      for (const explain::TracedSum& t : found.nearest->trace) {
        Json line;
        line["sum"] = t.sum;
        line["format"] = std::string(t.format->name);
        line["pattern"] = fmt::format("{:0{}x}", t.value, t.format->hex_digits());
        trace.push_back(line);
      }
      best["trace"] = trace;
    }
    object["best"] = best;
  }
  if (suggested) {
    Json files;
    files["folder"] = suggested->folder;
    files["products"] = suggested->products;
    object["suggested"] = files;
  }
  return object.dump() + "\n";
}

}  // namespace mmaspec

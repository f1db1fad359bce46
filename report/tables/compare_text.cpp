#include "report/tables/compare_text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "queries/ask/scope.h"
#include "report/picture/draw_histogram.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

std::string place(const Comparison& c, const ComparedElement& e) {
  return c.products > 1 ? fmt::format("[{}, {}, {}]", e.product, e.row, e.column)
                        : fmt::format("[{}, {}]", e.row, e.column);
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json("inf"); }

/// An integer of any size: as a number if it fits 64 bits, otherwise as a string of digits.
Json number(const Integer& x) {
  if (x <= std::numeric_limits<std::int64_t>::max()) return x.convert_to<std::int64_t>();
  return x.str();
}

}  // namespace

std::string text_of(const Comparison& c) {
  std::string text = c.note.empty() ? "" : c.note + "\n";
  const double share =
      c.elements == 0 ? 0
                      : 100 * static_cast<double>(c.differing) / static_cast<double>(c.elements);
  text += fmt::format("{} of {} differ ({:.3g} %)\n", c.differing, counted(c.elements, "result"),
                      share);
  if (c.tolerance) {
    text += fmt::format("{} of them by more than atol = {}, rtol = {} allow\n", c.exceeding,
                        shortest_text(c.tolerance->atol), shortest_text(c.tolerance->rtol));
  }
  const std::string evidence = evidence_line(weakest_evidence({c.first, c.second}));
  if (c.differing == 0) return text + evidence;
  for (const UlpBin& bin : c.bins) {
    const std::string range =
        bin.from == bin.to ? bin.from.str() : bin.from.str() + " .. " + bin.to.str();
    text += fmt::format("  {:>24} ulp  {:>10}\n", range, bin.count);
  }
  if (c.beyond_ulp > 0)
    text += fmt::format("  {:>24}      {:>10}\n", "not both finite", c.beyond_ulp);
  text +=
      fmt::format("relative to |c| + sum |a b|: {:.3g} at most, {:.3g} on average\nthe worst:\n",
                  c.largest_relative, c.mean_relative);
  const std::size_t width = std::max(c.first.label().size(), c.second.label().size());
  for (const ComparedElement& e : c.worst) {
    text += fmt::format("  d{}  {}, relative {:.3g}\n", place(c, e),
                        e.ulp ? e.ulp->str() + " ulp" : "not both finite", e.relative);
    text += fmt::format("    {:<{}}  {}\n", c.first.label(), width,
                        show_pattern(*c.first.formats.d, *e.values.d));
    text += fmt::format("    {:<{}}  {}\n", c.second.label(), width,
                        show_pattern(*c.second.formats.d, e.d_second));
  }
  return text + evidence;
}

std::string json_of(const Comparison& c) {
  Json object;
  object["first"] = c.first.name();
  object["second"] = c.second.name();
  object["note"] = c.note;
  object["evidence"] = evidence_json(weakest_evidence({c.first, c.second}));
  object["elements"] = c.elements;
  object["differing"] = c.differing;
  if (c.tolerance) {
    object["tolerance"] = {{"atol", shortest_text(c.tolerance->atol)},
                           {"rtol", shortest_text(c.tolerance->rtol)},
                           {"exceeding", c.exceeding}};
  }
  object["ulp"]["largest"] = number(c.largest_ulp);
  object["ulp"]["not_both_finite"] = c.beyond_ulp;
  object["ulp"]["histogram"] = Json::array();
  for (const UlpBin& bin : c.bins) {
    object["ulp"]["histogram"].push_back(
        {{"from", number(bin.from)}, {"to", number(bin.to)}, {"count", bin.count}});
  }
  object["relative"] = {{"largest", c.largest_relative}, {"mean", c.mean_relative}};
  object["worst"] = Json::array();
  for (const ComparedElement& e : c.worst) {
    Json entry;
    entry["index"] = c.products > 1 ? Json{e.product, e.row, e.column} : Json{e.row, e.column};
    entry["ulp"] = e.ulp ? number(*e.ulp) : Json("inf");
    entry["relative"] = number(e.relative);
    entry["first"] = to_hex_float(*c.first.formats.d, *e.values.d);
    entry["second"] = to_hex_float(*c.second.formats.d, e.d_second);
    entry["row"] = mmaspec::to_json(e.values, c.first.formats, c.second.formats.d);
    object["worst"].push_back(std::move(entry));
  }
  return to_text(object, 2);
}

std::string picture_of(const Comparison& c) {
  std::vector<HistogramBar> bars{{"equal", c.elements - c.differing}};
  for (const UlpBin& bin : c.bins) {
    bars.push_back(
        {bin.from == bin.to ? bin.from.str() : bin.from.str() + " - " + bin.to.str(), bin.count});
  }
  if (c.beyond_ulp > 0) bars.push_back({"not finite", c.beyond_ulp});
  const std::string evidence = evidence_text(weakest_evidence({c.first, c.second}));
  return draw_histogram(c.first.label() + " and " + c.second.label(),
                        fmt::format("{}, {} differ; ulp apart{}", counted(c.elements, "result"),
                                    c.differing, evidence.empty() ? "" : "; evidence: " + evidence),
                        bars);
}

}  // namespace mmaspec

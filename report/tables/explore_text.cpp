// Prints explored designs as a table, CSV and JSON.
#include "report/tables/explore_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/values.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

struct Grid {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
};

bool has_cells(const Exploration& e) {
  return std::any_of(e.designs.begin(), e.designs.end(),
                     [](const ExploredDesign& d) { return d.cost && d.cost->cells; });
}

bool has_mismatches(const Exploration& e) {
  return std::any_of(e.designs.begin(), e.designs.end(),
                     [](const ExploredDesign& d) { return d.mismatches.has_value(); });
}

std::string bound_number(const std::optional<Rational>& x) { return x ? shortest_text(*x) : ""; }

std::string chosen_text(const std::vector<std::pair<std::string, std::string>>& chosen) {
  std::string text;
  for (const auto& [key, value] : chosen) {
    text += (text.empty() ? "" : " ") + key + "=" + value;
  }
  return text;
}

/// The numeric columns that text and CSV share.
std::vector<std::string> number_heads(const Explored& x) {
  std::vector<std::string> heads{"nodes", "depth"};
  if (has_cells(x.exploration)) heads.insert(heads.end(), {"cells", "area", "delay"});
  heads.push_back(x.bound);
  if (has_mismatches(x.exploration)) heads.emplace_back("mismatches");
  return heads;
}

std::vector<std::string> numbers_of(const Explored& x, const ExploredDesign& d) {
  std::vector<std::string> all;
  all.push_back(d.cost ? std::to_string(d.cost->nodes) : "");
  all.push_back(d.cost ? std::to_string(d.cost->depth) : "");
  if (has_cells(x.exploration)) {
    const bool has = d.cost && d.cost->cells;
    all.push_back(has ? std::to_string(d.cost->cells->count) : "");
    all.push_back(has ? fmt::format("{:.2f}", d.cost->cells->area) : "");
    all.push_back(has ? fmt::format("{:.2f}", d.cost->cells->delay) : "");
  }
  all.push_back(bound_number(d.bound.proved));
  if (has_mismatches(x.exploration)) {
    all.push_back(d.mismatches ? std::to_string(*d.mismatches) : "");
  }
  return all;
}

/// Numbers are right-aligned, the last column left-aligned.
std::string text_of(const Grid& grid) {
  std::vector<std::size_t> widths(grid.heads.size());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    widths[i] = grid.heads[i].size();
    for (const auto& row : grid.rows) widths[i] = std::max(widths[i], row[i].size());
  }
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += fmt::format("{:>{}}  ", row[i], widths[i]);
    }
    return text + row.back() + "\n";
  };
  std::string text = line(grid.heads);
  for (const auto& row : grid.rows) text += line(row);
  return text;
}

std::size_t count(const Exploration& e, Outcome verdict) {
  return static_cast<std::size_t>(
      std::count_if(e.designs.begin(), e.designs.end(),
                    [verdict](const ExploredDesign& d) { return d.verdict == verdict; }));
}

/// The designs of the front, the smallest first.
std::vector<std::size_t> front_of(const Exploration& e) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < e.designs.size(); ++i) {
    if (e.designs[i].is_on_front) front.push_back(i);
  }
  std::stable_sort(front.begin(), front.end(), [&](std::size_t x, std::size_t y) {
    return e.designs[x].size() < e.designs[y].size();
  });
  return front;
}

std::string requirements_text(const Explored& x) {
  std::string text;
  for (const Requirement& r : x.requirements) text += (text.empty() ? "" : ", ") + r.text;
  return text;
}

/// How many designs cost less.
std::string cheaper_text(const Exploration& e) {
  std::string text;
  if (e.cheaper_refuted == 0) {
    text = e.unmeasured_refuted == 0 ? "no design costs less"
                                     : "no design with a known cost costs less";
  } else {
    text = fmt::format("{} less, and {} refuted",
                       e.cheaper_refuted == 1 ? "1 design costs"
                                              : fmt::format("{} designs cost", e.cheaper_refuted),
                       e.cheaper_refuted == 1 ? "it is" : "all are");
  }
  if (e.unmeasured_refuted > 0) {
    text +=
        fmt::format("; {} of unknown cost {} refuted too", counted(e.unmeasured_refuted, "design"),
                    e.unmeasured_refuted == 1 ? "is" : "are");
  }
  return text;
}

std::string cheapest_text(const Explored& x) {
  const Exploration& e = x.exploration;
  const std::string wanted = requirements_text(x);
  const std::string with = wanted.empty() ? "" : " with " + wanted;
  if (!e.cheapest) {
    return count(e, Outcome::refuted) == e.designs.size()
               ? fmt::format("no design has the required properties: {}\n", wanted)
               : fmt::format("undecided which design is the cheapest{}\n", with);
  }
  std::string text =
      fmt::format("the cheapest design{}: {}\n", with, e.designs[*e.cheapest].design.name());
  if (e.is_proved_cheapest) {
    text += "  proved to be the cheapest of the range: " + cheaper_text(e) + "\n";
  } else {
    text += fmt::format("  undecided: {} may cost less and have the required properties\n",
                        counted(e.may_be_cheaper.size(), "more design"));
    for (const std::size_t i : e.may_be_cheaper) {
      text += fmt::format("    {}{}\n", e.designs[i].design.name(),
                          e.designs[i].cost ? "" : " (cost unknown)");
    }
  }
  return text;
}

std::string csv_quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

}  // namespace

std::string text_of(const Explored& explored) {
  const Exploration& e = explored.exploration;
  Grid grid{number_heads(explored), {}};
  grid.heads.emplace_back("design");
  for (const std::size_t i : front_of(e)) {
    grid.rows.push_back(numbers_of(explored, e.designs[i]));
    const std::string chosen = chosen_text(explored.chosen[i]);
    grid.rows.back().push_back(chosen.empty() ? e.designs[i].design.name() : chosen);
  }
  std::string text;
  if (!grid.rows.empty()) text = "Pareto front:\n" + text_of(grid);
  text += fmt::format("{}: {} proved, {} refuted, {} undecided ({:.1f} s)\n",
                      counted(e.designs.size(), "design"), count(e, Outcome::proved),
                      count(e, Outcome::refuted), count(e, Outcome::undecided), explored.seconds);
  if (!explored.skipped.empty()) {
    text +=
        fmt::format("{} skipped, such as {}: {}\n", counted(explored.skipped.size(), "combination"),
                    explored.skipped[0].first, explored.skipped[0].second);
  }
  std::map<std::string, std::size_t> failures;
  for (const ExploredDesign& d : e.designs) {
    if (!d.cost) ++failures[d.no_cost];
  }
  for (const auto& [why, designs] : failures) {
    text += fmt::format("no cost of {}: {}\n", counted(designs, "design"), why);
  }
  return text + cheapest_text(explored);
}

std::string csv_of(const Explored& explored) {
  std::string text = "design,verdict";
  for (const Requirement& r : explored.requirements) text += "," + csv_quoted(r.text);
  for (const std::string& head : number_heads(explored)) text += "," + head;
  text += ",refuted,front\n";
  for (const ExploredDesign& d : explored.exploration.designs) {
    text += csv_quoted(d.design.name()) + "," + std::string(to_string(d.verdict));
    for (const Outcome o : d.requirements) text += "," + std::string(to_string(o));
    for (const std::string& n : numbers_of(explored, d)) text += "," + n;
    text += "," + bound_number(d.bound.refuted) + (d.is_on_front ? ",yes\n" : ",no\n");
  }
  return text;
}

std::string json_of(const Explored& explored) {
  const Exploration& e = explored.exploration;
  Json object;
  object["pattern"] = explored.pattern;
  object["requirements"] = Json::array();
  for (const Requirement& r : explored.requirements) object["requirements"].push_back(r.text);
  object["bound"] = explored.bound;
  if (!explored.against.empty()) object["against"] = explored.against;
  object["cheapest"] = e.cheapest ? Json(e.designs[*e.cheapest].design.name()) : Json();
  object["proved_cheapest"] = e.is_proved_cheapest;
  object["cheaper"] = {{"refuted", e.cheaper_refuted},
                       {"refuted_of_unknown_cost", e.unmeasured_refuted},
                       {"undecided", Json::array()}};
  for (const std::size_t i : e.may_be_cheaper) {
    object["cheaper"]["undecided"].push_back(e.designs[i].design.name());
  }
  object["designs"] = Json::array();
  for (std::size_t i = 0; i < e.designs.size(); ++i) {
    const ExploredDesign& d = e.designs[i];
    Json entry{{"design", d.design.name()}, {"verdict", std::string(to_string(d.verdict))}};
    entry["parameters"] = Json::object();
    for (const auto& [key, value] : explored.chosen[i]) entry["parameters"][key] = value;
    entry["requirements"] = Json::object();
    for (std::size_t r = 0; r < explored.requirements.size(); ++r) {
      entry["requirements"][explored.requirements[r].text] =
          std::string(to_string(d.requirements[r]));
    }
    entry["bound"] = d.bound.proved ? Json(bound_number(d.bound.proved)) : Json();
    entry["bound_refuted"] = d.bound.refuted ? Json(bound_number(d.bound.refuted)) : Json();
    if (d.mismatches) entry["mismatches"] = *d.mismatches;
    if (d.cost) {
      entry["nodes"] = d.cost->nodes;
      entry["depth"] = d.cost->depth;
      if (d.cost->cells) {
        entry["cells"] = d.cost->cells->count;
        entry["area"] = d.cost->cells->area;
        entry["delay"] = d.cost->cells->delay;
      }
    } else {
      entry["no_cost"] = d.no_cost;
    }
    entry["front"] = d.is_on_front;
    object["designs"].push_back(std::move(entry));
  }
  object["skipped"] = Json::array();
  for (const auto& [name, why] : explored.skipped) {
    object["skipped"].push_back({{"design", name}, {"reason", why}});
  }
  object["seconds"] = explored.seconds;
  return to_text(object, 2);
}

}  // namespace mmaspec

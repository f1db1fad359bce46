#include "report/text/identify_text.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "queries/ask/scope.h"
#include "report/values.h"
#include "spec/formats/text.h"
#include "util/counted.h"
#include "util/json.h"

namespace mmaspec {
namespace {

constexpr std::size_t kShownRows = 5;
constexpr std::size_t kShownFamilies = 8;

std::string count_of_designs(double n) {
  return n < 1e6 ? counted(std::llround(n), "design") : fmt::format("about {:.2g} designs", n);
}

std::string row_text(const DotFormats& f, const Answered& a, bool full) {
  return show_inputs(f, a.values, full) +
         fmt::format("  the unit returns  {}\n", show_pattern(*f.d, a.d));
}

std::string rows_text(const DotFormats& f, const std::vector<Answered>& rows, bool full) {
  std::string text;
  for (std::size_t i = 0; i < std::min(rows.size(), kShownRows); ++i)
    text += row_text(f, rows[i], full);
  if (rows.size() > kShownRows) text += fmt::format("  and {} more\n", rows.size() - kShownRows);
  return text;
}

Json rows_json(const DotFormats& f, const std::vector<Answered>& rows) {
  auto all = Json::array();
  for (const Answered& a : rows) {
    all.push_back(Json::parse(oracle_row(f, a.values, a.d)));
  }
  return all;
}

std::string verdict(const Identification& found) {
  switch (found.verdict) {
    case Identified::identified:
      return "identified";
    case Identified::none_fits:
      return "none fits";
    case Identified::undecided:
      break;
  }
  return "undecided";
}

/// What proved that the fitting designs are equal.
std::string proof_text(const Equality& e) {
  if (e.expressions <= 1 && e.by.empty()) return "one expression";
  std::set<std::string> by(e.by.begin(), e.by.end());
  std::string text = counted(e.expressions, "expression");
  std::size_t shown = 0;
  for (const std::string& how : by) {
    if (++shown > 3) break;
    text += "; " + how;
  }
  return text;
}

std::string open_text(const std::vector<Open>& open) {
  std::string text;
  for (std::size_t i = 0; i < std::min(open.size(), kShownFamilies); ++i) {
    text += fmt::format("{}: {}\n", open[i].algorithm, count_of_designs(open[i].designs));
    for (const Open::Values& v : open[i].parameters) {
      const std::string left = fmt::format("{}", fmt::join(v.left, "|"));
      text += v.left.size() == 1 ? fmt::format("  {:<18} {}\n", v.key, left)
                                 : fmt::format("  {:<18} open: {} ({} of {})\n", v.key, left,
                                               v.left.size(), counted(v.of, "value"));
    }
  }
  if (open.size() > kShownFamilies) {
    text += "and " +
            counted(open.size() - kShownFamilies, "more shape or algorithm",
                    "more shapes or algorithms") +
            "\n";
  }
  return text;
}

std::string unsteady_text(const DotFormats& f, const Identification& found, bool full) {
  if (found.unsteady.empty()) return "";
  std::string text =
      fmt::format("the unit's results vary: {} answered differently the second time, and ignored\n",
                  counted(found.unsteady.size(), "input was", "inputs were"));
  for (std::size_t i = 0; i < std::min<std::size_t>(found.unsteady.size(), 2); ++i) {
    const Unsteady& u = found.unsteady[i];
    text += show_inputs(f, u.values, full) + fmt::format("  first   {}\n  second  {}\n",
                                                         show_pattern(*f.d, u.first),
                                                         show_pattern(*f.d, u.second));
  }
  return text;
}

std::string fitting_text(const Space& space, const Identification& found) {
  std::string text;
  if (found.design) text += fmt::format("  {}\n", found.design->name());
  for (const std::string& name : found.names) text += fmt::format("  = {}\n", name);
  text += fmt::format("{} of the space {} all answers; ", count_of_designs(found.fitting),
                      std::llround(found.fitting) == 1 ? "fits" : "fit");
  if (found.equality.proved) {
    text += fmt::format("they are equal on all inputs{} (proved: {})\n",
                        space.has_c() ? "" : " with c = +0", proof_text(found.equality));
  } else {
    text += "it is undecided whether they are equal:\n";
    for (std::size_t i = 0; i < std::min(found.equality.undecided.size(), kShownRows); ++i) {
      text += fmt::format("  {}\n", found.equality.undecided[i]);
    }
    if (found.equality.undecided.size() > kShownRows) {
      text += fmt::format("  and {} more\n", found.equality.undecided.size() - kShownRows);
    }
  }
  return text;
}

/// For the instructions that may be the unit.
std::vector<UnitEvidence> evidence_of(const Identification& found) {
  std::vector<Instruction> all;
  if (found.verdict != Identified::none_fits) {
    for (const std::string& name : found.names) all.push_back(find_instruction(name));
  }
  return weakest_evidence(all);
}

/// The number of answers in the conflict.
std::string conflict_text(const Identification& found) {
  const std::size_t answers = found.conflict.size();
  if (answers == 1) return "1 answer is enough to show that";
  return fmt::format("{} conflict{}", counted(answers, "answer"),
                     found.conflict_is_smallest      ? ", and no smaller set does"
                     : found.conflict_is_irreducible ? ", and none of them can be left out"
                                                     : "");
}

}  // namespace

std::string text_of(const Space& space, const Identification& found, const std::vector<Open>& open,
                    bool full) {
  const DotFormats& f = space.formats();
  std::string text;
  switch (found.verdict) {
    case Identified::identified:
      text += fmt::format("identified, among the designs of the space{}:\n",
                          space.has_c() ? "" : ", for inputs with c = +0") +
              fitting_text(space, found);
      break;
    case Identified::none_fits:
      text += fmt::format("no design of the space explains the answers{}; {}:\n",
                          space.has_c() ? "" : ", all with c = +0", conflict_text(found));
      text += rows_text(f, found.conflict, full);
      if (found.design) {
        text += fmt::format("the nearest design found differs from {} of {}:\n  {}\n",
                            found.failing.size(), counted(found.answers, "answer"),
                            found.design->name());
        text += rows_text(f, found.failing, full);
      }
      break;
    case Identified::undecided:
      text += fmt::format("undecided: {}\n", found.why);
      if (found.design && found.fitting > 0) text += fitting_text(space, found);
      break;
  }
  text += unsteady_text(f, found, full);
  text += open_text(open);
  text += evidence_summary(evidence_of(found));
  text += counted(found.inputs, "input") + " asked";
  if (found.confirming > 0) {
    text += fmt::format(", and {} to confirm{}", found.confirming,
                        found.confirmed ? ", which all agree" : "");
  }
  return text + fmt::format(" ({:.2f} s)\n", found.seconds);
}

std::string json_of(const Space& space, const Identification& found,
                    const std::vector<Open>& open) {
  const DotFormats& f = space.formats();
  const bool none = found.verdict == Identified::none_fits;
  Json object;
  object["verdict"] = verdict(found);
  object["design"] = found.design && !none ? Json(found.design->name()) : Json();
  object["names"] = none ? std::vector<std::string>() : found.names;
  object["evidence"] = evidence_json(evidence_of(found));
  if (found.fitting < 0x1p53) {
    object["fitting"] = std::llround(found.fitting);
  } else {
    object["fitting"] = found.fitting;
  }
  object["equal"] = found.equality.proved ? "proved" : "undecided";
  object["inputs"] = found.inputs;
  if (!space.has_c()) object["where"] = "c == 0 && !negative(c)";
  object["conflict"] = rows_json(f, found.conflict);
  if (none) {
    object["conflict_is"] = found.conflict_is_smallest      ? "smallest"
                            : found.conflict_is_irreducible ? "irreducible"
                                                            : "not reduced";
    if (found.design) {
      object["nearest"] = {{"design", found.design->name()},
                           {"answers", found.answers},
                           {"failing", rows_json(f, found.failing)}};
    }
  }
  object["expressions"] = found.equality.expressions;
  object["by"] = found.equality.by;
  object["not_decided"] = found.equality.undecided;
  object["confirming"] = found.confirming;
  object["confirmed"] = found.confirmed;
  object["unsteady"] = found.unsteady.size();
  if (found.verdict == Identified::undecided) object["why"] = found.why;
  if (!open.empty()) {
    object["open"] = Json::array();
    for (const Open& o : open) {
      Json parameters;
      for (const Open::Values& v : o.parameters) parameters[v.key] = v.left;
      object["open"].push_back(
          {{"algorithm", o.algorithm}, {"designs", o.designs}, {"parameters", parameters}});
    }
  }
  object["seconds"] = found.seconds;
  return to_text(object, 2);
}

}  // namespace mmaspec

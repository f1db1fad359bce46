// Compares recorded rows with every catalogued design of their formats.

#include <algorithm>
#include <set>

#include "apps/web/engine/fields.h"
#include "apps/web/engine/given_rows.h"
#include "concrete/dot/runner.h"
#include "queries/audit/check.h"
#include "queries/draw/samples.h"
#include "queries/statement/pairing.h"

namespace mmaspec::web {
namespace {

constexpr std::size_t kMostRows = 100000;
constexpr std::size_t kDrawn = 4096;
constexpr std::size_t kNext = 3;

/// A design and its names.
struct Candidate {
  Instruction instruction;  ///< of the rows' K
  std::vector<std::string> names;
  std::size_t agree = 0;
  std::optional<std::size_t> first_apart;  ///< index of a row
  Integer its_d = 0;
};

std::vector<Candidate> candidates_of(const DotFormats& wanted) {
  std::vector<Candidate> all;
  std::map<std::string, std::size_t> by_design;
  const auto add = [&](const Instruction& i) {
    const DotFormats& f = i.formats;
    if (!(*f.a == *wanted.a && *f.b == *wanted.b && *f.c == *wanted.c && *f.d == *wanted.d)) return;
    if ((f.scale == nullptr) != (wanted.scale == nullptr)) return;
    if (f.scale != nullptr &&
        (!(*f.scale == *wanted.scale) || f.k != wanted.k || f.scale_block != wanted.scale_block)) {
      return;
    }
    if (wanted.k % f.k != 0) return;
    try {
      const Instruction whole = chained(i, wanted.k);
      const auto [at, fresh] = by_design.try_emplace(signature(i), all.size());
      if (fresh) all.push_back({whole, {}, 0, {}, 0});
      all[at->second].names.push_back(i.name());
    } catch (const std::invalid_argument&) {
      // It does not have this K.
    }
  };
  for (const Instruction& i : mmaspec::catalogue()) {
    add(i);
    for (const Instruction& other : in_other_variants(i)) add(other);
  }
  return all;
}

/// Where the fitting designs differ: for each algorithm, parameters and their values.
Json open_parameters(const std::vector<const Candidate*>& fitting) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;
  for (const Candidate* c : fitting) {
    const Algorithm& algorithm = c->instruction.algorithm;
    for (const Parameter& p : algorithm.parameters())
      values[algorithm.name()][p.key].insert(p.value);
  }
  Json open = Json::array();
  for (const auto& [algorithm, keys] : values) {
    Json parameters = Json::object();
    for (const auto& [key, all] : keys) {
      if (all.size() > 1) parameters[key] = std::vector<std::string>(all.begin(), all.end());
    }
    open.push_back({{"algorithm", algorithm}, {"parameters", parameters}});
  }
  return open;
}

/// Inputs on which the designs differ, the most informative first, each with the designs' results.
Json next_inputs(const DotFormats& formats, const std::vector<const Candidate*>& fitting) {
  Sampler sampler(formats, InputClass::finite, 1);
  std::vector<DotValues> drawn;
  for (std::size_t i = 0; i < kDrawn; ++i) drawn.push_back(sampler.next());
  std::vector<const DotValues*> pointers;
  for (const DotValues& v : drawn) pointers.push_back(&v);
  std::vector<std::vector<Integer>> answers;
  for (const Candidate* c : fitting) {
    answers.push_back(DotRunner(c->instruction.algorithm, c->instruction.formats).run(pointers));
  }
  // Groups of designs that the inputs chosen so far do not distinguish.
  std::vector<std::string> group(fitting.size());
  Json next = Json::array();
  std::size_t groups = 1;
  while (next.size() < kNext) {
    std::size_t best = 0;
    std::size_t most = groups;
    for (std::size_t i = 0; i < kDrawn; ++i) {
      std::set<std::string> parts;
      for (std::size_t c = 0; c < fitting.size(); ++c) {
        parts.insert(group[c] + " " + answers[c][i].str());
      }
      if (parts.size() > most) {
        most = parts.size();
        best = i;
      }
    }
    if (most == groups) break;
    groups = most;
    Json object = to_json(formats, drawn[best]);
    for (std::size_t c = 0; c < fitting.size(); ++c) {
      group[c] += " " + answers[c][best].str();
      object["answers"].push_back(
          {{"names", fitting[c]->names}, {"d", to_json(*formats.d, answers[c][best])}});
    }
    next.push_back(std::move(object));
  }
  return next;
}

}  // namespace

Json identify(const Json& request) {
  const auto [given, formats] = given_rows(request, kMostRows, kMostProducts);
  std::vector<const DotValues*> values;
  for (const VectorRow& row : given) values.push_back(&row.values);
  std::vector<Candidate> all = candidates_of(formats);
  for (Candidate& c : all) {
    DotRunner runner(c.instruction.algorithm, c.instruction.formats);
    const std::vector<Integer> d = runner.run(values);
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (same_result(*formats.d, c.instruction.canonical_nan, d[i], *given[i].d)) {
        ++c.agree;
      } else if (!c.first_apart) {
        c.first_apart = i;
        c.its_d = d[i];
      }
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& x, const Candidate& y) { return x.agree > y.agree; });
  Json reply{{"formats", to_json(formats)}, {"rows", given.size()}};
  std::vector<const Candidate*> fitting;
  Json candidates = Json::array();
  for (const Candidate& c : all) {
    Json object{{"names", c.names}, {"agree", c.agree}};
    if (c.first_apart) {
      object["first_apart"] = *c.first_apart + 1;
      object["row"] = to_json(formats, given[*c.first_apart].values);
      object["given"] = to_json(*formats.d, *given[*c.first_apart].d);
      object["its"] = to_json(*formats.d, c.its_d);
    } else {
      fitting.push_back(&c);
    }
    candidates.push_back(std::move(object));
  }
  reply["candidates"] = std::move(candidates);
  reply["drawn"] = kDrawn;
  if (fitting.size() > 1) {
    reply["open"] = open_parameters(fitting);
    reply["next"] = next_inputs(formats, fitting);
  }
  return reply;
}

}  // namespace mmaspec::web

#include <list>

#include "apps/web/engine/fields.h"
#include "concrete/dot/runner.h"
#include "concrete/dot/trace.h"
#include "queries/values/distance.h"
#include "report/picture/draw_ruler.h"

namespace mmaspec::web {
namespace {

/// A cache of prepared designs, most recently used first: the same designs are evaluated repeatedly
/// while operands change.
DotRunner& runner_of(const Instruction& instruction) {
  constexpr std::size_t kKept = 16;
  static std::list<std::pair<std::string, DotRunner>> ready;
  const std::string key = instruction.name() + " " + std::to_string(instruction.formats.k);
  for (auto it = ready.begin(); it != ready.end(); ++it) {
    if (it->first != key) continue;
    ready.splice(ready.begin(), ready, it);
    return ready.front().second;
  }
  ready.emplace_front(key, DotRunner(instruction.algorithm, instruction.formats));
  if (ready.size() > kKept) ready.pop_back();
  return ready.front().second;
}

Json trace_of(const Instruction& instruction, const DotValues& values) {
  Json lines = Json::array();
  for (const TraceLine& line : trace_lines(instruction, values)) {
    lines.push_back({{"stage", line.stage},
                     {"label", line.label},
                     {"number", line.number},
                     {"integer", line.integer.str()}});
  }
  return lines;
}

struct Compared {
  std::string name;
  std::optional<Pair> pair;  ///< with the first one
  std::string error;
  int own_k = 0;  ///< of the unit itself, before K was made equal
};

/// The designs with equal K, the longest or the requested one.
std::vector<Compared> brought_together(const Json& request) {
  std::vector<Compared> all;
  std::vector<std::optional<Instruction>> found;
  for (const std::string& name : texts_of(request, "names")) {
    all.push_back({name, {}, ""});
    found.emplace_back();
    try {
      found.back() = find(name);
      all.back().own_k = found.back()->formats.k;
    } catch (const std::invalid_argument& error) {
      all.back().error = error.what();
    }
  }
  if (all.empty()) throw std::invalid_argument("enter a unit");
  if (!found.front()) return all;
  PairOptions options = pairing_of(request);
  if (options.chain == 0) {
    // Those that can be compared with the first at all.
    for (const auto& i : found) {
      if (!i || are_integers(i->formats) != are_integers(found.front()->formats)) continue;
      options.chain = std::max(options.chain, i->formats.k);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!found[i]) continue;
    try {
      all[i].pair = pair_up(*found.front(), *found[i], options);
    } catch (const std::invalid_argument& error) {
      all[i].error = error.what();
    }
  }
  return all;
}

/// `rulers`: nullptr if they are not requested.
Json result_of(const Compared& compared, Match match, const DotValues& values,
               std::optional<Integer>& d_first, std::vector<Ruler>* rulers) {
  const Pair& pair = *compared.pair;
  Json object{{"name", compared.name}, {"full_name", pair.second.name()}};
  object["formats"] = to_json(pair.second.formats);
  object["own_k"] = compared.own_k;
  if (!pair.note.empty()) object["note"] = pair.note;
  const DotValues own = counterpart(pair, match, values);
  object["row"] = to_json(pair.second.formats, own);
  const Integer d = runner_of(pair.second).run(own);
  object["d"] = to_json(*pair.second.formats.d, d);
  if (!d_first) {
    d_first = d;
  } else {
    const auto ulp = ulp_distance(*pair.first.formats.d, *d_first, *pair.second.formats.d, d);
    object["ulp"] = ulp ? ulp->str() : "inf";
  }
  object["trace"] = trace_of(pair.second, own);
  if (rulers != nullptr) {
    try {
      rulers->push_back(ruler_of(pair.second, own));
    } catch (const std::exception& error) {
      // The results are shown without a picture.
      object["no_ruler"] = error.what();
    }
  }
  return object;
}

}  // namespace

Json evaluate(const Json& request) {
  const std::vector<Compared> all = brought_together(request);
  Json reply;
  Json designs = Json::array();
  std::optional<Operands> operands;
  if (all.front().pair) {
    const DotFormats& formats = all.front().pair->first.formats;
    operands = operands_of(request, formats);
    reply["formats"] = to_json(formats);
    reply["operands"] = operands->shown;
    if (operands->error.empty()) {
      reply["row"] = to_json(formats, operands->values);
    } else {
      reply["operand_error"] = operands->error;
    }
  }
  const Match match = pairing_of(request).match;
  const bool drawn = text_of(request, "picture") == "yes";
  std::vector<Ruler> rulers;
  std::optional<Integer> d_first;
  for (const Compared& c : all) {
    Json object{{"name", c.name}};
    if (!c.error.empty()) {
      object["error"] = c.error;
    } else if (c.pair) {
      object["formats"] = to_json(c.pair->second.formats);
      try {
        if (operands->error.empty()) {
          object = result_of(c, match, operands->values, d_first, drawn ? &rulers : nullptr);
        }
      } catch (const std::invalid_argument& error) {
        object["error"] = error.what();
      }
    }
    designs.push_back(std::move(object));
  }
  reply["designs"] = std::move(designs);
  if (!rulers.empty()) reply["picture"] = draw(rulers);
  return reply;
}

}  // namespace mmaspec::web

// Writes and parses statements of certificates.

#include "proof/certify/theorem.h"

#include <array>
#include <stdexcept>

#include "spec/conversions/conversions.h"
#include "spec/formats/text.h"
#include "spec/lang/print.h"
#include "util/json.h"
#include "util/sha256.h"

namespace mmaspec {
namespace {

constexpr int kQueriesVersion = 1;
constexpr int kGoalsVersion = 2;

constexpr auto kClasses = std::to_array<std::pair<InputClass, const char*>>(
    {{InputClass::finite, "finite"}, {InputClass::normal, "normal"}, {InputClass::any, "any"}});
constexpr auto kMatches = std::to_array<std::pair<Match, const char*>>(
    {{Match::values, "values"}, {Match::bits, "bits"}});

template <typename Words, typename T>
std::string word(const Words& words, T value) {
  for (const auto& [v, text] : words) {
    if (v == value) return text;
  }
  throw std::logic_error("no word for it");
}

template <typename Words>
auto meaning(const Words& words, const std::string& word) {
  for (const auto& [v, text] : words) {
    if (text == word) return v;
  }
  throw std::invalid_argument("'" + word.substr(0, 60) + "' is not a word of statements");
}

/// An integer, or two integers separated by a slash.
Rational rational_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto integer = [](const std::string& digits) {
    if (digits.empty() || digits.size() > 1000 ||
        digits.find_first_not_of("0123456789") != std::string::npos) {
      throw std::invalid_argument("'" + digits.substr(0, 60) + "' is not a natural number");
    }
    return numerator(parse_rational(digits));  // Integer(digits) would parse 010 as octal
  };
  const Integer above = integer(text.substr(0, slash));
  const Integer below = slash == std::string::npos ? Integer(1) : integer(text.substr(slash + 1));
  if (below == 0) throw std::invalid_argument("a denominator is zero");
  return Rational(above, below);
}

/// The current meaning of a name.
Json text_of(const std::string& name) {
  const Instruction instruction = find_with_conversions(name);
  const DotFormats& f = instruction.formats;
  Json object{{"algorithm", instruction.algorithm.name()},
              {"k", f.k},
              {"a", f.a->name},
              {"b", f.b->name},
              {"c", f.c->name},
              {"d", f.d->name}};
  if (f.scale != nullptr) {
    object["scale"] = f.scale->name;
    object["scale_block"] = f.scale_block;
  }
  for (const Parameter& p : instruction.algorithm.parameters()) {
    object["parameters"][p.key] = p.value;
  }
  Graph graph;
  const Graph::Building building(graph);
  const Int d = instruction.algorithm.build(f, dot_inputs(f));
  object["graph_sha256"] = sha256(print(graph, {d.id()}));
  return object;
}

Json question_of(const Theorem& s) {
  Json object;
  if (!s.property.empty()) {
    object["property"] = s.property;
    if (s.within > 0) object["within"] = s.within;
    if (s.parameter) object["bound"] = s.parameter->str();
  } else {
    const auto& [ulp, absolute, relative, signed_zero] = s.difference;
    if (ulp) object["ulp"] = ulp->str();
    if (absolute) object["abs"] = absolute->str();
    if (relative) object["rel"] = relative->str();
    if (signed_zero) object["signed_zero"] = true;
    object["inputs"] = word(kClasses, s.inputs);
    const auto& [pad, chain, match] = s.pairing;
    if (pad) object["pad"] = true;
    if (chain > 0) object["chain"] = chain;
    object["match"] = word(kMatches, match);
    if (s.all_k) object["all_k"] = true;
  }
  if (!s.where.empty()) object["where"] = s.where;
  return object;
}

Theorem theorem_of(const Json& object) {
  Theorem s;
  const Json& question = object.at("question");
  s.names = object.at("names").get<std::vector<std::string>>();
  s.where = question.value("where", std::vector<std::string>());
  const auto rational = [&](const char* key) {
    return question.contains(key) ? std::optional(rational_of(question.at(key).get<std::string>()))
                                  : std::nullopt;
  };
  if (object.at("command") == "prove") {
    s.property = question.at("property").get<std::string>();
    s.within = question.value("within", 0);
    s.parameter = rational("bound");
    return s;
  }
  if (const auto ulp = rational("ulp")) s.difference.ulp = numerator(*ulp);
  s.difference.absolute = rational("abs");
  s.difference.relative = rational("rel");
  s.difference.signed_zero = question.value("signed_zero", false);
  s.inputs = meaning(kClasses, question.at("inputs").get<std::string>());
  s.pairing.pad = question.value("pad", false);
  s.pairing.chain = question.value("chain", 0);
  s.pairing.match = meaning(kMatches, question.at("match").get<std::string>());
  s.all_k = question.value("all_k", false);
  return s;
}

}  // namespace

std::string to_json(const CertifiedStatement& statement) {
  const Theorem& theorem = statement.theorem;
  Json object{{"version", statement.goals ? kGoalsVersion : kQueriesVersion},
              {"command", theorem.property.empty() ? "diff" : "prove"},
              {"names", theorem.names},
              {"question", question_of(theorem)},
              {"by", statement.by}};
  if (statement.goals) object["goals"] = *statement.goals;
  for (const std::string& name : theorem.names) object["texts"].push_back(text_of(name));
  return object.dump(1, Json::Invalid::replace) + "\n";
}

CertifiedStatement certified_statement_of(const std::string& json) {
  CertifiedStatement statement;
  try {
    const Json object = Json::parse(json);
    const auto version = object.at("version").get<int>();
    if (version != kQueriesVersion && version != kGoalsVersion) {
      throw std::invalid_argument("a statement of another version");
    }
    statement.theorem = theorem_of(object);
    statement.by = object.at("by").get<std::string>();
    if (version == kGoalsVersion) {
      statement.goals = object.at("goals").get<std::vector<std::string>>();
    }
  } catch (const Json::Error&) {
    throw std::invalid_argument("no statement");
  }
  if (to_json(statement) != json) {
    throw std::invalid_argument("the current specification is different, or the text was changed");
  }
  return statement;
}

std::string to_text(const Theorem& s) {
  std::string text;
  if (s.property.empty()) {
    for (const std::string& name : s.names) text += (text.empty() ? "" : " and ") + name;
    text += " never differ: ";
  } else {
    text = s.property + " holds of";
    for (const std::string& name : s.names) text += " " + name;
    text += ": ";
  }
  return text + question_of(s).dump();
}

}  // namespace mmaspec

#include <algorithm>

#include "apps/web/engine/fields.h"
#include "queries/audit/check.h"
#include "queries/property/property.h"
#include "spec/catalog/departures.h"
#include "spec/catalog/open_design.h"

namespace mmaspec::web {
namespace {

Json help_of(const OpenAlgorithmHelp& help) {
  Json parameters = Json::array();
  for (const ParameterHelp& p : help.parameters) {
    parameters.push_back({{"key", p.key},
                          {"allowed", p.allowed},
                          {"default", p.default_value},
                          {"meaning", p.meaning}});
  }
  return {{"name", help.name}, {"reference", help.reference}, {"parameters", parameters}};
}

/// The `design:` text; empty if there is none.
std::string open_text(const Instruction& i) {
  const std::vector<std::string>& open = open_algorithms();
  const bool is_open = std::find(open.begin(), open.end(), i.algorithm.name()) != open.end();
  return is_open ? open_design(i.algorithm, i.formats).name() : "";
}

}  // namespace

Json catalogue(const Json&) {
  Json reply;
  for (const auto* formats : {&all_formats(), &integer_formats()}) {
    for (const Format* f : *formats) reply["formats"][std::string(f->name)] = to_json(*f);
  }
  for (const Instruction& i : mmaspec::catalogue()) {
    Json object = to_json(i.formats);
    object["name"] = i.name();
    object["algorithm"] = i.algorithm.name();
    object["design"] = signature(i);
    Json variants = Json::array();
    for (const Instruction& other : in_other_variants(i)) variants.push_back(other.variant);
    if (!variants.empty()) object["variants"] = std::move(variants);
    reply["instructions"].push_back(std::move(object));
  }
  for (const std::string& a : architectures()) reply["architectures"].push_back(a);
  for (const auto& [product, stands_for] : products()) {
    reply["products"][product] = stands_for;
  }
  for (const std::string& a : open_algorithms()) {
    reply["algorithms"].push_back(help_of(open_algorithm_help(a)));
  }
  for (const Property* p : properties()) {
    Subject example{mmaspec::catalogue().front()};
    if (p->of_two()) example.second = example.first;
    reply["properties"].push_back({{"name", p->name()},
                                   {"summary", p->summary()},
                                   {"source", p->source()},
                                   {"of_two", p->of_two()},
                                   {"has_number", !p->parameters(example).empty()}});
  }
  return reply;
}

Json describe(const Json& request) {
  const Instruction i = find(text_of(request, "name"));
  Json reply{{"name", i.name()},
             {"algorithm", i.algorithm.name()},
             {"reference", i.algorithm.reference()},
             {"formats", to_json(i.formats)},
             {"signature", signature(i)}};
  Json parameters = Json::array();
  for (const Parameter& p : i.algorithm.parameters()) {
    Json object{{"key", p.key}, {"value", p.value}, {"meaning", p.meaning}};
    for (const Provenance& known : i.provenance) {
      if (known.parameter != p.key) continue;
      object["evidence"] = to_string(known.evidence);
      object["source"] = known.source;
    }
    parameters.push_back(std::move(object));
  }
  reply["parameters"] = std::move(parameters);
  for (const Departure& d : departures(i)) {
    reply["departures"].push_back({{"theirs", d.theirs}, {"ours", d.ours}});
  }
  reply["design"] = open_text(i);
  return reply;
}

}  // namespace mmaspec::web

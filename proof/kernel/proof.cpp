// Writes and replays the lines of proofs.

#include "proof/kernel/proof.h"

#include "util/json.h"
#include "util/sha256.h"

namespace mmaspec::kernel {
namespace {

std::string digest_of(const Cnf& clauses) { return sha256(to_dimacs(clauses)); }

/// Converts a number from 1 to `most` to an index from 0.
std::uint32_t place_of(std::uint64_t number, std::size_t most) {
  if (number < 1 || number > most) throw Rejected("a line has a number that is not there");
  return static_cast<std::uint32_t>(number - 1);
}

Step step_of(const Json& line, const Kernel& kernel) {
  Step step;
  const std::size_t nodes = kernel.graph().nodes.size();
  for (const Json& x : line.at("refuted")) {
    const auto number = x.get<std::int64_t>();
    const auto bits = static_cast<std::uint64_t>(number);
    const std::uint64_t magnitude = number < 0 ? 0 - bits : bits;  // also correct for the least
                                                                   // number
    step.refuted.push_back({place_of(magnitude, nodes), number < 0});
  }
  for (const Json& x : line.at("free")) {
    step.free.push_back(place_of(x.get<std::uint64_t>(), nodes));
  }
  if (line.contains("rewrites")) {
    for (const Json& x : line.at("rewrites")) {
      const auto numbers = x.get<std::vector<std::uint64_t>>();
      if (numbers.size() != 3) throw Rejected("a rewriting has three numbers");
      step.rewrites.push_back({place_of(numbers[0], nodes), place_of(numbers[1], nodes),
                               place_of(numbers[2], kernel.steps())});
    }
  }
  for (const Json& x : line.at("premises")) {
    step.premises.push_back(place_of(x.get<std::uint64_t>(), kernel.steps()));
  }
  return step;
}

void replay_line(Kernel& kernel, std::string_view text, const LratOf& lrat) {
  const Json line = Json::parse(text);
  if (line.contains("define")) {
    kernel.define(node_of(line.at("define").dump(), kernel.graph().nodes.size()));
    return;
  }
  const Step step = step_of(line, kernel);
  const std::size_t number = kernel.steps() + 1;
  kernel.admit(step, [&](const Cnf& clauses) {
    if (digest_of(clauses) != line.at("clauses").text()) {
      throw Rejected("step " + std::to_string(number) + " has other clauses than its line says");
    }
    return lrat(number, clauses);
  });
}

}  // namespace

std::string define_line(const TermGraph& graph, NodeId id) {
  return "{\"define\":" + to_json(graph, id) + "}\n";
}

std::string step_line(const Step& step, const Cnf& clauses) {
  std::vector<std::int64_t> refuted;
  for (const Literal& x : step.refuted) {
    const std::int64_t number = std::int64_t{x.node} + 1;
    refuted.push_back(x.negated ? -number : number);
  }
  std::vector<std::uint64_t> free;
  for (const NodeId id : step.free) free.push_back(std::uint64_t{id} + 1);
  std::vector<std::vector<std::uint64_t>> rewrites;
  for (const Rewrite& r : step.rewrites) {
    rewrites.push_back(
        {std::uint64_t{r.node} + 1, std::uint64_t{r.by} + 1, std::uint64_t{r.premise} + 1});
  }
  std::vector<std::uint64_t> premises;
  for (const std::size_t p : step.premises) premises.push_back(std::uint64_t{p} + 1);
  Json line{{"refuted", refuted}, {"free", free}};
  if (!rewrites.empty()) line["rewrites"] = rewrites;
  line["premises"] = premises;
  line["clauses"] = digest_of(clauses);
  return line.dump() + "\n";
}

Theorem check(Goal goal, std::string_view proof, const LratOf& lrat) {
  Kernel kernel(std::move(goal));
  try {
    while (!proof.empty()) {
      const std::size_t end = proof.find('\n');
      if (end == std::string_view::npos) throw Rejected("the last line has no end");
      replay_line(kernel, proof.substr(0, end), lrat);
      proof.remove_prefix(end + 1);
    }
  } catch (const Json::Error& error) {
    throw Rejected(error.what());
  }
  return kernel.theorem();
}

}  // namespace mmaspec::kernel

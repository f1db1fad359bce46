#include "tests/fuzz/questions.h"

#include <fmt/format.h>

#include <sstream>

#include "tests/fuzz/attack.h"
#include "tests/support/cli/process.h"
#include "util/json.h"

namespace mmaspec::fuzz {
namespace {

using reference::Design;
using reference::Operands;
using reference::Rational;
using reference::Wide;

/// A decimal as the command prints it.
std::optional<Rational> number_of(const Json& value) {
  if (value.is_null()) return std::nullopt;
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const std::size_t e = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, e);
  int exponent = e == std::string::npos ? 0 : std::stoi(text.substr(e + 1));
  Wide digits = 0;
  bool behind_point = false;
  for (char c : mantissa) {
    if (c == '.') {
      behind_point = true;
    } else if (c >= '0' && c <= '9') {
      digits = digits * 10 + (c - '0');
      if (behind_point) --exponent;
    } else {
      return std::nullopt;
    }
  }
  Rational x(digits);
  for (; exponent > 0; --exponent) x *= 10;
  for (; exponent < 0; ++exponent) x /= 10;
  return x;
}

std::vector<std::uint64_t> patterns_of(const Json& row, const char* key) {
  std::vector<std::uint64_t> all;
  if (!row.contains(key)) return all;
  std::istringstream words(row[key].get<std::string>());
  for (std::string word; words >> word;) all.push_back(std::stoull(word, nullptr, 16));
  return all;
}

Operands operands_of(const Json& row) {
  return {patterns_of(row, "a"), patterns_of(row, "b"), patterns_of(row, "c").at(0),
          patterns_of(row, "sa"), patterns_of(row, "sb")};
}

std::string text_of(const Runs& runs) {
  const auto hex = [](const std::vector<std::uint64_t>& patterns) {
    std::string text;
    for (std::uint64_t p : patterns) text += fmt::format("{}0x{:x}", text.empty() ? "" : ",", p);
    return text;
  };
  std::string text;
  for (std::size_t i = 0; i < runs.x.size(); ++i) {
    const Operands& x = runs.x[i];
    text += fmt::format("{}--a {} --b {} --c 0x{:x}", i == 0 ? "" : " | ", hex(x.a), hex(x.b), x.c);
    if (!x.sa.empty()) text += fmt::format(" --sa {} --sb {}", hex(x.sa), hex(x.sb));
    text += fmt::format(" gives 0x{:x}", runs.d[i]);
  }
  return text;
}

/// The kind of proof, without numbers.
std::string who_of(const std::string& how) {
  for (const std::string word : {"steps", "one expression", "enumerat", "every input"}) {
    if (how.find(word) != std::string::npos) return word;
  }
  return how.substr(0, how.find_first_of(" ,(:"));
}

class Asker {
 public:
  Asker(const QuestionOptions& options, Log& log)
      : options_(options), log_(log), random_(options.seed) {}

  void run() {
    q_ = draw_question(options_.quick, random_);
    attacked_ = options_.quick ? 4000 : 40000;
    const std::string verdict = ask({});
    log_.add("questions");
    if (verdict.empty() || verdict == "not applicable") return;
    // Other options with which the answer must be the same.
    if (options_.quick ? random_.one_in(3) : random_.coin()) {
      const std::vector<std::vector<std::string>> others{
          {"--to-the-end"},
          {"--to-the-end"},
          {"--strategies", "search"},
          {"--strategies", "enumerate"},
          {"--strategies", "cut"},
          {"--strategies", "relax"},
          {"--strategies", "split"},
          {"--strategies", "restrict"},
          {"--strategies", "weaken"},
          {"--strategies", "steps"},
          {"--strategies", "none", "--solver", "z3"},
          {"--strategies", "none", "--solver", "cvc5"}};
      const auto& other = random_.of(others);
      const std::string again = ask(other);
      log_.add("questions asked again");
      const auto decided = [](const std::string& v) { return v == "proved" || v == "refuted"; };
      if (q_.kind != Question::Kind::tightest && q_.kind != Question::Kind::maximize &&
          decided(verdict) && decided(again) && verdict != again) {
        contradiction("two verdicts", verdict + ", and " + again + " with " + other[0], other);
      }
    }
  }

 private:
  void contradiction(const std::string& kind, const std::string& what,
                     const std::vector<std::string>& options) const {
    std::vector<std::string> all = options;
    all.insert(all.end(), {"--timeout", fmt::format("{:g}", options_.timeout), "--jobs", "1"});
    log_.contradiction(kind, what, q_.command(all));
  }

  /// The verdict: proved, refuted (with a witness), undecided, not applicable; empty: none.
  std::string ask(const std::vector<std::string>& options) {
    std::vector<std::string> arguments = q_.arguments;
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(),
                     {"--json", "--jobs", "1", "--timeout", fmt::format("{:g}", options_.timeout)});
    const std::vector<std::string> where = q_.conditions();
    arguments.insert(arguments.end(), where.begin(), where.end());
    log_.trying(q_.command(options));
    const cli_test::Outcome out =
        cli_test::run_program(options_.mmaspec, arguments, {.seconds = 20 * options_.timeout + 60});
    if (out.status == 2) {
      log_.add("questions refused");
      log_.write({{"refused", q_.command(options)}, {"why", out.err}});
      return "";
    }
    const Json answer = Json::parse_or_discard(out.out);
    if (answer.is_discarded() || out.status < 0 || out.status > 3) {
      contradiction(out.status == -9   ? "hang"
                    : out.status == 70 ? "internal contradiction"
                                       : "crash",
                    fmt::format("status {}: {}", out.status, out.err.substr(0, 600)), options);
      return "";
    }
    std::string verdict = answer.value("verdict", "");
    switch (q_.kind) {
      case Question::Kind::prove:
        verdict = judge_proof(answer, options);
        break;
      case Question::Kind::tightest:
        judge_tightest(answer, options);
        break;
      case Question::Kind::diff:
        verdict = judge_diff(answer, options);
        break;
      case Question::Kind::maximize:
        verdict = judge_maximum(answer, options);
        break;
    }
    const std::string how = answer.value("how", "");
    log_.write({{"question", q_.command(options)}, {"verdict", verdict}, {"how", how}});
    std::string counted = verdict;
    if (verdict == "proved" || verdict == "refuted") counted += " by " + who_of(how);
    log_.add(counted);
    return verdict;
  }

  /// Tries to refute a proof.
  void attack_proof(const Question& q, const std::string& of,
                    const std::vector<std::string>& options) {
    const Attack a = attack(q, attacked_, random_);
    log_.add("proofs attacked");
    log_.add("inputs of attacks", a.inputs);
    if (a.exhaustive) log_.add("proofs attacked with every input");
    if (a.admitted == 0) log_.add("proofs attacked by no admitted input");
    if (a.found) contradiction("proof", of + " is refuted by " + text_of(*a.found), options);
  }

  /// Checks the runs of a witness.
  void judge_witness(const Json& proof, const Property& p,
                     const std::vector<std::string>& options) {
    Runs runs;
    for (const Json& row : proof["witness"]) {
      const Operands x = operands_of(row);
      const Subject& s = !runs.x.empty() && p.second ? *p.second : p.first;
      const std::uint64_t d = patterns_of(row, "d").at(0);
      const std::uint64_t expected = s.run(x).d;
      runs.x.push_back(x);
      runs.d.push_back(expected);
      if (d != expected && !both_nan(*s.design.d, d, expected)) {
        contradiction("witness",
                      fmt::format("run {} gives 0x{:x}, the reference 0x{:x}: {}", runs.x.size(), d,
                                  expected, text_of(runs)),
                      options);
        return;
      }
    }
    log_.add("witnesses judged");
    if (runs.x.empty()) {
      contradiction("witness", "refuted without a witness", options);
      return;
    }
    const std::string why = why_not_violated(p, runs);
    if (!why.empty()) contradiction("witness", why + ": " + text_of(runs), options);
  }

  static bool both_nan(const reference::Format& f, std::uint64_t x, std::uint64_t y) {
    return f.value(x).kind == reference::Kind::nan && f.value(y).kind == reference::Kind::nan;
  }

  std::string judge_proof(const Json& answer, const std::vector<std::string>& options) {
    const std::string verdict = answer.value("verdict", "");
    if (verdict == "refuted") judge_witness(answer, q_.property, options);
    if (verdict == "proved") attack_proof(q_, "the proof", options);
    const std::string smaller = answer.value("smaller", "");
    const std::size_t at = smaller.find("k < ");
    if (at != std::string::npos && q_.property.where.empty()) {
      Question part = q_;
      part.property.first.k = std::stoi(smaller.substr(at + 4));
      part.property.formats = part.property.first.formats();
      if (part.property.name != "single-normalization") attack_proof(part, smaller, options);
    }
    return verdict;
  }

  void judge_tightest(const Json& answer, const std::vector<std::string>& options) {
    const std::optional<Rational> refuted = number_of(answer.value("refuted", Json()));
    const std::optional<Rational> proved = number_of(answer.value("proved", Json()));
    if (refuted) {
      Property at = q_.property;
      at.bound = refuted;
      judge_witness(answer["refutation"], at, options);
    }
    if (proved) {
      Question at = q_;
      at.property.bound = proved;
      attack_proof(at, "the bound " + answer["proved"].get<std::string>(), options);
    }
    if (refuted && proved && *refuted >= *proved) {
      contradiction("bounds", "a refuted bound is not below a proved one", options);
    }
  }

  std::string judge_diff(const Json& answer, const std::vector<std::string>& options) {
    const std::string verdict = answer.value("verdict", "");
    if (verdict == "proved") attack_proof(q_, "the proof", options);
    if (verdict != "witness") return verdict;
    for (const Json& row : answer["witnesses"]) judge_row(row, q_.difference, options);
    return "refuted";
  }

  /// Checks one row of diff; returns the reference's results.
  std::optional<Runs> judge_row(const Json& row, const Difference& of,
                                const std::vector<std::string>& options) {
    Runs runs;
    const Operands x = operands_of(row);
    const std::string why = why_no_witness(q_, x, of, &runs);
    log_.add("witnesses judged");
    if (runs.d.size() == 2) {
      const std::uint64_t d = patterns_of(row, "d").at(0);
      const std::uint64_t other = patterns_of(row, "d_other").at(0);
      const auto same = [](const reference::Format& f, std::uint64_t u, std::uint64_t v) {
        return u == v || both_nan(f, u, v);
      };
      if (!same(*q_.property.first.design.d, d, runs.d[0]) ||
          !same(*q_.property.second->design.d, other, runs.d[1])) {
        contradiction("witness",
                      fmt::format("the project has 0x{:x} and 0x{:x}, the reference: {}", d, other,
                                  text_of(runs)),
                      options);
        return std::nullopt;
      }
    }
    if (!why.empty()) {
      contradiction("witness", why + ": " + text_of(runs.d.empty() ? Runs{{x}, {0}} : runs),
                    options);
      return std::nullopt;
    }
    return runs;
  }

  std::string judge_maximum(const Json& answer, const std::vector<std::string>& options) {
    const bool proved = answer.value("proved", false);
    const std::optional<Rational> largest = number_of(answer.value("largest", Json()));
    const std::optional<Rational> bound = number_of(answer.value("bound", Json()));
    const Rational slack(1, 1000000000);
    if (answer.contains("witness")) {
      const auto runs = judge_row(answer["witness"], {}, options);
      if (runs) {
        const auto apart = distance(q_, runs->d[0], runs->d[1]);
        const bool as_said = !apart ? !largest
                                    : largest && *apart <= *largest * (1 + slack) &&
                                          *apart >= *largest * (1 - slack);
        if (!as_said) {
          contradiction("maximum",
                        "the witness's difference is not the one that is named: " + text_of(*runs),
                        options);
        }
      }
    }
    if (bound) {
      Question at = q_;
      at.kind = Question::Kind::diff;
      if (q_.of_ulp) {
        at.difference.ulp = Wide(numerator(*bound) / denominator(*bound));
      } else {
        at.difference.absolute = *bound * (1 + slack);
      }
      attack_proof(at, "the bound " + answer["bound"].dump(), options);
      if (largest && *largest > *bound * (1 + slack)) {
        contradiction("maximum", "more was found than is proved", options);
      }
    }
    return proved ? "largest proved" : bound ? "bound proved" : "no bound";
  }

  const QuestionOptions& options_;
  Log& log_;
  Random random_;
  Question q_;
  std::uint64_t attacked_ = 0;
};

}  // namespace

void ask_question(const QuestionOptions& options, Log& log) { Asker(options, log).run(); }

}  // namespace mmaspec::fuzz

// Searches for differences in steps of the page: like mmaspec diff (queries/prove/diff.h), without
// solvers.

#include "queries/ask/search.h"

#include <stdexcept>

#include "apps/web/engine/fields.h"
#include "apps/web/engine/search.h"
#include "queries/ask/dot_question.h"
#include "queries/numbers/where.h"
#include "queries/prove/diff.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"

namespace mmaspec::web {
namespace {

constexpr double kBuildSeconds = 20;
constexpr double kShrinkSeconds = 4;

Integer ulp_of(const std::string& text) {
  if (text.size() > 30 || text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::invalid_argument("ulp: '" + text.substr(0, 60) + "' is not a natural number");
  }
  return numerator(parse_rational(text));  // Integer(text) would parse 010 as octal
}

std::optional<Rational> bound_of(const Json& request, const char* key) {
  const std::string text = text_of(request, key);
  if (text.empty()) return std::nullopt;
  try {
    return parse_rational(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(key) + ": " + error.what());
  }
}

InputClass inputs_of(const Json& request) {
  const std::string text = text_of(request, "inputs", "finite");
  if (text == "finite") return InputClass::finite;
  if (text == "normal") return InputClass::normal;
  if (text == "any") return InputClass::any;
  throw std::invalid_argument("inputs: expected finite, normal or any, got '" + text.substr(0, 40) +
                              "'");
}

Pair pair_of(const Json& request, const PairOptions& options) {
  const std::vector<std::string> names = texts_of(request, "names");
  if (names.size() < 2) throw std::invalid_argument("enter two units to compare");
  return pair_up(find(names[0]), find(names[1]), options);
}

DiffOptions options_of(const Json& request) {
  DiffOptions options;
  const std::string ulp = text_of(request, "ulp");
  if (!ulp.empty()) options.difference.ulp = ulp_of(ulp);
  options.difference.absolute = bound_of(request, "abs");
  options.difference.relative = bound_of(request, "rel");
  options.difference.signed_zero = text_of(request, "signed_zero") == "yes";
  options.inputs = inputs_of(request);
  options.pairing = pairing_of(request);
  return options;
}

/// The two designs and the question.
struct Asked {
  explicit Asked(const Json& request)
      : where(conditions_of(request)), options(options_of(request)) {
    options.where = condition_of(where);
    pair = pair_of(request, options.pairing);
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  Where where;
  DiffOptions options;
  Pair pair;
};

Json reply_of(const Asked& asked, const Witness& witness) {
  const DotFormats& formats = asked.pair.first.formats;
  Json reply{{"found", to_json(formats, witness.row.values)},
             {"line", to_json_line(witness.row, formats, asked.pair.second.formats.d)},
             {"ulp", witness.row.ulp}};
  return reply;
}

class DifferenceSession final : public Session {
 public:
  explicit DifferenceSession(const Json& request)
      : asked_(request), seed_(static_cast<unsigned>(integer_of(request, "seed", 0, 1 << 30, 0))) {
    const BuildBy bound(Deadline::in(kBuildSeconds));
    const Graph::Building building(graph_);
    const Pair& pair = asked_.pair;
    const DiffOptions& options = asked_.options;
    const auto [joint, premises, differs] = state_difference(
        pair, options.difference, options.inputs, options.pairing.match, options.where);
    question_ = {&graph_, premises};
    question_.conditions.push_back(differs.id());
    if (asked_.options.where || !joint.comparable.same_as(true)) {
      fitting_.emplace(graph_, premises, input_formats(graph_, pair.first.formats), 0);
    }
    question_.candidates = [this](unsigned seed) {
      const auto& [first, second, note] = asked_.pair;
      return draws(first.formats, second.formats, asked_.options, fitting_ ? &*fitting_ : nullptr,
                   seed);
    };
    is_one_expression_ = is_one_expression(question_);
    if (!is_one_expression_) search_.emplace(question_, seed_);
  }

  bool is_one_expression() const { return is_one_expression_; }
  const std::string& note() const { return asked_.pair.note; }

  Json go_on(std::size_t work) override {
    if (is_one_expression_) return {{"tried", 0}, {"one_expression", true}};
    const auto found = search_->run(work);
    if (!found) return {{"tried", search_->tried()}};
    const DotValues values = dot_values(graph_, asked_.pair.first.formats, *found);
    Json reply = reply_of(asked_, witness_of(asked_.pair, asked_.options, values, "search", {},
                                             Deadline::in(kShrinkSeconds), {}));
    reply["tried"] = search_->tried();
    return reply;
  }

 private:
  using Question = mmaspec::Question;
  static bool is_one_expression(const Question& question) {
    return mmaspec::is_one_expression(question);
  }

  Asked asked_;
  unsigned seed_;
  Graph graph_;
  std::optional<Fitting> fitting_;
  Question question_;
  bool is_one_expression_ = false;
  std::optional<Search> search_;
};

}  // namespace

std::vector<std::string> conditions_of(const Json& request) {
  std::vector<std::string> all;
  for (std::string& text : texts_of(request, "where")) {
    if (text.find_first_not_of(" \t") != std::string::npos) all.push_back(std::move(text));
  }
  return all;
}

Condition condition_of(const Where& where) {
  if (where.empty()) return {};
  return [&where](const DotFormats& formats, const DotOperands& operands, Int d) {
    return where.holds(formats, operands, d);
  };
}

Json check_fields(const Json& request) {
  options_of(request);
  Where{conditions_of(request)};
  bound_of(request, "bound");
  integer_of(request, "within", 1, kMostProducts, 0);
  return Json::object();
}

Json begin_difference(const Json& request) {
  auto session = std::make_unique<DifferenceSession>(request);
  Json reply{{"note", session->note()}, {"one_expression", session->is_one_expression()}};
  begin(std::move(session));
  return reply;
}

Json simplify(const Json& request) {
  const Asked asked(request);
  const DotValues values = values_of(request, asked.pair.first.formats);
  try {
    return reply_of(asked, witness_of(asked.pair, asked.options, values, "the page", {},
                                      Deadline::in(kShrinkSeconds), {}));
  } catch (const Contradiction&) {
    throw std::invalid_argument(
        "nothing to simplify: the units do not differ as asked on these inputs");
  }
}

}  // namespace mmaspec::web

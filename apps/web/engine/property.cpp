// Searches for an input that violates a property of a design. It can refute but not prove.

#include <stdexcept>

#include "apps/web/engine/fields.h"
#include "apps/web/engine/search.h"
#include "queries/ask/dot_question.h"
#include "queries/ask/search.h"
#include "queries/prove/property_case.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"

namespace mmaspec::web {
namespace {

constexpr double kBuildSeconds = 20;
constexpr double kShrinkSeconds = 4;

Subject subject_of(const Json& request, const Property& property) {
  const std::vector<std::string> names = texts_of(request, "names");
  const std::size_t wanted = property.of_two() ? 2 : 1;
  if (names.size() < wanted) {
    throw std::invalid_argument(property.name() + " is a property of " +
                                (wanted == 1 ? "one unit" : "two units"));
  }
  Subject subject = mmaspec::subject_of(find(names[0]),
                                        wanted == 2 ? std::optional(find(names[1])) : std::nullopt);
  subject.within = integer_of(request, "within", 1, kMostProducts, 0);
  const std::string bound = text_of(request, "bound");
  const bool has_number = !property.parameters(subject).empty();
  if (has_number && bound.empty()) {
    throw std::invalid_argument(property.name() + " needs a bound");
  }
  if (has_number) subject.parameter = parse_rational(bound);
  const std::string reason = property.not_applicable(subject);
  if (!reason.empty())
    throw std::invalid_argument(property.name() + " is not applicable: " + reason);
  return subject;
}

/// A property, its subject, and the condition.
struct Asked {
  explicit Asked(const Json& request)
      : property(find_property(text_of(request, "property"))),
        subject(subject_of(request, property)),
        where(conditions_of(request)) {
    options.where = condition_of(where);
    // For inputs that satisfy a condition the reduced form is weaker.
    if (options.where && property.under_condition().reduces) subject.form = Form::whole;
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  const Property& property;
  Subject subject;
  Where where;
  ProveOptions options;
};

Json reply_of(const Asked& asked, PropertyCase& c, int which, const InputValues& inputs) {
  const DotFormats& formats = asked.subject.formats();
  Json reply{{"found", to_json(formats, dot_values(c.graph(), formats, inputs))},
             {"case", asked.property.case_name(asked.subject, which)}};
  Json extras = Json::object();
  for (const Extra& e : asked.property.extras(asked.subject)) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto& name = c.graph().input_name(c.graph().inputs()[i]);
      if (name == e.name) extras[e.name] = "0x" + to_hex(inputs[i]);
    }
  }
  reply["extras"] = std::move(extras);
  Json runs = Json::array();
  for (const WitnessRun& run : c.witness(inputs)) {
    const DotFormats& f = run.instruction.formats;
    Json object = to_json(f, run.values);
    object["label"] = run.label;
    object["name"] = run.instruction.name();
    object["d"] = to_json(*f.d, run.d);
    runs.push_back(std::move(object));
  }
  reply["runs"] = std::move(runs);
  return reply;
}

class PropertySession final : public Session {
 public:
  explicit PropertySession(const Json& request)
      : asked_(request), seed_(static_cast<unsigned>(integer_of(request, "seed", 0, 1 << 30, 0))) {
    for (int i = 0; i < asked_.property.cases(asked_.subject); ++i) open_.push_back(i);
    cases_ = open_.size();
  }

  /// Searches one case after another, with other inputs in each round.
  Json go_on(std::size_t work) override {
    while (!open_.empty() && next_ < open_.size()) {
      const int which = open_[next_];
      const BuildBy bound(Deadline::in(kBuildSeconds));
      PropertyCase c(asked_.property, asked_.subject, asked_.options, which);
      if (c.is_one_expression()) {
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(next_));
        continue;
      }
      const Question question = c.question();
      Search search(question, seed_ + round_);
      auto found = search.run(work);
      tried_ += search.tried();
      advance();
      if (!found || !c.is_witness(*found)) break;
      const InputValues simple = c.simplified(std::move(*found), Deadline::in(kShrinkSeconds), {});
      Json reply = reply_of(asked_, c, which, simple);
      reply["tried"] = tried_;
      return reply;
    }
    if (next_ >= open_.size()) next_ = 0;
    return {{"tried", tried_}, {"cases", cases_}, {"one_expression", open_.empty()}};
  }

 private:
  void advance() {
    if (++next_ < open_.size()) return;
    next_ = 0;
    ++round_;
  }

  Asked asked_;
  unsigned seed_;
  std::vector<int> open_;  ///< indices of cases that are not one expression
  std::size_t cases_ = 0;
  std::size_t next_ = 0;
  unsigned round_ = 0;
  std::size_t tried_ = 0;
};

}  // namespace

Json begin_property(const Json& request) {
  begin(std::make_unique<PropertySession>(request));
  return Json::object();
}

Json check_property(const Json& request) {
  Asked asked(request);
  const DotValues values = values_of(request, asked.subject.formats());
  std::map<std::string, Integer> extras;
  for (const Extra& e : asked.property.extras(asked.subject)) {
    const auto at = request.find("extras");
    const std::string text = at == request.end() ? "" : text_of(*at, e.name.c_str(), "0x0");
    if (!text.starts_with("0x") || text.size() < 3 || text.size() > 34 ||
        text.find_first_not_of("0123456789abcdefABCDEF", 2) != std::string::npos) {
      throw std::invalid_argument(e.name + ": '" + text.substr(0, 40) + "' is not a bit pattern");
    }
    extras[e.name] = Integer(text);
    if (bit_length(extras[e.name]) > e.bits) {
      throw std::invalid_argument(e.name + ": " + text + " has more than " +
                                  std::to_string(e.bits) + " bits");
    }
  }
  const BuildBy bound(Deadline::in(kBuildSeconds));
  // A violation of the reduced form is one of the property, for every condition.
  for (const Form form : {Form::reduced, Form::whole}) {
    asked.subject.form = form;
    for (int i = 0; i < asked.property.cases(asked.subject); ++i) {
      PropertyCase c(asked.property, asked.subject, asked.options, i);
      const InputValues inputs = input_values(c.graph(), values, extras);
      if (!c.is_witness(inputs)) continue;
      Json reply = reply_of(asked, c, i, inputs);
      reply["violated"] = true;
      return reply;
    }
  }
  return {{"violated", false}};
}

}  // namespace mmaspec::web

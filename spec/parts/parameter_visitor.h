#pragma once
/// The parameters of a design, described once for printing, parsing and documentation.
///
/// Each design has `describe(design, formats, visitor)`, which destructures the struct completely,
/// so that a new member does not compile until it has a key, a range and a meaning.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/parts/parameter_text.h"
#include "spec/parts/terms.h"

namespace mmaspec {

/// A parameter's key in `design:`, and its meaning.
struct ParameterName {
  std::string key;
  std::string meaning;
  bool required = false;  ///< `design:` must give it; otherwise its default is the struct's
  bool shown = true;      ///< whether the given design shows it: parameters without effect are
                          ///< hidden
};

/// Receives the description of each parameter. The references are members of the design: a parser
/// sets them.
class ParameterVisitor {
 public:
  virtual ~ParameterVisitor() = default;

  virtual void integer(const ParameterName& name, int& value, int low, int high) = 0;
  virtual void integer_or_none(const ParameterName& name, std::optional<int>& value, int low,
                               int high) = 0;
  virtual void yes_no(const ParameterName& name, bool& value) = 0;
  /// A list of integers, `768x5:256`: 768 five times, then 256. Not given: empty.
  virtual void integers(const ParameterName& name, std::vector<int>& values, int low, int high) = 0;
  /// A text; `allowed`: a description of its form.
  virtual void text(const ParameterName& name, std::string& value, const std::string& allowed) = 0;
  /// An integer that divides `whole`; if not given: `whole`.
  virtual void divisor(const ParameterName& name, int& value, int whole) = 0;
  /// A number of a format, as its pattern.
  virtual void number(const ParameterName& name, Integer& pattern, const Format& format) = 0;
  /// Number of fraction bits of the result that are kept; if not given: all of its format's.
  virtual void kept_bits(const ParameterName& name, ResultFormat& result) = 0;
  /// A condition beyond the parameters' own ranges; `otherwise` is the error message.
  virtual void require(const std::function<bool()>& holds, const std::string& otherwise) = 0;

  /// One of `choices`, by their texts.
  template <typename T>
  void one_of(const ParameterName& name, T& value, const std::vector<T>& choices) {
    std::vector<std::string> words;
    for (const T choice : choices) words.push_back(to_string(choice));
    const auto at = std::find(choices.begin(), choices.end(), value);
    std::size_t index = static_cast<std::size_t>(at - choices.begin());
    word(name, index, words);
    value = choices.at(index);
  }

 private:
  /// `index`: the selected word.
  virtual void word(const ParameterName& name, std::size_t& index,
                    const std::vector<std::string>& words) = 0;
};

/// zero_terms and zero_exponent, which does not have an effect if zeros are left out.
void describe_zero_terms(ZeroTerms& zero_terms, int& zero_exponent, const std::string& meaning,
                         ParameterVisitor& visit);
/// round, kept_bits, underflow, overflow. A result without a format gets `otherwise`.
void describe_result(ResultFormat& result, const Format* otherwise, ParameterVisitor& visit);

/// The values that `design:` accepts for one parameter.
struct ParameterHelp {
  std::string key;
  std::string allowed;        ///< such as "0 to 600"
  std::string default_value;  ///< empty: it is required
  std::string meaning;
};

/// A reference to a call of a design's describe(), which must outlive it. It replaces
/// std::function, which would be instantiated for each kind of design.
class Describe {
 public:
  template <typename Call>
  Describe(const Call& call)  // NOLINT(google-explicit-constructor)
      : call_(&call), run_([](const void* what, ParameterVisitor& visit) {
          (*static_cast<const Call*>(what))(visit);
        }) {}
  void operator()(ParameterVisitor& visit) const { run_(call_, visit); }

 private:
  const void* call_;
  void (*run_)(const void*, ParameterVisitor&);
};

/// Keys, values and meanings as text.
std::vector<Parameter> print_parameters(const Describe& describe);
/// Sets every member to its given value, or to its default. Throws std::invalid_argument.
void read_parameters(ParameterReader& reader, const Describe& describe);
std::vector<ParameterHelp> document_parameters(const Describe& describe);

template <typename Design>
std::vector<Parameter> parameters(const Design& design) {
  Design copy = design;
  return print_parameters([&](ParameterVisitor& visit) { describe(copy, DotFormats{}, visit); });
}

template <typename Design>
Design read_design(ParameterReader& reader, const DotFormats& formats) {
  Design design{};
  read_parameters(reader, [&](ParameterVisitor& visit) { describe(design, formats, visit); });
  return design;
}

/// The help for a design of these formats.
template <typename Design>
std::vector<ParameterHelp> parameter_help(const DotFormats& formats) {
  Design design{};
  return document_parameters([&](ParameterVisitor& visit) { describe(design, formats, visit); });
}

}  // namespace mmaspec

#include "spec/parts/parameter_visitor.h"

#include <stdexcept>

#include "spec/formats/text.h"

namespace mmaspec {
namespace {

std::string number_or_none(const std::optional<int>& value) {
  return value ? std::to_string(*value) : "none";
}

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

std::string range_text(int low, int high) {
  return std::to_string(low) + " to " + std::to_string(high);
}

class Printer : public ParameterVisitor {
 public:
  std::vector<Parameter> all;

  void integer(const ParameterName& name, int& value, int, int) override {
    add(name, std::to_string(value));
  }
  void integer_or_none(const ParameterName& name, std::optional<int>& value, int, int) override {
    add(name, number_or_none(value));
  }
  void yes_no(const ParameterName& name, bool& value) override { add(name, value ? "yes" : "no"); }
  void integers(const ParameterName& name, std::vector<int>& values, int, int) override {
    add(name, to_string(values));
  }
  void text(const ParameterName& name, std::string& value, const std::string&) override {
    add(name, value);
  }
  void divisor(const ParameterName& name, int& value, int) override {
    add(name, std::to_string(value));
  }
  void number(const ParameterName& name, Integer& pattern, const Format& format) override {
    add(name, to_hex_float(format, pattern));
  }
  void kept_bits(const ParameterName& name, ResultFormat& result) override {
    add(name, std::to_string(result.fraction_bits()));
  }
  void require(const std::function<bool()>&, const std::string&) override {}

 private:
  void word(const ParameterName& name, std::size_t& index,
            const std::vector<std::string>& words) override {
    add(name, words[index]);
  }
  void add(const ParameterName& name, std::string value) {
    if (name.shown) all.push_back({name.key, std::move(value), name.meaning});
  }
};

class Assignment : public ParameterVisitor {
 public:
  explicit Assignment(ParameterReader& reader) : reader_(reader) {}

  void integer(const ParameterName& name, int& value, int low, int high) override {
    value = reader_.integer(name.key, low, high,
                            name.required ? std::nullopt : std::optional<int>(value));
  }
  void integer_or_none(const ParameterName& name, std::optional<int>& value, int low,
                       int high) override {
    value = reader_.integer_or_none(name.key, low, high, value);
  }
  void yes_no(const ParameterName& name, bool& value) override {
    value = reader_.yes_no(name.key, value);
  }
  void integers(const ParameterName& name, std::vector<int>& values, int low, int high) override {
    values = reader_.integers(name.key, low, high);
  }
  void text(const ParameterName& name, std::string& value, const std::string&) override {
    value = reader_.text(name.key, name.required ? std::nullopt : std::optional(value));
  }
  void divisor(const ParameterName& name, int& value, int whole) override {
    value = reader_.integer(name.key, 1, whole, whole);
    if (whole % value != 0) {
      throw std::invalid_argument(name.key + "=" + std::to_string(value) +
                                  ": does not divide k=" + std::to_string(whole));
    }
  }
  void number(const ParameterName& name, Integer& pattern, const Format& format) override {
    pattern = reader_.number(name.key, format, pattern);
  }
  void kept_bits(const ParameterName& name, ResultFormat& result) override {
    const int all = result.format->fraction_bits;
    result.kept_fraction_bits = reader_.integer(name.key, 0, all, all);
  }
  void require(const std::function<bool()>& holds, const std::string& otherwise) override {
    if (!holds()) throw std::invalid_argument(otherwise);
  }

 private:
  void word(const ParameterName& name, std::size_t& index,
            const std::vector<std::string>& words) override {
    index = reader_.choice(name.key, words, index);
  }

  ParameterReader& reader_;
};

class Documentation : public ParameterVisitor {
 public:
  std::vector<ParameterHelp> all;

  void integer(const ParameterName& name, int& value, int low, int high) override {
    add(name, range_text(low, high), std::to_string(value));
  }
  void integer_or_none(const ParameterName& name, std::optional<int>& value, int low,
                       int high) override {
    add(name, "none, " + range_text(low, high), number_or_none(value));
  }
  void yes_no(const ParameterName& name, bool& value) override {
    add(name, "yes, no", value ? "yes" : "no");
  }
  void integers(const ParameterName& name, std::vector<int>&, int low, int high) override {
    add(name, "integers, such as 768x5:256, each " + range_text(low, high), "none");
  }
  void text(const ParameterName& name, std::string& value, const std::string& allowed) override {
    add(name, allowed, value);
  }
  void divisor(const ParameterName& name, int& value, int whole) override {
    value = whole;
    add(name, "a divisor of k", "k");
  }
  void number(const ParameterName& name, Integer& pattern, const Format& format) override {
    add(name, "a number of " + std::string(format.name), to_hex_float(format, pattern));
  }
  void kept_bits(const ParameterName& name, ResultFormat&) override {
    add(name, "0 to d's fraction bits", "all");
  }
  void require(const std::function<bool()>&, const std::string&) override {}

 private:
  void word(const ParameterName& name, std::size_t& index,
            const std::vector<std::string>& words) override {
    add(name, joined(words), words[index]);
  }
  void add(const ParameterName& name, std::string allowed, std::string default_value) {
    all.push_back({name.key, std::move(allowed), name.required ? "" : std::move(default_value),
                   name.meaning});
  }
};

}  // namespace

void describe_zero_terms(ZeroTerms& zero_terms, int& zero_exponent, const std::string& meaning,
                         ParameterVisitor& visit) {
  visit.one_of<ZeroTerms>({"zero_terms", meaning}, zero_terms,
                          {ZeroTerms::left_out, ZeroTerms::operands_count});
  visit.integer({.key = "zero_exponent",
                 .meaning = "the exponent of a zero operand",
                 .shown = zero_terms == ZeroTerms::operands_count},
                zero_exponent, -5000, 5000);
}

void describe_result(ResultFormat& result, const Format* otherwise, ParameterVisitor& visit) {
  auto& [format, rounding, underflow, overflow, kept_fraction_bits] = result;
  if (format == nullptr) format = otherwise;
  visit.one_of<Rounding>({"round", "rounding of the result"}, rounding,
                         {Rounding::toward_zero, Rounding::nearest_even, Rounding::down,
                          Rounding::up, Rounding::nearest_away, Rounding::to_odd});
  visit.kept_bits({"kept_bits", "fraction bits that the result keeps"}, result);
  visit.one_of<Underflow>({"underflow", "results below the least normal number"}, underflow,
                          {Underflow::gradual, Underflow::flush, Underflow::flush_tiny});
  visit.one_of<Overflow>({"overflow", "results beyond the largest number"}, overflow,
                         {Overflow::to_infinity, Overflow::directed, Overflow::saturate});
}

std::vector<Parameter> print_parameters(const Describe& describe) {
  Printer printer;
  describe(printer);
  return printer.all;
}

void read_parameters(ParameterReader& reader, const Describe& describe) {
  Assignment assignment(reader);
  describe(assignment);
}

std::vector<ParameterHelp> document_parameters(const Describe& describe) {
  Documentation documentation;
  describe(documentation);
  return documentation.all;
}

}  // namespace mmaspec

#include "spec/parts/parameters.h"

#include <charconv>
#include <stdexcept>

namespace mmaspec {

std::string to_string(Rounding rounding) {
  switch (rounding) {
    case Rounding::toward_zero:
      return "rz";
    case Rounding::nearest_even:
      return "rne";
    case Rounding::down:
      return "rd";
    case Rounding::up:
      return "ru";
    case Rounding::nearest_away:
      return "rna";
  }
  throw std::logic_error("no such rounding");
}

std::string to_string(Underflow underflow) {
  return underflow == Underflow::gradual ? "gradual" : "flush";
}

std::string to_string(Overflow overflow) {
  switch (overflow) {
    case Overflow::to_infinity:
      return "infinity";
    case Overflow::directed:
      return "directed";
    case Overflow::saturate:
      return "saturate";
  }
  throw std::logic_error("no such overflow");
}

std::string to_string(ZeroTerms zero_terms) {
  return zero_terms == ZeroTerms::left_out ? "left-out" : "operands-count";
}

std::optional<std::string> ParameterReader::text(const std::string& key) {
  read_.insert(key);
  const auto it = values_.find(key);
  return it == values_.end() ? std::nullopt : std::optional<std::string>(it->second);
}

void ParameterReader::refuse(const std::string& key, const std::string& given,
                             const std::string& allowed) {
  throw std::invalid_argument(key + "=" + given + ": expected " + allowed);
}

int ParameterReader::integer(const std::string& key, int low, int high,
                             std::optional<int> otherwise) {
  const auto given = text(key);
  if (!given) {
    if (!otherwise) throw std::invalid_argument("the parameter " + key + " is missing");
    return *otherwise;
  }
  int value = 0;
  const char* end = given->data() + given->size();
  const auto [rest, error] = std::from_chars(given->data(), end, value);
  if (error != std::errc() || rest != end || value < low || value > high) {
    refuse(key, *given, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

std::optional<int> ParameterReader::integer_or_none(const std::string& key, int low, int high) {
  const auto given = text(key);
  if (!given || *given == "none") return std::nullopt;
  return integer(key, low, high);
}

bool ParameterReader::yes_no(const std::string& key, bool otherwise) {
  const auto given = text(key);
  if (!given) return otherwise;
  if (*given != "yes" && *given != "no") refuse(key, *given, "yes or no");
  return *given == "yes";
}

const Format& ParameterReader::format(const std::string& key, const Format& otherwise) {
  const auto given = text(key);
  if (!given) return otherwise;
  const Format* format = find_format(*given);
  if (format == nullptr) {
    std::string all;
    for (const Format* f : all_formats()) all += (all.empty() ? "" : ", ") + std::string(f->name);
    refuse(key, *given, all);
  }
  return *format;
}

std::string ParameterReader::choice(const std::string& key,
                                    const std::vector<std::string>& choices) {
  const auto given = text(key);
  if (!given) return choices[0];
  std::string allowed;
  for (const std::string& c : choices) {
    if (c == *given) return c;
    allowed += (allowed.empty() ? "" : ", ") + c;
  }
  refuse(key, *given, allowed);
}

void ParameterReader::require_all_read() const {
  for (const auto& [key, value] : values_) {
    if (read_.contains(key)) continue;
    std::string known;
    for (const std::string& k : read_) known += (known.empty() ? "" : ", ") + k;
    throw std::invalid_argument("unknown parameter '" + key + "' (parameters: " + known + ")");
  }
}

ResultFormat read_result(ParameterReader& reader, const Format& format, Rounding otherwise) {
  ResultFormat result{&format};
  result.rounding = reader.one_of<Rounding>("round",
                                            {Rounding::toward_zero, Rounding::nearest_even,
                                             Rounding::down, Rounding::up, Rounding::nearest_away},
                                            otherwise);
  result.kept_fraction_bits =
      reader.integer("kept_bits", 0, format.fraction_bits, format.fraction_bits);
  result.underflow = reader.one_of<Underflow>("underflow", {Underflow::gradual, Underflow::flush},
                                              Underflow::gradual);
  result.overflow = reader.one_of<Overflow>(
      "overflow", {Overflow::to_infinity, Overflow::directed, Overflow::saturate},
      Overflow::to_infinity);
  return result;
}

int read_divisor(ParameterReader& reader, const std::string& key, int k) {
  const int value = reader.integer(key, 1, k, k);
  if (k % value != 0) {
    throw std::invalid_argument(key + "=" + std::to_string(value) +
                                ": does not divide k=" + std::to_string(k));
  }
  return value;
}

void append_zero_terms(ZeroTerms zero_terms, int zero_exponent, std::string meaning,
                       std::vector<Parameter>& parameters) {
  parameters.push_back({"zero_terms", to_string(zero_terms), std::move(meaning)});
  if (zero_terms == ZeroTerms::operands_count) {
    parameters.push_back(
        {"zero_exponent", std::to_string(zero_exponent), "the exponent of a zero operand"});
  }
}

void append_result_parameters(const ResultFormat& result, std::vector<Parameter>& parameters) {
  parameters.push_back({"round", to_string(result.rounding), "rounding of the result"});
  parameters.push_back(
      {"kept_bits", std::to_string(result.fraction_bits()), "fraction bits of the result kept"});
  parameters.push_back(
      {"underflow", to_string(result.underflow), "results below the least normal number"});
  parameters.push_back(
      {"overflow", to_string(result.overflow), "results beyond the largest number"});
}

}  // namespace mmaspec

#include "spec/parts/parameter_text.h"

#include <charconv>
#include <stdexcept>

#include "spec/formats/fixed_point.h"
#include "spec/formats/text.h"
#include "spec/parts/spelling.h"

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
    case Rounding::to_odd:
      return "rto";
  }
  throw std::logic_error("no such rounding");
}

std::string to_string(Underflow underflow) {
  switch (underflow) {
    case Underflow::gradual:
      return "gradual";
    case Underflow::flush:
      return "flush";
    case Underflow::flush_tiny:
      return "flush-tiny";
  }
  throw std::logic_error("no such underflow");
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

std::string to_string(const std::vector<int>& integers) {
  std::string text;
  for (std::size_t i = 0; i < integers.size();) {
    std::size_t end = i + 1;
    while (end < integers.size() && integers[end] == integers[i]) ++end;
    text += (i == 0 ? "" : ":") + std::to_string(integers[i]);
    if (end > i + 1) text += "x" + std::to_string(end - i);
    i = end;
  }
  return text;
}

std::optional<std::string> ParameterReader::given(const std::string& key) {
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
  const auto given = this->given(key);
  if (!given) {
    if (!otherwise) missing_.push_back(key);
    return otherwise.value_or(low);
  }
  int value = 0;
  const char* end = given->data() + given->size();
  const auto [rest, error] = std::from_chars(given->data(), end, value);
  if (error != std::errc() || rest != end || value < low || value > high) {
    refuse(key, *given, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

std::optional<int> ParameterReader::integer_or_none(const std::string& key, int low, int high,
                                                    std::optional<int> otherwise) {
  const auto given = this->given(key);
  if (!given) return otherwise;
  if (*given == "none") return std::nullopt;
  return integer(key, low, high);
}

bool ParameterReader::yes_no(const std::string& key, bool otherwise) {
  const auto given = this->given(key);
  if (!given) return otherwise;
  if (*given != "yes" && *given != "no") refuse(key, *given, "yes or no");
  return *given == "yes";
}

std::string ParameterReader::text(const std::string& key,
                                  const std::optional<std::string>& otherwise) {
  const auto given = this->given(key);
  if (!given && !otherwise) missing_.push_back(key);
  return given ? *given : otherwise.value_or("");
}

std::vector<int> ParameterReader::integers(const std::string& key, int low, int high) {
  constexpr int kMost = 1024;
  const auto given = this->given(key);
  std::vector<int> all;
  if (!given) return all;
  const std::string allowed = "integers from " + std::to_string(low) + " to " +
                              std::to_string(high) + ", at most " + std::to_string(kMost) +
                              ", such as 768x5:256";
  const char* at = given->data();
  const char* const end = at + given->size();
  const auto read = [&](int least, int most) {
    int value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < least || value > most) refuse(key, *given, allowed);
    at = rest;
    return value;
  };
  for (;;) {
    const int value = read(low, high);
    int count = 1;
    if (at != end && *at == 'x') {
      ++at;
      count = read(1, kMost);
    }
    if (static_cast<int>(all.size()) + count > kMost) refuse(key, *given, allowed);
    all.insert(all.end(), static_cast<std::size_t>(count), value);
    if (at == end) return all;
    if (*at++ != ':') refuse(key, *given, allowed);
  }
}

const Format& ParameterReader::format(const std::string& key, const Format& otherwise) {
  const auto given = this->given(key);
  if (!given) return otherwise;
  const Format* format = find_format(*given);
  if (format == nullptr) {
    if (given->starts_with("fixed:")) {
      refuse(key, *given,
             "fixed:I.F with at least 1 integer bit (the sign) and 2 to " +
                 std::to_string(kMostFixedPointBits) + " bits in all");
    }
    std::string all;
    for (const Format* f : all_formats()) all += (all.empty() ? "" : ", ") + std::string(f->name);
    refuse(key, *given, all);
  }
  return *format;
}

Integer ParameterReader::number(const std::string& key, const Format& format,
                                const Integer& otherwise) {
  const auto given = this->given(key);
  if (!given) return otherwise;
  try {
    return parse_pattern_of(format, *given);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(key + ": " + error.what());
  }
}

std::size_t ParameterReader::choice(const std::string& key, const std::vector<std::string>& words,
                                    std::size_t otherwise) {
  const auto given = this->given(key);
  if (!given) return otherwise;
  std::string allowed;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == *given) return i;
    allowed += (allowed.empty() ? "" : ", ") + words[i];
  }
  refuse(key, *given, allowed);
}

void ParameterReader::require_all_read() const {
  for (const auto& [key, value] : values_) {
    if (read_.contains(key)) continue;
    const std::vector<std::string> parameters(read_.begin(), read_.end());
    const std::string near = nearest(key, parameters);
    std::string known;
    for (const std::string& k : parameters) known += (known.empty() ? "" : ", ") + k;
    throw std::invalid_argument("unknown parameter '" + key + "'" +
                                (near.empty() ? "" : "; did you mean '" + near + "'?") +
                                " (parameters: " + known + ")");
  }
  explain_missing();
}

void ParameterReader::explain_missing() const {
  if (missing_.empty()) return;
  // An unread key may be a misspelling of it.
  std::vector<std::string> unread;
  for (const auto& [key, value] : values_) {
    if (!read_.contains(key)) unread.push_back(key);
  }
  const std::string near = nearest(missing_.front(), unread);
  throw std::invalid_argument(near.empty() ? "the parameter " + missing_.front() + " is missing"
                                           : "unknown parameter '" + near + "'; did you mean '" +
                                                 missing_.front() + "'?");
}

}  // namespace mmaspec

#include "concrete/rows/csv.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "spec/conversions/conversions.h"
#include "spec/formats/nearest.h"
#include "spec/formats/text.h"
#include "util/counted.h"

namespace mmaspec {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr int kLargestIndex = 1 << 16;

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"') {
        cells.back() += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  if (quoted) throw std::invalid_argument("a quoted cell is not terminated");
  for (std::string& cell : cells) cell = trimmed(cell);
  return cells;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    if (end > start) words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

/// Whether the text consists only of the hexadecimal digits of a pattern of the format.
bool may_be_bits(const Format& format, const std::string& text) {
  return text.size() == static_cast<std::size_t>(format.hex_digits()) &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
}

std::string number_text(const Format& format, const Integer& pattern) {
  const Decoded x = decode(format, pattern);
  if (x.is_nan) return "0x" + to_hex(pattern, static_cast<unsigned>(format.hex_digits()));
  const std::string text = to_decimal(format, pattern);
  if (!may_be_bits(format, text)) return text;
  return format.is_integer() ? "+" + text : text + ".0";  // a text that parses as a decimal
}

}  // namespace

bool CsvRows::is_header(std::string_view line) {
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  const bool is_text = std::all_of(line.begin(), line.end(),
                                   [](char c) { return (c >= ' ' && c <= '~') || c == '\r'; });
  const std::size_t first = line.find_first_not_of(' ');
  return is_text && first != std::string_view::npos && line[first] != '{' &&
         line.find(',') != std::string_view::npos;
}

CsvRows::CsvRows(std::string_view header, std::string as, CsvNumbers numbers)
    : numbers_(numbers), as_(std::move(as)) {
  if (header.starts_with(kByteOrderMark)) header.remove_prefix(kByteOrderMark.size());
  std::set<std::string> seen;
  for (const std::string& cell : cells_of(header)) {
    const std::size_t digits = cell.find_first_of("0123456789[");
    Column column{cell.substr(0, digits), -1};
    if (digits != std::string::npos) {
      std::string number = cell.substr(digits);
      if (number.starts_with('[') && number.ends_with(']')) {
        number = number.substr(1, number.size() - 2);
      }
      const bool is_number = !number.empty() && number.size() < 7 &&
                             number.find_first_not_of("0123456789") == std::string::npos;
      column.index = is_number ? std::stoi(number) : kLargestIndex + 1;
    }
    const bool of_many =
        column.name == "a" || column.name == "b" || column.name == "sa" || column.name == "sb";
    const bool of_one = column.name == "c" || column.name == "d" || column.name == "instr";
    if (column.index > kLargestIndex || !(of_many || (of_one && column.index < 0))) {
      throw std::invalid_argument(
          "the column '" + cell.substr(0, 60) +
          "' is not a column of rows (instr, a0, ..., b0, ..., sa0, ..., sb0, ..., c, d)");
    }
    if (!seen.insert(column.name + "[" + std::to_string(column.index) + "]").second) {
      throw std::invalid_argument("the column '" + cell + "' appears twice");
    }
    columns_.push_back(std::move(column));
  }
  if (as_.empty() && !seen.contains("instr[-1]")) {
    throw std::invalid_argument(
        "the table does not name an instruction: add a column instr, or use --as NAME");
  }
}

Integer CsvRows::parse_cell(const std::string& column, const Format& format,
                            const std::string& text) {
  Cells& cells = cells_[column];
  if (cells.first.empty()) cells.first = text;
  const bool is_bits = may_be_bits(format, text);
  cells.may_be_bits = cells.may_be_bits && is_bits;
  const bool is_marked = text.starts_with("0x") || text.starts_with("0X");
  try {
    if (numbers_ == CsvNumbers::hex && !is_marked) return parse_bits(format, text);
    return parse_nearest_pattern_of(format, text);
  } catch (const std::invalid_argument& error) {
    const bool has_letters = is_bits && text.find_first_not_of("0123456789") != std::string::npos;
    throw std::invalid_argument("column " + column + ": " + error.what() +
                                (has_letters ? " (--hex reads bit patterns without 0x)" : ""));
  }
}

void CsvRows::finish() const {
  if (numbers_ != CsvNumbers::unsaid) return;
  for (const auto& [column, cells] : cells_) {
    if (!cells.may_be_bits || cells.first.empty()) continue;
    throw std::invalid_argument("every value of column " + column + ", such as " + cells.first +
                                ", can be a bit pattern or a decimal: use --hex or --decimal");
  }
}

VectorRow CsvRows::parse(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  if (cells.size() != columns_.size()) {
    throw std::invalid_argument(std::to_string(cells.size()) + " cells, expected " +
                                std::to_string(columns_.size()));
  }
  VectorRow row;
  row.instruction = as_;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (columns_[i].name == "instr" && as_.empty()) row.instruction = cells[i];
  }
  auto known = formats_.find(row.instruction);
  if (known == formats_.end()) {
    known = formats_.emplace(row.instruction, find_with_conversions(row.instruction).formats).first;
  }
  const DotFormats& f = known->second;
  row.values.a.assign(static_cast<std::size_t>(f.k), parse_pattern_of(*f.a, "0"));
  row.values.b.assign(static_cast<std::size_t>(f.k), parse_pattern_of(*f.b, "0"));
  if (f.scale != nullptr) {
    const Integer one = parse_pattern_of(*f.scale, "1");
    row.values.scale_a.assign(static_cast<std::size_t>(f.scales()), one);
    row.values.scale_b.assign(static_cast<std::size_t>(f.scales()), one);
  }
  const auto set = [&](const std::string& name, std::vector<Integer>& all, const Format* format,
                       std::size_t index, const std::string& text) {
    if (index >= all.size()) {
      throw std::invalid_argument("column " + name + ": " + row.instruction + " has " +
                                  counted(all.size(), "value"));
    }
    if (!text.empty()) all[index] = parse_cell(name, *format, text);
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& [name, index] = columns_[i];
    if (name == "c") {
      if (!cells[i].empty()) row.values.c = parse_cell(name, *f.c, cells[i]);
    } else if (name == "d") {
      if (!cells[i].empty()) row.d = parse_cell(name, *f.d, cells[i]);
    } else if (name != "instr") {
      std::vector<Integer>& all = name == "a"    ? row.values.a
                                  : name == "b"  ? row.values.b
                                  : name == "sa" ? row.values.scale_a
                                                 : row.values.scale_b;
      const Format* format = name == "a" ? f.a : name == "b" ? f.b : f.scale;
      const std::vector<std::string> words =
          index < 0 ? words_of(cells[i]) : std::vector<std::string>{cells[i]};
      const std::size_t first = index < 0 ? 0 : static_cast<std::size_t>(index);
      for (std::size_t w = 0; w < words.size(); ++w) set(name, all, format, first + w, words[w]);
    }
  }
  return row;
}

std::string csv_header(const DotFormats& f) {
  std::string text = "instr";
  const auto add = [&](const char* name, int count) {
    for (int i = 0; i < count; ++i) text += "," + std::string(name) + std::to_string(i);
  };
  add("a", f.k);
  add("b", f.k);
  add("sa", f.scales());
  add("sb", f.scales());
  return text + ",c,d";
}

std::string to_csv_line(const VectorRow& row, const DotFormats& f) {
  std::string text = csv_cell(row.instruction);
  const auto add = [&](const std::vector<Integer>& all, const Format* format) {
    for (const Integer& pattern : all) text += "," + number_text(*format, pattern);
  };
  add(row.values.a, f.a);
  add(row.values.b, f.b);
  add(row.values.scale_a, f.scale);
  add(row.values.scale_b, f.scale);
  text += "," + number_text(*f.c, row.values.c) + ",";
  return row.d ? text + number_text(*f.d, *row.d) : text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace mmaspec

#include "cli/options/csv_numbers.h"

#include <stdexcept>

#include "cli/parser.h"

namespace mmaspec::cli {

void CsvNumbersOption::add_to(Command& command) {
  command.add_flag("--hex", hex, "numbers of CSV files without 0x are bit patterns too");
  command.add_flag("--decimal", decimal,
                   "numbers of CSV files without 0x are decimals, even where all of them have the "
                   "digits of a bit pattern");
}

CsvNumbers CsvNumbersOption::value() const {
  if (hex && decimal) throw std::invalid_argument("--hex or --decimal, not both");
  return hex ? CsvNumbers::hex : decimal ? CsvNumbers::decimal : CsvNumbers::unsaid;
}

}  // namespace mmaspec::cli

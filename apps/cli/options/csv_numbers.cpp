#include "apps/cli/options/csv_numbers.h"

#include <stdexcept>

#include "apps/cli/parser.h"

namespace mmaspec::cli {

void CsvNumbersOption::add_to(Command& command) {
  command.add_flag("--hex", hex, "read numbers without 0x in CSV files as bit patterns too");
  command.add_flag("--decimal", decimal,
                   "read numbers without 0x in CSV files as decimals, even if all of them have as "
                   "many digits as a bit pattern");
}

CsvNumbers CsvNumbersOption::value() const {
  if (hex && decimal) throw std::invalid_argument("--hex and --decimal exclude each other");
  return hex ? CsvNumbers::hex : decimal ? CsvNumbers::decimal : CsvNumbers::unsaid;
}

}  // namespace mmaspec::cli

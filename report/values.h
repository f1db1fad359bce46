#pragma once
/// Bit patterns, operands, results and traces, as text and as JSON.

#include <string>
#include <vector>

#include "concrete/dot/trace.h"
#include "concrete/rows/row.h"
#include "util/json.h"

namespace mmaspec {

/// The document as text. Bytes that are not UTF-8 (in file names, in a solver's output) are
/// replaced.
std::string to_text(const Json& document, int indent = -1);

/// The text on one line, without control characters: a quoted user input can contain anything.
std::string one_line(std::string text);

/// A bit pattern with its values: `0x3c00  0x1p+0  1`.
std::string show_pattern(const Format& format, const Integer& pattern);

/// A result with the name of the unit that computed it.
struct ShownResult {
  std::string name;
  const Format* format;
  Integer pattern;
};
/// One line for each, as in show_pattern(), with aligned numbers.
std::string show_results(const std::vector<ShownResult>& results);

/// The nonzero products of a row, one per line, then the scale factors and c. If there are more
/// than 24 products: the 16 with the largest magnitudes and the number of the others, unless
/// `full`.
std::string show_inputs(const DotFormats& formats, const DotValues& values, bool full);

/// The algorithm's name in answers: for a user's algorithm only its name, without the fingerprint
/// (`#...`) of its graph.
std::string algorithm_label(const Instruction& instruction);

/// The members that describe an instruction's operands: k, a, b, c, d, scale, scale_block.
void add_formats(const DotFormats& formats, Json& object);

/// A trace as an array of objects.
Json json_of(const std::vector<TraceLine>& lines);

}  // namespace mmaspec

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
/// A line for each, as show_pattern() has it, with the numbers under each other.
std::string show_results(const std::vector<ShownResult>& results);

/// The products of a row that are not zero, a line each, then the scale factors and c. Of more than
/// 24 products the 16 of the largest magnitudes, and how many there are besides, unless `full`.
std::string show_inputs(const DotFormats& formats, const DotValues& values, bool full);

/// The algorithm as answers call it in words: of a user's own one the name alone, without the
/// fingerprint (`#...`) of what it computes.
std::string algorithm_label(const Instruction& instruction);

/// The members that describe an instruction's operands: k, a, b, c, d, scale, scale_block.
void add_formats(const DotFormats& formats, Json& object);

/// A trace as an array of objects.
Json json_of(const std::vector<TraceLine>& lines);

}  // namespace mmaspec

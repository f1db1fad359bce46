#pragma once
/// Progress lines in words that a user knows.

#include <string>

namespace mmaspec {

/// What the attempts of these names, with commas between them, do: `search, z3, cut, cvc5` becomes
/// "searching for a witness; asking z3, cvc5". Words that are none of their names stay.
std::string progress_in_words(const std::string& running);

}  // namespace mmaspec

#pragma once
/// Progress lines in words for users.

#include <string>

namespace mmaspec {

/// Describes running attempts, whose names are separated by commas: `search, z3, cut, cvc5` becomes
/// "searching for a witness; asking z3, cvc5". Unknown words are unchanged.
std::string progress_in_words(const std::string& running);

}  // namespace mmaspec

#pragma once
/// Which instruction a library runs for a type of product: what changes for those who write no
/// instructions, but call a library.

#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

struct LibraryChoice {
  /// What a caller of a library names: types of the factors and of the sum. One word for types that
  /// stand for each other on different machines (TF32 and XF32; OCP's and AMD's FP8).
  std::string_view product;
  std::string_view architecture;
  std::string_view mnemonic;
  std::string_view source;  ///< where the choice is to be seen
};

/// By product, then architecture; at most one for both. What is missing has no such instruction, or
/// nobody says which one a library takes.
const std::vector<LibraryChoice>& library_choices();

/// The choices for products that both have, in order. Architectures as architectures() has them.
std::vector<std::pair<LibraryChoice, LibraryChoice>> shared_choices(const std::string& first,
                                                                    const std::string& second);

}  // namespace mmaspec

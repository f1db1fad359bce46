#pragma once
/// Which instruction a library uses for a type of product. It describes what changes for users who
/// call a library and do not choose instructions.

#include <string>
#include <string_view>
#include <vector>

namespace mmaspec {

struct LibraryChoice {
  /// The types of the factors and of the sum, as a caller of a library names them. One word covers
  /// types that replace each other on different machines (TF32 and XF32; OCP's and AMD's FP8).
  std::string_view product;
  std::string_view architecture;
  std::string_view mnemonic;
  std::string_view source;  ///< the source that shows the choice
};

/// By product, then architecture; at most one for both. A missing entry means that there is no such
/// instruction, or that no source says which one a library uses.
const std::vector<LibraryChoice>& library_choices();

/// The choices for products that both architectures have, in order. Names of architectures are
/// those of architectures().
std::vector<std::pair<LibraryChoice, LibraryChoice>> shared_choices(const std::string& first,
                                                                    const std::string& second);

}  // namespace mmaspec

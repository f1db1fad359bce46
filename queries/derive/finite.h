#pragma once
/// What a text's conditions are where its operands belong to a class: no infinity, no NaN.

#include "queries/derive/lemmas.h"
#include "queries/derive/text.h"
#include "spec/formats/unpack.h"

namespace mmaspec {

/// The text with constants in the place of the conditions that solvers prove to be constant for
/// operands of the class.
Text within_class(const Text& text, InputClass inputs, Lemmas& lemmas);

}  // namespace mmaspec

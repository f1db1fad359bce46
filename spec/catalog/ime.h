#pragma once
/// Names of the matrix instructions of RISC-V's Integrated Matrix Extension, which give the choices
/// that its draft leaves to each implementation.

#include <optional>
#include <string>
#include <string_view>

#include "spec/catalog/parameter_sets.h"

namespace mmaspec {

/// v[w|q|8w]mmacc.D.A.B.lambdaL of integers, and
/// vf[w|q|8w]mmacc.D.A.B.lambdaL.gG.xct|frm|rto[.rne|rtz|rup|rmm]. nullopt: it is another mnemonic.
/// Throws std::invalid_argument.
std::optional<Instruction> ime_instruction(const std::string& mnemonic);

/// The formats and K of such a mnemonic. Throws std::invalid_argument.
DotFormats ime_formats(std::string_view mnemonic);

/// True for such mnemonics.
bool is_ime(std::string_view mnemonic);

}  // namespace mmaspec

#include "queries/studies/explain/space/scaled_plans.h"

#include <algorithm>
#include <numeric>

namespace mmaspec::explain {
namespace {

constexpr std::size_t kMostScaledParts = 16;

bool has_format(const std::vector<const Format*>& all, const Format& format) {
  return std::any_of(all.begin(), all.end(), [&](const Format* f) { return *f == format; });
}

/// Instructions with scale factors of the given formats, equal ones together.
std::vector<std::vector<Instruction>> scaled_instructions(
    const std::vector<Instruction>& instructions, const MatrixFormats& formats, std::size_t k,
    std::size_t block) {
  std::vector<std::vector<Instruction>> all;
  for (const Instruction& i : instructions) {
    const DotFormats& f = i.formats;
    if (f.scale == nullptr || !has_format(formats.scale, *f.scale)) continue;
    if (!has_format(formats.a, *f.a) || !has_format(formats.b, *f.b)) continue;
    const bool divides = block % static_cast<std::size_t>(f.scale_block) == 0 &&
                         k % static_cast<std::size_t>(f.k) == 0;
    if (!divides || !(*f.c == *f.d) || result_formats(*f.d, formats).empty()) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& others) {
      return others.front().formats == f && others.front().algorithm == i.algorithm;
    });
    if (same == all.end()) {
      all.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  return all;
}

/// What a plan is made of: an instruction, by its equal names, or promotions of its sums.
struct Piece {
  std::vector<std::string> names;
  std::size_t k;  ///< products of a step
  const Format* sums;
  std::string promotes = "";  ///< parameters of plan:promote; empty: there are none
  bool fma = true;            ///< of a promotion
};

/// The piece's chain of `k` products.
std::string chain_name(const Piece& piece, const std::string& name, std::size_t k) {
  const std::string length = ",k=" + std::to_string(k);
  if (!piece.promotes.empty()) return "promote(" + name + length + piece.promotes + ")";
  return k == piece.k ? name : "chain(" + name + length + ")";
}

/// Each block of products is summed by the unit, multiplied by both factors, and added.
std::vector<Piece> promoted_blocks(const std::vector<Instruction>& instructions,
                                   const MatrixFormats& formats, std::size_t block) {
  std::vector<Piece> all;
  if (!has_format(formats.scale, mmaspec::formats::f32)) return all;
  for (const PreparedUnit& unit : fitting_units(instructions, formats, Extent::usual)) {
    if (unit.converts() || !(*unit.unit->formats.d == mmaspec::formats::f32)) continue;
    for (const bool fma : {true, false}) {
      Piece piece{{},
                  block,
                  &mmaspec::formats::f32,
                  ",every=" + std::to_string(block) + ",scales=yes" + (fma ? "" : ",fma=no"),
                  fma};
      for (const auto& [name, k] : unit.unit->names) {
        if (block % static_cast<std::size_t>(k) == 0) piece.names.push_back(name);
      }
      if (!piece.names.empty()) all.push_back(std::move(piece));
    }
  }
  return all;
}

/// The orders in which the sums of this many parts can be added, without duplicates.
std::vector<const char*> reductions_of(std::size_t parts) {
  if (parts == 2) return {""};
  if (parts == 3) return {"", ",reduce=backward", ",reduce=halves"};
  return {"", ",reduce=backward", ",reduce=tree", ",reduce=halves"};
}

}  // namespace

std::vector<std::vector<std::string>> scaled_plans(const std::vector<Instruction>& instructions,
                                                   const MatrixFormats& formats, std::size_t k,
                                                   std::size_t block) {
  std::vector<Piece> pieces = promoted_blocks(instructions, formats, block);
  for (const auto& same : scaled_instructions(instructions, formats, k, block)) {
    Piece piece{{}, static_cast<std::size_t>(same.front().formats.k), same.front().formats.d};
    for (const Instruction& i : same) piece.names.push_back(i.name());
    pieces.push_back(std::move(piece));
  }
  std::vector<std::vector<std::string>> all;
  const std::string whole = ",k=" + std::to_string(k);
  // `around`: of a piece's name.
  const auto add = [&](const Piece& piece, const auto& around) {
    for (const Format* out : result_formats(*piece.sums, formats)) {
      std::vector<std::string> names;
      for (const std::string& name : piece.names) {
        std::string plan = around(name);
        if (!(*out == *piece.sums)) {
          plan = "epilogue(" + plan + whole + ",beta=0,out=" + std::string(out->name) + ")";
        }
        names.push_back(plan.find('(') == std::string::npos ? plan : "plan:" + plan);
      }
      all.push_back(std::move(names));
    }
  };
  for (const Piece& piece : pieces) {
    add(piece, [&](const std::string& name) { return chain_name(piece, name, k); });
  }
  for (std::size_t parts = 2; parts <= kMostScaledParts; ++parts) {
    for (const Piece& piece : pieces) {
      const std::size_t steps = k / piece.k;
      const std::size_t of_part = (steps + parts - 1) / parts;
      if (of_part * (parts - 1) >= steps) continue;
      const std::string part =
          of_part * parts == steps ? "" : ",part=" + std::to_string(of_part * piece.k);
      // A part of one block is a rounded product: with such parts, fma=no is the same, and a
      // sequence of rounded products is a promotion.
      const bool is_one_block = !piece.promotes.empty() && of_part == 1;
      if (is_one_block && !piece.fma) continue;
      const bool adds_blocks = is_one_block || (!piece.promotes.empty() && !piece.fma &&
                                                parts == 2 && of_part + 1 == steps);
      for (const char* reduce : reductions_of(parts)) {
        if (adds_blocks && *reduce == '\0') continue;
        add(piece, [&](const std::string& name) {
          return "split-k(" + chain_name(piece, name, piece.k) + whole +
                 ",parts=" + std::to_string(parts) + part + reduce + ")";
        });
      }
    }
  }
  return all;
}

}  // namespace mmaspec::explain

#include "queries/studies/matrix/matrix.h"

namespace mmaspec {

std::vector<NamedPair> Matrix::named(const DesignPair& pair) const {
  const MatrixDesign& first = designs[pair.first];
  const MatrixDesign& second = designs[pair.second];
  if (!by_name) return {{first.names[0], second.names[0], &first, &second}};
  std::vector<NamedPair> all;
  for (const std::string& x : first.names) {
    for (const std::string& y : second.names) all.push_back({x, y, &first, &second});
  }
  return all;
}

std::vector<NamedPair> Matrix::pairs_of_one_design() const {
  std::vector<NamedPair> all;
  if (!by_name || !has_one_design_pairs) return all;
  for (const MatrixDesign& d : designs) {
    for (std::size_t j = 1; j < d.names.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) all.push_back({d.names[i], d.names[j], &d, &d});
    }
  }
  return all;
}

Matrix matrix_of(const std::vector<Instruction>& instructions, bool by_name) {
  Matrix matrix;
  matrix.designs = merged_designs(instructions);
  matrix.units = units_of(matrix.designs);
  matrix.by_name = by_name;
  return matrix;
}

void keep_shard(Matrix& matrix, const Shard& shard) {
  std::vector<double> costs;
  for (const Unit& unit : matrix.units) costs.push_back(unit.cost);
  const std::vector<std::size_t> shard_of = share_out(costs, shard.count);
  std::vector<Unit> kept;
  for (std::size_t i = 0; i < matrix.units.size(); ++i) {
    if (shard_of[i] == shard.number) kept.push_back(std::move(matrix.units[i]));
  }
  matrix.units = std::move(kept);
  matrix.has_one_design_pairs = shard.number == 0;
}

}  // namespace mmaspec

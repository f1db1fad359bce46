#include <mmaspec/evaluate.h>

#include <map>

#include "api/core.h"
#include "concrete/dot/trace.h"

namespace mmaspec::v0 {

std::uint64_t evaluate(const Unit& unit, const DotProduct& operands) {
  return evaluate(unit, std::vector{operands}).front();
}

std::vector<std::uint64_t> evaluate(const Unit& unit, const std::vector<DotProduct>& all) {
  return translated([&] {
    std::vector<DotValues> values;
    for (const DotProduct& x : all) values.push_back(values_of(instruction_of(unit).formats, x));
    std::vector<const DotValues*> rows;
    for (const DotValues& v : values) rows.push_back(&v);
    std::vector<std::uint64_t> results;
    if (rows.empty()) return results;
    for (const Integer& d : UnitAccess::data(unit).run(rows)) results.push_back(pattern_of(d));
    return results;
  });
}

std::vector<Stage> trace(const Unit& unit, const DotProduct& operands) {
  return translated([&] {
    const Instruction& instruction = instruction_of(unit);
    std::vector<Stage> stages;
    for (const TraceLine& line :
         trace_lines(instruction, values_of(instruction.formats, operands))) {
      stages.push_back({line.stage, line.label, line.integer.str(), line.number});
    }
    return stages;
  });
}

void multiply(const Unit& unit, const std::vector<MatrixProduct>& products, int threads) {
  translated([&] {
    require_range("threads", threads, 0, kMostThreads);
    const DotFormats& formats = instruction_of(unit).formats;
    std::vector<CheckedOperands> operands;
    for (const MatrixProduct& p : products) operands.emplace_back(formats, p.operands);
    std::map<std::size_t, std::vector<MatrixTask>> tasks_by_k;
    for (std::size_t i = 0; i < products.size(); ++i) {
      const MatrixTask task{operands[i].operands(), span_of("d", *formats.d, products[i].d)};
      require_shapes(task, formats, true);
      tasks_by_k[operands[i].k()].push_back(task);
    }
    for (const auto& [k, tasks] : tasks_by_k)
      UnitAccess::data(unit).matrix_runner(k)->run(tasks, threads);
  });
}

}  // namespace mmaspec::v0

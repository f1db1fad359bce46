#include "tests/support/lang/term_values.h"

#include <stdexcept>
#include <unordered_map>

namespace mmaspec::lang_test {
namespace {

std::uint64_t ones(unsigned width) { return width >= 64 ? ~0ULL : (1ULL << width) - 1; }

std::int64_t as_signed(std::uint64_t x, unsigned width) {
  const std::uint64_t sign = 1ULL << (width - 1);
  return static_cast<std::int64_t>((x ^ sign) - sign);
}

}  // namespace

Column values_of(const BvTerms& terms, TermId root, const std::map<std::string, Column>& variables,
                 std::size_t rows) {
  std::unordered_map<TermId, Column> values;
  for (const TermId id : terms.cone({root})) {
    const BvTerm& term = terms[id];
    if (term.width > 64) throw std::invalid_argument("a word of more than 64 bits");
    const auto argument = [&](std::size_t i) -> const Column& { return values.at(term.args[i]); };
    const auto width = [&](std::size_t i) { return terms.width(term.args[i]); };
    Column column(rows);
    const auto each = [&](auto value) {
      for (std::size_t row = 0; row < rows; ++row) column[row] = value(row);
    };
    const auto binary = [&](auto operation) {
      const Column& x = argument(0);
      const Column& y = argument(1);
      each([&](std::size_t row) { return static_cast<std::uint64_t>(operation(x[row], y[row])); });
    };
    const auto both = [](std::uint64_t x, std::uint64_t y) { return x & y; };
    const auto either = [](std::uint64_t x, std::uint64_t y) { return x | y; };
    const auto one = [](std::uint64_t x, std::uint64_t y) { return x ^ y; };
    const std::uint64_t all = ones(term.width);
    switch (term.op) {
      case BvOp::bool_constant:
      case BvOp::constant:
        each([value = term.value.convert_to<std::uint64_t>()](std::size_t) { return value; });
        break;
      case BvOp::variable: {
        const auto found = variables.find(term.name);
        if (found == variables.end()) throw std::invalid_argument(term.name + " has no column");
        column = found->second;
        break;
      }
      case BvOp::bool_not:
        each([&x = argument(0)](std::size_t row) { return x[row] ^ 1U; });
        break;
      case BvOp::bool_and:
        each([&](std::size_t row) {
          std::uint64_t result = 1;
          for (std::size_t i = 0; i < term.args.size(); ++i) result &= argument(i)[row];
          return result;
        });
        break;
      case BvOp::bv_and:
        binary(both);
        break;
      case BvOp::bool_or:
      case BvOp::bv_or:
        binary(either);
        break;
      case BvOp::bool_xor:
      case BvOp::bv_xor:
        binary(one);
        break;
      case BvOp::eq:
        binary([](std::uint64_t x, std::uint64_t y) { return x == y; });
        break;
      case BvOp::ult:
        binary([](std::uint64_t x, std::uint64_t y) { return x < y; });
        break;
      case BvOp::slt:
        binary([w = width(0)](std::uint64_t x, std::uint64_t y) {
          return as_signed(x, w) < as_signed(y, w);
        });
        break;
      case BvOp::ite: {
        const Column& condition = argument(0);
        const Column& yes = argument(1);
        const Column& no = argument(2);
        each([&](std::size_t row) { return condition[row] != 0 ? yes[row] : no[row]; });
        break;
      }
      case BvOp::bv_not:
        each([&x = argument(0), all](std::size_t row) { return ~x[row] & all; });
        break;
      case BvOp::add:
        binary([all](std::uint64_t x, std::uint64_t y) { return (x + y) & all; });
        break;
      case BvOp::mul:
        binary([all](std::uint64_t x, std::uint64_t y) { return (x * y) & all; });
        break;
      case BvOp::concat:
        binary([w = width(1)](std::uint64_t x, std::uint64_t y) { return (x << w) | y; });
        break;
      case BvOp::extract:
        each([&x = argument(0), low = term.low, all](std::size_t row) {
          return (x[row] >> low) & all;
        });
        break;
      case BvOp::zero_extend:
        column = argument(0);
        break;
      case BvOp::sign_extend:
        each([&x = argument(0), w = width(0), all](std::size_t row) {
          return static_cast<std::uint64_t>(as_signed(x[row], w)) & all;
        });
        break;
    }
    values.emplace(id, std::move(column));
  }
  return std::move(values.at(root));
}

}  // namespace mmaspec::lang_test

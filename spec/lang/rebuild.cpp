#include "spec/lang/rebuild.h"

#include "spec/lang/int.h"

namespace mmaspec {

NodeId rebuild(const Node& n, const std::vector<NodeId>& args, const std::string& input_name) {
  const auto integer_arg = [&](std::size_t i) { return Int::of(args[i]); };
  const auto boolean_arg = [&](std::size_t i) { return Bool::of(args[i]); };
  const auto integers = [&] {
    std::vector<Int> all;
    for (std::size_t i = 0; i < args.size(); ++i) all.push_back(integer_arg(i));
    return all;
  };
  switch (n.op) {
    case Op::constant:
      return Int(n.value).id();
    case Op::input:
      return input(input_name, n.width).id();
    case Op::sum: {
      std::vector<Int> terms = integers();
      for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = terms[i] * n.coefficients[i];
      terms.emplace_back(n.value);
      return total(terms).id();
    }
    case Op::product: {
      Int x = integer_arg(0);
      for (std::size_t i = 1; i < args.size(); ++i) x = x * integer_arg(i);
      return x.id();
    }
    case Op::absolute:
      return abs(integer_arg(0)).id();
    case Op::negate_if:
      return negate_if(boolean_arg(0), integer_arg(1)).id();
    case Op::select:
      return select(boolean_arg(0), integer_arg(1), integer_arg(2)).id();
    case Op::minimum:
      return min(integers()).id();
    case Op::maximum:
      return max(integers()).id();
    case Op::shift_left:
      return shift_left(integer_arg(0), integer_arg(1)).id();
    case Op::floor_shift_right:
      return floor_shift_right(integer_arg(0), integer_arg(1)).id();
    case Op::bits:
      return bits(integer_arg(0), n.low, n.width).id();
    case Op::bit_length:
      return bit_length(integer_arg(0)).id();
    case Op::claim:
      return claim(integer_arg(0), n.range.low, n.range.high).id();
    case Op::boolean:
      return Bool(n.value != 0).id();
    case Op::less:
      return (integer_arg(0) < integer_arg(1)).id();
    case Op::equal:
      return (integer_arg(0) == integer_arg(1)).id();
    case Op::logical_not:
      return (!boolean_arg(0)).id();
    case Op::logical_and: {
      std::vector<Bool> all;
      for (std::size_t i = 0; i < args.size(); ++i) all.push_back(boolean_arg(i));
      return all_of(all).id();
    }
    case Op::logical_xor: {
      Bool x = boolean_arg(0);
      for (std::size_t i = 1; i < args.size(); ++i) x = x ^ boolean_arg(i);
      return x.id();
    }
  }
  throw std::logic_error("no such operation");
}

}  // namespace mmaspec

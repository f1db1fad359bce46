// Explains `--where`.

#include "apps/cli/where_help.h"

namespace mmaspec::cli {

std::string where_help() {
  return R"help(--where EXPR...: only inputs that satisfy all EXPR.

    expr       = expr "||" expr | expr "&&" expr | "!" expr | "(" expr ")"
               | ("all" | "any") "(" expr ")" | class | comparison
    class      = ("normal" | "subnormal" | "zero" | "finite" | "infinite" | "nan" | "negative")
                 "(" operand ")"
    comparison = value ("<" | "<=" | ">" | ">=" | "==" | "!=") value
    value      = ["-"] (operand | number) | "abs" "(" value ")" | "exponent" "(" operand ")"
    operand    = ("a" | "b" | "sa" | "sb") "[" (index | "*") "]" | "c" | "d"

a[k], b[k] and c are the operands, sa and sb are block scale factors, and d is the result. Numbers
are decimal or C99 hex floats, and exact.

- a[*] means every k. All * of one comparison or class have the same k. Inside all or any, all * of
  the whole expression have the same k, and the expression holds for every k or for some k.
- exponent(x) is floor(log2(|x|)) if x is not zero. The exponent of zero is less than every integer
  and every other exponent, and the exponent of an infinity is greater.
- A comparison with NaN is false, except !=.
- normal(x): x is not zero, not subnormal, and finite. An integer is normal if it is not zero.
- negative(x): the sign bit of x is set, also for zeros and NaNs. False if the format has no sign.

    'abs(a[*]) <= 1 && abs(b[*]) <= 1 && c == 0'
    'normal(a[0]) && exponent(c) >= 10'
    '!subnormal(d)'
    'all(zero(a[*]) || abs(a[*]) >= 0x1p-20) && any(subnormal(b[*]))'
)help";
}

}  // namespace mmaspec::cli

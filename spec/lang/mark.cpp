#include "spec/lang/int.h"

namespace mmaspec {

void mark(std::string_view label, Int x, MarkRole role) {
  Graph::current().add_mark({Graph::current().current_stage(), std::string(label), x.id(), role});
}

void mark(std::string_view label, Int significand, Int exponent, int offset, MarkRole role) {
  Graph::current().add_mark({Graph::current().current_stage(), std::string(label), significand.id(),
                             role, exponent.id(), offset});
}

}  // namespace mmaspec

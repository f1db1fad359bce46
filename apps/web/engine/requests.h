#pragma once
/// Requests from the page to the engine. Each request is an object, and so is its reply.
///
/// Every function throws std::invalid_argument with a one-line message for the user if the input is
/// invalid.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "util/json.h"

namespace mmaspec::web {

/// Instructions, formats, algorithms with their `design:` parameters, properties.
Json catalogue(const Json& request);

/// {name}: one design's parameters with their sources, its signature, `design:` text, variants.
Json describe(const Json& request);

/// {names, a, b, c, sa, sb, chain, match}: results, traces and rulers of designs on one input,
/// given in the first one's formats. A design that does not accept it, and an operand that is not a
/// number of its format, get an `error`; the other entries are not affected.
Json evaluate(const Json& request);

/// {ulp, abs, rel, inputs, where, chain, match, bound, within}: returns nothing if each given
/// member can be parsed. Their meaning for units is checked when a search starts.
Json check_fields(const Json& request);

/// {names, ulp, abs, rel, signed_zero, inputs, where, chain, match, seed}: starts a search for an
/// input on which the first two differ.
Json begin_difference(const Json& request);
/// The same with operands: a simpler input on which they still differ.
Json simplify(const Json& request);

/// {property, names, bound, within, where, seed}: starts a search for an input that violates it.
Json begin_property(const Json& request);
/// The same with operands and extras: whether they violate the property, and the evaluations.
Json check_property(const Json& request);

/// {work}: continues the search that was started last.
Json go_on(const Json& request);

/// {formats, rows}: which catalogued designs give the rows' results, what is not determined, and
/// inputs that distinguish the remaining designs.
Json identify(const Json& request);

/// {formats, rows, units, seconds}: the plans around these units that reproduce rows of any K.
Json explain_rows(const Json& request);

/// {name, count, seed}: random rows with results, as lines of the vector format.
Json random_rows(const Json& request);
/// {name, seconds}: dot products per second.
Json measure(const Json& request);

/// A search that the page can continue as often as it wants.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  virtual Json go_on(std::size_t work) = 0;
};
void begin(std::unique_ptr<Session> session);

}  // namespace mmaspec::web

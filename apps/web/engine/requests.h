#pragma once
/// What the page asks the engine: each request is an object, and so is its reply.
///
/// Every function throws std::invalid_argument, in one line for people, for what a user may have
/// typed wrongly.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "util/json.h"

namespace mmaspec::web {

/// Instructions, formats, algorithms with what `design:` takes, properties.
Json catalogue(const Json& request);

/// {name}: one design's parameters with their sources, its signature, `design:` text, variants.
Json describe(const Json& request);

/// {names, a, b, c, sa, sb, chain, match}: results, traces and rulers of designs on one input,
/// which is written in the first one's formats. A design that does not fit, and an operand that is
/// no number of its format, carry an `error` and leave the rest standing.
Json evaluate(const Json& request);

/// {ulp, abs, rel, inputs, where, chain, match, bound, within}: nothing, where each of them that is
/// given can be read; what it means for units is seen when these are searched.
Json check_fields(const Json& request);

/// {names, ulp, abs, rel, signed_zero, inputs, where, chain, match, seed}: begins a search for an
/// input on which the first two differ.
Json begin_difference(const Json& request);
/// The same and operands: a simpler input on which they differ so still.
Json simplify(const Json& request);

/// {property, names, bound, within, where, seed}: begins a search for an input that violates it.
Json begin_property(const Json& request);
/// The same and operands and extras: whether they violate the property, and the runs.
Json check_property(const Json& request);

/// {work}: goes on with the search that was begun last.
Json go_on(const Json& request);

/// {formats, rows}: which catalogued designs give the rows' results, what is left open, and inputs
/// that tell the rest apart.
Json identify(const Json& request);

/// {formats, rows, units, seconds}: the plans around these units that reproduce rows of any K.
Json explain_rows(const Json& request);

/// {name, count, seed}: random rows with results, a line of the vector format each.
Json random_rows(const Json& request);
/// {name, seconds}: dot products a second.
Json measure(const Json& request);

/// A search that the page goes on with as long as it likes.
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

#include "queries/studies/explain/sum_trace.h"

#include <algorithm>

#include "queries/studies/explain/element_reader.h"

namespace mmaspec::explain {
namespace {

/// A named sum.
struct NamedSum {
  std::string name;
  std::uint64_t value;
};

/// Collects sums of one format.
class Tracer {
 public:
  explicit Tracer(const Format& format) : format_(format) {
    if (SumArithmetic::has(format)) arithmetic_.emplace(format);
  }

  /// A chain over products first .. end - 1.
  NamedSum chain(int first, int end, bool from_c, std::uint64_t value) {
    std::string name = "products " + std::to_string(first) + " to " + std::to_string(end - 1);
    if (from_c) name = "c + " + name;
    lines_.push_back({name, value, &format_});
    return {name, value};
  }

  NamedSum add(const NamedSum& x, const NamedSum& y) {
    NamedSum sum{"s" + std::to_string(++sums_), arithmetic_->add(x.value, y.value)};
    lines_.push_back({sum.name + " = " + x.name + " + " + y.name, sum.value, &format_});
    return sum;
  }

  /// Rounds to a narrower format and returns a pattern of that format.
  std::uint64_t stored(const NamedSum& x, const Format& to) {
    const std::uint64_t narrow =
        rounded_pattern(to, static_cast<double>(value_of(format_, x.value)));
    lines_.push_back({std::string(to.name) + "(" + x.name + ")", narrow, &to});
    return narrow;
  }

  std::vector<TracedSum>& lines() { return lines_; }

 private:
  const Format& format_;
  std::optional<SumArithmetic> arithmetic_;
  int sums_ = 0;
  std::vector<TracedSum> lines_;
};

}  // namespace

std::vector<TracedSum> trace_of(const Space& space, const Candidate& candidate,
                                const Product& product, const MatrixFormats& formats,
                                const Element& element) {
  const Shape& shape = space.shape_of(candidate);
  const Finish& f = space.finish_of(candidate);
  const Unit& unit = *space.unit().unit;
  const Format& format = *unit.formats.d;
  const ElementOperands in = ElementReader(space, product, c_format_of(formats))(element);
  std::vector<bool> alive(space.shapes().size(), false);
  alive[candidate.shape] = true;
  const Space::Needs needs = space.needs(alive);
  const UnitStep step(unit);
  SegmentSums sums(step, space.grain());
  sums.compute(in, needs.last_end, needs.from_c, Deadline());

  Tracer trace(format);
  const NamedSum c{"c", in.c};
  const bool atomic = f.reduce == Reduce::atomic;
  const int point = unit.k * space.grain();  // in products
  const auto add = [&](const NamedSum& x, const NamedSum& y) { return trace.add(x, y); };
  std::vector<NamedSum> parts;
  int first = 0;
  for (const int end : shape.ends) {
    const bool from_c = first == 0 && f.joins == Joins::first && !atomic;
    const int every = shape.every == 0 ? end - first : shape.every;
    std::optional<NamedSum> part;
    if (from_c && shape.every > 0) part = c;
    for (int at = first; at < end; at += every) {
      const int to = std::min(at + every, end);
      const bool starts_from_c = from_c && shape.every == 0;
      const NamedSum block =
          trace.chain(at * point, std::min(to * point, static_cast<int>(space.whole_k())),
                      starts_from_c, starts_from_c ? sums.sum_from_c(to) : sums.sum(at, to));
      part = part ? add(*part, block) : block;
    }
    if (f.partial != nullptr) {
      const std::uint64_t narrow = trace.stored(*part, *f.partial);
      part = NamedSum{trace.lines().back().sum,
                      rounded_pattern(format, static_cast<double>(value_of(*f.partial, narrow)))};
    }
    parts.push_back(*part);
    first = end;
  }
  NamedSum sum =
      reduced(f, std::move(parts), atomic && f.joins == Joins::first ? &c : nullptr, add);
  const bool is_scaled = space.unit().scales_result();
  Finish store = f;
  if (f.joins == Joins::last && !is_scaled) {
    sum = add(sum, c);
    store.joins = Joins::none;
  }
  if (*f.out == format && !is_scaled) return trace.lines();
  // A whole epilogue is one line.
  std::string text = in.factors.empty() ? sum.name : "alpha * " + sum.name;
  if (store.joins == Joins::last) text += " + beta * c";
  text = std::string(f.out->name) + "(" + text + ")";
  if (store.joins == Joins::after) text = std::string(f.out->name) + "(" + text + " + c)";
  trace.lines().push_back({text, space.result()(store, sum.value, c.value, in.factors), f.out});
  return trace.lines();
}

}  // namespace mmaspec::explain

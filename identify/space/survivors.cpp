#include "identify/space/survivors.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "concrete/batch/evaluator.h"
#include "spec/formats/text.h"
#include "spec/lang/bounds.h"

namespace mmaspec {
namespace {

/// The result of a family at one input, its parameters symbolic.
class Residual {
 public:
  Residual(const Family& family, const std::vector<Axis>& axes, const DotValues& values) {
    const Graph::Building building(graph_);
    const std::vector<Int> parameters = parameter_inputs(axes);
    const auto constants = [](const std::vector<Integer>& all) {
      std::vector<Int> ints;
      for (const Integer& x : all) ints.emplace_back(x);
      return ints;
    };
    const DotOperands operands{constants(values.a), constants(values.b), Int(values.c),
                               constants(values.scale_a), constants(values.scale_b)};
    const Int d = family.build(parameters, operands);
    result_ = d.id();
    for (const NodeId node : graph_.cone({result_})) {
      if (graph_[node].op != Op::input) continue;
      const std::string& name = graph_.input_name(node);
      for (std::size_t i = 0; i < axes.size(); ++i) {
        if (name == "p." + axes[i].key) {
          matters_.push_back(i);
          rows_.emplace_back(graph_[node].low, axes[i].values.front());
        }
      }
    }
  }

  /// The axes that the result depends on.
  const std::vector<std::size_t>& matters() const { return matters_; }
  bool is_constant() const { return matters_.empty(); }
  const Integer& constant() const { return graph_[result_].value; }
  /// Row of the inputs, and what is taken from a value to make it the input, for each of matters().
  const std::vector<std::pair<std::uint32_t, int>>& rows() const { return rows_; }
  const Graph& graph() const { return graph_; }
  NodeId result() const { return result_; }

 private:
  Graph graph_;
  NodeId result_ = 0;
  std::vector<std::size_t> matters_;
  std::vector<std::pair<std::uint32_t, int>> rows_;
};

bool touches(const AxisTuples& component, const std::vector<std::size_t>& axes) {
  return std::any_of(component.axes.begin(), component.axes.end(), [&](std::size_t a) {
    return std::find(axes.begin(), axes.end(), a) != axes.end();
  });
}

/// All pairs of tuples.
AxisTuples joined(const AxisTuples& x, const AxisTuples& y) {
  AxisTuples all;
  all.axes = x.axes;
  all.axes.insert(all.axes.end(), y.axes.begin(), y.axes.end());
  std::vector<std::size_t> order(all.axes.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return all.axes[i] < all.axes[j]; });
  std::vector<std::int16_t> tuple(all.axes.size());
  all.flat.reserve(x.size() * y.size() * tuple.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      std::copy_n(x[i], x.axes.size(), tuple.begin());
      std::copy_n(y[j], y.axes.size(), tuple.begin() + static_cast<std::ptrdiff_t>(x.axes.size()));
      for (const std::size_t k : order) all.flat.push_back(tuple[k]);
    }
  }
  std::sort(all.axes.begin(), all.axes.end());
  return all;
}

AxisTuples projected(const AxisTuples& all, const std::vector<std::size_t>& columns) {
  std::set<std::vector<std::int16_t>> distinct;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::int16_t> tuple;
    for (const std::size_t c : columns) tuple.push_back(all[i][c]);
    distinct.insert(std::move(tuple));
  }
  AxisTuples result;
  for (const std::size_t c : columns) result.axes.push_back(all.axes[c]);
  for (const auto& tuple : distinct) {
    result.flat.insert(result.flat.end(), tuple.begin(), tuple.end());
  }
  return result;
}

constexpr std::size_t kFactored = 400'000;

/// The same tuples as a product of as many sets as single axes can be taken out.
std::vector<AxisTuples> factored(AxisTuples all) {
  std::vector<AxisTuples> factors;
  for (std::size_t column = 0; column < all.axes.size() && all.axes.size() > 1;) {
    if (all.size() > kFactored) break;
    std::vector<std::size_t> rest;
    for (std::size_t c = 0; c < all.axes.size(); ++c) {
      if (c != column) rest.push_back(c);
    }
    AxisTuples one = projected(all, {column});
    AxisTuples others = projected(all, rest);
    if (one.size() * others.size() == all.size()) {
      factors.push_back(std::move(one));
      all = std::move(others);
    } else {
      ++column;
    }
  }
  factors.push_back(std::move(all));
  return factors;
}

std::uint64_t word(const Integer& x) { return x.convert_to<std::uint64_t>(); }

/// Whether patterns of d are the answer.
class Matches {
 public:
  Matches(const Format& format, const Integer& d)
      : d_(word(d)), is_nan_(format), nan_(is_nan_(d_)) {}

  bool operator()(std::uint64_t x) const { return x == d_ || (nan_ && is_nan_(x)); }

 private:
  std::uint64_t d_;
  NanTest is_nan_;
  bool nan_;
};

/// A number of bits that are kept somewhere: what exponents on the way depend on, so that intervals
/// know little where they are many.
bool is_width(const Axis& axis) { return axis.key.ends_with("_bits") && axis.key != "kept_bits"; }

/// How many tuples have values that the axes have, at most.
double tuples_within(const AxisTuples& component, const std::vector<Axis>& axes) {
  return static_cast<double>(component.axes.size() == 1 ? axes[component.axes[0]].values.size()
                                                        : component.size());
}

/// The product of components, of tuples whose values the axes have.
AxisTuples product_within(const std::vector<const AxisTuples*>& components,
                          const std::vector<Axis>& axes, const std::vector<std::size_t>& narrowed) {
  AxisTuples all;
  for (const AxisTuples* c : components) {
    AxisTuples within{c->axes, {}};
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < c->axes.size(); ++i) {
      if (std::find(narrowed.begin(), narrowed.end(), c->axes[i]) != narrowed.end()) {
        columns.push_back(i);
      }
    }
    for (std::size_t t = 0; t < c->size(); ++t) {
      const std::int16_t* tuple = (*c)[t];
      const bool fits = std::all_of(columns.begin(), columns.end(), [&](std::size_t i) {
        const auto& values = axes[c->axes[i]].values;
        return tuple[i] >= values.front() && tuple[i] <= values.back();
      });
      if (fits) within.flat.insert(within.flat.end(), tuple, tuple + c->axes.size());
    }
    all = all.axes.empty() ? std::move(within) : joined(all, within);
  }
  return all;
}

/// The tuples at which the result matches.
AxisTuples matching(const AxisTuples& all, const Residual& residual, const Matches& matches,
                    const Deadline& deadline) {
  if (residual.is_constant()) {
    return matches(word(residual.constant())) ? all : AxisTuples{all.axes, {}};
  }
  const BatchEvaluator evaluator(residual.graph(), {residual.result()});
  BatchEvaluator::Scratch scratch;
  std::vector<std::size_t> columns;
  for (const std::size_t axis : residual.matters()) {
    columns.push_back(static_cast<std::size_t>(
        std::lower_bound(all.axes.begin(), all.axes.end(), axis) - all.axes.begin()));
  }
  AxisTuples kept{all.axes, {}};
  constexpr std::size_t kAtOnce = 64 * BatchEvaluator::kBlock;
  const std::size_t inputs = residual.graph().inputs().size();
  for (std::size_t first = 0; first < all.size(); first += kAtOnce) {
    if (deadline.passed()) throw OutOfTime();
    const std::size_t count = std::min(kAtOnce, all.size() - first);
    Lanes lanes(inputs, count);
    Lanes results(1, count);
    for (std::size_t m = 0; m < columns.size(); ++m) {
      const auto& [row, low] = residual.rows()[m];
      for (std::size_t i = 0; i < count; ++i) {
        lanes[row][i] = static_cast<std::uint64_t>(all[first + i][columns[m]] - low);
      }
    }
    evaluator.evaluate(lanes, results, scratch);
    for (std::size_t i = 0; i < count; ++i) {
      if (!matches(results[0][i])) continue;
      const std::int16_t* tuple = all[first + i];
      kept.flat.insert(kept.flat.end(), tuple, tuple + all.axes.size());
    }
  }
  return kept;
}

}  // namespace

bool same_answer(const Format& format, const Integer& x, const Integer& y) {
  return x == y || (decode(format, x).is_nan && decode(format, y).is_nan);
}

NanTest::NanTest(const Format& format) {
  // Of results, which have a sign and NaNs of their own: those are the magnitudes beyond infinity,
  // or the last one where there is none. Ignored bits tell nothing.
  const Integer ones = power_of_two(static_cast<unsigned>(format.sign_bit())) - 1;
  const Integer ignored = power_of_two(static_cast<unsigned>(format.ignored_low_bits)) - 1;
  const Integer first = format.first_non_finite() << static_cast<unsigned>(format.ignored_low_bits);
  if (format.specials != Specials::ieee && format.specials != Specials::nan_all_ones) {
    throw std::logic_error(std::string(format.name) + " is no format of results");
  }
  magnitude_ = word(ones - ignored);
  least_ = word(format.has_infinity() ? Integer(first + ignored + 1) : first);
  most_ = word(ones);
}

double FamilySurvivors::size() const {
  double all = 1;
  for (const AxisTuples& component : components) all *= static_cast<double>(component.size());
  return all;
}

Survivors::Survivors(const Space& space) : space_(&space) {
  for (std::size_t i = 0; i < space.families().size(); ++i) {
    FamilySurvivors all{i, {}, {}};
    const auto& axes = space.families()[i].axes;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      AxisTuples one{{a}, {}};
      for (const int v : axes[a].values) one.flat.push_back(static_cast<std::int16_t>(v));
      all.components.push_back(std::move(one));
    }
    families_.push_back(std::move(all));
  }
}

std::vector<Axis> Survivors::axes_of(const FamilySurvivors& of) const {
  std::vector<Axis> axes = space_->families()[of.family].axes;
  for (const AxisTuples& component : of.components) {
    for (std::size_t column = 0; column < component.axes.size(); ++column) {
      std::set<int> values;
      for (std::size_t t = 0; t < component.size(); ++t) values.insert(component[t][column]);
      axes[component.axes[column]].values.assign(values.begin(), values.end());
    }
  }
  return axes;
}

/// The result of a family at an input where some axes are narrowed.
struct Survivors::Piece {
  std::vector<Axis> axes;
  std::vector<std::size_t> narrowed;
  std::unique_ptr<Residual> residual;

  /// The axes that its tuples are about.
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> both = residual->matters();
    both.insert(both.end(), narrowed.begin(), narrowed.end());
    return both;
  }
};

void Survivors::split(const FamilySurvivors& of, const DotValues& values, Piece piece,
                      std::vector<Piece>& pieces) const {
  piece.residual = std::make_unique<Residual>(space_->families()[of.family], piece.axes, values);
  double tied = 1;
  for (const AxisTuples& c : of.components) {
    if (touches(c, piece.residual->matters())) tied *= tuples_within(c, piece.axes);
  }
  std::optional<std::size_t> widest;
  for (const std::size_t axis : piece.residual->matters()) {
    const auto& options = piece.axes[axis].values;
    if (!is_width(piece.axes[axis]) || options.size() < 2) continue;
    if (!widest || options.size() > piece.axes[*widest].values.size()) widest = axis;
  }
  if (tied <= kSplit || !widest || pieces.size() >= kPieces) {
    pieces.push_back(std::move(piece));
    return;
  }
  const std::vector<int> whole = piece.axes[*widest].values;
  const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2);
  if (std::find(piece.narrowed.begin(), piece.narrowed.end(), *widest) == piece.narrowed.end()) {
    piece.narrowed.push_back(*widest);
  }
  for (const bool upper : {false, true}) {
    Piece half{piece.axes, piece.narrowed, nullptr};
    half.axes[*widest].values =
        upper ? std::vector<int>(middle, whole.end()) : std::vector<int>(whole.begin(), middle);
    split(of, values, std::move(half), pieces);
  }
}

/// Leaves out what the answer excludes, or puts the answer off; false: nothing is left.
bool Survivors::use(FamilySurvivors& of, std::size_t answer, const Deadline& deadline) const {
  const Answered& a = answers_[answer];
  const BuildBy bound(deadline);
  const Matches matches(*space_->formats().d, a.d);
  std::vector<Piece> pieces;
  split(of, a.values, {axes_of(of), {}, nullptr}, pieces);
  std::vector<std::size_t> tied;
  for (const Piece& piece : pieces) {
    const std::vector<std::size_t> all = piece.all();
    tied.insert(tied.end(), all.begin(), all.end());
  }
  if (tied.empty()) return matches(word(pieces[0].residual->constant()));
  double count = 0;
  for (const Piece& piece : pieces) {
    double of_piece = 1;
    const std::vector<std::size_t> all = piece.all();
    for (const AxisTuples& c : of.components) {
      if (touches(c, all)) of_piece *= tuples_within(c, piece.axes);
    }
    count += of_piece;
  }
  if (count > kMost) {
    of.pending.push_back(answer);
    return true;
  }
  AxisTuples kept;
  for (const Piece& piece : pieces) {
    // The components that this piece is about, and those that others are.
    std::vector<const AxisTuples*> here;
    std::vector<const AxisTuples*> elsewhere;
    const std::vector<std::size_t> all = piece.all();
    for (const AxisTuples& c : of.components) {
      if (touches(c, all)) {
        here.push_back(&c);
      } else if (touches(c, tied)) {
        elsewhere.push_back(&c);
      }
    }
    AxisTuples found = matching(product_within(here, piece.axes, piece.narrowed), *piece.residual,
                                matches, deadline);
    if (found.flat.empty()) continue;
    double wide = static_cast<double>(found.size());
    for (const AxisTuples* c : elsewhere) wide *= static_cast<double>(c->size());
    if (wide + static_cast<double>(kept.flat.empty() ? 0 : kept.size()) > kMost) {
      of.pending.push_back(answer);
      return true;
    }
    for (const AxisTuples* c : elsewhere) found = joined(found, *c);
    kept.axes = found.axes;
    kept.flat.insert(kept.flat.end(), found.flat.begin(), found.flat.end());
  }
  if (kept.flat.empty()) return false;
  std::vector<AxisTuples> components;
  for (AxisTuples& c : of.components) {
    if (!touches(c, tied)) components.push_back(std::move(c));
  }
  for (AxisTuples& factor : factored(std::move(kept))) components.push_back(std::move(factor));
  of.components = std::move(components);
  return true;
}

bool Survivors::take_all(FamilySurvivors& of, std::size_t answer, const Deadline& deadline) const {
  double before = of.size();
  if (!use(of, answer, deadline)) return false;
  // What was put off may be used now that there are fewer.
  while (!of.pending.empty() && of.size() < before) {
    before = of.size();
    const std::vector<std::size_t> pending = std::exchange(of.pending, {});
    for (const std::size_t p : pending) {
      if (!use(of, p, deadline)) return false;
    }
  }
  return true;
}

void Survivors::take(const Answered& answer, const Deadline& deadline, int jobs) {
  answers_.push_back(answer);
  const std::size_t number = answers_.size() - 1;
  std::vector<char> left(families_.size(), 1);
  std::vector<std::exception_ptr> errors(families_.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < families_.size(); i = next++) {
      try {
        left[i] = take_all(families_[i], number, deadline) ? 1 : 0;
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t wanted =
        std::min(static_cast<std::size_t>(std::max(jobs, 1)), families_.size());
    for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& e : errors) {
    if (e) std::rethrow_exception(e);
  }
  std::vector<FamilySurvivors> kept;
  for (std::size_t i = 0; i < families_.size(); ++i) {
    if (left[i] != 0) kept.push_back(std::move(families_[i]));
  }
  families_ = std::move(kept);
}

double Survivors::size() const {
  double all = 0;
  for (const FamilySurvivors& of : families_) all += of.size();
  return all;
}

bool Survivors::has_pending() const {
  return std::any_of(families_.begin(), families_.end(),
                     [](const FamilySurvivors& of) { return !of.pending.empty(); });
}

double Survivors::cost(const DotValues& values) const {
  double all = 0;
  for (const FamilySurvivors& of : families_) {
    // As if the widths were known, which they are once they are split.
    std::vector<Axis> axes = axes_of(of);
    for (Axis& axis : axes) {
      if (is_width(axis)) axis.values = {axis.values[axis.values.size() / 2]};
    }
    const Residual residual(space_->families()[of.family], axes, values);
    double tied = 1;
    for (const AxisTuples& c : of.components) {
      if (touches(c, residual.matters())) tied *= static_cast<double>(c.size());
    }
    all += tied;
  }
  return all;
}

Survivors::Point Survivors::first(const FamilySurvivors& of) const {
  Point point{of.family, std::vector<int>(space_->families()[of.family].axes.size(), 0)};
  for (const AxisTuples& c : of.components) {
    for (std::size_t i = 0; i < c.axes.size(); ++i) point.values[c.axes[i]] = c[0][i];
  }
  return point;
}

Survivors::Point Survivors::draw(const FamilySurvivors& of, SplitMix& random) const {
  Point point = first(of);
  for (const AxisTuples& c : of.components) {
    const std::int16_t* tuple = c[random.index(c.size())];
    for (std::size_t i = 0; i < c.axes.size(); ++i) point.values[c.axes[i]] = tuple[i];
  }
  return point;
}

bool Survivors::holds(const Space::Place& place) const {
  for (const FamilySurvivors& of : families_) {
    if (of.family != place.family) continue;
    return std::all_of(of.components.begin(), of.components.end(), [&](const AxisTuples& c) {
      for (std::size_t t = 0; t < c.size(); ++t) {
        bool same = true;
        for (std::size_t i = 0; i < c.axes.size() && same; ++i) {
          same = c[t][i] == place.values[c.axes[i]];
        }
        if (same) return true;
      }
      return false;
    });
  }
  return false;
}

}  // namespace mmaspec

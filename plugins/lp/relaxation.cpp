#include "relaxation.hpp"

namespace {

// Passes of the dual ascent before the interior point method starts.
constexpr int ascent_sweeps = 20;

}  // namespace

void Relaxation::solve(const sculpt::MapQuery& query, const Options& options,
                       const sculpt::Host& host) {
  const std::int64_t max_cells = options.limits.max_cells;
  polytope_.build(query.graph, query.theta.data(), max_cells);
  if (options.method == Method::clp) {
    clp_.solve(polytope_, max_cells, host, beliefs_, messages_);
    bound_ = polytope_.bound(messages_);
    polytope_.make_consistent(beliefs_);
  } else if (RoofDuality::can_solve(query.graph)) {
    solve_by_cut(query, host);
  } else if (!solve_by_ascent(host)) {
    solve_by_interior_point(options.limits, host);
  }
}

// For binary pairwise graphs: beliefs of 0, 1/2 and 1 from one minimum cut.
void Relaxation::solve_by_cut(const sculpt::MapQuery& query, const sculpt::Host& host) {
  bound_ = roof_.solve(query.graph, query.theta.data(), {}, [&] { host.throw_if_cancelled(); });
  beliefs_.resize(polytope_.belief_count());
  const std::vector<double>& belief_in_one = roof_.belief_in_one();
  for (std::size_t v = 0; v < belief_in_one.size(); ++v) {
    beliefs_[polytope_.unaries_from(v)] = 1 - belief_in_one[v];
    beliefs_[polytope_.unaries_from(v) + 1] = belief_in_one[v];
  }
  for (const LocalPolytope::Table& table : polytope_.tables()) {
    const auto edges = polytope_.edges(table);
    const auto best = RoofDuality::best_pair_beliefs(polytope_.scores().data() + table.cells_from,
                                                     belief_in_one[edges[0].variable],
                                                     belief_in_one[edges[1].variable]);
    std::copy(best.begin(), best.end(), beliefs_.data() + table.cells_from);
  }
}

// True if the dual ascent reaches a bound that an output attains. Trees and most queries of a
// trained model end here.
bool Relaxation::solve_by_ascent(const sculpt::Host& host) {
  unaries_.assign(
      polytope_.scores().begin(),
      polytope_.scores().begin() + static_cast<std::ptrdiff_t>(polytope_.unary_cells()));
  messages_.assign(polytope_.message_count(), 0.0);
  ascent_.begin(polytope_, unaries_, messages_);
  y_.resize(polytope_.variable_count());
  double previous = 0;
  for (int sweep = 0; sweep < ascent_sweeps; ++sweep) {
    host.throw_if_cancelled();
    bound_ = ascent_.sweep();
    ascent_.decode(y_);
    set_beliefs(y_);
    double value = polytope_.constant();
    for (std::size_t c = 0; c < beliefs_.size(); ++c) value += beliefs_[c] * polytope_.scores()[c];
    if (bound_ - value <= rounding()) return true;
    if (sweep > 0 && previous - bound_ <= rounding()) return false;  // converged
    previous = bound_;
  }
  return false;
}

// Sets the beliefs of the assignment y.
void Relaxation::set_beliefs(std::span<const std::int32_t> y) {
  beliefs_.assign(polytope_.belief_count(), 0.0);
  for (std::size_t v = 0; v < y.size(); ++v) {
    beliefs_[polytope_.unaries_from(v) + static_cast<std::size_t>(y[v])] = 1;
  }
  for (const LocalPolytope::Table& table : polytope_.tables()) {
    const std::int64_t cell = sculpt::factor_cell(polytope_.graph(), table.factor, y.data()) -
                              polytope_.graph().table[table.factor];
    beliefs_[table.cells_from + static_cast<std::size_t>(cell)] = 1;
  }
}

void Relaxation::solve_by_interior_point(const InteriorPoint::Limits& limits,
                                         const sculpt::Host& host) {
  const double ascent_bound = bound_;
  interior_.solve(polytope_, limits, beliefs_, messages_, [&] { host.throw_if_cancelled(); });
  bound_ = std::min(ascent_bound, polytope_.bound(messages_));
  polytope_.make_consistent(beliefs_);
}

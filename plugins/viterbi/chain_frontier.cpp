#include "chain_frontier.hpp"

#include "count_sums.hpp"

#include <sculpt/cpp/count_tables.hpp>

using sculpt::CountVector;
using sculpt::unattainable;

namespace {

// Returns what one cell adds to each count.
CountVector counts_of(const std::array<const std::int32_t*, 2>& tables, std::size_t cell) {
  return {tables[0] == nullptr ? 0 : tables[0][cell], tables[1] == nullptr ? 0 : tables[1][cell]};
}

bool counts_anything(const std::array<const std::int32_t*, 2>& tables) {
  return tables[0] != nullptr || tables[1] != nullptr;
}

}  // namespace

CountVector ChainFrontier::begin(const sculpt::FrontierQuery& query, std::int64_t max_cells) {
  find_pairs(query.graph(), pair_);
  read_positions(query);
  CountVector sizes = {1, 1};
  collecting_ = {};
  for (std::size_t k = 0; k < query.counts().size(); ++k) {
    read_counts(query, k);
    const std::int64_t limit = query.counts()[k].limit;
    collecting_[k] = positions_.back().most[k] > limit;
    for (Position& at : positions_) at.most[k] = std::min(at.most[k], limit);
    sizes[k] = positions_.back().most[k] + 1;
  }
  place_cells(max_cells);
  computed_ = 0;
  sizes_ = sizes;
  return sizes;
}

void ChainFrontier::read_positions(const sculpt::FrontierQuery& query) {
  const sculpt_factor_graph& graph = query.graph();
  positions_.assign(pair_.size() + 1, {});
  std::size_t max_states = 0;
  for (std::size_t t = 0; t < pair_.size(); ++t) {
    Position& at = positions_[t];
    at.states = static_cast<std::size_t>(graph.states[t]);
    at.unary = query.theta().data() + graph.table[t];
    if (pair_[t] != no_table) at.pair = query.theta().data() + pair_[t];
    max_states = std::max(max_states, at.states);
  }
  row_.resize(max_states);
  fewer_.resize(max_states);
  nothing_.assign(max_states, unattainable);
}

// Finds the tables that add to count k, and its largest value at each position. A shared pair table
// is read once.
void ChainFrontier::read_counts(const sculpt::FrontierQuery& query, std::size_t k) {
  const std::span<const std::int32_t> table = query.table(k);
  std::span<const std::int32_t> pair;
  std::int64_t pair_most = 0;
  for (std::size_t t = 1; t < positions_.size(); ++t) {
    Position& before = positions_[t - 1];
    Position& at = positions_[t];
    const auto unary = table.subspan(static_cast<std::size_t>(query.graph().table[t - 1]));
    const std::int64_t unary_most = sculpt::largest_count(unary.first(before.states));
    if (unary_most > 0) before.unary_count[k] = unary.data();
    before.plain = before.plain && unary_most <= (k == 0 ? 1 : 0);
    at.most[k] = before.most[k] + unary_most;
    if (at.pair == nullptr) continue;
    const auto joined =
        table.subspan(static_cast<std::size_t>(pair_[t]), before.states * at.states);
    if (joined.data() != pair.data() || joined.size() != pair.size()) {
      pair = joined;
      pair_most = sculpt::largest_count(pair);
    }
    if (pair_most > 0) at.pair_count[k] = pair.data();
    at.most[k] += pair_most;
  }
}

void ChainFrontier::place_cells(std::int64_t max_cells) {
  double cells = 0;  // may be very large
  for (const Position& at : positions_) {
    cells += static_cast<double>(at.states) * static_cast<double>(at.most[0] + 1) *
             static_cast<double>(at.most[1] + 1);
  }
  sculpt::check_frontier_size(cells, sizeof(double), max_cells);
  std::size_t from = 0;
  for (Position& at : positions_) {
    at.from = from;
    from += at.states * static_cast<std::size_t>(at.most[1] + 1);
  }
}

void ChainFrontier::slice(std::int64_t first, std::span<double> scores) {
  const std::span<const double> found = scores_of(first);
  std::copy(found.begin(), found.end(), scores.begin());
}

std::span<const double> ChainFrontier::scores_of(std::int64_t first) {
  sculpt::check_counts({first, 0}, sizes_);
  while (computed_ <= first) compute_slice(computed_);
  const std::span<const double> cells = slices_[static_cast<std::size_t>(first)];
  return cells.last(static_cast<std::size_t>(sizes_[1]));
}

void ChainFrontier::compute_slice(std::int64_t first) {
  const auto reaches = [first](const Position& at) { return at.most[0] >= first; };
  const auto begin = std::find_if(positions_.begin(), positions_.end(), reaches);
  const Position& last = positions_.back();
  const auto index = static_cast<std::size_t>(first);
  if (slices_.size() <= index) slices_.resize(index + 1);
  slice_from_.resize(index + 1);
  slice_from_[index] = begin->from;
  std::vector<double>& cells = slices_[index];
  const std::size_t size = last.from + static_cast<std::size_t>(sizes_[1]) - begin->from;
  if (cells.capacity() < size) cells.clear();  // of another example, so not worth copying
  cells.resize(size);
  for (auto t = static_cast<std::size_t>(begin - positions_.begin()); t < positions_.size(); ++t) {
    for (std::int64_t second = 0; second <= positions_[t].most[1]; ++second) {
      compute(t, {first, second});
    }
  }
  computed_ = first + 1;
}

// Computes M of every state at t for these counts.
void ChainFrontier::compute(std::size_t t, const CountVector& counts) {
  const Position& at = positions_[t];
  double* after = slices_[static_cast<std::size_t>(counts[0])].data() + cell(at, counts);
  if (t == 0) {
    std::fill_n(after, at.states, 0.0);
    return;
  }
  const Position& before = positions_[t - 1];
  joined_ += before.states * at.states;
  if (joined_ >= poll_interval) {
    joined_ = 0;
    host_.throw_if_cancelled();
  }
  if (counts_anything(at.pair_count)) {
    join_counting(before, at, counts, after);
    return;
  }
  score_states(before, counts);
  if (at.pair != nullptr) {
    maximize(row_.data(), before.states, at.pair, at.states, after);
  } else {
    std::fill_n(after, at.states, *std::max_element(row_.data(), row_.data() + before.states));
  }
}

// Sets row_[i] = S of these counts for every state i. Counted errors, the usual case, are plain:
// then each state takes from one of two rows.
void ChainFrontier::score_states(const Position& at, const CountVector& counts) {
  if (!at.plain) {
    for (std::size_t i = 0; i < at.states; ++i) {
      row_[i] = at.unary[i] + reached(at, counts, i, counts_of(at.unary_count, i));
    }
    return;
  }
  const double* same = row_at(at, counts);
  const std::int32_t* added = at.unary_count[0];
  if (added == nullptr) {
    for (std::size_t i = 0; i < at.states; ++i) row_[i] = at.unary[i] + same[i];
    return;
  }
  const double* fewer = row_at(at, {counts[0] - 1, counts[1]});
  if (collects(0, counts[0])) {
    for (std::size_t i = 0; i < at.states; ++i) fewer_[i] = std::max(fewer[i], same[i]);
    fewer = fewer_.data();
  }
  for (std::size_t i = 0; i < at.states; ++i) {
    row_[i] = at.unary[i] + (added[i] == 0 ? same[i] : fewer[i]);
  }
}

// Returns M of every state at this position.
const double* ChainFrontier::row_at(const Position& at, const CountVector& counts) const {
  for (std::size_t k = 0; k < 2; ++k) {
    if (counts[k] < 0 || counts[k] > at.most[k]) return nothing_.data();
  }
  return slices_[static_cast<std::size_t>(counts[0])].data() + cell(at, counts);
}

// The step if pair cells count too: every pair of states has its own row.
void ChainFrontier::join_counting(const Position& before, const Position& at,
                                  const CountVector& counts, double* after) const {
  std::fill_n(after, at.states, unattainable);
  for (std::size_t i = 0; i < before.states; ++i) {
    const CountVector own = counts_of(before.unary_count, i);
    for (std::size_t j = 0; j < at.states; ++j) {
      const std::size_t pair = i * at.states + j;
      const double score =
          before.unary[i] + reached(before, counts, i, own + counts_of(at.pair_count, pair));
      after[j] = std::max(after[j], score + at.pair[pair]);
    }
  }
}

// Returns the best M of `state` over the counts that become `counts` by adding `added`. These are
// counts - added, or all in [limit - added, limit] if `counts` collects.
double ChainFrontier::reached(const Position& at, const CountVector& counts, std::size_t state,
                              const CountVector& added) const {
  CountVector low;
  CountVector high;
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = counts[k] - added[k];
    high[k] = std::min(collects(k, counts[k]) ? counts[k] : low[k], at.most[k]);
    low[k] = std::max<std::int64_t>(low[k], 0);
  }
  double best = unattainable;
  for (std::int64_t first = low[0]; first <= high[0]; ++first) {
    const double* cells = slices_[static_cast<std::size_t>(first)].data() + cell(at, {first, 0});
    for (std::int64_t second = low[1]; second <= high[1]; ++second) {
      best = std::max(best, cells[static_cast<std::size_t>(second) * at.states + state]);
    }
  }
  return best;
}

// Adds up as in compute(), label by label. The sums are equal, so the maximum is attained exactly.
void ChainFrontier::output(CountVector counts, std::span<std::int32_t> y) {
  sculpt::check_counts(counts, sizes_);
  if (scores_of(counts[0])[static_cast<std::size_t>(counts[1])] == unattainable) {
    throw sculpt::no_output_with(counts);
  }
  CountVector behind = {0, 0};  // counts of the labels from t + 1 on, with the step to them
  for (std::size_t t = y.size(); t-- > 0;) {
    const Position& at = positions_[t];
    const Position& next = positions_[t + 1];
    const std::size_t label = t + 1 < y.size() ? static_cast<std::size_t>(y[t + 1]) : 0;
    CountVector with_best = behind;
    double best = unattainable;
    for (std::size_t i = 0; i < at.states; ++i) {
      const std::size_t pair = i * next.states + label;
      const CountVector added =
          behind + counts_of(at.unary_count, i) + counts_of(next.pair_count, pair);
      const double score = at.unary[i] + reached(at, counts, i, added) +
                           (next.pair == nullptr ? 0 : next.pair[pair]);
      if (!(score > best)) continue;
      best = score;
      y[t] = static_cast<std::int32_t>(i);
      with_best = added;
    }
    behind = with_best;
  }
}

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

// True if some cell of the two tables counts.
bool counts_anything(const std::array<const std::int32_t*, 2>& tables) {
  return tables[0] != nullptr || tables[1] != nullptr;
}

}  // namespace

CountVector ChainFrontier::begin(const sculpt::FrontierQuery& query, std::int64_t max_cells) {
  find_pair_tables(query.graph(), pair_);
  read_positions(query);
  CountVector sizes = {1, 1};
  exceeds_limit_ = {};
  for (std::size_t k = 0; k < query.counts().size(); ++k) {
    read_counts(query, k);
    const std::int64_t limit = query.counts()[k].limit;
    exceeds_limit_[k] = positions_.back().max_counts[k] > limit;
    for (Position& position : positions_) {
      position.max_counts[k] = std::min(position.max_counts[k], limit);
    }
    sizes[k] = positions_.back().max_counts[k] + 1;
  }
  assign_cells(max_cells);
  computed_ = 0;
  sizes_ = sizes;
  return sizes;
}

void ChainFrontier::read_positions(const sculpt::FrontierQuery& query) {
  const sculpt_factor_graph& graph = query.graph();
  positions_.assign(pair_.size() + 1, {});
  std::size_t max_states = 0;
  for (std::size_t t = 0; t < pair_.size(); ++t) {
    Position& position = positions_[t];
    position.states = static_cast<std::size_t>(graph.states[t]);
    position.unary = query.theta().data() + graph.table[t];
    if (pair_[t] != no_table) position.pair = query.theta().data() + pair_[t];
    max_states = std::max(max_states, position.states);
  }
  row_.resize(max_states);
  fewer_row_.resize(max_states);
  unattainable_row_.assign(max_states, unattainable);
}

// Finds the tables that add to count k, and its largest value at each position. A shared pair table
// is read once.
void ChainFrontier::read_counts(const sculpt::FrontierQuery& query, std::size_t k) {
  const std::span<const std::int32_t> table = query.table(k);
  std::span<const std::int32_t> pair;
  std::int64_t max_pair_count = 0;
  for (std::size_t t = 1; t < positions_.size(); ++t) {
    Position& previous = positions_[t - 1];
    Position& position = positions_[t];
    const auto unary = table.subspan(static_cast<std::size_t>(query.graph().table[t - 1]));
    const std::int64_t max_unary_count = sculpt::largest_count(unary.first(previous.states));
    if (max_unary_count > 0) previous.unary_count[k] = unary.data();
    previous.adds_at_most_one = previous.adds_at_most_one && max_unary_count <= (k == 0 ? 1 : 0);
    position.max_counts[k] = previous.max_counts[k] + max_unary_count;
    if (position.pair == nullptr) continue;
    const auto pair_table =
        table.subspan(static_cast<std::size_t>(pair_[t]), previous.states * position.states);
    if (pair_table.data() != pair.data() || pair_table.size() != pair.size()) {
      pair = pair_table;
      max_pair_count = sculpt::largest_count(pair);
    }
    if (max_pair_count > 0) position.pair_count[k] = pair.data();
    position.max_counts[k] += max_pair_count;
  }
}

// Sets the first cell of each position. Throws if there are more than max_cells cells.
void ChainFrontier::assign_cells(std::int64_t max_cells) {
  double cells = 0;  // may be very large
  for (const Position& position : positions_) {
    cells += static_cast<double>(position.states) *
             static_cast<double>(position.max_counts[0] + 1) *
             static_cast<double>(position.max_counts[1] + 1);
  }
  sculpt::check_frontier_size(cells, sizeof(double), max_cells);
  std::size_t from = 0;
  for (Position& position : positions_) {
    position.from = from;
    from += position.states * static_cast<std::size_t>(position.max_counts[1] + 1);
  }
}

void ChainFrontier::slice(std::int64_t first, std::span<double> scores) {
  const std::span<const double> slice_scores = scores_of(first);
  std::copy(slice_scores.begin(), slice_scores.end(), scores.begin());
}

// Returns the scores of all second counts with this first count.
std::span<const double> ChainFrontier::scores_of(std::int64_t first) {
  sculpt::check_counts({first, 0}, sizes_);
  while (computed_ <= first) compute_slice(computed_);
  const std::span<const double> cells = slices_[static_cast<std::size_t>(first)];
  return cells.last(static_cast<std::size_t>(sizes_[1]));
}

// Computes M with this first count, from the first position that can reach it.
void ChainFrontier::compute_slice(std::int64_t first) {
  const auto reaches = [first](const Position& position) {
    return position.max_counts[0] >= first;
  };
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
    for (std::int64_t second = 0; second <= positions_[t].max_counts[1]; ++second) {
      compute(t, {first, second});
    }
  }
  computed_ = first + 1;
}

// Computes M of every state at t for these counts.
void ChainFrontier::compute(std::size_t t, const CountVector& counts) {
  const Position& position = positions_[t];
  double* after = slices_[static_cast<std::size_t>(counts[0])].data() + cell(position, counts);
  if (t == 0) {
    std::fill_n(after, position.states, 0.0);
    return;
  }
  const Position& previous = positions_[t - 1];
  pairs_since_poll_ += previous.states * position.states;
  if (pairs_since_poll_ >= poll_interval) {
    pairs_since_poll_ = 0;
    host_.throw_if_cancelled();
  }
  if (counts_anything(position.pair_count)) {
    join_counting(previous, position, counts, after);
    return;
  }
  score_states(previous, counts);
  if (position.pair != nullptr) {
    maximize(row_.data(), previous.states, position.pair, position.states, after);
  } else {
    std::fill_n(after, position.states,
                *std::max_element(row_.data(), row_.data() + previous.states));
  }
}

// Sets row_[i] = S of these counts for every state i. In the usual case, counted errors, a label
// adds at most 1, so each state reads one of two rows.
void ChainFrontier::score_states(const Position& position, const CountVector& counts) {
  if (!position.adds_at_most_one) {
    for (std::size_t i = 0; i < position.states; ++i) {
      const CountVector added = counts_of(position.unary_count, i);
      row_[i] = position.unary[i] + best_before(position, counts, i, added);
    }
    return;
  }
  const double* same = row_at(position, counts);
  const std::int32_t* added = position.unary_count[0];
  if (added == nullptr) {
    for (std::size_t i = 0; i < position.states; ++i) row_[i] = position.unary[i] + same[i];
    return;
  }
  const double* fewer = row_at(position, {counts[0] - 1, counts[1]});
  if (is_at_limit(0, counts[0])) {
    for (std::size_t i = 0; i < position.states; ++i) fewer_row_[i] = std::max(fewer[i], same[i]);
    fewer = fewer_row_.data();
  }
  for (std::size_t i = 0; i < position.states; ++i) {
    row_[i] = position.unary[i] + (added[i] == 0 ? same[i] : fewer[i]);
  }
}

// Returns M of every state at this position.
const double* ChainFrontier::row_at(const Position& position, const CountVector& counts) const {
  for (std::size_t k = 0; k < 2; ++k) {
    if (counts[k] < 0 || counts[k] > position.max_counts[k]) return unattainable_row_.data();
  }
  return slices_[static_cast<std::size_t>(counts[0])].data() + cell(position, counts);
}

// The step if pair cells count too: every pair of states has its own row.
void ChainFrontier::join_counting(const Position& previous, const Position& position,
                                  const CountVector& counts, double* after) const {
  std::fill_n(after, position.states, unattainable);
  for (std::size_t i = 0; i < previous.states; ++i) {
    const CountVector unary_counts = counts_of(previous.unary_count, i);
    for (std::size_t j = 0; j < position.states; ++j) {
      const std::size_t pair = i * position.states + j;
      const CountVector added = unary_counts + counts_of(position.pair_count, pair);
      const double score = previous.unary[i] + best_before(previous, counts, i, added);
      after[j] = std::max(after[j], score + position.pair[pair]);
    }
  }
}

// Returns the best M of `state` over the counts that become `counts` by adding `added`. These are
// counts - added, or all in [limit - added, limit] if the count is at its limit.
double ChainFrontier::best_before(const Position& position, const CountVector& counts,
                                  std::size_t state, const CountVector& added) const {
  CountVector low;
  CountVector high;
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = counts[k] - added[k];
    high[k] = std::min(is_at_limit(k, counts[k]) ? counts[k] : low[k], position.max_counts[k]);
    low[k] = std::max<std::int64_t>(low[k], 0);
  }
  double best = unattainable;
  for (std::int64_t first = low[0]; first <= high[0]; ++first) {
    const double* cells =
        slices_[static_cast<std::size_t>(first)].data() + cell(position, {first, 0});
    for (std::int64_t second = low[1]; second <= high[1]; ++second) {
      best = std::max(best, cells[static_cast<std::size_t>(second) * position.states + state]);
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
  CountVector counts_after = {0, 0};  // counts of the labels from t + 1 on, with the step to them
  for (std::size_t t = y.size(); t-- > 0;) {
    const Position& position = positions_[t];
    const Position& next = positions_[t + 1];
    const std::size_t label = t + 1 < y.size() ? static_cast<std::size_t>(y[t + 1]) : 0;
    CountVector best_counts = counts_after;
    double best = unattainable;
    for (std::size_t i = 0; i < position.states; ++i) {
      const std::size_t pair = i * next.states + label;
      const CountVector added =
          counts_after + counts_of(position.unary_count, i) + counts_of(next.pair_count, pair);
      const double score = position.unary[i] + best_before(position, counts, i, added) +
                           (next.pair == nullptr ? 0 : next.pair[pair]);
      if (!(score > best)) continue;
      best = score;
      y[t] = static_cast<std::int32_t>(i);
      best_counts = added;
    }
    counts_after = best_counts;
  }
}

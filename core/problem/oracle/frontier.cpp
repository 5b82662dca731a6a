#include "problem/oracle/frontier.hpp"

#include <algorithm>
#include <cmath>

#include "base/infinity.hpp"

namespace sculpt::core {

namespace {

// Limit of the scores in one slice: 2 GiB. Only the loss limits the number of slices. Slices take
// time, not memory: many may be skipped, and the caller polls between them.
constexpr std::int64_t max_slice_scores = std::int64_t{1} << 28;

}  // namespace

Frontier::Frontier(const Component& component, Sessions& sessions, CountLoss loss, int threads)
    : component_(component),
      sessions_(sessions),
      table_(*component.extension<sculpt_ext_frontier>()),
      loss_(loss),
      active_queries_(static_cast<std::size_t>(threads)) {}

// Replaces the arrays of `query` by copies with a fence behind them.
void Frontier::LentQueries::lend(const Component& reader, sculpt_frontier_query& query) {
  *this = {};
  if (!reader.is_fenced()) return;
  if (query.query != nullptr) {
    oracle = {reader, *query.query};
    query.query = oracle.raw();
  }
  if (query.map == nullptr) return;
  map = {reader, *query.map};
  query.map = map.raw();
  for (std::uint32_t k = 0; k < query.count_count; ++k) {
    tables.emplace_back(reader, "a table of counts", query.tables[k], query.map->graph->theta_size);
    table_data.push_back(tables.back().data());
  }
  query.tables = table_data.data();
}

void Frontier::LentQueries::require_unchanged(std::int64_t example) const {
  oracle.require_unchanged();
  map.require_unchanged(example);
  for (const LentArray<std::int32_t>& table : tables) table.require_unchanged(example);
}

const Frontier::Shape& Frontier::begin(int worker, std::int64_t example,
                                       const sculpt_frontier_query& query) {
  ActiveQuery& active = active_queries_[static_cast<std::size_t>(worker)];
  active.example = example;
  active.query = query;
  active.query.struct_size = sizeof active.query;
  active.query.count_count = static_cast<std::uint32_t>(counts().size());
  active.query.count = counts().data();
  active.fences.lend(component_, active.query);
  sculpt_frontier_shape shape = {};
  shape.struct_size = sizeof shape;
  component_.call("frontier.begin", example, [&](sculpt_error* error) {
    return table_.begin(sessions_.for_worker(worker), &active.query, &shape, error);
  });
  active.shape.flags = shape.flags;
  std::copy(shape.size, shape.size + SCULPT_MOST_COUNTS, active.shape.size.begin());
  if (!active.shape.has_flag(SCULPT_ANSWER_NO_OUTPUT)) check_sizes(active);
  return active.shape;
}

// Refuses sizes that are not positive or above their limits.
void Frontier::check_sizes(const ActiveQuery& active) const {
  for (std::size_t k = 0; k < SCULPT_MOST_COUNTS; ++k) {
    const std::int64_t size = active.shape.size[k];
    const bool is_counted = k < counts().size();
    const std::int64_t limit = is_counted ? counts()[k].limit : 0;
    const bool is_valid = size >= 1 && size - 1 <= limit && (k == 0 || size <= max_slice_scores);
    if (is_valid) continue;
    const std::string name =
        is_counted ? counts()[k].name : "a second count, but the loss has one count";
    const bool exceeds_limit = is_counted && size - 1 > limit;
    component_.refuse(
        Exit::plugin, active.example,
        "the frontier has " + std::to_string(size) + " values of " + name +
            (exceeds_limit ? "; the loss distinguishes none above " + std::to_string(limit) : ""));
  }
}

void Frontier::slice(int worker, std::int64_t first, std::vector<double>& score) {
  const ActiveQuery& active = active_queries_[static_cast<std::size_t>(worker)];
  score.assign(static_cast<std::size_t>(active.shape.size[1]), std::nan(""));
  const FilledArray<double> filled(component_, "the scores of a slice", score);
  component_.call("frontier.slice", active.example, [&](sculpt_error* error) {
    return table_.slice(sessions_.for_worker(worker), first, filled.data(), error);
  });
  filled.take();
  active.fences.require_unchanged(active.example);
  for (std::size_t k = 0; k < score.size(); ++k) {
    if (score[k] < infinity) continue;
    component_.refuse(Exit::plugin, active.example,
                      "the score of its frontier at " +
                          counts_text(counts(), Counts{first, static_cast<std::int64_t>(k)}) +
                          " is " + std::to_string(score[k]));
  }
}

void Frontier::output(int worker, const Counts& counts, Answer& answer) {
  const ActiveQuery& active = active_queries_[static_cast<std::size_t>(worker)];
  answer.clear();
  const LentArray<std::int64_t> lent_counts(component_, "the counts", counts);
  FilledLabels labels(component_, answer.raw()->labels);
  component_.call("frontier.output", active.example, [&](sculpt_error* error) {
    return table_.output(sessions_.for_worker(worker), lent_counts.data(), &answer.raw()->labels,
                         error);
  });
  labels.take();
  lent_counts.require_unchanged(active.example);
  active.fences.require_unchanged(active.example);
}

}  // namespace sculpt::core

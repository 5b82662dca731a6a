// The frontiers of the toy. All outputs are listed when a frontier query begins.

#include <algorithm>
#include <cmath>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core::toy {

namespace {

// Fills the frontier of a session. for_each_output(visit) calls visit(y, score, counts) for each
// output.
template <class ForEachOutput>
void list_outputs(ToySession& session, sculpt_frontier_shape& shape,
                  ForEachOutput&& for_each_output) {
  const std::vector<sculpt_count>& declared = toy_plan().counts;
  session.frontier.clear();
  Counts size = {1, 1};
  for_each_output([&](const Labels& y, double score, Counts counts) {
    for (std::size_t k = 0; k < declared.size(); ++k) {
      counts[k] = std::min(counts[k], declared[k].limit);
      size[k] = std::max(size[k], counts[k] + 1);
    }
    const auto [entry, is_new] = session.frontier.insert({counts, {score, y}});
    if (!is_new && score > entry->second.score) entry->second = {score, y};
  });
  session.frontier_size = size;
  shape.flags = session.frontier.empty() ? SCULPT_ANSWER_NO_OUTPUT : 0;
  shape.size[0] = size[0];
  shape.size[1] = size[1];
  if (toy_plan().change_shape) toy_plan().change_shape(shape);
}

sculpt_status oracle_begin(void* raw, const sculpt_frontier_query* query,
                           sculpt_frontier_shape* shape, sculpt_error* error) {
  auto& session = *static_cast<ToySession*>(raw);
  const std::int64_t example = query->query->example;
  const auto& dataset = *static_cast<ToyOracle*>(session.self)->dataset;
  const ToyExample& one = dataset.examples[static_cast<std::size_t>(example)];
  const bool truth_is_output = !toy_plan().leaves_out_truth;
  list_outputs(session, *shape, [&](auto&& visit) {
    for (std::int64_t n = 0; n < labelling_count(one.truth.size()); ++n) {
      const Labels y = labelling(n, one.truth.size());
      if (!truth_is_output && y == one.truth) continue;
      double score = 0;
      for_each_feature(one.observations, y.data(),
                       [&](std::int32_t index) { score += query->query->weights.data[index]; });
      visit(y, score, toy_counts(one.truth, y));
    }
  });
  if (!truth_is_output && shape->flags == 0) shape->flags = SCULPT_ANSWER_TRUTH_OUTSIDE;
  return begin_call("oracle.begin_frontier", example, error);
}

sculpt_status solver_begin(void* raw, const sculpt_frontier_query* query,
                           sculpt_frontier_shape* shape, sculpt_error* error) {
  const sculpt_map_query& map = *query->map;
  list_outputs(*static_cast<ToySession*>(raw), *shape, [&](auto&& visit) {
    const auto size = static_cast<std::size_t>(map.graph->variable_count);
    for (std::int64_t n = 0; n < labelling_count(size); ++n) {
      const Labels y = labelling(n, size);
      Counts counts = {};
      for (std::uint32_t k = 0; k < query->count_count; ++k) {
        counts[k] = table_sum(*map.graph, query->tables[k], y);
      }
      visit(y, table_sum(*map.graph, map.theta, y), counts);
    }
  });
  return begin_call("map_solver.begin_frontier", -1, error);
}

sculpt_status slice(void* raw, std::int64_t first, double* score, sculpt_error* error) {
  const auto& session = *static_cast<ToySession*>(raw);
  for (std::int64_t second = 0; second < session.frontier_size[1]; ++second) {
    const auto entry = session.frontier.find({first, second});
    score[second] = entry == session.frontier.end() ? -INFINITY : entry->second.score;
  }
  if (toy_plan().change_slice) toy_plan().change_slice(first, score);
  return begin_call("frontier.slice", -1, error);
}

sculpt_status output(void* raw, const std::int64_t* counts, sculpt_label_buffer* out,
                     sculpt_error* error) {
  const auto& session = *static_cast<ToySession*>(raw);
  const Labels& y = session.frontier.at({counts[0], counts[1]}).output;
  const sculpt_status status = sculpt_resize_labels(out, static_cast<std::int64_t>(y.size()));
  if (status != SCULPT_OK) return status;
  std::copy(y.begin(), y.end(), out->data);
  if (toy_plan().change_output) toy_plan().change_output(*out);
  return begin_call("frontier.output", -1, error);
}

}  // namespace

const sculpt_ext_frontier& oracle_frontier() {
  static constexpr sculpt_ext_frontier table = {oracle_begin, slice, output};
  return table;
}
const sculpt_ext_frontier& solver_frontier() {
  static constexpr sculpt_ext_frontier table = {solver_begin, slice, output};
  return table;
}

}  // namespace sculpt::core::toy

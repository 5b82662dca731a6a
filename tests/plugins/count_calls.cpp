#include "count_calls.hpp"

#include "call_buffers.hpp"

#include <sculpt/ext/count_loss.h>

#include <limits>

namespace plugin_test {

namespace {

const sculpt_ext_count_loss& count_table(const LiveComponent& loss) {
  return loss.extension<sculpt_ext_count_loss>(SCULPT_EXT_COUNT_LOSS);
}
const sculpt_ext_factor_counts& factor_table(const LiveComponent& loss) {
  return loss.extension<sculpt_ext_factor_counts>(SCULPT_EXT_FACTOR_COUNTS);
}

}  // namespace

std::vector<NamedCount> counts_of(const LiveComponent& loss) {
  const sculpt_count* counts = nullptr;
  std::int64_t count_count = 0;
  ErrorText error;
  error.check(count_table(loss).counts(loss.self(), &counts, &count_count, error.raw()));
  std::vector<NamedCount> result;
  for (std::int64_t k = 0; k < count_count; ++k) {
    result.push_back({counts[k].name, counts[k].limit});
  }
  return result;
}
double loss_of_counts(const LiveComponent& loss, const Outputs& truth,
                      const std::vector<std::int64_t>& counts) {
  double value = -1;
  ErrorText error;
  error.check(
      count_table(loss).value(loss.session(), 0, view(truth), counts.data(), &value, error.raw()));
  return value;
}
std::uint32_t count_demands(const LiveComponent& loss) {
  std::uint32_t demands = ~std::uint32_t{0};
  ErrorText error;
  error.check(factor_table(loss).demands(loss.self(), &demands, error.raw()));
  return demands;
}
CountTables factor_counts(const LiveComponent& loss, const sculpt_factor_graph& graph,
                          const Outputs& truth) {
  CountTables tables(counts_of(loss).size(),
                     std::vector<std::int32_t>(static_cast<std::size_t>(graph.theta_size)));
  std::vector<std::int32_t*> rows;
  for (auto& table : tables) rows.push_back(table.data());
  ErrorText error;
  error.check(
      factor_table(loss).add(loss.session(), 0, &graph, view(truth), rows.data(), error.raw()));
  return tables;
}

bool bounds_weights(const LiveComponent& features) {
  return features.offers(SCULPT_EXT_WEIGHT_BOUNDS);
}
std::vector<std::uint8_t> weight_bounds(const LiveComponent& features) {
  std::vector<std::uint8_t> nonnegative(static_cast<std::size_t>(dimension(features)), 7);
  ErrorText error;
  error.check(features.extension<sculpt_ext_weight_bounds>(SCULPT_EXT_WEIGHT_BOUNDS)
                  .bounds(features.self(), nonnegative.data(), error.raw()));
  return nonnegative;
}

SolverFrontier::SolverFrontier(const LiveComponent& solver, const sculpt_factor_graph& graph,
                               const std::vector<double>& theta, const CountTables& tables,
                               const std::vector<std::int64_t>& limits)
    : table_(solver.extension<sculpt_ext_frontier>(SCULPT_EXT_FRONTIER)),
      session_(solver.session()),
      theta_(theta),
      tables_(tables),
      map_{sizeof(sculpt_map_query), 0, &graph, theta_.data(), 1},
      shape_{sizeof(sculpt_frontier_shape), ~std::uint32_t{0}, {-1, -1}} {
  for (const auto& table : tables_) rows_.push_back(table.data());
  for (const std::int64_t limit : limits) counts_.push_back({"things", limit, 0, 0});
  query_ = {sizeof(sculpt_frontier_query),
            static_cast<std::uint32_t>(counts_.size()),
            counts_.data(),
            nullptr,
            &map_,
            rows_.data()};
  ErrorText error;
  error.check(table_.begin(session_, &query_, &shape_, error.raw()));
}

std::vector<double> SolverFrontier::slice(std::int64_t first) const {
  std::vector<double> scores(static_cast<std::size_t>(shape_.size[1]),
                             std::numeric_limits<double>::quiet_NaN());
  ErrorText error;
  error.check(table_.slice(session_, first, scores.data(), error.raw()));
  return scores;
}

Outputs SolverFrontier::output(Counts counts) const {
  LabelBuffer labels;
  ErrorText error;
  error.check(table_.output(session_, counts.data(), &labels, error.raw()));
  return labels.outputs();
}

}  // namespace plugin_test

#include "problem/map_oracle/factor_counts.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>
#include <string>

#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

std::optional<FactorCounts> FactorCounts::if_offered(Loss& loss) {
  const std::optional<CountLoss> count_loss = CountLoss::if_offered(loss);
  const auto* const table = loss.component().extension<sculpt_ext_factor_counts>();
  if (!count_loss || table == nullptr) return std::nullopt;
  return FactorCounts(*count_loss, *table);
}

FactorCounts::FactorCounts(CountLoss count_loss, const sculpt_ext_factor_counts& table)
    : count_loss_(count_loss), table_(&table) {
  const Component& loss = count_loss_.loss().component();
  loss.call("factor-counts.demands", -1, [&](sculpt_error* error) {
    return table_->demands(loss.self(), &demands_.alternatives.front(), error);
  });
}

void FactorCounts::fill(int worker, std::int64_t example, sculpt_labels truth,
                        const sculpt_factor_graph& graph, CountTables& tables) {
  Loss& loss = count_loss_.loss();
  const Component& component = loss.component();
  const LentLabels lent_truth(component, "the labels of the truth", truth);
  std::vector<FilledArray<std::int32_t>> filled;
  std::vector<std::int32_t*> data;
  tables.resize(counts().size());
  for (std::vector<std::int32_t>& table : tables) {
    table.assign(static_cast<std::size_t>(graph.theta_size), 0);
    filled.emplace_back(component, "a table of counts", table);
    data.push_back(filled.back().data());
  }
  component.call("factor-counts.add", example, [&](sculpt_error* error) {
    return table_->add(loss.session(worker), example, &graph, lent_truth.raw(), data.data(), error);
  });
  for (const FilledArray<std::int32_t>& table : filled) table.take();
  lent_truth.require_unchanged(example);
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const std::vector<std::int32_t>& table = tables[k];
    const auto negative =
        std::find_if(table.begin(), table.end(), [](std::int32_t count) { return count < 0; });
    if (negative == table.end()) continue;
    component.refuse(Exit::plugin, example,
                     "counts " + std::to_string(*negative) + " " + counts()[k].name + " in cell " +
                         std::to_string(negative - table.begin()) +
                         " of the factor tables; counts must not be negative");
  }
}

Counts FactorCounts::counts_of(const sculpt_factor_graph& graph, const CountTables& tables,
                               const std::int32_t* y) const {
  Counts result = {};
  for (std::size_t k = 0; k < tables.size(); ++k) {
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      result[k] += tables[k][static_cast<std::size_t>(factor_cell(graph, f, y))];
    }
    result[k] = std::min(result[k], counts()[k].limit);
  }
  return result;
}

}  // namespace sculpt::core

#include "check/small_graphs/small_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

std::string list_text(const std::vector<std::int32_t>& numbers, const char* between) {
  std::vector<std::string> words;
  for (const std::int32_t number : numbers) words.push_back(std::to_string(number));
  return joined(words, between);
}

bool all_zero(const std::vector<double>& table) {
  return std::all_of(table.begin(), table.end(), [](double cell) { return cell == 0; });
}

std::string row_text(const std::vector<double>& table) {
  std::vector<std::string> words;
  for (const double cell : table) words.push_back(exact_number_text(cell));
  return joined(words, " ");
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> SmallGraph::cells_of(
    const std::vector<std::int32_t>& y) const {
  std::vector<std::pair<std::size_t, std::size_t>> cells;
  for (std::size_t v = 0; v < states.size(); ++v) {
    cells.emplace_back(v, static_cast<std::size_t>(y[v]));
  }
  for (const Factor& factor : factors) {
    std::size_t cell = 0;
    for (const std::int32_t v : factor.scope) {
      const auto index = static_cast<std::size_t>(v);
      cell = cell * static_cast<std::size_t>(states[index]) + static_cast<std::size_t>(y[index]);
    }
    cells.emplace_back(factor.table, cell);
  }
  return cells;
}

double SmallGraph::score(const std::vector<std::int32_t>& y) const {
  double sum = 0;
  for (const auto& [table, cell] : cells_of(y)) sum += tables[table][cell];
  return sum;
}

Terms SmallGraph::terms(const std::vector<std::int32_t>& y) const {
  Terms sum;
  for (const auto& [table, cell] : cells_of(y)) sum += {std::abs(tables[table][cell]), 1};
  return sum;
}

Terms SmallGraph::largest_terms() const {
  Terms sum;
  const auto add = [&](const std::vector<double>& table) {
    double largest = 0;
    for (const double cell : table) largest = std::max(largest, std::abs(cell));
    sum += {largest, 1};
  };
  for (std::size_t v = 0; v < states.size(); ++v) add(tables[v]);
  for (const Factor& factor : factors) add(tables[factor.table]);
  return sum;
}

std::vector<double> SmallGraph::theta() const {
  std::vector<double> theta;
  for (const std::vector<double>& table : tables) {
    theta.insert(theta.end(), table.begin(), table.end());
  }
  return theta;
}

void SmallGraph::set_theta(const std::vector<double>& theta) {
  std::size_t index = 0;
  for (std::vector<double>& table : tables) {
    for (double& cell : table) cell = theta[index++];
  }
}

std::vector<std::string> SmallGraph::lines() const {
  std::vector<std::string> lines = {
      std::to_string(states.size()) + (states.size() == 1 ? " variable" : " variables") + " with " +
      list_text(states, ", ") + " states; tables of zeros are left out"};
  for (std::size_t v = 0; v < states.size(); ++v) {
    if (!all_zero(tables[v])) {
      lines.push_back("  theta(y" + std::to_string(v) + ") = " + row_text(tables[v]));
    }
  }
  for (const Factor& factor : factors) {
    if (all_zero(tables[factor.table])) continue;
    std::string names;
    for (const std::int32_t v : factor.scope) {
      names += (names.empty() ? "y" : ", y") + std::to_string(v);
    }
    lines.push_back("  theta(" + names + ") = " + row_text(tables[factor.table]) +
                    (factor.scope.size() > 1 ? "   (the last variable varies fastest)" : ""));
  }
  return lines;
}

std::optional<SmallGraph> small_graph_of(const sculpt_factor_graph& graph) {
  SmallGraph result;
  result.classes = graph.classes;
  std::map<std::int64_t, std::size_t> table_at;  // by its first cell in theta
  for (std::int64_t f = 0; f < graph.factor_count; ++f) {
    SmallGraph::Factor factor;
    factor.scope.assign(graph.scope + graph.scope_from[f], graph.scope + graph.scope_from[f + 1]);
    std::size_t cells = 1;
    for (const std::int32_t v : factor.scope) cells *= static_cast<std::size_t>(graph.states[v]);
    const auto [entry, is_new] = table_at.try_emplace(graph.table[f], result.tables.size());
    if (is_new) result.tables.emplace_back(cells, 0.0);
    if (result.tables[entry->second].size() != cells) return std::nullopt;
    factor.table = entry->second;
    if (f < graph.variable_count) {
      if (!is_new) return std::nullopt;
      result.states.push_back(graph.states[f]);
    } else {
      result.factors.push_back(std::move(factor));
    }
  }
  std::int64_t end = 0;
  for (const auto& [begin, table] : table_at) {
    if (begin < end) return std::nullopt;
    end = begin + static_cast<std::int64_t>(result.tables[table].size());
  }
  return result;
}

FactorGraphData::FactorGraphData(const SmallGraph& graph, std::uint64_t topology) {
  builder_.clear();
  for (const std::int32_t count : graph.states) builder_.add_variable(count);
  std::vector<std::int64_t> begins(graph.tables.size(), 0);
  for (std::size_t table = graph.states.size(); table < graph.tables.size(); ++table) {
    begins[table] = builder_.add_table(static_cast<std::int64_t>(graph.tables[table].size()));
  }
  for (const SmallGraph::Factor& factor : graph.factors) {
    builder_.add_factor(factor.scope, begins[factor.table]);
  }
  raw_ = &builder_.graph(graph.classes, topology);
}

}  // namespace sculpt::core

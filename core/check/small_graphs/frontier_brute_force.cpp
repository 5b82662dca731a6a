#include "check/small_graphs/frontier_brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/infinity.hpp"
#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/small_graphs/best_assignment.hpp"
#include "check/small_graphs/open_frontier.hpp"
#include "problem/outputs/factor_graph_reader.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_cells = 100000;

// Returns the best assignment for each vector of counts.
std::map<Counts, BestAssignment> brute_force(const CountedGraph& counted) {
  std::map<Counts, BestAssignment> best;
  each_assignment(counted.graph.states, [&](const std::vector<std::int32_t>& y) {
    const double value = counted.graph.score(y);
    const auto [entry, is_new] = best.try_emplace(counted.counts_of(y), BestAssignment{y, value});
    if (!is_new && value > entry->second.value) entry->second = {y, value};
  });
  return best;
}

}  // namespace

Counts CountedGraph::counts_of(const std::vector<std::int32_t>& y) const {
  std::vector<std::size_t> table_begins;
  std::size_t begin = 0;
  for (const std::vector<double>& table : graph.tables) {
    table_begins.push_back(begin);
    begin += table.size();
  }
  Counts sums = {};
  for (const auto& [table, cell] : graph.cells_of(y)) {
    for (std::size_t k = 0; k < counts.size(); ++k)
      sums[k] += tables[k][table_begins[table] + cell];
  }
  for (std::size_t k = 0; k < counts.size(); ++k) sums[k] = std::min(sums[k], counts[k].limit);
  return sums;
}

std::vector<std::string> CountedGraph::lines() const {
  std::vector<std::string> lines = graph.lines();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const bool limited = counts[k].limit < std::numeric_limits<std::int64_t>::max();
    lines.push_back("  " + std::string(counts[k].name) +
                    " of the cells of theta: " + labels_text(tables[k]) +
                    (limited ? ", up to " + std::to_string(counts[k].limit) : ""));
  }
  return lines;
}

CountedGraph draw_counts(Random& random, const SmallGraph& graph) {
  CountedGraph counted{graph, {}, {}};
  const std::int64_t count = random.integer(1, SCULPT_MOST_COUNTS);
  const std::size_t cells = graph.theta().size();
  for (std::int64_t k = 0; k < count; ++k) {
    const bool limited = random.chance(2);
    counted.counts.push_back(
        {k == 0 ? "errors" : "others",
         limited ? random.integer(1, 3) : std::numeric_limits<std::int64_t>::max(), 0, 0});
    std::vector<std::int32_t>& table = counted.tables.emplace_back(cells, 0);
    for (std::int32_t& cell : table) {
      cell = random.chance(2) ? 0 : static_cast<std::int32_t>(random.integer(0, 2));
    }
  }
  return counted;
}

FrontierBruteForce::Shape FrontierBruteForce::begin(sculpt_frontier_query& query) {
  const Component& component = solver_.component();
  lent_.lend(component, query);
  sculpt_frontier_shape shape = {};
  shape.struct_size = sizeof shape;
  component.call("frontier.begin", -1, [&](sculpt_error* error) {
    return table_.begin(solver_.session(), &query, &shape, error);
  });
  const bool is_valid_shape = (shape.flags & SCULPT_ANSWER_NO_OUTPUT) == 0 && shape.size[0] >= 1 &&
                              shape.size[1] >= 1 && shape.size[0] <= max_cells &&
                              shape.size[1] <= max_cells / shape.size[0];
  if (!is_valid_shape) {
    component.refuse(Exit::plugin, -1,
                     "begins a frontier of " + std::to_string(shape.size[0]) + " x " +
                         std::to_string(shape.size[1]) +
                         " counts, or reports NO_OUTPUT; there must be from 1 to " +
                         std::to_string(max_cells) + " counts");
  }
  return {{shape.size[0], shape.size[1]}};
}

std::vector<double> FrontierBruteForce::slice(std::int64_t first, const Shape& shape) {
  std::vector<double> scores(static_cast<std::size_t>(shape.size[1]), std::nan(""));
  const FilledArray<double> filled(solver_.component(), "the scores of a slice", scores);
  const auto read = [&](sculpt_error* error) {
    return table_.slice(solver_.session(), first, filled.data(), error);
  };
  read_open_frontier(solver_.component(), "frontier.slice", -1,
                     [&] { solver_.component().call("frontier.slice", -1, read); });
  filled.take();
  lent_.require_unchanged(-1);
  return scores;
}

std::vector<std::int32_t> FrontierBruteForce::output_of(const Counts& counts) {
  Answer answer;
  const LentArray<std::int64_t> lent_counts(solver_.component(), "the counts", counts);
  FilledLabels labels(solver_.component(), answer.raw()->labels);
  const auto read = [&](sculpt_error* error) {
    return table_.output(solver_.session(), lent_counts.data(), &answer.raw()->labels, error);
  };
  read_open_frontier(solver_.component(), "frontier.output", -1,
                     [&] { solver_.component().call("frontier.output", -1, read); });
  labels.take();
  lent_counts.require_unchanged(-1);
  lent_.require_unchanged(-1);
  return OwnedAnswer(answer).labels;
}

std::vector<std::string> FrontierBruteForce::fault(const CountedGraph& counted) {
  const FactorGraphData graph_data(counted.graph, 0);
  const std::vector<double> theta = counted.graph.theta();
  sculpt_map_query map_query = {};
  map_query.struct_size = sizeof map_query;
  map_query.graph = &graph_data.raw();
  map_query.theta = theta.data();
  std::vector<const std::int32_t*> tables;
  for (const std::vector<std::int32_t>& table : counted.tables) tables.push_back(table.data());
  sculpt_frontier_query query = {};
  query.struct_size = sizeof query;
  query.count_count = static_cast<std::uint32_t>(counted.counts.size());
  query.count = counted.counts.data();
  query.map = &map_query;
  query.tables = tables.data();

  const std::string subject = "the frontier of " + solver_.component().name();
  std::map<Counts, BestAssignment> best = brute_force(counted);
  const Shape shape = begin(query);
  for (Counts counts = {}; counts[0] < shape.size[0]; ++counts[0]) {
    const std::vector<double> scores = slice(counts[0], shape);
    for (counts[1] = 0; counts[1] < shape.size[1]; ++counts[1]) {
      const double score = scores[static_cast<std::size_t>(counts[1])];
      const std::string entry_text = subject + " gives " + exact_number_text(score) + " for " +
                                     counts_text(counted.counts, counts);
      const auto best_entry = best.find(counts);
      if (best_entry == best.end()) {
        if (score == -infinity) continue;
        return {entry_text + ", which no assignment has"};
      }
      const double value = best_entry->second.value;
      const double rounding = 2 * counted.graph.largest_terms().rounding();
      const std::string best_text =
          "  best    " + labels_text(best_entry->second.y) + ": score " + exact_number_text(value);
      if (!(std::abs(score - value) <= rounding)) return {entry_text, best_text};
      const std::vector<std::int32_t> y = output_of(counts);
      if (!is_assignment(graph_data.raw(), y) || counted.counts_of(y) != counts ||
          std::abs(counted.graph.score(y) - value) > rounding) {
        return {entry_text + ", but its output for these counts is " + labels_text(y), best_text};
      }
      best.erase(best_entry);
    }
    counts[1] = 0;
  }
  if (best.empty()) return {};
  return {subject + " has no entry for " + counts_text(counted.counts, best.begin()->first),
          "  output  " + labels_text(best.begin()->second.y)};
}

}  // namespace sculpt::core

// lent_frontier_query.hpp - a frontier query whose arrays have fences behind them (lent_array.hpp).
//
// Called by Frontier, and by check for map_solvers.
#pragma once

#include <sculpt/ext/frontier.h>

#include <vector>

#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

// Must live until the series of calls ends, and must not move.
class LentFrontierQuery {
 public:
  LentFrontierQuery() = default;
  LentFrontierQuery(const LentFrontierQuery&) = delete;
  LentFrontierQuery& operator=(const LentFrontierQuery&) = delete;

  // Replaces the arrays of `query` by copies, if `reader` is fenced. Frees earlier copies.
  void lend(const Component& reader, sculpt_frontier_query& query) {
    tables_.clear();
    table_data_.clear();
    oracle_ = {};
    map_ = {};
    if (!reader.is_fenced()) return;
    if (query.query != nullptr) {
      oracle_ = {reader, *query.query};
      query.query = oracle_.raw();
    }
    if (query.map == nullptr) return;
    map_ = {reader, *query.map};
    query.map = map_.raw();
    for (std::uint32_t k = 0; k < query.count_count; ++k) {
      tables_.emplace_back(reader, "a table of counts", query.tables[k],
                           query.map->graph->theta_size);
      table_data_.push_back(tables_.back().data());
    }
    query.tables = table_data_.data();
  }
  // Throws Failure(Exit::plugin) if the reader has written to a copy.
  void require_unchanged(std::int64_t example) const {
    oracle_.require_unchanged();
    map_.require_unchanged(example);
    for (const LentArray<std::int32_t>& table : tables_) table.require_unchanged(example);
  }

 private:
  LentQuery oracle_;
  LentMapQuery map_;
  std::vector<LentArray<std::int32_t>> tables_;  // for each count
  std::vector<const std::int32_t*> table_data_;  // their addresses
};

}  // namespace sculpt::core

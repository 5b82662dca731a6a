// map_series.hpp - the k best outputs and draws by a map_solver, from theta of map_queries.hpp.
//
// Made by MapOracle.
#pragma once

#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>

#include <cstdint>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/map_oracle/map_queries.hpp"
#include "problem/oracle/output_series.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_map_k_best> {
  static constexpr const char* id = SCULPT_EXT_MAP_K_BEST;
  static constexpr std::size_t required_functions = 2;
};
template <>
struct Extension<sculpt_ext_map_sample> {
  static constexpr const char* id = SCULPT_EXT_MAP_SAMPLE;
  static constexpr std::size_t required_functions = 2;
};

class MapSeries : public OutputSeries {
 public:
  // All arguments outlive this.
  MapSeries(const Component& map_solver, Sessions& sessions, MapQueries& queries, int threads);

  bool lists_k_best() const override { return k_best_ != nullptr; }
  bool draws() const override { return sample_ != nullptr; }
  void begin_k_best(int worker, const sculpt_query& query) override;
  void next_best(int worker, Answer& answer) override;
  double begin_draws(int worker, const sculpt_query& query) override;
  void draw(int worker, std::uint64_t seed, Answer& answer) override;

 private:
  // The current series of a worker.
  struct alignas(cache_line) Series {
    std::int64_t example = 0;
    double constant = 0;  // of the loss
    LentMapQuery query;
  };
  Series& begin(int worker, const sculpt_query& query);

  const Component& map_solver_;
  Sessions& sessions_;
  MapQueries& queries_;
  const sculpt_ext_map_k_best* k_best_;
  const sculpt_ext_map_sample* sample_;
  std::vector<Series> series_;  // [threads]
};

}  // namespace sculpt::core

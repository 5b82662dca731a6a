#include "problem/map_oracle/map_series.hpp"

#include <cmath>

namespace sculpt::core {

MapSeries::MapSeries(const Component& map_solver, Sessions& sessions, MapQueries& queries,
                     int threads)
    : map_solver_(map_solver),
      sessions_(sessions),
      queries_(queries),
      k_best_(map_solver.extension<sculpt_ext_map_k_best>()),
      sample_(map_solver.extension<sculpt_ext_map_sample>()),
      series_(static_cast<std::size_t>(threads)) {}

MapSeries::Series& MapSeries::begin(int worker, const sculpt_query& query) {
  Series& series = series_[static_cast<std::size_t>(worker)];
  sculpt_map_query map_query = {};
  series.constant = queries_.make_query(worker, query, map_query);
  series.example = query.example;
  series.query = {map_solver_, map_query};
  return series;
}

void MapSeries::begin_k_best(int worker, const sculpt_query& query) {
  const Series& series = begin(worker, query);
  map_solver_.call("map-k-best.begin", query.example, [&](sculpt_error* error) {
    return k_best_->begin(sessions_.for_worker(worker), series.query.raw(), error);
  });
}

void MapSeries::next_best(int worker, Answer& answer) {
  answer.clear();
  const Series& series = series_[static_cast<std::size_t>(worker)];
  FilledLabels labels(map_solver_, answer.raw()->labels);
  map_solver_.call("map-k-best.next", series.example, [&](sculpt_error* error) {
    return k_best_->next(sessions_.for_worker(worker), answer.raw(), error);
  });
  labels.take();
  answer.raw()->value += series.constant;
}

double MapSeries::begin_draws(int worker, const sculpt_query& query) {
  const Series& series = begin(worker, query);
  double log_z = std::nan("");
  map_solver_.call("map-sample.begin", query.example, [&](sculpt_error* error) {
    return sample_->begin(sessions_.for_worker(worker), series.query.raw(), &log_z, error);
  });
  require_log_z_of_draws(map_solver_, query.example, log_z);
  return log_z + series.constant;
}

void MapSeries::draw(int worker, std::uint64_t seed, Answer& answer) {
  answer.clear();
  const Series& series = series_[static_cast<std::size_t>(worker)];
  FilledLabels labels(map_solver_, answer.raw()->labels);
  map_solver_.call("map-sample.draw", series.example, [&](sculpt_error* error) {
    return sample_->draw(sessions_.for_worker(worker), seed, &answer.raw()->labels, error);
  });
  labels.take();
}

}  // namespace sculpt::core

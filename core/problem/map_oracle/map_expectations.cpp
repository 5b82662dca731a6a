#include "problem/map_oracle/map_expectations.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace sculpt::core {

MapExpectations::MapExpectations(const Component& map_solver, Sessions& sessions,
                                 MapQuestions& questions, Features& features, int threads)
    : Expectations(map_solver),
      sessions_(sessions),
      questions_(questions),
      features_(features),
      table_(*map_solver.extension<sculpt_ext_map_expectation>()),
      desks_(static_cast<std::size_t>(threads)) {}

double MapExpectations::ask_mean(int worker, const sculpt_query& query, SparseAccumulator& scratch,
                                 SparseVector& mean) {
  sculpt_map_query asked = {};
  const double constant = questions_.pose(worker, query, asked);
  Desk& desk = open(worker, asked);
  double log_z = std::nan("");
  component().call("map-expectation.mean", query.example, [&](sculpt_error* error) {
    return table_.mean(sessions_.of(worker), &asked, &log_z, desk.mu.data(), error);
  });
  if (!std::isfinite(log_z)) return log_z;
  require_numbers("E[z]", desk.mu, query.example);
  features_.pull_back(worker, query.example, desk.mu.data(), scratch, mean);
  return log_z + constant;
}

void MapExpectations::ask_covariance(int worker, const sculpt_query& query, const sculpt_weights& v,
                                     SparseAccumulator& scratch, SparseVector& out) {
  sculpt_map_query asked = {};
  questions_.pose(worker, query, asked);
  Desk& desk = open(worker, asked);
  questions_.add_scores(worker, query.example, v, *asked.graph, desk.direction);
  component().call("map-expectation.covariance_times", query.example, [&](sculpt_error* error) {
    return table_.covariance_times(sessions_.of(worker), &asked, desk.direction.data(),
                                   desk.mu.data(), error);
  });
  require_numbers("Cov[z] v", desk.mu, query.example);
  features_.pull_back(worker, query.example, desk.mu.data(), scratch, out);
}

// What a map_solver leaves unwritten shows in require_numbers().
MapExpectations::Desk& MapExpectations::open(int worker, const sculpt_map_query& query) {
  Desk& desk = desks_[static_cast<std::size_t>(worker)];
  desk.mu.assign(static_cast<std::size_t>(query.graph->theta_size), std::nan(""));
  return desk;
}

// Behind the pullback it would look like a fault of the features.
void MapExpectations::require_numbers(const char* what, const Vector& cells,
                                      std::int64_t example) const {
  const auto wrong =
      std::find_if_not(cells.begin(), cells.end(), [](double cell) { return std::isfinite(cell); });
  if (wrong == cells.end()) return;
  component().refuse(Exit::plugin, example,
                     std::string("says that ") + what + " is " +
                         (std::isnan(*wrong) ? "NaN" : "infinite") + " in cell " +
                         std::to_string(wrong - cells.begin()) +
                         " of theta; it must write a number into each of the " +
                         std::to_string(cells.size()) + " cells");
}

}  // namespace sculpt::core

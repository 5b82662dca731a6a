#include "check/small_graphs/map_distribution_caller.hpp"

#include <cmath>

namespace sculpt::core {

MapQueryData::MapQueryData(const SmallGraph& graph)
    : graph_data_(graph, 0), theta_(graph.theta()), query_{} {
  query_.struct_size = sizeof query_;
  query_.graph = &graph_data_.raw();
  query_.theta = theta_.data();
  query_.seed = 1;
}

template <class Function>
sculpt_status MapDistributionCaller::status_of(const char* name, Function function,
                                               std::string& error_text) {
  ErrorBuffer error;
  const sculpt_status status = component_.run_in_call_scope(
      name, -1, [&] { return function(sessions_.for_worker(0), error.raw()); });
  if (status != SCULPT_OK) error_text = error.text();
  return status;
}

template <class Function>
bool MapDistributionCaller::call_if_supported(const char* name, Function function) {
  std::string error_text;
  const sculpt_status status = status_of(name, function, error_text);
  if (status != SCULPT_OK && status != SCULPT_E_UNSUPPORTED)
    component_.fail(status, error_text, -1);
  return status == SCULPT_OK;
}

std::optional<MapDistributionCaller::Mean> MapDistributionCaller::mean(const MapQueryData& graph) {
  const auto& table = *component_.extension<sculpt_ext_map_expectation>();
  const auto size = static_cast<std::size_t>(graph.query().graph->theta_size);
  Mean mean{{std::nan(""), 0, 0}, std::vector<double>(size, std::nan(""))};
  const LentMapQuery query(component_, graph.query());
  const FilledArray<double> mu(component_, "mu", mean.mu);
  const bool is_supported =
      call_if_supported("expectation.mean", [&](void* session, sculpt_error* error) {
        return table.mean(session, query.raw(), &mean.log_z, mu.data(), error);
      });
  mu.take();
  query.require_unchanged(-1);
  return is_supported ? std::optional(std::move(mean)) : std::nullopt;
}

std::optional<std::vector<double>> MapDistributionCaller::covariance_times(
    const MapQueryData& graph, const std::vector<double>& direction) {
  const auto& table = *component_.extension<sculpt_ext_map_expectation>();
  std::vector<double> result(direction.size(), std::nan(""));
  const LentMapQuery query(component_, graph.query());
  const LentArray<double> lent_direction(component_, "the direction", direction);
  const FilledArray<double> filled(component_, "the product", result);
  const bool is_supported =
      call_if_supported("expectation.covariance_times", [&](void* session, sculpt_error* error) {
        return table.covariance_times(session, query.raw(), lent_direction.data(), filled.data(),
                                      error);
      });
  filled.take();
  lent_direction.require_unchanged(-1);
  query.require_unchanged(-1);
  return is_supported ? std::optional(std::move(result)) : std::nullopt;
}

bool MapDistributionCaller::begin_k_best(const MapQueryData& graph) {
  const auto& table = *component_.extension<sculpt_ext_map_k_best>();
  series_query_ = {component_, graph.query()};
  return call_if_supported("k_best.begin", [&](void* session, sculpt_error* error) {
    return table.begin(session, series_query_.raw(), error);
  });
}

sculpt_status MapDistributionCaller::next(Answer& answer, std::string& error_text) {
  const auto& table = *component_.extension<sculpt_ext_map_k_best>();
  FilledLabels labels(component_, answer.raw()->labels);
  const sculpt_status status = status_of(
      "k_best.next",
      [&](void* session, sculpt_error* error) { return table.next(session, answer.raw(), error); },
      error_text);
  labels.take();
  series_query_.require_unchanged(-1);
  return status;
}

OwnedAnswer MapDistributionCaller::next() {
  Answer answer;
  std::string error_text;
  const sculpt_status status = next(answer, error_text);
  if (status != SCULPT_OK) component_.fail(status, error_text, -1);
  return OwnedAnswer(answer);
}

std::optional<OwnedAnswer> MapDistributionCaller::next_if_any() {
  Answer answer;
  std::string error_text;
  return next(answer, error_text) == SCULPT_OK ? std::optional(OwnedAnswer(answer)) : std::nullopt;
}

std::optional<double> MapDistributionCaller::begin_sample(const MapQueryData& graph) {
  const auto& table = *component_.extension<sculpt_ext_map_sample>();
  double log_z = std::nan("");
  series_query_ = {component_, graph.query()};
  const bool is_supported =
      call_if_supported("sample.begin", [&](void* session, sculpt_error* error) {
        return table.begin(session, series_query_.raw(), &log_z, error);
      });
  return is_supported ? std::optional(log_z) : std::nullopt;
}

sculpt_status MapDistributionCaller::draw(std::uint64_t seed, Answer& answer,
                                          std::string& error_text) {
  const auto& table = *component_.extension<sculpt_ext_map_sample>();
  FilledLabels labels(component_, answer.raw()->labels);
  const sculpt_status status = status_of(
      "sample.draw",
      [&](void* session, sculpt_error* error) {
        return table.draw(session, seed, &answer.raw()->labels, error);
      },
      error_text);
  labels.take();
  series_query_.require_unchanged(-1);
  return status;
}

std::vector<std::int32_t> MapDistributionCaller::draw(std::uint64_t seed) {
  Answer answer;
  std::string error_text;
  const sculpt_status status = draw(seed, answer, error_text);
  if (status != SCULPT_OK) component_.fail(status, error_text, -1);
  return OwnedAnswer(answer).labels;
}

std::optional<std::vector<std::int32_t>> MapDistributionCaller::draw_if_any(std::uint64_t seed) {
  Answer answer;
  std::string error_text;
  return draw(seed, answer, error_text) == SCULPT_OK ? std::optional(OwnedAnswer(answer).labels)
                                                     : std::nullopt;
}

void MapDistributionCaller::solve(const MapQueryData& graph) {
  Answer answer;
  const LentMapQuery query(component_, graph.query());
  FilledLabels labels(component_, answer.raw()->labels);
  component_.call("solve", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_map_solver_api>().solve(sessions_.for_worker(0), query.raw(),
                                                         answer.raw(), error);
  });
  labels.take();
  query.require_unchanged(-1);
}

}  // namespace sculpt::core

#include "check/small_graphs/map_distribution_caller.hpp"

#include <cmath>

namespace sculpt::core {

MapQueryData::MapQueryData(const SmallGraph& graph)
    : lent_(graph, 0), theta_(graph.theta()), query_{} {
  query_.struct_size = sizeof query_;
  query_.graph = &lent_.raw();
  query_.theta = theta_.data();
  query_.seed = 1;
}

template <class Function>
sculpt_status MapDistributionCaller::status_of(const char* name, Function function,
                                               std::string& told) {
  ErrorText error;
  const sculpt_status status =
      component_.marked(name, -1, [&] { return function(sessions_.of(0), error.raw()); });
  if (status != SCULPT_OK) told = error.text();
  return status;
}

template <class Function>
bool MapDistributionCaller::supported(const char* name, Function function) {
  std::string told;
  const sculpt_status status = status_of(name, function, told);
  if (status != SCULPT_OK && status != SCULPT_E_UNSUPPORTED) component_.fail(status, told, -1);
  return status == SCULPT_OK;
}

std::optional<MapDistributionCaller::Mean> MapDistributionCaller::mean(const MapQueryData& graph) {
  const auto& table = *component_.extension<sculpt_ext_map_expectation>();
  const auto size = static_cast<std::size_t>(graph.query().graph->theta_size);
  Mean mean{std::nan(""), std::vector<double>(size, std::nan(""))};
  const bool told = supported("expectation.mean", [&](void* session, sculpt_error* error) {
    return table.mean(session, &graph.query(), &mean.log_z, mean.mu.data(), error);
  });
  return told ? std::optional(std::move(mean)) : std::nullopt;
}

std::optional<std::vector<double>> MapDistributionCaller::covariance_times(
    const MapQueryData& graph, const std::vector<double>& direction) {
  const auto& table = *component_.extension<sculpt_ext_map_expectation>();
  std::vector<double> out(direction.size(), std::nan(""));
  const bool told =
      supported("expectation.covariance_times", [&](void* session, sculpt_error* error) {
        return table.covariance_times(session, &graph.query(), direction.data(), out.data(), error);
      });
  return told ? std::optional(std::move(out)) : std::nullopt;
}

bool MapDistributionCaller::begin_k_best(const MapQueryData& graph) {
  const auto& table = *component_.extension<sculpt_ext_map_k_best>();
  return supported("k_best.begin", [&](void* session, sculpt_error* error) {
    return table.begin(session, &graph.query(), error);
  });
}

sculpt_status MapDistributionCaller::next(Answer& answer, std::string& told) {
  const auto& table = *component_.extension<sculpt_ext_map_k_best>();
  return status_of(
      "k_best.next",
      [&](void* session, sculpt_error* error) { return table.next(session, answer.raw(), error); },
      told);
}

OwnedAnswer MapDistributionCaller::next() {
  Answer answer;
  std::string told;
  const sculpt_status status = next(answer, told);
  if (status != SCULPT_OK) component_.fail(status, told, -1);
  return OwnedAnswer(answer);
}

std::optional<OwnedAnswer> MapDistributionCaller::next_if_any() {
  Answer answer;
  std::string told;
  return next(answer, told) == SCULPT_OK ? std::optional(OwnedAnswer(answer)) : std::nullopt;
}

std::optional<double> MapDistributionCaller::begin_sample(const MapQueryData& graph) {
  const auto& table = *component_.extension<sculpt_ext_map_sample>();
  double log_z = std::nan("");
  const bool told = supported("sample.begin", [&](void* session, sculpt_error* error) {
    return table.begin(session, &graph.query(), &log_z, error);
  });
  return told ? std::optional(log_z) : std::nullopt;
}

sculpt_status MapDistributionCaller::draw(std::uint64_t seed, Answer& answer, std::string& told) {
  const auto& table = *component_.extension<sculpt_ext_map_sample>();
  return status_of(
      "sample.draw",
      [&](void* session, sculpt_error* error) {
        return table.draw(session, seed, &answer.raw()->labels, error);
      },
      told);
}

std::vector<std::int32_t> MapDistributionCaller::draw(std::uint64_t seed) {
  Answer answer;
  std::string told;
  const sculpt_status status = draw(seed, answer, told);
  if (status != SCULPT_OK) component_.fail(status, told, -1);
  return OwnedAnswer(answer).labels;
}

std::optional<std::vector<std::int32_t>> MapDistributionCaller::draw_if_any(std::uint64_t seed) {
  Answer answer;
  std::string told;
  return draw(seed, answer, told) == SCULPT_OK ? std::optional(OwnedAnswer(answer).labels)
                                               : std::nullopt;
}

void MapDistributionCaller::solve(const MapQueryData& graph) {
  Answer answer;
  component_.call("solve", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_map_solver_api>().solve(sessions_.of(0), &graph.query(),
                                                         answer.raw(), error);
  });
}

}  // namespace sculpt::core

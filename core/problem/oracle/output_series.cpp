#include "problem/oracle/output_series.hpp"

#include <cmath>
#include <string>

#include "base/infinity.hpp"

namespace sculpt::core {

void require_log_z_of_draws(const Component& component, std::int64_t example, double log_z) {
  if (std::isfinite(log_z) || log_z == -infinity) return;
  component.refuse(Exit::plugin, example,
                   "returns " + std::to_string(log_z) +
                       " for log Z; it must be finite, or minus infinity if there is no output");
}

ComponentSeries::ComponentSeries(const Component& component, Sessions& sessions, int threads)
    : component_(component),
      sessions_(sessions),
      k_best_(component.extension<sculpt_ext_k_best>()),
      sample_(component.extension<sculpt_ext_sample>()),
      queries_(static_cast<std::size_t>(threads)) {}

void ComponentSeries::begin_k_best(int worker, const sculpt_query& query) {
  LentQuery& lent = queries_[static_cast<std::size_t>(worker)];
  lent = {component_, query};
  component_.call("k_best.begin", query.example, [&](sculpt_error* error) {
    return k_best_->begin(sessions_.for_worker(worker), lent.raw(), error);
  });
}

void ComponentSeries::next_best(int worker, Answer& answer) {
  answer.clear();
  const std::int64_t example = queries_[static_cast<std::size_t>(worker)].raw()->example;
  FilledLabels labels(component_, answer.raw()->labels);
  component_.call("k_best.next", example, [&](sculpt_error* error) {
    return k_best_->next(sessions_.for_worker(worker), answer.raw(), error);
  });
  labels.take();
}

double ComponentSeries::begin_draws(int worker, const sculpt_query& query) {
  LentQuery& lent = queries_[static_cast<std::size_t>(worker)];
  lent = {component_, query};
  double log_z = std::nan("");
  component_.call("sample.begin", query.example, [&](sculpt_error* error) {
    return sample_->begin(sessions_.for_worker(worker), lent.raw(), &log_z, error);
  });
  require_log_z_of_draws(component_, query.example, log_z);
  return log_z;
}

void ComponentSeries::draw(int worker, std::uint64_t seed, Answer& answer) {
  answer.clear();
  const std::int64_t example = queries_[static_cast<std::size_t>(worker)].raw()->example;
  FilledLabels labels(component_, answer.raw()->labels);
  component_.call("sample.draw", example, [&](sculpt_error* error) {
    return sample_->draw(sessions_.for_worker(worker), seed, &answer.raw()->labels, error);
  });
  labels.take();
}

}  // namespace sculpt::core

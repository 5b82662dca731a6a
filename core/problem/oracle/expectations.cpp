#include "problem/oracle/expectations.hpp"

#include <cmath>
#include <string>

#include "base/infinity.hpp"
#include "problem/plugin/call_with_accumulator.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

const std::string& Expectations::obstacle_to_loss() const {
  static const std::string none;
  return none;
}

double Expectations::mean(int worker, const sculpt_query& query, SparseAccumulator& sum) {
  const double log_z = checked_mean(worker, query, sum);
  if (!component_.services().is_guarded()) return log_z;
  SparseVector first;
  SparseVector second;
  sum.merge(first);
  const double log_z_again = checked_mean(worker, query, sum);
  sum.merge(second);
  require_same(log_z == log_z_again && first == second, query.example);
  return log_z;
}

double Expectations::add_mean(int worker, const sculpt_query& query, double weight_scale,
                              double scale, SparseAccumulator& list, Vector& sum) {
  if (component_.services().is_guarded() && weight_scale == 1) {
    const double log_z = mean(worker, query, list);
    list.add_to(scale, sum);
    return log_z;
  }
  const double log_z = add_mean_to(worker, query, weight_scale, scale, list, sum);
  require_log_z(log_z, query.example);
  return log_z;
}

double Expectations::marginals(int, const sculpt_query&, Marginals&) {
  throw Failure(Exit::internal, component_.name() + ": got a query for marginals, but has none");
}

double Expectations::add_mean_to(int worker, const sculpt_query& query, double, double scale,
                                 SparseAccumulator& list, Vector& sum) {
  const double log_z = compute_mean(worker, query, list);
  if (std::isfinite(log_z)) list.add_to(scale, sum);
  return log_z;
}

double Expectations::checked_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) {
  const double log_z = compute_mean(worker, query, sum);
  require_log_z(log_z, query.example);
  if (log_z == -infinity) sum.clear();  // what the plugin may have written
  return log_z;
}

void Expectations::require_log_z(double log_z, std::int64_t example) const {
  if (std::isfinite(log_z) || log_z == -infinity) return;
  component_.refuse(Exit::plugin, example,
                    "returns " + std::to_string(log_z) +
                        " for log Z; it must be finite, or minus infinity if there is no output");
}

void Expectations::covariance_times(int worker, const sculpt_query& query, const sculpt_weights& v,
                                    SparseAccumulator& sum) {
  compute_covariance(worker, query, v, sum);
  if (!component_.services().is_guarded()) return;
  SparseVector first;
  SparseVector second;
  sum.merge(first);
  compute_covariance(worker, query, v, sum);
  sum.merge(second);
  require_same(first == second, query.example);
}

void Expectations::require_same(bool same, std::int64_t example) const {
  if (same) return;
  component_.refuse(Exit::plugin, example,
                    "its expectation at the same weights differs in a second call");
}

double ComponentExpectations::compute_mean(int worker, const sculpt_query& query,
                                           SparseAccumulator& sum) {
  double log_z = std::nan("");
  const LentQuery lent(component(), query);
  call_with_accumulator(component(), "expectation.mean", query.example, Exit::plugin, sum,
                        [&](auto* raw, auto* error) {
                          return table_.mean(sessions_.for_worker(worker), lent.raw(), &log_z, 1.0,
                                             raw, error);
                        });
  lent.require_unchanged();
  return log_z;
}

void ComponentExpectations::compute_covariance(int worker, const sculpt_query& query,
                                               const sculpt_weights& v, SparseAccumulator& sum) {
  const LentQuery lent(component(), query);
  call_with_accumulator(component(), "expectation.covariance_times", query.example, Exit::plugin,
                        sum, [&](auto* raw, auto* error) {
                          return table_.covariance_times(sessions_.for_worker(worker), lent.raw(),
                                                         v, 1.0, raw, error);
                        });
  lent.require_unchanged();
}

}  // namespace sculpt::core

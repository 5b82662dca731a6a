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

double Expectations::mean(int worker, const sculpt_query& query, SparseAccumulator& scratch,
                          SparseVector& mean) {
  const double log_z = checked_mean(worker, query, scratch, mean);
  if (component_.services().is_guarded()) {
    SparseVector again;
    const double log_z_again = checked_mean(worker, query, scratch, again);
    require_same(log_z == log_z_again && again == mean, query.example);
  }
  return log_z;
}

double Expectations::checked_mean(int worker, const sculpt_query& query, SparseAccumulator& scratch,
                                  SparseVector& mean) {
  const double log_z = compute_mean(worker, query, scratch, mean);
  if (log_z == -infinity) {  // no output: clear what the plugin may have written
    mean.index.clear();
    mean.value.clear();
  } else if (!std::isfinite(log_z)) {
    component_.refuse(Exit::plugin, query.example,
                      "returns " + std::to_string(log_z) +
                          " for log Z; it must be finite, or minus infinity if there is no output");
  }
  return log_z;
}

void Expectations::covariance_times(int worker, const sculpt_query& query, const sculpt_weights& v,
                                    SparseAccumulator& scratch, SparseVector& out) {
  compute_covariance(worker, query, v, scratch, out);
  if (!component_.services().is_guarded()) return;
  SparseVector again;
  compute_covariance(worker, query, v, scratch, again);
  require_same(again == out, query.example);
}

void Expectations::require_same(bool same, std::int64_t example) const {
  if (same) return;
  component_.refuse(Exit::plugin, example,
                    "its expectation at the same weights differs in a second call");
}

double ComponentExpectations::compute_mean(int worker, const sculpt_query& query,
                                           SparseAccumulator& scratch, SparseVector& mean) {
  double log_z = std::nan("");
  const LentQuery lent(component(), query);
  call_with_accumulator(component(), "expectation.mean", query.example, Exit::plugin, scratch,
                        [&](auto* sum, auto* error) {
                          return table_.mean(sessions_.for_worker(worker), lent.raw(), &log_z, 1.0,
                                             sum, error);
                        });
  lent.require_unchanged();
  scratch.merge(mean);
  return log_z;
}

void ComponentExpectations::compute_covariance(int worker, const sculpt_query& query,
                                               const sculpt_weights& v, SparseAccumulator& scratch,
                                               SparseVector& out) {
  const LentQuery lent(component(), query);
  call_with_accumulator(component(), "expectation.covariance_times", query.example, Exit::plugin,
                        scratch, [&](auto* sum, auto* error) {
                          return table_.covariance_times(sessions_.for_worker(worker), lent.raw(),
                                                         v, 1.0, sum, error);
                        });
  lent.require_unchanged();
  scratch.merge(out);
}

}  // namespace sculpt::core

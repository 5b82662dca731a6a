#include "problem/oracle/expectations.hpp"

#include <cmath>
#include <string>

#include "base/infinity.hpp"
#include "problem/plugin/call_with_accumulator.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

// Returns what compute() returns. Under --guard it is called twice: its result and the sum must be
// the same.
template <class Compute>
auto Expectations::repeated(std::int64_t example, SparseAccumulator& sum, const Compute& compute) {
  const auto result = compute();
  if (!is_guarded()) return result;
  SparseVector first;
  SparseVector second;
  sum.merge(first);
  const auto again = compute();
  sum.merge(second);
  require_same(result == again && first == second, example);
  return result;
}

const std::string& Expectations::obstacle_to_loss() const {
  static const std::string none;
  return none;
}

LogZ Expectations::mean(int worker, const sculpt_query& query, SparseAccumulator& sum) {
  return repeated(query.example, sum, [&] { return checked_mean(worker, query, sum); });
}

LogZ Expectations::add_mean(int worker, const sculpt_query& query, double weight_scale,
                            double scale, SparseAccumulator& list, Vector& sum) {
  if (is_guarded() && weight_scale == 1) {
    const LogZ log_z = mean(worker, query, list);
    list.add_to(scale, sum);
    return log_z;
  }
  const LogZ log_z = add_mean_to(worker, query, weight_scale, scale, list, sum);
  require_log_z(log_z.value, query.example);
  return log_z;
}

LogZ Expectations::marginals(int, const sculpt_query&, Marginals&) {
  throw Failure(Exit::internal, component_.name() + ": got a query for marginals, but has none");
}

LogZ Expectations::add_mean_to(int worker, const sculpt_query& query, double, double scale,
                               SparseAccumulator& list, Vector& sum) {
  const LogZ log_z = compute_mean(worker, query, list);
  if (std::isfinite(log_z.value)) list.add_to(scale, sum);
  return log_z;
}

LogZ Expectations::checked_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) {
  const LogZ log_z = compute_mean(worker, query, sum);
  require_log_z(log_z.value, query.example);
  if (log_z.value == -infinity) sum.clear();  // what the plugin may have written
  return log_z;
}

LogZ Expectations::taken(const sculpt_log_z& raw, std::int64_t example) const {
  constexpr std::uint32_t known = SCULPT_LOG_Z_EXACT;
  if ((raw.flags & ~known) != 0 || raw.reserved != 0) {
    component_.refuse(Exit::plugin, example,
                      "gives log Z with flags that this host does not know; set unknown flags and "
                      "the reserved field to 0");
  }
  return {raw.value, (raw.flags & SCULPT_LOG_Z_EXACT) != 0};
}

void Expectations::require_log_z(double log_z, std::int64_t example) const {
  if (std::isfinite(log_z) || log_z == -infinity) return;
  component_.refuse(Exit::plugin, example,
                    "returns " + std::to_string(log_z) +
                        " for log Z; it must be finite, or minus infinity if there is no output");
}

void Expectations::covariance_times(int worker, const sculpt_query& query, const sculpt_weights& v,
                                    SparseAccumulator& sum) {
  (void)repeated(query.example, sum, [&] {
    compute_covariance(worker, query, v, sum);
    return 0;
  });
}

std::string Expectations::obstacle_to_loss_moments() const {
  return component_.name() + " is no map_solver";
}

double Expectations::loss_moments(int worker, const sculpt_query& query, SparseAccumulator& sum) {
  return repeated(query.example, sum, [&] { return compute_loss_moments(worker, query, sum); });
}

double Expectations::compute_loss_moments(int, const sculpt_query&, SparseAccumulator&) {
  throw Failure(Exit::internal, component_.name() + ": got a query for the moments of the loss");
}

void Expectations::require_same(bool same, std::int64_t example) const {
  if (same) return;
  component_.refuse(Exit::plugin, example,
                    "its expectation at the same weights differs in a second call");
}

LogZ ComponentExpectations::compute_mean(int worker, const sculpt_query& query,
                                         SparseAccumulator& sum) {
  sculpt_log_z log_z = {std::nan(""), 0, 0};
  const LentQuery lent(component(), query);
  call_with_accumulator(component(), "expectation.mean", query.example, Exit::plugin, sum,
                        [&](auto* raw, auto* error) {
                          return table_.mean(sessions_.for_worker(worker), lent.raw(), &log_z, 1.0,
                                             raw, error);
                        });
  lent.require_unchanged();
  return taken(log_z, query.example);
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

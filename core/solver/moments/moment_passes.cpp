#include "solver/moments/moment_passes.hpp"

#include <span>
#include <vector>

#include "linalg/products.hpp"
#include "solver/mean_slack.hpp"

namespace sculpt::core {

MomentPasses::MomentPasses(const StopOptions& options, const MomentTerms& terms, const Ports& ports,
                           const StopRequest& stop)
    : RunCounters(options, *ports.expectations, stop),
      planes_(*ports.planes),
      expectations_(*ports.expectations),
      system_(terms, *ports.expectations, *ports.counts),
      asked_count_(asked_count(planes_.example_count(), planes_.example_weights())) {}

bool MomentPasses::compute_b(Vector& b) {
  return ask(asked_count_, [&] { no_output_count_ = system_.compute_b(next_pass(), b); });
}

bool MomentPasses::ask_for_product(const Vector& v, Vector& out) {
  return ask(system_.queries_of_product() * asked_count_,
             [&] { system_.multiply(next_pass(), v, out); });
}

bool MomentPasses::find_hinge_primal(const Formulation& formulation, const Vector& w,
                                     Result& result) {
  MeanSlack mean;
  AnswerCounts counts;
  std::vector<Separation> answers;
  const Pass pass = next_pass();
  const std::int64_t calls = oracle_calls();
  const std::int64_t extra_calls = planes_.extra_oracle_calls();
  const bool is_complete = sum_mean_slack(
      formulation, planes_, answers, mean,
      [&](std::span<const std::int64_t> examples, std::vector<Separation>& out) {
        return ask(std::ssize(examples), [&] { planes_.separate(w, examples, pass, out); });
      },
      [&](const Separation& answer) { counts.add(answer); });
  if (!is_complete) {
    subtract_calls(oracle_calls() - calls);
    return false;
  }
  add_calls(planes_.extra_oracle_calls() - extra_calls);
  const PrimalBounds primal = bound_primal(formulation, squared_norm(w), mean);
  result.hinge = ReportedHinge{primal.low, primal.high};
  result.answers = counts;
  return true;
}

}  // namespace sculpt::core

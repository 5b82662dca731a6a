#include "solver/moments/moment_passes.hpp"

#include <span>
#include <vector>

#include "linalg/products.hpp"
#include "solver/mean_slack.hpp"

namespace sculpt::core {

MomentPasses::MomentPasses(const StopOptions& options, const MomentTerms& terms, const Ports& ports,
                           const StopRequest& stop)
    : RunCounters(options, source_of_moments(terms, ports), stop),
      planes_(*ports.planes),
      system_(terms, ports) {}

bool MomentPasses::compute_b(Vector& b) {
  return ask(system_.calls_of_b(), [&] { no_output_count_ = system_.compute_b(next_pass(), b); });
}

bool MomentPasses::ask_for_product(const Vector& v, Vector& out) {
  const bool is_complete = ask(0, [&] {
    // Products of samples are work of the solver.
    const ScopedPhase phase(clock(),
                            system_.terms().samples > 0 ? &PhaseTimes::rest : &PhaseTimes::oracle);
    system_.multiply(next_pass(), v, out);
  });
  if (is_complete) add_calls(system_.calls_of_product());
  return is_complete;
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

#include "solver/online/subgradient.hpp"

#include <algorithm>

#include "solver/online/online_run.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"

namespace sculpt::core {
namespace {

class SubgradientRun : public OnlineRun {
 public:
  SubgradientRun(const SubgradientOptions& options, PlaneSource& source, Listener& listener,
                 const StopRequest& stop, Checkpoints& checkpoints)
      : OnlineRun(options, source, listener, stop, checkpoints),
        formulation_(options.formulation),
        batch_(static_cast<double>(options.batch == 0 ? source.example_count() : options.batch)) {}

 private:
  // w_t = C/t z_t. w_0 = 0 with any factor.
  void configure(Pass& pass) const override { pass.scale = formulation_.C / steps(); }

  double step_factor(std::int64_t example, const Separation& answer) override {
    if (answer.low <= 0) return 0;
    if (!formulation_.squares_slacks()) return 1;
    const auto t = static_cast<double>(sum().steps() + 1);
    return answer.low /
           (1 + batch_ * formulation_.C / t * squared_norm_of(example, answer.plane.a));
  }

  double mean_factor() const override { return 2 * formulation_.C / steps(); }
  bool stops_without_mistakes() const override { return false; }
  double steps() const { return static_cast<double>(std::max<std::int64_t>(1, sum().steps())); }

  const Formulation& formulation_;
  double batch_;  // m
};

}  // namespace

Result Subgradient::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                          Checkpoints& checkpoints) {
  return SubgradientRun(options_, *ports.planes, listener, stop, checkpoints).solve();
}

SolverTraits Subgradient::traits() const {
  return {.asks_one_by_one = options_.batch == 1, .supports_kernels = true};
}

double Subgradient::expected_bytes(const ProblemStatistics& statistics) const {
  return expected_bytes_of_online(statistics, options_);
}

double Subgradient::min_bytes(const ProblemStatistics& statistics) const {
  return min_bytes_of_online(statistics);
}

namespace {

std::span<const sculpt_parameter> subgradient_parameters() {
  static const ParameterTable table = online_parameters(c_summary_with_slacks, "50", "10");
  return table;
}

}  // namespace

SubgradientOptions subgradient_options(std::span<const sculpt_value> values) {
  const ParameterValues named(subgradient_parameters(), values);
  SubgradientOptions options;
  fill_online(named, options);
  require_slacks(options.formulation, "subgradient", "its step length is proportional to C");
  return options;
}

const SolverDescriptor& subgradient_descriptor() {
  static const SolverDescriptor descriptor{
      "subgradient",
      "Stochastic subgradient descent with averaging (Pegasos, 2011). One step for each example; "
      "little memory; proves no gap.",
      subgradient_parameters(),
      [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<Subgradient>(subgradient_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core

#include "solver/online/perceptron.hpp"

#include "solver/online/online_run.hpp"
#include "solver/parameter_tables.hpp"
#include "solver/plane_memory.hpp"

namespace sculpt::core {
namespace {

class PerceptronRun : public OnlineRun {
 public:
  PerceptronRun(const PerceptronOptions& options, PlaneSource& source, Listener& listener,
                const StopRequest& stop, Checkpoints& checkpoints)
      : OnlineRun(options, source, listener, stop, checkpoints),
        loss_weight_(options.loss_weight) {}

 private:
  void configure(Pass& pass) const override { pass.loss_weight = loss_weight_; }

  // A mistake: the guess scores at least as high as the truth, and its features differ. The truth
  // does not win ties: at w = 0 all scores are equal.
  double step_factor(std::int64_t, const Separation& answer) override {
    return answer.low >= 0 && !answer.plane.a.index.empty() ? 1 : 0;
  }

  double mean_factor() const override { return 1; }
  bool stops_without_mistakes() const override { return true; }

  double loss_weight_;
};

}  // namespace

Result Perceptron::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                         Checkpoints& checkpoints) {
  return PerceptronRun(options_, *ports.planes, listener, stop, checkpoints).solve();
}

SolverTraits Perceptron::traits() const {
  return {.asks_one_by_one = options_.batch == 1, .supports_kernels = true};
}

double Perceptron::expected_bytes(const ProblemStatistics& statistics) const {
  return expected_bytes_of_online(statistics, options_);
}

double Perceptron::min_bytes(const ProblemStatistics& statistics) const {
  return min_bytes_of_online(statistics);
}

namespace {

std::span<const sculpt_parameter> perceptron_parameters() {
  static const ParameterTable table =
      online_parameters(c_summary_if_reported, "30", "0") +
      ParameterTable{real_parameter(
          "loss_weight", "0", 0, 1e12, nullptr,
          "The oracle maximizes score + this times the loss. 0: steps correct wrong predictions. "
          "1: steps also correct margins that are too small.")};
  return table;
}

}  // namespace

PerceptronOptions perceptron_options(std::span<const sculpt_value> values) {
  const ParameterValues named(perceptron_parameters(), values);
  PerceptronOptions options;
  fill_online(named, options);
  options.loss_weight = named.at("loss_weight").real;
  require_slacks(options.formulation, "perceptron", "C is used only in the reported primal");
  return options;
}

const SolverDescriptor& perceptron_descriptor() {
  static const SolverDescriptor descriptor{
      "perceptron",
      "Averaged perceptron (Collins 2002). One step for each wrong prediction; fast; minimizes no "
      "objective and proves no gap.",
      perceptron_parameters(),
      [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<Perceptron>(perceptron_options(values));
      },
      false};
  return descriptor;
}

}  // namespace sculpt::core

#include "solver/solver.hpp"

#include <array>

#include "qp/working_set.hpp"
#include "solver/frank_wolfe.hpp"
#include "solver/generative.hpp"
#include "solver/n_slack.hpp"
#include "solver/one_slack.hpp"
#include "solver/perceptron.hpp"
#include "solver/subgradient.hpp"

namespace sculpt::core {

const char* name_of(StoppedBy rule) {
  switch (rule) {
    case StoppedBy::relative_gap:
      return "relative_gap";
    case StoppedBy::epsilon:
      return "epsilon";
    case StoppedBy::max_passes:
      return "max_passes";
    case StoppedBy::max_oracle_calls:
      return "max_oracle_calls";
    case StoppedBy::max_seconds:
      return "max_seconds";
    case StoppedBy::signal:
      return "signal";
    case StoppedBy::oracle_exhausted:
      return "oracle_exhausted";
    case StoppedBy::standstill:
      return "standstill";
    case StoppedBy::no_mistakes:
      return "no_mistakes";
    case StoppedBy::counted:
      return "counted";
  }
  return "unknown";
}

Known Result::known() const {
  return known_by(primal_low, primal_high.value_or(std::numeric_limits<double>::infinity()));
}

std::optional<WorkingSet> Solver::recall(Separator&, StateReader&) {
  return std::nullopt;
}

bool has_reached(StoppedBy rule, bool certified) {
  return rule == StoppedBy::epsilon || (rule == StoppedBy::relative_gap && certified);
}

std::span<const SolverKind> solver_kinds() {
  static const std::array<SolverKind, 6> kinds = {{
      {"n_slack",
       "Cutting planes, one slack for each example (Tsochantaridis et al. 2005): few oracle calls, "
       "keeps the planes it finds as long as they are of use.",
       n_slack_parameters(),
       [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
         return std::make_unique<NSlack>(n_slack_options(values));
       }},
      {"one_slack",
       "Cutting planes, one slack for all examples (Joachims, Finley & Yu 2009): one dense plane a "
       "pass, more oracle calls; memory for some 200 vectors as long as w.",
       one_slack_parameters(),
       [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
         return std::make_unique<OneSlack>(one_slack_options(values));
       }},
      {"frank_wolfe",
       "Block-coordinate Frank-Wolfe (Lacoste-Julien et al. 2013, Osokin et al. 2016): a step of "
       "one example's block at a time, no QP.",
       frank_wolfe_parameters(),
       [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
         return std::make_unique<FrankWolfe>(frank_wolfe_options(values));
       }},
      {"perceptron",
       "Averaged perceptron (Collins 2002): a step for each wrong prediction, fast, minimizes no "
       "objective and proves nothing.",
       perceptron_parameters(),
       [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
         return std::make_unique<Perceptron>(perceptron_options(values));
       },
       false},
      {"subgradient",
       "Stochastic subgradient descent with averaging (Pegasos, 2011): a step for each example, "
       "little memory, proves no gap.",
       subgradient_parameters(),
       [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
         return std::make_unique<Subgradient>(subgradient_options(values));
       }},
      {"generative",
       "Weights by counting: hidden Markov models, probabilistic grammars and the like, for "
       "features "
       "that say what excludes each other. A baseline.",
       generative_parameters(),
       [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
         return std::make_unique<Generative>(generative_options(values));
       },
       false},
  }};
  return kinds;
}

const SolverKind* find_solver(std::string_view name) {
  for (const SolverKind& kind : solver_kinds()) {
    if (name == kind.name) return &kind;
  }
  return nullptr;
}

}  // namespace sculpt::core

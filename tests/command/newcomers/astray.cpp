// astray.cpp - a solver that errs in the way that it is asked to: the host has to notice.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "solver/catalogue/solver_list.hpp"
#include "solver/parameter_tables.hpp"

namespace sculpt::core {
namespace {

constexpr const char* ways = "short|not_finite|dual|reached|objective|throws|beyond|passes|target";

class Strange : public Objective {
 public:
  nlohmann::ordered_json json() const override { return {{"kind", "strange"}}; }
  std::string text() const override { return "something strange"; }
};

class AstraySolver : public Solver {
 public:
  explicit AstraySolver(std::string way) : way_(std::move(way)) {}

  std::optional<Formulation> formulation() const override { return Formulation(); }
  std::unique_ptr<Objective> objective(const Domain& domain) const override {
    if (way_ == "objective") return std::make_unique<Strange>();
    return Solver::objective(domain);
  }
  Result solve(const Ports& ports, Listener& listener, const StopRequest&, Checkpoints&) override {
    if (way_ == "throws") throw std::runtime_error("the matrix is singular");
    if (way_ == "beyond") ask_beyond(*ports.planes);
    if (way_ == "passes") listener.pass_done({});
    Result result;
    result.w.resize(static_cast<std::size_t>(ports.planes->dimension()));
    result.stopped_by = StoppedBy::max_passes;
    if (way_ == "short") result.w.pop_back();
    if (way_ == "not_finite") result.w[1] = std::nan("");
    if (way_ == "reached") result.reached = true;
    if (way_ == "target") {
      result.primal = result.primal_low = 1;
      result.primal_high = 1;
      result.dual = 0.5;
      result.gap = result.relative_gap = 0.5;
      result.certified = result.reached = true;
      result.stopped_by = StoppedBy::relative_gap;
    }
    if (way_ == "dual") {
      result.primal = result.primal_low = 1;
      result.primal_high = 1;
      result.dual = 2;
      result.gap = result.relative_gap = 0;
    }
    return result;
  }
  SolverTraits traits() const override { return {}; }
  double expected_bytes(const ProblemShape&) const override { return 0; }
  double min_bytes(const ProblemShape&) const override { return 0; }

 private:
  static void ask_beyond(PlaneSource& planes) {
    std::vector<Separation> answers;
    planes.separate(Vector(static_cast<std::size_t>(planes.dimension())),
                    std::vector{planes.example_count()}, Pass(1), answers);
  }

  std::string way_;
};

std::span<const sculpt_parameter> astray_parameters() {
  static const ParameterTable table = {
      gap_parameter(),
      {SCULPT_PARAMETER_CHOICE, "way", "\"short\"", 0, 0, ways, nullptr, "What is wrong."}};
  return table;
}

const SolverDescriptor astray{"astray", "Errs.", astray_parameters(),
                              [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
                                const ParameterValues named(astray_parameters(), values);
                                return std::make_unique<AstraySolver>(named.at("way").text);
                              }};
const bool added = (add_solver(astray), true);

}  // namespace
}  // namespace sculpt::core

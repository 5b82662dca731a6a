// faulty_solver.cpp - the solver `astray`, whose parameter `way` chooses what it does wrong. The
// host must refuse each fault.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <sculpt/cpp/parameters.hpp>
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

// An objective that no model can be read with, because its kind is not registered.
class UnknownObjective : public Objective {
 public:
  nlohmann::ordered_json json() const override { return {{"kind", "strange"}}; }
  std::string text() const override { return "something strange"; }
};

class FaultySolver : public Solver {
 public:
  explicit FaultySolver(std::string way) : way_(std::move(way)) {}

  std::optional<Formulation> formulation() const override { return Formulation(); }
  std::unique_ptr<Objective> objective(const Domain& domain) const override {
    if (way_ == "objective") return std::make_unique<UnknownObjective>();
    return Solver::objective(domain);
  }
  Result solve(const Ports& ports, Listener& listener, const StopRequest&, Checkpoints&) override {
    if (way_ == "throws") throw std::runtime_error("the matrix is singular");
    if (way_ == "beyond") ask_beyond_the_last_example(*ports.planes);
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
  double expected_bytes(const ProblemStatistics&) const override { return 0; }
  double min_bytes(const ProblemStatistics&) const override { return 0; }

 private:
  static void ask_beyond_the_last_example(PlaneSource& planes) {
    std::vector<Separation> answers;
    planes.separate(Vector(static_cast<std::size_t>(planes.dimension())),
                    std::vector{planes.example_count()}, Pass(1), answers);
  }

  std::string way_;
};

std::span<const sculpt_parameter> faulty_parameters() {
  static const ParameterTable table = {relative_gap_parameter(),
                                       sculpt::choice("way", "\"short\"", ways, "What is wrong.")};
  return table;
}

const SolverDescriptor faulty{"astray", "Errs.", faulty_parameters(),
                              [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
                                const ParameterValues named(faulty_parameters(), values);
                                return std::make_unique<FaultySolver>(named.at("way").text);
                              }};
const bool added = (add_solver(faulty), true);

}  // namespace
}  // namespace sculpt::core

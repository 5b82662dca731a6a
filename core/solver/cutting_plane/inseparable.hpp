// inseparable.hpp - the message of a run with hard margin about data that are proved inseparable.
//
// Called by the solvers if the QP ends in QpEnd::inseparable. Also called if it cannot progress
// while margins are violated: opposite planes are a proof without any computation.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "objective/plane_source.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/cutting_plane/contradiction.hpp"
#include "solver/cutting_plane/pass_controller.hpp"

namespace sculpt::core {

// Returns planes of these examples: some planes, or all that are known.
using PlanesOf = std::function<InfeasiblePlanes(std::span<const std::int64_t> examples)>;

// For one_slack: its planes are sums over all examples. Asks the oracle about single examples at w,
// then at multiples of the planes found there: a contradicting plane is violated most there. Asks
// about the first 1000 examples, at up to 8 further w, and at fewer if the run is interrupted.
InfeasiblePlanes ask_for_planes(PassController& pass_controller, PlaneSource& source, WeightView w,
                                std::span<const std::int64_t> examples);

// Returns the examples with at least 1 % of the largest alpha. `alpha_of_examples`: [n] the sum of
// alpha of each example's planes.
std::vector<std::int64_t> infeasible_examples(const std::vector<double>& alpha_of_examples);

// Throws through PlaneSource::report_inseparable() if no weights satisfy a plane of an example, or
// if two examples contradict each other. Only these are named.
void refuse_contradiction(const PlaneSource& source, const InfeasiblePlanes& planes);

// Throws through PlaneSource::report_inseparable(). Names the infeasible_examples(). If
// refuse_contradiction() finds a contradiction among their planes, `planes_of`, only those are
// named.
void refuse_inseparable(const PlaneSource& source, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& alpha_of_examples,
                        const PlanesOf& planes_of);

}  // namespace sculpt::core

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

// Returns planes of some examples: some of them, or all that are known.
using PlanesOf = std::function<InfeasiblePlanes(std::span<const std::int64_t> examples)>;

// For one_slack: its planes are sums over all examples. Asks the oracle about single examples at w,
// then at multiples of the planes found there: a contradicting plane is violated most there. Asks
// about the first 1000 examples, at 8 further places at most, and at fewer if the run is
// interrupted.
InfeasiblePlanes ask_for_planes(PassController& pass_controller, PlaneSource& source, WeightView w,
                                std::span<const std::int64_t> examples);

// Returns the examples with at least 1 % of the largest alpha. `carried`: [n] alpha of each.
std::vector<std::int64_t> infeasible_examples(const std::vector<double>& carried);

// Throws through PlaneSource::inseparable() if an example has a plane that no weights satisfy, or
// if two examples contradict each other. Only these are named.
void refuse_contradiction(const PlaneSource& source, const InfeasiblePlanes& planes);

// Throws through PlaneSource::inseparable(). `carried`: [n] the sum of alpha of each example's
// planes. Names the infeasible_examples(). If refuse_contradiction() finds a contradiction among
// their planes, `planes_of`, only those are named.
void refuse_inseparable(const PlaneSource& source, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& carried,
                        const PlanesOf& planes_of);

}  // namespace sculpt::core

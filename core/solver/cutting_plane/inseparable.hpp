// inseparable.hpp - what a run with hard margin says of data that it proved to be inseparable.
//
// Called by the solvers when the QP ends in QpEnd::inseparable, and where it stands still before
// all margins hold: opposite planes are a proof without any computation.
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

// The planes of some examples, some or all that are known.
using PlanesOf = std::function<InfeasiblePlanes(std::span<const std::int64_t> examples)>;

// Of a solver whose planes do not show those of the examples: fresh answers at w, and at multiples
// of the planes found there, where what contradicts one is violated most. Of the first examples, so
// few that the answers of all places are kept. Fewer places where the run is interrupted.
InfeasiblePlanes ask_for_planes(PassController& pass_controller, PlaneSource& source, WeightView w,
                                std::span<const std::int64_t> examples);

// Those that carry a good part of the most alpha that one carries. `carried`: [n].
std::vector<std::int64_t> infeasible_examples(const std::vector<double>& carried);

// Throws, through PlaneSource::inseparable(), where an example has a plane that no weights satisfy,
// or two contradict each other: these alone are named.
void refuse_contradiction(const PlaneSource& source, const InfeasiblePlanes& planes);

// Throws, through PlaneSource::inseparable(). `carried` is [n] the alpha that each example's planes
// have in the proof: those named carry a good part of it, but for what refuse_contradiction()
// makes of `planes_of` them.
void refuse_inseparable(const PlaneSource& source, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& carried,
                        const PlanesOf& planes_of);

}  // namespace sculpt::core

// inseparable.hpp - what a run with hard margin says of data that it proved to be inseparable.
//
// Called by the solvers when the QP ends in QpEnd::inseparable, and where it stands still before
// all margins hold: opposite planes are a proof without any computation.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "qp/working_set.hpp"
#include "solver/contradiction.hpp"
#include "solver/progress.hpp"
#include "solver/separator.hpp"

namespace sculpt::core {

// The planes of some examples, some or all that are known.
using PlanesOf = std::function<ProofPlanes(std::span<const std::int64_t> examples)>;

// Of a solver whose planes do not show those of the examples: fresh answers at w, and at multiples
// of the planes found there, where what contradicts one is violated most. Of the first examples, so
// few that the answers of all places are kept. Fewer places where the run is interrupted.
ProofPlanes fresh_planes(Progress& progress, Separator& separator, const Vector& w,
                         std::span<const std::int64_t> examples);

// Those that carry a good part of the most alpha that one carries. `carried`: [n].
std::vector<std::int64_t> examples_in_proof(const std::vector<double>& carried);

// Throws, through Separator::inseparable(), where an example has a plane that no weights satisfy,
// or two contradict each other: these alone are named.
void refuse_contradiction(const Separator& separator, const ProofPlanes& planes);

// Throws, through Separator::inseparable(). `carried` is [n] the alpha that each example's planes
// have in the proof: those named carry a good part of it, but for what refuse_contradiction()
// makes of `planes_of` them.
void refuse_inseparable(const Separator& separator, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& carried,
                        const PlanesOf& planes_of);

}  // namespace sculpt::core

// warm_start.hpp - starts a run with the planes of an earlier one.
//
// Called by CuttingPlaneRun. A plane (a, b) depends on the data, on the rescaling and on the norm,
// but not on w or C. So planes found under one C are valid under another. If examples have weights,
// the planes of a hard margin (C infinite) differ; such a warm start is refused before.
//
// alpha is kept up to a factor t, so the direction of w does not change. With A_i the sum of alpha
// over the block of i, the best t that the cap of a linear price allows is
//
//   t = min( sum alpha b / ||w||^2,  min_i cap / A_i )
//
// Source: Osokin, Alayrac, Lukasewitz, Dokania & Lacoste-Julien, "Minding the gaps for block
// Frank-Wolfe optimization of structured SVMs", ICML 2016. Along a path of C, w stays where it was,
// and the solver closes the gap that the change of C opens.
#pragma once

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// Moves planes and alpha into `working_set`, and sets w and the dual. Requires an empty working set
// that differs from `warm_start_planes` at most in the cost of slacks.
void import_planes(WorkingSet& working_set, WorkingSet warm_start_planes);

}  // namespace sculpt::core

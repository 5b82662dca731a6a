// warm_start.hpp - a run that begins with the planes of an earlier one.
//
// Called by CuttingPlaneRun. A plane (a, b) depends on the data, on the rescaling and on the norm,
// neither on w nor on C: what was found under one C cuts the same under another.
//
// alpha is kept up to a factor t, which leaves the direction of w as it is. With A_i the sum of
// alpha over the block of i, the best t that the cap of a linear price allows is
//
//   t = min( sum alpha b / ||w||^2,  min_i cap / A_i )
//
// after Osokin, Alayrac, Lukasewitz, Dokania & Lacoste-Julien, "Minding the gaps for block
// Frank-Wolfe optimization of structured SVMs", ICML 2016: along a path of C, w stays
// where it was, and the certificate of what has changed is worked off.
#pragma once

#include "qp/working_set/working_set.hpp"

namespace sculpt::core {

// Takes over planes and alpha, and sets w and the dual. Requires a working set without planes that
// differs from the earlier one in what slacks cost at most.
void begin_with(WorkingSet& working_set, WorkingSet earlier);

}  // namespace sculpt::core

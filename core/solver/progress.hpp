// progress.hpp - the counters of a run, and the reports made of them.
//
// Held by each solver while it runs. The same quantities are reported by all.
#pragma once

#include <cstdint>

#include "qp/working_set.hpp"
#include "solver/certificate.hpp"
#include "solver/solver.hpp"
#include "solver/stopping.hpp"

namespace sculpt::core {

class Progress {
 public:
  Progress(const StopOptions& options, const StopRequest& stop, std::int64_t dimension)
      : stopping(options, stop), certificate(dimension) {}

  // Tells the listener of a pass at whose w P lies in `primal`.
  void report(Listener& listener, const WorkingSet& working_set, const PrimalBounds& primal) const;

  Result result(StoppedBy rule, const WorkingSet& working_set) const;

  Stopping stopping;
  Certificate certificate;
  std::int64_t passes = 0;
  std::int64_t oracle_calls = 0;
  std::int64_t no_output = 0;      // in the last whole pass
  std::int64_t truth_outside = 0;  // likewise
  double oracle_seconds = 0;
  double qp_seconds = 0;
};

}  // namespace sculpt::core

// moment_passes.hpp - what the runs of moments ask for: b, products A v, and P of the hinges.
//
// Base of MomentRun and ConstrainedRun. Each function counts its calls of the oracle. It returns
// false, and leaves its result invalid, if it was interrupted.
#pragma once

#include <cstdint>

#include "objective/formulation.hpp"
#include "objective/moment_system.hpp"
#include "objective/ports.hpp"
#include "solver/run_counters.hpp"

namespace sculpt::core {

class MomentPasses : protected RunCounters {
 public:
  // All arguments must outlive it.
  MomentPasses(const StopOptions& options, const MomentTerms& terms, const Ports& ports,
               const StopRequest& stop);
  MomentPasses(const MomentPasses&) = delete;
  MomentPasses& operator=(const MomentPasses&) = delete;

 protected:
  bool compute_b(Vector& b);
  // out = A v
  bool ask_for_product(const Vector& v, Vector& out);
  // Computes P of the hinges at w. It belongs to no checkpoint: a resumed run computes it again.
  bool find_hinge_primal(const Formulation& formulation, const Vector& w, Result& result);

  std::size_t dimension() const { return static_cast<std::size_t>(planes_.dimension()); }
  std::int64_t no_output_count() const { return no_output_count_; }
  void save_no_output_count(StateWriter& out) const { out.put(no_output_count_); }
  void load_no_output_count(StateReader& in) { no_output_count_ = in.get_count(); }

  Workers* workers() const { return system_.workers(); }

  PlaneSource& planes_;
  MomentSystem system_;

 private:
  std::int64_t no_output_count_ = 0;
};

}  // namespace sculpt::core

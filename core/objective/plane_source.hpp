// plane_source.hpp - the port of the solvers that work with hinges: violated planes at a frozen w.
//
// Implemented by problem/. The rescaling lives behind it: solvers see planes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linalg/weight_view.hpp"
#include "objective/example_source.hpp"
#include "objective/pass.hpp"
#include "objective/plane.hpp"

namespace sculpt::core {

class PlaneSource : public ExampleSource {
 public:
  // Asks the oracle about `examples` at this w, on all threads; out[k] answers examples[k]. The
  // result does not depend on the number of threads. Throws Failure (Exit::config where the oracle
  // cannot take a loss_weight); Cancelled when the pass was interrupted or the user asked to stop,
  // and `out` is worth nothing then.
  virtual void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                        std::vector<Separation>& out) = 0;

  // The same for all examples at scale 1, the largest violations, summed in a fixed order instead
  // of kept. Examples that are not violated (b_i - <w, a_i> <= 0) contribute the zero plane.
  virtual void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                                JointSeparation& out) = 0;

  // Whether planes may be those of relaxed answers: then P is that of the relaxed outputs.
  virtual bool relaxes() const { return false; }
  // Whether it can be worth to set Pass::stop_escalating_above.
  virtual bool escalates() const { return false; }

  // What the user can do about columns that differ in size: only who reads the experiment knows.
  virtual std::string column_advice() const { return "bring them to one size"; }

  // Throws the Failure (Exit::data) of examples that no weights separate, in words that name them
  // as the user knows them. `text` goes on from there. Requires examples, the first of them are
  // named.
  [[noreturn]] virtual void inseparable(std::span<const std::int64_t> examples,
                                        const std::string& text) const = 0;
};

}  // namespace sculpt::core

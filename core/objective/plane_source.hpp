// plane_source.hpp - the port of the solvers that work with hinges: violated planes at a fixed w.
//
// Implemented by problem/, which applies the rescaling: solvers see only planes.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "linalg/weight_view.hpp"
#include "objective/example_source.hpp"
#include "objective/pass.hpp"
#include "objective/plane.hpp"

namespace sculpt::core {

class InnerProduct;

class PlaneSource : public ExampleSource {
 public:
  // Asks the oracle about `examples` at this w, on all threads. out[k] answers examples[k]. The
  // result does not depend on the number of threads. Throws Failure (Exit::config if the oracle
  // does not support a loss_weight). Throws Cancelled if the pass was interrupted or the user asked
  // to stop; `out` is then invalid.
  virtual void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                        std::vector<Separation>& out) = 0;

  // Asks for the largest violations of all examples, at scale 1, and sums them in a fixed order.
  // Examples that are not violated (b_i - <w, a_i> <= 0) add the zero plane.
  virtual void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                                JointSeparation& out) = 0;

  // The inner product of its planes. nullptr: that of their entries. Otherwise the w of separate()
  // is M v, and the weights of a model are v (qp/plane/inner_product.hpp).
  // `max_bytes`: the memory that it may use beyond what it needs.
  virtual InnerProduct* inner_product(std::int64_t max_bytes) {
    (void)max_bytes;
    return nullptr;
  }
  // The same for joint planes, which are sums over examples. `is_exact`: products must be without
  // the rounding of single precision, as hard margins need it.
  virtual InnerProduct* joint_inner_product(std::int64_t max_bytes, bool is_exact) {
    (void)max_bytes, (void)is_exact;
    return nullptr;
  }
  // Where solvers keep planes. nullptr: on the heap. Otherwise it outlives the run.
  virtual std::pmr::memory_resource* plane_memory() { return nullptr; }

  // False if the inner product is not positive semidefinite. Then P is not convex, and D proves
  // nothing.
  virtual bool is_convex() const { return true; }

  // True if planes may belong to relaxed answers. P is then that of the relaxed outputs.
  virtual bool relaxes() const { return false; }
  // True if Pass::stop_escalating_above may save oracle calls.
  virtual bool escalates() const { return false; }

  // Advice about columns that differ in magnitude. It depends on the experiment.
  virtual std::string column_advice() const { return "scale them to similar magnitudes"; }

  // Throws Failure(Exit::data) about examples that no weights separate. The message names the first
  // of them, then continues with `text`. Requires at least one example.
  [[noreturn]] virtual void report_inseparable(std::span<const std::int64_t> examples,
                                               const std::string& text) const = 0;
};

}  // namespace sculpt::core

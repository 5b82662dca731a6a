// plane_cache.hpp - the last planes of each example, and the joint plane that they make at any w.
//
// Held by JointAnswer. Planes do not depend on w: at a new w the best of those seen so far make a
// joint plane without a call of the oracle, a lower bound of the mean slack like any other.
//
// Source: Joachims, Finley & Yu, Machine Learning 77 (2009), section 5.2 (svm_struct's -w 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/file/state_stream.hpp"
#include "linalg/vector.hpp"
#include "objective/certificate.hpp"
#include "objective/example_mean.hpp"
#include "objective/plane_source.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {

class PlaneCache {
 public:
  // `planes` of each example are kept. workers == nullptr: this thread alone.
  PlaneCache(std::int64_t examples, std::size_t planes, Workers* workers);

  // The planes of answers about the examples from `first` on, for the next renew(). Until then
  // nothing else changes.
  void hold(std::int64_t first, std::span<const Separation> answers);
  // Takes on what is held. Of an example with too many planes that goes which the oracle answered
  // with longest ago.
  void renew();
  // Forgets what is held.
  void discard();

  // The mean over all examples of the plane with the largest violation at w, the zero plane where
  // none is violated: a, b and low of `out`, as PlaneSource::separate_jointly() has them.
  void join(WeightView w, JointWeight weight, JointSeparation& out);

  // The planes of an example, judged by their own terms.
  RecomputedSlack recompute_slack(std::size_t example, WeightView w) const;

  void save(StateWriter& out) const;
  // Throws what a StateReader throws, of a state that save() has not written.
  void load(StateReader& in, std::size_t dimension);

 private:
  struct Kept {
    PlaneVector a;
    double b = 0;
    std::uint64_t output = 0;
  };
  using Planes = std::vector<Kept>;  // of an example, the latest answer last

  void take_on(Planes& planes, Kept held) const;
  template <class Work>
  void for_each(std::size_t count, const Work& work) const;

  Workers* workers_;
  std::size_t most_;
  std::vector<Planes> planes_;  // [n]
  std::vector<Planes> held_;    // [n] one or none
  ExampleMean sum_;
};

}  // namespace sculpt::core

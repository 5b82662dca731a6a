// plane_cache.hpp - stores the last planes of each example, and makes their joint plane at any w.
//
// Held by JointAnswer. Planes do not depend on w. At a new w the best of the stored planes make a
// joint plane without a call of the oracle. It is a lower bound of the mean slack like any other.
//
// Source: Joachims, Finley & Yu, Machine Learning 77 (2009), section 5.2 (svm_struct's -w 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
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
  // Stores up to `planes` planes of each example. workers == nullptr: this thread alone. `memory`:
  // of the planes, as PlaneSource::plane_memory().
  PlaneCache(std::int64_t examples, std::size_t planes, Workers* workers,
             std::pmr::memory_resource* memory = nullptr);

  // Stores the planes of answers as pending, until apply_pending(). `first`: the first of their
  // consecutive examples. Nothing else changes.
  void add_pending(std::int64_t first, std::span<const Separation> answers);
  // Moves the pending planes into the cache. If an example has too many, the plane is dropped that
  // was the oracle's answer longest ago.
  void apply_pending();
  // Forgets the pending planes.
  void discard_pending();

  // Sets a, b and low of `out`, as PlaneSource::separate_jointly() does. It is the mean over all
  // examples of the plane with the largest violation at w, or of the zero plane if none is
  // violated.
  void make_joint_plane(WeightView w, JointWeight weight, JointSeparation& out);

  // The slack of an example's stored planes, computed from their entries.
  RecomputedSlack recompute_slack(std::size_t example, WeightView w) const;

  void save(StateWriter& out) const;
  // Throws what StateReader throws if save() has not written this state.
  void load(StateReader& in, std::size_t dimension);

 private:
  struct CachedPlane {
    PlaneVector a;
    double b = 0;
    std::uint64_t output_hash = 0;
  };
  using Planes = std::pmr::vector<CachedPlane>;  // of one example, the latest answer last

  PlaneVector kept(PlaneVector plane) const;
  void insert(Planes& planes, CachedPlane plane) const;
  template <class Work>
  void for_each_index(std::size_t count, const Work& work) const;

  Workers* workers_;
  std::size_t max_planes_;
  std::pmr::memory_resource* memory_;  // nullptr: the heap
  std::pmr::vector<Planes> planes_;    // [n]
  std::pmr::vector<Planes> pending_;   // [n] at most one plane each
  ExampleMean sum_;
};

}  // namespace sculpt::core

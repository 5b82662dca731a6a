#include "solver/one_slack/plane_cache.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cutting_plane/recomputed_slack.hpp"

namespace sculpt::core {

namespace {

std::pmr::memory_resource* or_heap(std::pmr::memory_resource* memory) {
  return memory == nullptr ? std::pmr::new_delete_resource() : memory;
}

}  // namespace

PlaneCache::PlaneCache(std::int64_t examples, std::size_t planes, Workers* workers,
                       std::pmr::memory_resource* memory)
    : workers_(workers),
      max_planes_(planes),
      memory_(memory),
      planes_(static_cast<std::size_t>(examples), or_heap(memory)),
      pending_(static_cast<std::size_t>(examples), or_heap(memory)),
      sum_(workers) {}

// Calls work(k) for every k < count, on all threads.
template <class Work>
void PlaneCache::for_each_index(std::size_t count, const Work& work) const {
  constexpr std::int64_t examples_per_task = 64;
  const auto range = [&work](std::int64_t begin, std::int64_t end, int) {
    while (begin < end) work(static_cast<std::size_t>(begin++));
  };
  if (workers_ == nullptr) return range(0, static_cast<std::int64_t>(count), 0);
  workers_->run_ranges(static_cast<std::int64_t>(count), examples_per_task, range);
}

void PlaneCache::add_pending(std::int64_t first, std::span<const Separation> answers) {
  for_each_index(answers.size(), [&](std::size_t k) {
    const Separation& answer = answers[k];
    if (answer.no_output) return;
    pending_[static_cast<std::size_t>(first) + k].push_back(
        {kept(PlaneVector(answer.plane.a)), answer.plane.b, answer.output_hash});
  });
}

// The plane with its entries where planes are kept.
PlaneVector PlaneCache::kept(PlaneVector plane) const {
  if (memory_ != nullptr) plane.move_to(*memory_);
  return plane;
}

void PlaneCache::apply_pending() {
  for_each_index(planes_.size(), [this](std::size_t i) {
    for (CachedPlane& plane : pending_[i]) insert(planes_[i], std::move(plane));
    pending_[i].clear();
  });
}

void PlaneCache::discard_pending() {
  for (Planes& pending : pending_) pending.clear();
}

// Adds a plane as the latest. If it is stored already, that one becomes the latest.
void PlaneCache::insert(Planes& planes, CachedPlane plane) const {
  const auto known = std::find_if(planes.begin(), planes.end(), [&](const CachedPlane& stored) {
    return stored.output_hash == plane.output_hash;
  });
  if (known != planes.end()) {
    std::rotate(known, known + 1, planes.end());
    return;
  }
  if (planes.size() >= max_planes_) planes.erase(planes.begin());
  planes.push_back(std::move(plane));
}

void PlaneCache::make_joint_plane(WeightView w, JointWeight weight, JointSeparation& out) {
  out.low.assign(planes_.size(), 0);
  const auto add_range = [&](std::int64_t begin, std::int64_t end, int, ExampleMean::Chunk& chunk) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const CachedPlane* best = nullptr;
      for (const CachedPlane& plane : planes_[i]) {
        const double violation = plane.b - plane.a.dot(w.dense());
        if (violation <= out.low[i]) continue;
        out.low[i] = violation;
        best = &plane;
      }
      if (best == nullptr) continue;
      const double factor = weight == JointWeight::slack ? out.low[i] : 1;
      best->a.add_to(factor, chunk.a);
      chunk.b += factor * best->b;
    }
  };
  sum_.add_up(static_cast<std::int64_t>(planes_.size()), w.dimension(), add_range);
  sum_.mean(out);
}

RecomputedSlack PlaneCache::recompute_slack(std::size_t example, WeightView w) const {
  Vector zeros(w.dense().size(), 0.0);
  RecomputedSlack largest;
  for (const CachedPlane& plane : planes_[example])
    core::recompute_slack(plane.a, plane.b, w, zeros, largest);
  return largest;
}

void PlaneCache::save(StateWriter& out) const {
  for (const Planes& planes : planes_) {
    out.put(static_cast<std::uint64_t>(planes.size()));
    for (const CachedPlane& plane : planes) {
      out.put(plane.b);
      out.put(plane.output_hash);
      plane.a.save(out);
    }
  }
}

void PlaneCache::load(StateReader& in, std::size_t dimension) {
  for (Planes& planes : planes_) {
    const auto count = in.get<std::uint64_t>();
    in.require(count <= max_planes_, "more planes of an example than the cache holds");
    planes.clear();
    for (std::uint64_t p = 0; p < count; ++p) {
      const auto b = in.get<double>();
      in.require(std::isfinite(b), "a plane that is not finite");
      const auto output_hash = in.get<std::uint64_t>();
      planes.push_back({kept(PlaneVector::load(in, dimension)), b, output_hash});
    }
  }
}

}  // namespace sculpt::core

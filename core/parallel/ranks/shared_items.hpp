// shared_items.hpp - items of which each rank computes a part, and all ranks get all.
//
// Called by problem/ for the answers about single examples.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/file/memory_state_reader.hpp"
#include "base/file/state_stream.hpp"
#include "parallel/ranks/divided_work.hpp"
#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {

// A rank has nothing to say beside its items.
struct NothingMore {
  template <class Stream>
  void operator()(Stream&) const {}
};

// What the answers of a step would take as a message, by some of them.
template <class Save>
double estimated_bytes(std::int64_t count, const Save& save) {
  constexpr std::int64_t stride = 16;
  ByteCounter counter;
  std::int64_t saved = 0;
  for (std::int64_t k = std::min(stride, count) / 2; k < count; k += stride, ++saved) {
    save(k, counter);
  }
  return saved == 0 ? 0 : counter.bytes() * static_cast<double>(count) / static_cast<double>(saved);
}

// One step (Ranks::gather). compute(begin, end) makes the own part of [0, count). save(k, out)
// writes item k, and load(k, in) reads one of another rank. Then save_more(out) and load_more(in)
// follow, once for each rank. Without ranks: computes all.
template <class Compute, class Save, class Load, class SaveMore = NothingMore,
          class LoadMore = NothingMore>
void share_items(const Division& division, const char* step, std::int64_t count,
                 const Compute& compute, const Save& save, const Load& load,
                 const SaveMore& save_more = {}, const LoadMore& load_more = {}) {
  Ranks* const ranks = division.ranks;
  MeasuredStep measured(division.work, step, count);
  if (ranks == nullptr) {
    measured.time([&] { compute(std::int64_t{0}, count); });
    if (measured.is_measured()) measured.add_bytes(estimated_bytes(count, save));
    return;
  }
  StateBuffer own;
  const std::vector<std::string_view>& all = ranks->gather(step, [&] {
    measured.time([&] { compute(ranks->own_begin(count), ranks->own_end(count)); });
    for (std::int64_t k = ranks->own_begin(count); k < ranks->own_end(count); ++k) save(k, own);
    save_more(own);
    return own.bytes();
  });
  for (const std::string_view one : all) measured.add_bytes(static_cast<double>(one.size()));
  for (int rank = 0; rank < ranks->count(); ++rank) {
    if (rank == ranks->rank()) continue;
    ViewStateReader in(all[static_cast<std::size_t>(rank)]);
    for (std::int64_t k = ranks->begin_of(count, rank); k < ranks->begin_of(count, rank + 1); ++k) {
      load(k, in);
    }
    load_more(in);
  }
}

}  // namespace sculpt::core

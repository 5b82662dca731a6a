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

// The items of a step: item k in [0, count) has the number number_at(k), by which later steps of
// this name know it. `step`: a literal.
template <class NumberAt>
struct StepItems {
  const char* step;
  std::int64_t count;
  NumberAt number_at;
};
template <class NumberAt>
StepItems(const char*, std::int64_t, NumberAt) -> StepItems<NumberAt>;

// One step (Ranks::gather). Without ranks: computes all, and `parts` is nullptr.
//
//   compute(begin, end, parts)       makes the own part of [0, count), and times its items by
//                                    ItemTimer
//   save(k, out), load(k, in)        writes item k, and reads one of another rank
//   save_more(out), load_more(in)    the same once for each rank, after its items
template <class NumberAt, class Compute, class Save, class Load, class SaveMore = NothingMore,
          class LoadMore = NothingMore>
void share_items(const Division& division, const StepItems<NumberAt>& items, const Compute& compute,
                 const Save& save, const Load& load, const SaveMore& save_more = {},
                 const LoadMore& load_more = {}) {
  Ranks* const ranks = division.ranks;
  MeasuredStep measured(division.work, items.step, items.count);
  if (ranks == nullptr) {
    measured.time([&] { compute(std::int64_t{0}, items.count, nullptr); });
    if (measured.is_measured()) measured.add_bytes(estimated_bytes(items.count, save));
    return;
  }
  StepParts parts = ranks->balance().divide(items.step, items.count, items.number_at);
  StateBuffer own;
  const std::vector<std::string_view>& all = ranks->gather(items.step, [&] {
    const Stopwatch watch;
    measured.time([&] { compute(parts.own_begin(), parts.own_end(), &parts); });
    parts.end_own(watch.seconds());
    parts.save_seconds(own);
    for (std::int64_t k = parts.own_begin(); k < parts.own_end(); ++k) save(k, own);
    save_more(own);
    return own.bytes();
  });
  for (const std::string_view one : all) measured.add_bytes(static_cast<double>(one.size()));
  for (int rank = 0; rank < ranks->count(); ++rank) {
    ViewStateReader in(all[static_cast<std::size_t>(rank)]);
    parts.load_seconds(rank, in);
    if (rank == ranks->rank()) continue;
    for (std::int64_t k = parts.begin_of(rank); k < parts.end_of(rank); ++k) load(k, in);
    load_more(in);
  }
  ranks->balance().learn(parts);
}

}  // namespace sculpt::core

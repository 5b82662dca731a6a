#include "problem/oracle/frontier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sculpt::core {

namespace {

// Scores of one slice: 2 GiB of them. The number of slices has no limit but the loss's: they take
// time, not memory, most may be left out, and whoever goes through them polls.
constexpr std::int64_t width_limit = std::int64_t{1} << 28;

}  // namespace

Frontier::Frontier(const Component& component, Sessions& sessions, CountLoss loss, int threads)
    : component_(component),
      sessions_(sessions),
      table_(*component.extension<sculpt_ext_frontier>()),
      loss_(loss),
      talks_(static_cast<std::size_t>(threads)) {}

const Frontier::Shape& Frontier::begin(int worker, std::int64_t example,
                                       const sculpt_frontier_query& query) {
  Talk& talk = talks_[static_cast<std::size_t>(worker)];
  talk.example = example;
  talk.query = query;
  talk.query.struct_size = sizeof talk.query;
  talk.query.count_count = static_cast<std::uint32_t>(counts().size());
  talk.query.count = counts().data();
  sculpt_frontier_shape shape = {};
  shape.struct_size = sizeof shape;
  component_.call("frontier.begin", example, [&](sculpt_error* error) {
    return table_.begin(sessions_.of(worker), &talk.query, &shape, error);
  });
  talk.shape.flags = shape.flags;
  std::copy(shape.size, shape.size + SCULPT_MOST_COUNTS, talk.shape.size.begin());
  if (!talk.shape.has(SCULPT_ANSWER_NO_OUTPUT)) check(talk);
  return talk.shape;
}

void Frontier::check(const Talk& talk) const {
  for (std::size_t k = 0; k < SCULPT_MOST_COUNTS; ++k) {
    const std::int64_t size = talk.shape.size[k];
    const bool counted = k < counts().size();
    const std::int64_t limit = counted ? counts()[k].limit : 0;
    const bool sound = size >= 1 && size - 1 <= limit && (k == 0 || size <= width_limit);
    if (sound) continue;
    const std::string what = counted ? counts()[k].name : "a second count, which there is not";
    const bool beyond = counted && size - 1 > limit;
    component_.refuse(
        Exit::plugin, talk.example,
        "the frontier has " + std::to_string(size) + " values of " + what +
            (beyond ? "; the loss tells none apart above " + std::to_string(limit) : ""));
  }
}

void Frontier::slice(int worker, std::int64_t first, std::vector<double>& score) {
  const Talk& talk = talks_[static_cast<std::size_t>(worker)];
  score.assign(static_cast<std::size_t>(talk.shape.size[1]), std::nan(""));
  component_.call("frontier.slice", talk.example, [&](sculpt_error* error) {
    return table_.slice(sessions_.of(worker), first, score.data(), error);
  });
  for (std::size_t k = 0; k < score.size(); ++k) {
    if (score[k] < std::numeric_limits<double>::infinity()) continue;
    component_.refuse(Exit::plugin, talk.example,
                      "the score of its frontier at " +
                          counts_text(counts(), Counts{first, static_cast<std::int64_t>(k)}) +
                          " is " + std::to_string(score[k]));
  }
}

void Frontier::output(int worker, const Counts& counts, Answer& answer) {
  const Talk& talk = talks_[static_cast<std::size_t>(worker)];
  answer.clear();
  component_.call("frontier.output", talk.example, [&](sculpt_error* error) {
    return table_.output(sessions_.of(worker), counts.data(), &answer.raw()->labels, error);
  });
}

}  // namespace sculpt::core

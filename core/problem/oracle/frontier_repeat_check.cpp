#include "problem/oracle/frontier_repeat_check.hpp"
#include "problem/plugin/labels_copy.hpp"

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <utility>

namespace sculpt::core {
namespace {

std::uint64_t hash_of(const std::vector<double>& score) {
  return XXH3_64bits(score.data(), score.size() * sizeof(double));
}

}  // namespace

void FrontierRepeatCheck::record_begin(int worker, const sculpt_query& query,
                                       const Frontier::Shape& shape) {
  last(worker).current = {true, query, shape, {}, {}};
}

void FrontierRepeatCheck::record_slice(int worker, std::int64_t first,
                                       const std::vector<double>& score) {
  last(worker).current.slices.push_back({first, hash_of(score)});
}

void FrontierRepeatCheck::record_output(int worker, const Counts& counts, const Answer& answer) {
  last(worker).current.outputs.push_back({counts, copy_of(answer.labels())});
}

void FrontierRepeatCheck::check(int worker, const Component& oracle,
                                std::span<const sculpt_count> counts, const FrontierCalls& calls) {
  RecordedQuery& current = last(worker).current;
  RecordedQuery& previous = last(worker).previous;
  const auto repeat = [&](const RecordedQuery& recorded, std::int64_t preceding_example) {
    const std::string text = difference(recorded, counts, calls);
    if (text.empty()) return;
    oracle.refuse(Exit::plugin, recorded.query.example,
                  "the same frontier query after one about example " +
                      std::to_string(preceding_example) +
                      " has a different result; the difference is in " + text +
                      ". The oracle keeps state between calls");
  };
  // The weights of an older query no longer exist.
  const bool can_repeat_previous =
      previous.is_set && previous.query.weights.stamp == current.query.weights.stamp;
  if (can_repeat_previous) repeat(previous, current.query.example);
  repeat(current, can_repeat_previous ? previous.query.example : current.query.example);
  previous = std::exchange(current, {});
}

std::string FrontierRepeatCheck::difference(const RecordedQuery& recorded,
                                            std::span<const sculpt_count> counts,
                                            const FrontierCalls& calls) {
  const Frontier::Shape& shape = calls.begin(recorded.query);
  if (shape.flags != recorded.shape.flags) return "its flags";
  if (shape.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return "";
  if (shape.size != recorded.shape.size) return "its sizes";
  std::vector<double> score;
  for (const Slice& slice : recorded.slices) {
    calls.slice(slice.first, score);
    if (hash_of(score) == slice.hash) continue;
    return "its scores of " + counts_text(counts.first(1), Counts{slice.first, 0});
  }
  Answer answer;
  for (const Output& output : recorded.outputs) {
    calls.output(recorded.query.example, output.counts, answer);
    if (copy_of(answer.labels()) == output.labels) continue;
    return "its output of " + counts_text(counts, output.counts);
  }
  return "";
}

}  // namespace sculpt::core

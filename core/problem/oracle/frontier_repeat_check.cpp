#include "problem/oracle/frontier_repeat_check.hpp"

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <utility>

namespace sculpt::core {
namespace {

std::uint64_t hash_of(const std::vector<double>& score) {
  return XXH3_64bits(score.data(), score.size() * sizeof(double));
}

std::vector<std::int32_t> copy_of(sculpt_labels labels) {
  return {labels.data, labels.data + labels.size};
}

}  // namespace

void FrontierRepeatCheck::begun(int worker, const sculpt_query& query,
                                const Frontier::Shape& shape) {
  last(worker).now = {true, query, shape, {}, {}};
}

void FrontierRepeatCheck::heard(int worker, std::int64_t first, const std::vector<double>& score) {
  last(worker).now.slices.push_back({first, hash_of(score)});
}

void FrontierRepeatCheck::heard(int worker, const Counts& counts, const Answer& answer) {
  last(worker).now.outputs.push_back({counts, copy_of(answer.labels())});
}

void FrontierRepeatCheck::check(int worker, const Component& oracle,
                                std::span<const sculpt_count> counts, const Ask& ask) {
  RecordedQuery& now = last(worker).now;
  RecordedQuery& before = last(worker).before;
  const auto hold_again = [&](const RecordedQuery& recorded, std::int64_t after) {
    const std::string what = change(recorded, counts, ask);
    if (what.empty()) return;
    oracle.refuse(Exit::plugin, recorded.query.example,
                  "the same frontier after one about example " + std::to_string(after) +
                      " is another; what differs is " + what +
                      ". The oracle carries something from call to call");
  };
  // The weights of an older query no longer exist.
  const bool known = before.held && before.query.weights.stamp == now.query.weights.stamp;
  if (known) hold_again(before, now.query.example);
  hold_again(now, known ? before.query.example : now.query.example);
  before = std::exchange(now, {});
}

std::string FrontierRepeatCheck::change(const RecordedQuery& recorded,
                                        std::span<const sculpt_count> counts, const Ask& ask) {
  const Frontier::Shape& shape = ask.begin(recorded.query);
  if (shape.flags != recorded.shape.flags) return "its flags";
  if (shape.has(SCULPT_ANSWER_NO_OUTPUT)) return "";
  if (shape.size != recorded.shape.size) return "its sizes";
  std::vector<double> score;
  for (const Slice& slice : recorded.slices) {
    ask.slice(slice.first, score);
    if (hash_of(score) == slice.hash) continue;
    return "its scores of " + counts_text(counts.first(1), Counts{slice.first, 0});
  }
  Answer answer;
  for (const Output& output : recorded.outputs) {
    ask.output(recorded.query.example, output.counts, answer);
    if (copy_of(answer.labels()) == output.labels) continue;
    return "its output of " + counts_text(counts, output.counts);
  }
  return "";
}

}  // namespace sculpt::core

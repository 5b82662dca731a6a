#include "step_counter.hpp"

#include <charconv>

namespace alignment {

void StepCounter::begin(const SequencePair& pair, sculpt::Labels truth, bool local,
                        std::span<const sculpt_count> counts) {
  pair_ = &pair;
  kinds_.clear();
  for (const sculpt_count& one : counts) {
    const std::string_view name = one.name;
    Kind kind{name == "errors" ? Of::errors : name == "predicted" ? Of::predicted : Of::within, 0};
    if (kind.of == Of::within && name != "matched") {
      const char* const digits = one.name + std::string_view("within_").size();
      // A number above the letters has the same effect as the number of letters.
      const auto [stop, problem] = std::from_chars(digits, name.data() + name.size(), kind.within);
      if (problem != std::errc()) kind.within = pair.b.length();
    }
    kinds_.push_back(kind);
  }
  const std::int64_t n = pair.a.length();
  const std::int64_t m = pair.b.length();
  partner_.assign(static_cast<std::size_t>(n), -1);
  path_.assign(static_cast<std::size_t>(n + m + 1), OnPath());
  empty_ = truth.empty();
  first_ = Cell();
  last_ = Cell();
  if (!local) {
    first_ = {0, 0};
    path_[0] = {0, both};
    if (empty_) last_ = first_;
  }
  const bool sound = walk(truth, n, m, [&](Move move, std::int64_t i, std::int64_t j) {
    const Cell head{i + in_a(move), j + in_b(move)};
    path_[static_cast<std::size_t>(head.i + head.j)] = {head.i, move};
    last_ = head;
    if (move != both) return;
    if (local && i == truth[0] && j == truth[1]) first_ = head;
    if (pair.a.scored(i) && pair.b.scored(j)) partner_[static_cast<std::size_t>(i)] = j;
  });
  if (!sound) throw no_alignment(n, m);
}

bool StepCounter::right(const Step& step) const {
  if (step.move == no_move) {
    if (step.before == no_move) return empty_;
    return last_ == Cell{step.i, step.j} && passes(step.i, step.j, step.before);
  }
  if (!passes(step.i, step.j, step.move)) return false;
  if (step.before == no_move) return first_ == Cell{step.i, step.j};
  return passes(step.i - in_a(step.move), step.j - in_b(step.move), step.before);
}

}  // namespace alignment

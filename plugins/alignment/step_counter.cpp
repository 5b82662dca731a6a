#include "step_counter.hpp"

#include <charconv>

namespace alignment {

void StepCounter::begin(const SequencePair& pair, sculpt::Labels truth, bool is_local,
                        std::span<const sculpt_count> counts) {
  pair_ = &pair;
  requested_.clear();
  for (const sculpt_count& count : counts) {
    const std::string_view name = count.name;
    RequestedCount requested{name == "errors"      ? Kind::errors
                             : name == "predicted" ? Kind::predicted
                                                   : Kind::within,
                             0};
    if (requested.kind == Kind::within && name != "matched") {
      const char* const digits = count.name + std::string_view("within_").size();
      // A number above the letters has the same effect as the number of letters.
      const auto [end, error] =
          std::from_chars(digits, name.data() + name.size(), requested.max_distance);
      if (error != std::errc()) requested.max_distance = pair.b.length();
    }
    requested_.push_back(requested);
  }
  const std::int64_t n = pair.a.length();
  const std::int64_t m = pair.b.length();
  truth_partner_.assign(static_cast<std::size_t>(n), -1);
  truth_path_.assign(static_cast<std::size_t>(n + m + 1), TruthCell());
  truth_is_empty_ = truth.empty();
  first_head_ = Cell();
  last_head_ = Cell();
  if (!is_local) {
    first_head_ = {0, 0};
    truth_path_[0] = {0, both};
    if (truth_is_empty_) last_head_ = first_head_;
  }
  const bool valid = visit_moves(truth, n, m, [&](Move move, std::int64_t i, std::int64_t j) {
    const Cell head{i + letters_in_a(move), j + letters_in_b(move)};
    truth_path_[static_cast<std::size_t>(head.i + head.j)] = {head.i, move};
    last_head_ = head;
    if (move != both) return;
    if (is_local && i == truth[0] && j == truth[1]) first_head_ = head;
    if (pair.a.is_scored(i) && pair.b.is_scored(j)) truth_partner_[static_cast<std::size_t>(i)] = j;
  });
  if (!valid) throw not_an_alignment(n, m);
}

bool StepCounter::truth_has(const Step& step) const {
  if (step.move == no_move) {
    if (step.previous == no_move) return truth_is_empty_;
    return last_head_ == Cell{step.i, step.j} && truth_reaches(step.i, step.j, step.previous);
  }
  if (!truth_reaches(step.i, step.j, step.move)) return false;
  if (step.previous == no_move) return first_head_ == Cell{step.i, step.j};
  return truth_reaches(step.i - letters_in_a(step.move), step.j - letters_in_b(step.move),
                       step.previous);
}

}  // namespace alignment

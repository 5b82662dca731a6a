#include "solver/n_slack/answer_preparation.hpp"

namespace sculpt::core {
namespace {

// Threads are used only if a vector of the dimension takes at most 2 MB: each thread needs one.
constexpr std::int64_t largest_dimension = 1 << 18;

constexpr std::int64_t answers_per_task = 8;

}  // namespace

AnswerPreparation::AnswerPreparation(const PassController& pass_controller, WorkingSet& working_set,
                                     Workers* workers)
    : pass_controller_(pass_controller),
      working_set_(working_set),
      workers_(static_cast<std::int64_t>(working_set.w().dense().size()) <= largest_dimension
                   ? workers
                   : nullptr) {
  const auto threads = static_cast<std::size_t>(workers_ == nullptr ? 1 : workers_->threads());
  rooms_.resize(threads);
  if (workers_ != nullptr) zeros_.assign(threads, Vector(working_set.w().dense().size(), 0.0));
}

std::span<PreparedAnswer> AnswerPreparation::prepare(std::span<const std::int64_t> blocks,
                                                     std::span<const Separation> answers,
                                                     const Look& look) {
  const auto count = static_cast<std::int64_t>(answers.size());
  arrivals_.resize(answers.size());
  const auto range = [&](std::int64_t begin, std::int64_t end, std::size_t worker, Vector& zeros) {
    for (std::int64_t k = begin; k < end; ++k) {
      PreparedAnswer& arrival = arrivals_[static_cast<std::size_t>(k)];
      const Separation& answer = answers[static_cast<std::size_t>(k)];
      const std::int64_t block = blocks[static_cast<std::size_t>(k)];
      working_set_.prefetch_next(blocks, static_cast<std::size_t>(k),
                                 WorkingSet::PlanesWanted::all);
      arrival.seen = look(block, rooms_[worker]);
      pass_controller_.find_violated(block, answer, arrival.seen.slack, zeros, arrival.planes);
    }
  };
  if (workers_ == nullptr) {
    range(0, count, 0, working_set_.scratch());
  } else {
    workers_->run_blocks(count, answers_per_task,
                         [&](std::int64_t begin, std::int64_t end, int number) {
                           const auto worker = static_cast<std::size_t>(number);
                           range(begin, end, worker, zeros_[worker]);
                         });
  }
  return arrivals_;
}

}  // namespace sculpt::core

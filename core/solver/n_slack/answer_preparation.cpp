#include "solver/n_slack/answer_preparation.hpp"

namespace sculpt::core {
namespace {

// Threads are used only if a vector of the dimension takes at most 2 MB: each thread needs one.
constexpr std::size_t max_dimension_for_threads = std::size_t{1} << 18;

constexpr std::int64_t answers_per_task = 8;

}  // namespace

AnswerPreparation::AnswerPreparation(const PassController& pass_controller, WorkingSet& working_set,
                                     Workers* workers)
    : pass_controller_(pass_controller),
      working_set_(working_set),
      workers_(working_set.w().dense().size() <= max_dimension_for_threads ? workers : nullptr) {
  if (workers_ == nullptr) return;
  zeros_.assign(static_cast<std::size_t>(workers_->threads()),
                Vector(working_set.w().dense().size(), 0.0));
}

std::span<PreparedAnswer> AnswerPreparation::prepare(std::span<const std::int64_t> blocks,
                                                     std::span<const Separation> answers,
                                                     const MeasureBlock& measure_block) {
  const auto count = static_cast<std::int64_t>(answers.size());
  prepared_.resize(answers.size());
  const auto prepare_range = [&](std::int64_t begin, std::int64_t end, Vector& zeros) {
    std::vector<double> score;
    for (std::int64_t k = begin; k < end; ++k) {
      PreparedAnswer& prepared = prepared_[static_cast<std::size_t>(k)];
      const Separation& answer = answers[static_cast<std::size_t>(k)];
      const std::int64_t block = blocks[static_cast<std::size_t>(k)];
      working_set_.prefetch_next(blocks, static_cast<std::size_t>(k), WorkingSet::PlaneFilter::all);
      prepared.known_gap = measure_block(block, score);
      pass_controller_.find_violated(block, answer, prepared.known_gap.slack, zeros,
                                     prepared.planes);
    }
  };
  if (workers_ == nullptr) {
    prepare_range(0, count, working_set_.scratch());
  } else {
    workers_->run_ranges(count, answers_per_task,
                         [&](std::int64_t begin, std::int64_t end, int worker) {
                           prepare_range(begin, end, zeros_[static_cast<std::size_t>(worker)]);
                         });
  }
  return prepared_;
}

}  // namespace sculpt::core

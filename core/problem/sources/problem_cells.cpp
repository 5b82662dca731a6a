#include "problem/sources/problem_cells.hpp"

namespace sculpt::core {

std::string ProblemCells::obstacle(Problem& problem) {
  if (problem.oracle().expectations()->cells() != nullptr) return "";
  return problem.oracle().component().name() + " is an oracle without them";
}

ProblemCells::ProblemCells(Problem& problem, std::uint64_t run_seed)
    : ProblemPort(problem, run_seed, problem.oracle().component()),
      cells_(*problem.oracle().expectations()->cells()) {}

std::int64_t ProblemCells::cell_count(std::int64_t example) {
  return cells_.cell_count(0, dataset_index(example));
}

void ProblemCells::begin(WeightView w, const Pass& pass) {
  end();
  pass_.emplace(pass);
  stop_condition_.emplace(problem().services(), pass_->interrupted);
  if (pass_->must_finish) no_cancel_.emplace(problem().services());
  const auto threads = static_cast<std::size_t>(problem().workers().threads());
  while (scratches_.size() < threads) scratches_.emplace_back(dimension());
  shared_ = query_at(w);
  shared_.loss_weight = pass.loss_weight.value_or(0);
}

void ProblemCells::end() {
  no_cancel_.reset();
  stop_condition_.reset();
}

double ProblemCells::compute_potentials(int worker, std::int64_t example, std::span<double> theta) {
  sculpt_query query = shared_;
  set_example(example, *pass_, query);
  return cells_.compute_potentials(worker, query, pass_->scale, theta);
}

void ProblemCells::add_truth(int worker, std::int64_t example, double score,
                             std::span<double> theta) {
  sculpt_query query = shared_;
  set_example(example, *pass_, query);
  cells_.add_truth(worker, query, score, theta);
}

LogZ ProblemCells::compute_mean(int worker, std::int64_t example, std::span<const double> theta,
                                std::span<double> mu) {
  sculpt_query query = shared_;
  begin_example(example, *pass_, query);
  return cells_.compute_cell_mean(worker, query, theta, mu);
}

void ProblemCells::add_pullback(int worker, std::int64_t example, std::span<const double> mu,
                                double scale, Vector& sum) {
  SparseAccumulator& list = scratches_[static_cast<std::size_t>(worker)];
  cells_.add_pullback(worker, dataset_index(example), mu, scale, list, sum);
}

}  // namespace sculpt::core

#include "problem/prediction/probabilities.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/infinity.hpp"
#include "linalg/products.hpp"
#include "problem/plugin/oracle_seed.hpp"

namespace sculpt::core {
namespace {

// What a component lacks, and what to do. `others`: those of this program that have it.
std::string lacking(Problem& problem, const std::string& what, const std::string& others) {
  return problem.oracle().component().name() + " offers no " + what + "; " + others +
         " do (describe NAME lists what another one offers): --set oracle=NAME";
}

// True if the output has all labels that are given (>= 0). Nothing is given: true.
bool agrees(sculpt_labels output, sculpt_labels given) {
  if (given.data == nullptr) return true;
  for (std::int64_t v = 0; v < given.size; ++v) {
    if (given.data[v] >= 0 && given.data[v] != output.data[v]) return false;
  }
  return true;
}

// The labels that are given have probability 1, without rounding.
void set_given(sculpt_labels given, Marginals& out) {
  if (given.data == nullptr) return;
  for (std::size_t v = 0; v < out.positions(); ++v) {
    const std::int32_t label = given.data[v];
    if (label < 0) continue;
    const auto row = std::span(out.p).subspan(out.row_from[v], out.row(v).size());
    std::fill(row.begin(), row.end(), 0.0);
    row[static_cast<std::size_t>(label)] = 1;
  }
}

void copy_labels(const Answer& answer, Prediction& out) {
  const sculpt_labels labels = answer.labels();
  out.labels.assign(labels.data, labels.data + labels.size);
}

}  // namespace

Prediction most_probable_labels(const Marginals& marginals) {
  Prediction output;
  for (std::size_t v = 0; v < marginals.positions(); ++v) {
    const std::span<const double> row = marginals.row(v);
    output.labels.push_back(
        static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  return output;
}

Probabilities::Probabilities(Problem& problem, const Vector& w, std::optional<double> temperature)
    : problem_(problem), w_(w), temperature_(temperature), scaled_w_(w) {
  for (double& one : scaled_w_) one /= temperature.value_or(1);
  weights_ = {w_.data(), problem.dimension(), next_stamp()};
  scaled_weights_ = {scaled_w_.data(), problem.dimension(), next_stamp()};
  for (int worker = 0; worker < problem.workers().threads(); ++worker) {
    sums_.push_back(std::make_unique<SparseAccumulator>(problem.dimension()));
    answers_.push_back(std::make_unique<Answer>());
  }
}

void Probabilities::keep_given_labels() {
  Oracle& oracle = problem_.oracle();
  if (!oracle.conditions_on_truths()) {
    throw Failure(Exit::config,
                  "--given with --nbest, --sample, --marginals or --decode max-marginal needs a "
                  "map_solver, and " +
                      oracle.component().name() +
                      " is none; use --given alone, which prints the best output, or another "
                      "oracle");
  }
  oracle.condition_on_truths();
  keeps_given_labels_ = true;
}

std::string Probabilities::obstacle_to_log_z() const {
  return problem_.oracle().expectations() != nullptr
             ? ""
             : lacking(problem_, "probabilities",
                       "viterbi, enumerate, belief_propagation, grammar, rna, alignment and "
                       "homolog");
}

std::string Probabilities::obstacle_to_marginals() const {
  Expectations* const expectations = problem_.oracle().expectations();
  if (expectations == nullptr) return obstacle_to_log_z();
  if (expectations->gives_marginals()) return "";
  return problem_.oracle().component().name() +
         " computes with whole outputs, not with probabilities of single labels; use --nbest or "
         "--sample";
}

std::string Probabilities::obstacle_to_k_best() const {
  return problem_.oracle().lists_k_best()
             ? ""
             : lacking(problem_, "k best outputs",
                       "viterbi, enumerate, grammar, rna, alignment and homolog");
}

std::string Probabilities::obstacle_to_draws() const {
  return problem_.oracle().draws()
             ? ""
             : lacking(problem_, "samples",
                       "viterbi, enumerate, grammar, rna, alignment and homolog");
}

void Probabilities::find_k_best(int worker, std::int64_t example, std::int64_t count,
                                std::vector<ScoredOutput>& out) {
  problem_.services().throw_if_cancelled();
  const double log_z = are_known() ? this->log_z(worker, example) : std::nan("");
  const sculpt_query query = query_about(example, weights_);
  Oracle& oracle = problem_.oracle();
  Answer& answer = *answers_[static_cast<std::size_t>(worker)];
  out.clear();
  oracle.begin_k_best(worker, query);
  while (std::ssize(out) < count) {
    oracle.next_best(worker, query, answer);
    if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) break;
    if (!agrees(answer.labels(), query.truth)) break;  // all that follow disagree, too
    ScoredOutput& next = out.emplace_back();
    copy_labels(answer, next.output);
    next.score = answer.value();
    next.log_probability = next.score / temperature_.value_or(1) - log_z;
  }
}

void Probabilities::draw(int worker, std::int64_t example, std::int64_t count, std::uint64_t seed,
                         std::vector<ScoredOutput>& out) {
  problem_.services().throw_if_cancelled();
  const sculpt_query query = query_about(example, scaled_weights_);
  Oracle& oracle = problem_.oracle();
  Answer& answer = *answers_[static_cast<std::size_t>(worker)];
  out.clear();
  const double log_z = oracle.begin_draws(worker, query);
  if (log_z == -infinity) return;
  for (std::int64_t k = 0; k < count; ++k) {
    oracle.draw(worker, query,
                oracle_seed(seed, static_cast<std::uint64_t>(k), example + first_number_), answer);
    copy_labels(answer, out.emplace_back().output);
  }
  for (ScoredOutput& one : out) {  // other calls end the draws, so scores come after them
    one.score = score_of(worker, example, one.output.raw());
    one.log_probability = one.score / *temperature_ - log_z;
  }
}

double Probabilities::find_marginals(int worker, std::int64_t example, Marginals& out) {
  problem_.services().throw_if_cancelled();
  const sculpt_query query = query_about(example, scaled_weights_);
  const double log_z = value_of(problem_.oracle().expectations()->marginals(worker, query, out));
  set_given(query.truth, out);
  return log_z;
}

void Probabilities::find_most_probable_labels(int worker, std::int64_t example, Prediction& out) {
  Marginals marginals;
  const double log_z = find_marginals(worker, example, marginals);
  out = most_probable_labels(marginals);
  out.no_output = std::isinf(log_z);
}

double Probabilities::log_probability(int worker, std::int64_t example, sculpt_labels y,
                                      double log_z) {
  return score_of(worker, example, y) / *temperature_ - log_z;
}

double Probabilities::log_z(int worker, std::int64_t example) {
  return value_of(problem_.oracle().expectations()->mean(
      worker, query_about(example, scaled_weights_), *sums_[static_cast<std::size_t>(worker)]));
}

double Probabilities::value_of(const LogZ& log_z) {
  if (!log_z.is_exact && std::isfinite(log_z.value)) are_exact_ = false;
  return log_z.value;
}

double Probabilities::score_of(int worker, std::int64_t example, sculpt_labels y) {
  SparseVector psi;
  problem_.features().vector(worker, example, y, Exit::plugin,
                             *sums_[static_cast<std::size_t>(worker)], psi);
  return dot(psi, w_);
}

sculpt_query Probabilities::query_about(std::int64_t example, const sculpt_weights& weights) const {
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.example = example;
  query.weights = weights;
  if (keeps_given_labels_) query.truth = problem_.dataset().truth(example);
  return query;
}

}  // namespace sculpt::core

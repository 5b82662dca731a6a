#include "batch/batch_call.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>

#include "base/infinity.hpp"
#include "problem/map_oracle/given_labels.hpp"
#include "problem/plugin/oracle_seed.hpp"

namespace sculpt::core {

Batch::Call::Call(Batch& batch, const BatchQuantity& quantity, const BatchGraphs& graphs,
                  const sculpt_batch_input& input, const sculpt_batch_output& output)
    : batch_(batch), quantity_(quantity), graphs_(graphs), input_(input), output_(output) {
  check_sizes();
  check_weights();
  demands_attractive_ = batch.solver_.require_graphs(graphs);
  if (quantity.sums) batch.solver_.require_marginals(quantity.function);
}

void Batch::Call::run() {
  BlockSums& sums = batch_.shared_sums_;
  sums.begin(graphs_.example_count(), graphs_.shared_size(), output_.shared != nullptr);
  Workers& workers = batch_.solver_.workers();
  workers.run_ranges(graphs_.example_count(), sums.block_size(),
                     [&](std::int64_t begin, std::int64_t end, int worker) {
                       double* const shared_sum = sums.begin_block(begin);
                       for (std::int64_t k = begin; k < end; ++k) {
                         batch_.solver_.throw_if_stopped();
                         const std::int64_t number = graphs_.order()[static_cast<std::size_t>(k)];
                         Example example{number, worker,
                                         batch_.scratches_[static_cast<std::size_t>(worker)],
                                         graphs_.of(number)};
                         if (demands_attractive_) example.graph.classes |= SCULPT_GRAPH_ATTRACTIVE;
                         example.shared_sum = shared_sum;
                         compute(example);
                       }
                     });
  sums.write(workers, output_.shared);
}

void Batch::Call::compute(Example& example) const {
  Scratch& scratch = example.scratch;
  load_scores(example);
  load_truth(example);
  if (demands_attractive_) require_attractive(example);
  if (quantity_.is_loss && quantity_.has_delta) add_delta(example);
  // What is known of a truth restricts B of a loss, and A where there is no B.
  const bool restricts_best = !quantity_.is_loss && example.truth != nullptr;
  if (restricts_best || (quantity_.is_loss && example.is_partial)) exclude_disagreeing(example);
  const Vector& theta = restricts_best ? scratch.given : scratch.theta;

  const Part best =
      quantity_.sums ? sum(example, theta, scratch.mu) : solve(example, theta, scratch.best);
  const Part reference = quantity_.is_loss ? this->reference(example) : Part();
  if (output_.outputs != nullptr) {
    const Part output = quantity_.sums ? solve(example, theta, scratch.best) : best;
    if (restricts_best) require_agreement(example, output.labels);
    std::copy_n(
        output.labels, example.graph.variable_count,
        output_.outputs + graphs_.variable_from()[static_cast<std::size_t>(example.number)]);
  }
  const double value = difference(example, best, reference);
  write_value(example, value, best, reference);
  if (!wants_gradient()) return;
  clear_gradient(example);
  // The output that was found is worse than the truth.
  if (quantity_.is_loss && !quantity_.sums && value < 0) return;
  const double weight =
      input_.example_weights == nullptr ? 1 : input_.example_weights[example.number];
  add_gradient(example, best, weight);
  if (quantity_.is_loss) add_gradient(example, reference, -weight);
}

// The shared tables stay in theta while the call lasts.
void Batch::Call::load_scores(const Example& example) const {
  Scratch& scratch = example.scratch;
  const auto number = static_cast<std::size_t>(example.number);
  const auto shared = static_cast<std::ptrdiff_t>(graphs_.shared_size());
  const std::int64_t unary = graphs_.unary_from()[number];
  const std::int64_t unary_end = graphs_.unary_from()[number + 1];
  const std::int64_t tables = graphs_.tables_from()[number];
  const std::int64_t tables_end = graphs_.tables_from()[number + 1];
  scratch.theta.resize(static_cast<std::size_t>(example.graph.theta_size));
  if (scratch.call != batch_.calls_) {
    std::copy_n(input_.shared, shared, scratch.theta.begin());
    scratch.call = batch_.calls_;
  }
  const auto own =
      std::copy(input_.unary + unary, input_.unary + unary_end, scratch.theta.begin() + shared);
  std::copy(input_.tables + tables, input_.tables + tables_end, own);
  require_range(example);
}

void Batch::Call::load_truth(Example& example) const {
  if (input_.truths == nullptr) return;
  const std::int32_t* const truth =
      input_.truths + graphs_.variable_from()[static_cast<std::size_t>(example.number)];
  bool is_known = example.graph.variable_count == 0;
  for (std::int64_t v = 0; v < example.graph.variable_count; ++v) {
    if (truth[v] < -1 || truth[v] >= example.graph.states[v]) {
      refuse_example(example.number, "its truth has label " + std::to_string(truth[v]) +
                                         " at variable " + std::to_string(v) + ", which has " +
                                         std::to_string(example.graph.states[v]) +
                                         " states; -1 is for a label that is not known");
    }
    (truth[v] < 0 ? example.is_partial : is_known) = true;
  }
  if (is_known || quantity_.is_loss) example.truth = truth;
}

void Batch::Call::add_delta(const Example& example) const {
  const std::int64_t first = graphs_.variable_from()[static_cast<std::size_t>(example.number)];
  for (std::int64_t v = 0; v < example.graph.variable_count; ++v) {
    const std::int32_t label = example.truth[v];
    if (label < 0) continue;
    const double weight =
        input_.variable_weights == nullptr ? 1 : input_.variable_weights[first + v];
    const std::int32_t states = example.graph.states[v];
    double* const scores = example.scratch.theta.data() + example.graph.table[v];
    if (input_.costs != nullptr) {
      const double* const costs = input_.costs + std::int64_t{label} * input_.cost_count;
      for (std::int32_t k = 0; k < states; ++k) scores[k] += weight * costs[k];
      continue;
    }
    const double of_truth = scores[label];
    for (std::int32_t k = 0; k < states; ++k) scores[k] += weight;
    scores[label] = of_truth;
  }
}

// Outputs that agree with the truth have the same score under `given` as under theta.
void Batch::Call::exclude_disagreeing(const Example& example) const {
  example.scratch.given = example.scratch.theta;
  exclude_other_labels(example.graph, example.truth, example.scratch.given.data());
}

sculpt_map_query Batch::Call::query(const Example& example, const Vector& theta) const {
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &example.graph;
  query.theta = theta.data();
  query.seed = oracle_seed(input_.seed, 0, example.number);
  return query;
}

Batch::Call::Part Batch::Call::solve(const Example& example, const Vector& theta,
                                     Answer& answer) const {
  batch_.solver_.solve(example.worker, example.number, query(example, theta), answer);
  Part part;
  part.labels = answer.labels().data;
  part.value = sculpt::assignment_score(example.graph, theta.data(), part.labels);
  part.is_exact = answer.has_flag(SCULPT_ANSWER_EXACT);
  part.upper_bound = part.is_exact ? part.value : answer.upper_bound();
  return part;
}

Batch::Call::Part Batch::Call::sum(const Example& example, const Vector& theta, Vector& mu) const {
  const LogZ log_z = batch_.solver_.mean(example.worker, example.number, query(example, theta), mu);
  Part part;
  part.value = log_z.value;
  part.is_exact = log_z.is_exact;
  part.upper_bound = log_z.is_exact ? log_z.value : infinity;
  part.mu = &mu;
  return part;
}

// Returns B of a loss.
Batch::Call::Part Batch::Call::reference(const Example& example) const {
  Scratch& scratch = example.scratch;
  if (!example.is_partial) {
    Part part;
    part.labels = example.truth;
    part.value = sculpt::assignment_score(example.graph, scratch.theta.data(), part.labels);
    return part;
  }
  if (quantity_.sums) return sum(example, scratch.given, scratch.given_mu);
  const Part part = solve(example, scratch.given, scratch.completion);
  require_agreement(example, part.labels);
  return part;
}

// Two outputs are compared cell by cell: the cells that both use cancel without rounding.
double Batch::Call::difference(const Example& example, const Part& best,
                               const Part& reference) const {
  if (best.labels == nullptr || reference.labels == nullptr) return best.value - reference.value;
  const Vector& theta = example.scratch.theta;
  double sum = 0;
  for (std::int64_t f = 0; f < example.graph.factor_count; ++f) {
    const auto of_best =
        static_cast<std::size_t>(sculpt::factor_cell(example.graph, f, best.labels));
    const auto of_reference =
        static_cast<std::size_t>(sculpt::factor_cell(example.graph, f, reference.labels));
    sum += theta[of_best] - theta[of_reference];
  }
  return sum;
}

void Batch::Call::write_value(const Example& example, double value, const Part& best,
                              const Part& reference) const {
  const bool is_exact = best.is_exact && reference.is_exact;
  // The truth is an output, so no loss is below 0.
  if (quantity_.is_loss && value < 0 && is_exact) require_not_below(example, best, value);
  const bool is_clipped = quantity_.is_loss && value < 0 && (is_exact || !quantity_.sums);
  if (output_.values != nullptr) output_.values[example.number] = is_clipped ? 0 : value;
  if (output_.exact != nullptr) output_.exact[example.number] = is_exact ? 1 : 0;
  if (output_.upper_bounds == nullptr) return;
  double bound = is_exact ? value : best.upper_bound - reference.value;
  if (quantity_.is_loss) bound = std::max(bound, 0.0);
  output_.upper_bounds[example.number] = bound;
}

void Batch::Call::clear_gradient(const Example& example) const {
  const auto number = static_cast<std::size_t>(example.number);
  const auto clear = [number](double* cells, std::span<const std::int64_t> from) {
    if (cells != nullptr) std::fill(cells + from[number], cells + from[number + 1], 0.0);
  };
  clear(output_.unary, graphs_.unary_from());
  clear(output_.tables, graphs_.tables_from());
}

void Batch::Call::add_gradient(const Example& example, const Part& part, double scale) const {
  const auto number = static_cast<std::size_t>(example.number);
  const std::int64_t unary = graphs_.shared_size();  // where these cells begin in theta
  const std::int64_t tables =
      unary + graphs_.unary_from()[number + 1] - graphs_.unary_from()[number];
  const std::int64_t end = example.graph.theta_size;
  double* const of_unary =
      output_.unary == nullptr ? nullptr : output_.unary + graphs_.unary_from()[number];
  double* const of_tables =
      output_.tables == nullptr ? nullptr : output_.tables + graphs_.tables_from()[number];
  if (part.mu != nullptr) {
    const double* const mu = part.mu->data();
    const auto add = [&](double* cells, std::int64_t begin, std::int64_t size) {
      if (cells == nullptr) return;
      for (std::int64_t j = 0; j < size; ++j) cells[j] += scale * mu[begin + j];
    };
    add(example.shared_sum, 0, unary);
    add(of_unary, unary, tables - unary);
    add(of_tables, tables, end - tables);
    return;
  }
  const auto add = [scale](double* cells, std::int64_t cell) {
    if (cells != nullptr) cells[cell] += scale;
  };
  for (std::int64_t f = 0; f < example.graph.factor_count; ++f) {
    const std::int64_t cell = sculpt::factor_cell(example.graph, f, part.labels);
    if (cell < unary) {
      add(example.shared_sum, cell);
    } else if (cell < tables) {
      add(of_unary, cell - unary);
    } else {
      add(of_tables, cell - tables);
    }
  }
}

}  // namespace sculpt::core

#include "problem/sources/problem_expectations.hpp"

#include <atomic>
#include <cmath>

#include "base/infinity.hpp"
#include "base/stopwatch.hpp"
#include "linalg/products.hpp"
#include "objective/separation_stream.hpp"
#include "parallel/ranks/shared_items.hpp"

namespace sculpt::core {

std::string ProblemExpectations::obstacle(Problem& problem) {
  if (problem.oracle().expectations() != nullptr) return "";
  const Component& oracle = problem.oracle().component();
  const bool is_map_solver = oracle.description().kind == SCULPT_KIND_MAP_SOLVER;
  return oracle.name() + " offers no probabilities (" +
         (is_map_solver ? SCULPT_EXT_MAP_EXPECTATION : SCULPT_EXT_EXPECTATION) + ")";
}

ProblemExpectations::ProblemExpectations(Problem& problem, std::uint64_t run_seed,
                                         Expectations& expectations)
    : ProblemPort(problem, run_seed, expectations.component()),
      expectations_(expectations),
      direction_weights_(problem),
      example_mean_(&problem.workers(), problem.division()) {}

// Returns a query at w without an example. Makes one scratch object for each thread, if there is
// none yet. Refuses passes that expectations do not support.
sculpt_query ProblemExpectations::make_query(WeightView w, const Pass& pass) {
  if (pass.scale != 1) {
    throw Failure(Exit::internal,
                  "the solver requests expectations at a scale other than 1; report this to the "
                  "author of the solver");
  }
  const auto threads = static_cast<std::size_t>(problem().workers().threads());
  while (scratches_.size() < threads) scratches_.emplace_back(dimension());
  sculpt_query query = query_at(w);
  query.loss_weight = pass.loss_weight.value_or(0);
  const std::string& obstacle = expectations_.obstacle_to_loss();
  if (query.loss_weight != 0 && !obstacle.empty()) {
    throw Failure(Exit::config,
                  "the solver's loss_weight: " + obstacle + "; use another loss or oracle");
  }
  return query;
}

// Calls function(k, worker, query) for each of the examples, on all threads and ranks. save(k, out)
// and load(k, in) move what it computed to the other ranks.
template <class Function, class Save, class Load>
void ProblemExpectations::for_each_example(WeightView w, std::span<const std::int64_t> examples,
                                           const Pass& pass, const Function& function,
                                           const Save& save, const Load& load) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const sculpt_query shared = make_query(w, pass);
  const auto compute = [&](std::int64_t first, std::int64_t last, StepParts* parts) {
    const auto range = [&](std::int64_t begin, std::int64_t end, int worker) {
      const ItemTimer timer(parts, first + begin, first + end);
      sculpt_query query = shared;
      for (auto k = static_cast<std::size_t>(first + begin);
           k < static_cast<std::size_t>(first + end); ++k) {
        begin_example(examples[k], pass, query);
        function(k, worker, query);
      }
    };
    problem().workers().run_ranges(last - first, Workers::range_size(last - first), range);
  };
  const auto example_at = [&](std::int64_t k) { return examples[static_cast<std::size_t>(k)]; };
  share_items(problem().division(), StepItems{"expectations", std::ssize(examples), example_at},
              compute, save, load);
}

void ProblemExpectations::compute_expectations(WeightView w, std::span<const std::int64_t> examples,
                                               const Pass& pass, std::vector<Expectation>& out) {
  out.resize(examples.size());
  for_each_example(
      w, examples, pass,
      [&](std::size_t k, int worker, const sculpt_query& query) {
        out[k].log_z = expectations_.mean(worker, query, scratch(worker));
        scratch(worker).merge(out[k].mean);
      },
      [&](std::int64_t k, StateWriter& own) {
        const Expectation& one = out[static_cast<std::size_t>(k)];
        own.put(one.log_z.value);
        own.put(static_cast<std::uint8_t>(one.log_z.is_exact));
        save(one.mean, own);
      },
      [&](std::int64_t k, StateReader& in) {
        Expectation& one = out[static_cast<std::size_t>(k)];
        one.log_z.value = in.get<double>();
        one.log_z.is_exact = in.get_flag();
        load(in, one.mean);
      });
}

void ProblemExpectations::compute_truth_deviations(WeightView w,
                                                   std::span<const std::int64_t> examples,
                                                   const Pass& pass,
                                                   std::vector<TruthDeviation>& out) {
  out.assign(examples.size(), {});
  make_differences();
  const auto compute = [&](std::size_t k, int worker, const sculpt_query& query) {
    if (example_weight(examples[k]) == 0) return;
    SparseVector computed;
    SparseVector b;
    if (subtract_mean(worker, query, truth_of(worker, query, scratch(worker), computed), b) ==
        -infinity) {
      return;
    }
    out[k] = {true, PlaneVector(b)};
  };
  for_each_example(
      w, examples, pass, compute,
      [&](std::int64_t k, StateWriter& own) {
        const TruthDeviation& one = out[static_cast<std::size_t>(k)];
        own.put(static_cast<std::uint8_t>(one.has_output));
        if (one.has_output) one.b.save(own);
      },
      [&](std::int64_t k, StateReader& in) {
        TruthDeviation& one = out[static_cast<std::size_t>(k)];
        one.has_output = in.get_flag();
        if (one.has_output) one.b = PlaneVector::load(in, static_cast<std::size_t>(dimension()));
      });
}

// One scratch object for each thread, if there is none yet.
void ProblemExpectations::make_differences() {
  const auto threads = static_cast<std::size_t>(problem().workers().threads());
  while (differences_.size() < threads) differences_.emplace_back(dimension());
}

// b = truth - E[psi]. Returns log Z; minus infinity if there is no output, and then b stays empty.
double ProblemExpectations::subtract_mean(int worker, const sculpt_query& query,
                                          const SparseVector& truth, SparseVector& b) {
  const double log_z = expectations_.mean(worker, query, scratch(worker)).value;
  if (log_z == -infinity) return log_z;
  SparseVector mean;
  scratch(worker).merge(mean);
  differences_[static_cast<std::size_t>(worker)].subtract(truth, mean, 1, b);
  return log_z;
}

void ProblemExpectations::compute_residuals(WeightView w, std::span<const std::int64_t> examples,
                                            const Pass& pass, std::vector<ResidualVector>& out) {
  out.assign(examples.size(), {});
  make_differences();
  const auto compute = [&](std::size_t k, int worker, const sculpt_query& query) {
    SparseVector computed;
    const SparseVector& truth = truth_of(worker, query, scratch(worker), computed);
    const double log_z = subtract_mean(worker, query, truth, out[k].b);
    if (log_z != -infinity) out[k].loss = log_z - dot(truth, w.dense());
  };
  for_each_example(
      w, examples, pass, compute,
      [&](std::int64_t k, StateWriter& own) {
        own.put(out[static_cast<std::size_t>(k)].loss);
        save(out[static_cast<std::size_t>(k)].b, own);
      },
      [&](std::int64_t k, StateReader& in) {
        out[static_cast<std::size_t>(k)].loss = in.get<double>();
        load(in, out[static_cast<std::size_t>(k)].b);
      });
}

double ProblemExpectations::add_residual(const Residual& residual, const Pass& pass, Vector& v) {
  const bool scales = expectations_.scales_weights();
  if (!scales) {
    scaled_weights_ = v;
    for (double& one : scaled_weights_) one *= residual.scale;
  }
  sculpt_query query = make_query(scales ? v : scaled_weights_, pass);
  begin_example(residual.example, pass, query);
  problem().features().vector(0, query.example, query.truth, Exit::data, scratch(0), truth_psi_);
  const double score = residual.scale * dot(truth_psi_, v);
  const double log_z =
      expectations_.add_mean(0, query, scales ? residual.scale : 1, -residual.factor, scratch(0), v)
          .value;
  if (log_z == -infinity) return 0;
  axpy(residual.factor, truth_psi_, v);
  return log_z - score;
}

void ProblemExpectations::compute_mean_expectation(WeightView w, const Pass& pass,
                                                   MeanExpectation& out) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const sculpt_query shared = make_query(w, pass);
  out.log_z.assign(static_cast<std::size_t>(example_count()), 0);
  std::atomic<bool> is_exact = true;
  const auto add = [&](std::int64_t example, int worker, double weight, Vector& sum) {
    sculpt_query query = shared;
    begin_example(example, pass, query);
    const LogZ log_z = expectations_.add_mean(worker, query, 1, weight, scratch(worker), sum);
    out.log_z[static_cast<std::size_t>(example)] = log_z.value;
    if (!log_z.is_exact && std::isfinite(log_z.value)) is_exact = false;
  };
  ExampleMean::Shared values = ExampleMean::shared_numbers({&out.log_z});
  values.save = [&, save_log_z = values.save](std::int64_t begin, std::int64_t end,
                                              StateWriter& own) {
    save_log_z(begin, end, own);
    own.put(static_cast<std::uint8_t>(is_exact));
  };
  values.load = [&, load_log_z = values.load](std::int64_t begin, std::int64_t end,
                                              StateReader& in) {
    load_log_z(begin, end, in);
    if (!in.get_flag()) is_exact = false;
  };
  sum_over_examples(out.mean, add, values);
  out.is_exact = is_exact;
}

void ProblemExpectations::require_covariances(WeightView w, const Pass& pass) {
  std::int64_t example = 0;
  while (example < example_count() && example_weight(example) == 0) ++example;
  if (example == example_count()) return;
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  sculpt_query query = make_query(w, pass);
  begin_example(example, pass, query);
  expectations_.covariance_times(0, query, direction_weights_.for_query(w), scratch(0));
}

void ProblemExpectations::covariance_times(WeightView w, WeightView v, const Pass& pass,
                                           Vector& out) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const sculpt_query shared = make_query(w, pass);
  const sculpt_weights direction = direction_weights_.for_query(v);
  sum_over_examples(out, [&](std::int64_t example, int worker, double weight, Vector& sum) {
    sculpt_query query = shared;
    begin_example(example, pass, query);
    expectations_.covariance_times(worker, query, direction, scratch(worker));
    scratch(worker).add_to(weight, sum);
  });
}

void ProblemExpectations::compute_loss_moments(WeightView w, const Pass& pass, LossMoments& out) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const sculpt_query shared = make_query(w, pass);
  out.mean.assign(static_cast<std::size_t>(example_count()), 0.0);
  sum_over_examples(
      out.covariance,
      [&](std::int64_t example, int worker, double weight, Vector& sum) {
        sculpt_query query = shared;
        begin_example(example, pass, query);
        out.mean[static_cast<std::size_t>(example)] =
            expectations_.loss_moments(worker, query, scratch(worker));
        scratch(worker).add_to(weight, sum);
      },
      ExampleMean::shared_numbers({&out.mean}));
}

void ProblemExpectations::truth_deviations_times(WeightView w, WeightView v, std::int64_t first,
                                                 const Pass& pass, Vector& out) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const sculpt_query shared = make_query(w, pass);
  const Vector& direction = v.dense();
  sum_over_examples(out, [&](std::int64_t example, int worker, double weight, Vector& sum) {
    if (example < first) return;
    sculpt_query query = shared;
    begin_example(example, pass, query);
    SparseVector computed;
    SparseAccumulator& list = scratch(worker);
    const SparseVector& truth = truth_of(worker, query, list, computed);
    if (std::isinf(expectations_.mean(worker, query, list).value)) return;  // no output
    const double scale = weight * (dot(truth, direction) - list.dot(direction));
    axpy(scale, truth, sum);
    list.add_to(-scale, sum);
  });
}

template <class Add>
void ProblemExpectations::sum_over_examples(Vector& mean, const Add& add,
                                            const ExampleMean::Shared& shared) {
  example_mean_.add_up(
      example_count(), dimension(),
      [&](std::int64_t begin, std::int64_t end, int worker, ExampleMean::Chunk& chunk) {
        for (std::int64_t example = begin; example < end; ++example) {
          const double weight = example_weight(example);
          if (weight != 0) add(example, worker, weight, chunk.a);
        }
      },
      ExampleMean::Tasks(), shared);
  const ScopedTimer timed(reduction_seconds_);
  example_mean_.mean(mean);
}

}  // namespace sculpt::core

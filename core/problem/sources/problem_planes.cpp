#include "problem/sources/problem_planes.hpp"

#include <xxhash.h>

#include <algorithm>
#include <array>

#include "base/infinity.hpp"
#include "base/stopwatch.hpp"
#include "linalg/products.hpp"
#include "linalg/sparse_sum.hpp"
#include "objective/separation_stream.hpp"
#include "parallel/cache_line.hpp"
#include "parallel/ranks/shared_items.hpp"

namespace sculpt::core {

namespace {

std::uint64_t hash_of(sculpt_labels y) {
  return XXH3_64bits(y.data, static_cast<std::size_t>(y.size) * sizeof(std::int32_t));
}

// The identifier of an output, for Separation::output_hash. A relaxed answer has no labels, so its
// identifier is a hash of psi and loss.
std::uint64_t identifier_of(const Guess& guess) {
  if (!guess.answer.fractional()) return hash_of(guess.answer.labels());
  const auto hash = [](const auto& items, std::uint64_t seed) {
    return XXH3_64bits_withSeed(items.data(), items.size() * sizeof(items[0]), seed);
  };
  const std::array<double, 1> loss = {guess.loss};
  return hash(guess.psi.index, hash(guess.psi.value, hash(loss, 1)));
}

constexpr double unlimited = infinity;

}  // namespace

struct alignas(cache_line) ProblemPlanes::WorkerScratch {
  explicit WorkerScratch(std::int64_t dimension) : sum(dimension) {}
  SparseSum sum;
  Separation separation;  // scratch memory of separate_jointly()
  std::vector<sculpt_query> announced;
  std::int64_t extra_calls = 0;
};

ProblemPlanes::ProblemPlanes(Problem& problem, std::uint64_t run_seed, SeparationOracle separation)
    : ProblemPort(problem, run_seed, separation.oracle.component()),
      separation_(separation),
      separation_solver_(problem, separation),
      scratches_(static_cast<std::size_t>(problem.workers().threads()),
                 WorkerScratch(problem.dimension())),
      example_mean_(&problem.workers(), problem.division()) {}

ProblemPlanes::~ProblemPlanes() = default;

std::int64_t ProblemPlanes::joint_bytes(Problem& problem) {
  const std::int64_t n = problem.training().size();
  const std::int64_t d = problem.dimension();
  return ExampleMean::bytes(n, d, problem.workers().threads(), problem.ranks()) +
         4 * n * static_cast<std::int64_t>(sizeof(double));
}

std::int64_t ProblemPlanes::extra_oracle_calls() const {
  return other_extra_calls_ + own_extra_calls();
}

std::int64_t ProblemPlanes::own_extra_calls() const {
  std::int64_t calls = 0;
  for (const WorkerScratch& scratch : scratches_) calls += scratch.extra_calls;
  return calls;
}

void ProblemPlanes::separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                             std::vector<Separation>& out) {
  if (pass.loss_weight.value_or(0) > 0 && !separation_.oracle.obstacle_to_loss().empty()) {
    throw Failure(Exit::config,
                  "the solver's loss_weight: " + separation_.oracle.obstacle_to_loss() +
                      "; set \"loss_weight\": 0 in \"solver\", or use another loss or oracle");
  }
  if (pass.scale != 1 && !asks_argmax(pass)) {
    scaled_ = w.dense();
    for (double& value : scaled_) value *= pass.scale;
    Pass at_scaled = pass;
    at_scaled.scale = 1;
    return separate(scaled_, examples, at_scaled, out);
  }
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  out.resize(examples.size());
  const sculpt_query shared = query_at(w);
  const auto example_at = [&](std::int64_t k) { return examples[static_cast<std::size_t>(k)]; };
  const auto ask = [&](std::int64_t first, std::int64_t last, StepParts* parts) {
    const auto range = [&](std::int64_t begin, std::int64_t end, int worker) {
      const ItemTimer timer(parts, first + begin, first + end);
      announce(worker, shared, pass, {first + begin, first + end}, example_at);
      for (std::int64_t k = first + begin; k < first + end; ++k) {
        separate_one(worker, shared, pass, w, example_at(k), out[static_cast<std::size_t>(k)]);
      }
    };
    problem().workers().run_ranges(last - first, range_size(pass, last - first), range);
  };
  const std::int64_t earlier_calls = own_extra_calls();
  share_items(
      problem().division(), StepItems{"separation", std::ssize(examples), example_at}, ask,
      [&](std::int64_t k, StateWriter& answers) {
        save(out[static_cast<std::size_t>(k)], answers);
      },
      [&](std::int64_t k, StateReader& answers) {
        load(answers, out[static_cast<std::size_t>(k)]);
      },
      [&](StateWriter& calls) { calls.put(own_extra_calls() - earlier_calls); },
      [&](StateReader& calls) { other_extra_calls_ += calls.get<std::int64_t>(); });
}

void ProblemPlanes::separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                                     JointSeparation& out) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const std::int64_t n = example_count();
  const sculpt_query shared = query_at(w);
  out.low.assign(static_cast<std::size_t>(n), 0);
  out.high.assign(static_cast<std::size_t>(n), 0);
  out.rounding.assign(static_cast<std::size_t>(n), 0);
  out.magnitude.assign(static_cast<std::size_t>(n), 0);
  example_mean_.add_up(
      n, dimension(),
      [&](std::int64_t begin, std::int64_t end, int worker, ExampleMean::Chunk& chunk) {
        sum_chunk(worker, shared, pass, w, Range{begin, end}, weight, chunk, out);
      },
      {range_size(pass, n),
       [&](std::int64_t begin, std::int64_t end, int worker) {
         announce(worker, shared, pass, {begin, end}, [](std::int64_t example) { return example; });
       }},
      shared_bounds(out));
  const ScopedTimer timed(reduction_seconds_);
  example_mean_.mean(out);
}

// What the ranks tell each other of their examples in a joint separation.
ExampleMean::Shared ProblemPlanes::shared_bounds(JointSeparation& out) {
  const ExampleMean::Shared numbers =
      ExampleMean::shared_numbers({&out.low, &out.high, &out.rounding, &out.magnitude});
  return {[this, save = numbers.save, earlier_calls = own_extra_calls()](
              std::int64_t begin, std::int64_t end, StateWriter& own) {
            save(begin, end, own);
            own.put(own_extra_calls() - earlier_calls);
          },
          [this, load = numbers.load](std::int64_t begin, std::int64_t end, StateReader& in) {
            load(begin, end, in);
            other_extra_calls_ += in.get<std::int64_t>();
          }};
}

void ProblemPlanes::report_inseparable(std::span<const std::int64_t> examples,
                                       const std::string& text) const {
  constexpr std::size_t max_named = 5;
  const std::size_t named = std::min(examples.size(), max_named);
  std::string example_list;
  for (std::size_t k = 0; k < named; ++k) {
    example_list += (k == 0 ? "" : ", ") + std::to_string(dataset_index(examples[k]));
  }
  const std::string more =
      named < examples.size() ? " and " + std::to_string(examples.size() - named) + " more" : "";
  const std::string unit = examples.size() == 1 ? ": example " : ": examples ";
  throw Failure(Exit::data,
                problem().dataset().component().name() + unit + example_list + more + ": " + text);
}

// Adds the planes of a range of examples to `chunk`. Writes low, high, rounding and magnitude of
// each to `out`.
void ProblemPlanes::sum_chunk(int worker, const sculpt_query& shared, const Pass& pass,
                              WeightView w, Range examples, JointWeight weight,
                              ExampleMean::Chunk& chunk, JointSeparation& out) {
  Separation& answer = scratches_[static_cast<std::size_t>(worker)].separation;
  for (std::int64_t i = examples.begin; i < examples.end; ++i) {
    separate_one(worker, shared, pass, w, i, answer);
    out.low[static_cast<std::size_t>(i)] = answer.low;
    out.high[static_cast<std::size_t>(i)] = answer.high;
    out.rounding[static_cast<std::size_t>(i)] = answer.rounding;
    chunk.counts.add(answer);
    if (answer.low <= 0) continue;  // not violated: adds the zero plane
    out.magnitude[static_cast<std::size_t>(i)] = answer.magnitude;
    const double share = weight == JointWeight::slack ? answer.low : 1;
    axpy(share, answer.plane.a, chunk.a);
    chunk.b += share * answer.plane.b;
    chunk.max_squared_norm = std::max(chunk.max_squared_norm, squared_norm(answer.plane.a));
  }
}

// True if one call of argmax is enough. argmax has no scale parameter: argmax at s w with
// loss_weight l equals argmax at w with loss_weight l / s.
bool ProblemPlanes::asks_argmax(const Pass& pass) const {
  return pass.loss_weight || separation_.strategy == SeparationStrategy::one_argmax;
}

// Returns the loss_weight of the first query about each example. Nothing if it is of no use to
// announce them.
std::optional<double> ProblemPlanes::announced_loss_weight(const Pass& pass) const {
  const Oracle& oracle = separation_.oracle;
  if (!oracle.answers_batches() || oracle.relaxes()) return std::nullopt;
  if (asks_argmax(pass)) return pass.loss_weight.value_or(1) / pass.scale;
  return separation_solver_.first_loss_weight();
}

std::int64_t ProblemPlanes::range_size(const Pass& pass, std::int64_t count) const {
  return announced_loss_weight(pass) ? separation_.oracle.range_size(count, problem().workers())
                                     : Workers::range_size(count);
}

// Announces the queries that separate_one() begins with, for the examples example_at(k) with k in
// `positions`. [worker]
template <class ExampleAt>
void ProblemPlanes::announce(int worker, sculpt_query query, const Pass& pass, Range positions,
                             const ExampleAt& example_at) {
  const std::optional<double> loss_weight = announced_loss_weight(pass);
  if (!loss_weight) return;
  query.loss_weight = *loss_weight;
  std::vector<sculpt_query>& announced = scratches_[static_cast<std::size_t>(worker)].announced;
  announced.clear();
  for (std::int64_t k = positions.begin; k < positions.end; ++k) {
    const std::int64_t example = example_at(k);
    set_example(example, pass, query);
    if (plane_weight(pass, example) != 0) announced.push_back(query);
  }
  separation_.oracle.announce(worker, announced, separation_solver_.batch_values());
}

// Steps of a pass with a loss_weight add dpsi times the weight of the example, in every norm.
double ProblemPlanes::plane_weight(const Pass& pass, std::int64_t example) const {
  const double weight = example_weight(example);
  return pass.loss_weight ? weight : problem().formulation().plane_weight(weight);
}

MostViolated ProblemPlanes::find(int worker, const sculpt_query& query, const Pass& pass,
                                 WeightView w, double stop_above, const ThrowIfStopped& poll) {
  if (pass.scale == 1 && !pass.loss_weight) {
    return separation_solver_.find(worker, query, w, stop_above, poll);
  }
  const double loss_weight = pass.loss_weight.value_or(1) / pass.scale;
  MostViolated found =
      separation_solver_.argmax(worker, query, w, loss_weight, stop_above / pass.scale, poll);
  found.high *= pass.scale;
  found.rounding *= pass.scale;
  return found;
}

// Sets all of `out`: the plane of the output found, its low and high, and the flags.
void ProblemPlanes::separate_one(int worker, sculpt_query query, const Pass& pass, WeightView w,
                                 std::int64_t example, Separation& out) {
  const ThrowIfStopped poll = [this] { problem().services().throw_if_cancelled(); };
  begin_example(example, pass, query);
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  out.plane.a.index.clear();
  out.plane.a.value.clear();
  out.plane.b = out.low = out.high = out.rounding = out.magnitude = 0;
  out.output_hash = 0;
  out.next_best.clear();
  out.truth_outside = out.no_output = out.escalated = out.fractional = out.inexact = false;
  const double weight = plane_weight(pass, example);
  if (weight == 0) {
    scratch.extra_calls -= 1;  // callers count one call for each example
    return;
  }
  const double stop_above =
      pass.stop_escalating_above ? pass.stop_escalating_above(example) / weight : unlimited;
  const MostViolated found = find(worker, query, pass, w, stop_above, poll);
  scratch.extra_calls += found.calls - 1;
  out.truth_outside = found.truth_outside;
  out.no_output = found.no_output;
  out.escalated = found.escalated;
  out.inexact = found.inexact;
  out.fractional = found.guess != nullptr && found.guess->answer.fractional();
  if (out.no_output) return;
  if (found.guess == nullptr) {
    out.output_hash = hash_of(query.truth);
  } else {
    out.output_hash = identifier_of(*found.guess);
    const double loss = found.guess->loss;
    const PlaneScale scale = pass.loss_weight ? PlaneScale{1, *pass.loss_weight * loss}
                                              : problem().formulation().plane_of(loss);
    const double factor = weight * scale.factor;
    if (factor != 0) {
      scratch.sum.subtract(*found.truth_psi, found.guess->psi, factor, out.plane.a);
      out.plane.b = weight * scale.offset;
    }
    out.low = out.plane.b - pass.scale * dot(out.plane.a, w);
    out.rounding = weight * found.host.rounding_of_plane(scale.factor * pass.scale);
    out.magnitude = found.host.magnitude_of_plane(factor * pass.scale, out.plane.b);
  }
  out.rounding += weight * found.rounding;
  out.high = std::max(out.low, weight * found.high);
  const bool is_one_argmax =
      separation_.strategy == SeparationStrategy::one_argmax && !pass.loss_weight;
  if (pass.next_best_count > 0 && is_one_argmax && found.guess != nullptr) {
    add_next_best_planes(worker, query, pass, w, weight, found, out);
  }
}

// Appends the planes of other violated outputs that need no further call.
void ProblemPlanes::add_next_best_planes(int worker, const sculpt_query& query, const Pass& pass,
                                         WeightView w, double weight, const MostViolated& found,
                                         Separation& out) {
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  for (const NextBestOutput& output :
       separation_solver_.next_best_outputs(worker, query, found, w, pass.next_best_count)) {
    const PlaneScale scale = problem().formulation().plane_of(output.loss);
    NextBestPlane& next_best = out.next_best.emplace_back();
    scratch.sum.subtract(*found.truth_psi, output.psi, weight * scale.factor, next_best.plane.a);
    next_best.plane.b = weight * scale.offset;
    next_best.output_hash = hash_of(output.labels);
    next_best.low = next_best.plane.b - pass.scale * dot(next_best.plane.a, w);
  }
}

}  // namespace sculpt::core

#include "problem/sources/problem_samples.hpp"

#include <cmath>
#include <functional>

#include "base/infinity.hpp"
#include "parallel/ranks/shared_items.hpp"

namespace sculpt::core {
namespace {

// The samples of an example as bytes, for the other ranks.
void save(const OutputSamples& samples, StateWriter& out) {
  out.put(static_cast<std::uint8_t>(samples.has_output));
  if (!samples.has_output) return;
  samples.mean.save(out);
  samples.deviation.save(out);
  out.put_array(samples.losses);
  out.put(static_cast<std::uint64_t>(samples.psi.size()));
  for (const PlaneVector& psi : samples.psi) psi.save(out);
}

void load(StateReader& in, std::size_t dimension, OutputSamples& samples) {
  samples.has_output = in.get_flag();
  if (!samples.has_output) return;
  samples.mean = PlaneVector::load(in, dimension);
  samples.deviation = PlaneVector::load(in, dimension);
  in.get_array(samples.losses);
  samples.psi.resize(static_cast<std::size_t>(in.get<std::uint64_t>()));
  for (PlaneVector& psi : samples.psi) psi = PlaneVector::load(in, dimension);
}

}  // namespace

std::string ProblemSamples::obstacle(Problem& problem) {
  if (problem.oracle().draws()) return "";
  const Component& oracle = problem.oracle().component();
  const bool is_map_solver = oracle.description().kind == SCULPT_KIND_MAP_SOLVER;
  return oracle.name() + " offers no samples (" +
         (is_map_solver ? SCULPT_EXT_MAP_SAMPLE : SCULPT_EXT_SAMPLE) + ")";
}

std::int64_t ProblemSamples::calls_of_draw() const {
  return problem().oracle().expectations() != nullptr ? 2 : 1;
}

void ProblemSamples::draw(std::int64_t count, bool with_losses, const Pass& pass,
                          std::vector<OutputSamples>& out) {
  const Services::ScopedStopCondition stop_condition(problem().services(), pass.interrupted);
  const Vector zero(static_cast<std::size_t>(dimension()), 0.0);
  const sculpt_query shared = query_at(zero);
  const Pass first(1);  // a resumed run draws in a later pass, and needs the same seeds
  std::vector<std::unique_ptr<WorkerScratch>> scratches(
      static_cast<std::size_t>(problem().workers().threads()));
  out.assign(static_cast<std::size_t>(example_count()), {});
  const auto draw_range = [&](std::int64_t begin, std::int64_t end, int worker) {
    auto& scratch = scratches[static_cast<std::size_t>(worker)];
    if (!scratch) scratch = std::make_unique<WorkerScratch>(dimension());
    sculpt_query query = shared;
    for (std::int64_t example = begin; example < end; ++example) {
      if (example_weight(example) == 0) continue;
      begin_example(example, first, query);
      OutputSamples& samples = out[static_cast<std::size_t>(example)];
      samples.has_output = draw_labels(worker, query, count, *scratch);
      if (!samples.has_output) continue;
      compute_samples(worker, query, *scratch, samples);
      if (with_losses) compute_losses(worker, query, *scratch, samples);
    }
  };
  const auto draw_part = [&](std::int64_t from, std::int64_t to, StepParts* parts) {
    problem().workers().run_ranges(to - from, Workers::range_size(to - from),
                                   [&](std::int64_t begin, std::int64_t end, int worker) {
                                     const ItemTimer timer(parts, from + begin, from + end);
                                     draw_range(from + begin, from + end, worker);
                                   });
  };
  share_items(
      problem().division(), StepItems{"samples", example_count(), std::identity()}, draw_part,
      [&](std::int64_t k, StateWriter& own) { save(out[static_cast<std::size_t>(k)], own); },
      [&](std::int64_t k, StateReader& in) {
        load(in, static_cast<std::size_t>(dimension()), out[static_cast<std::size_t>(k)]);
      });
}

// Returns false if there is no output. Other calls of the oracle end its draws, so features come
// after them.
bool ProblemSamples::draw_labels(int worker, const sculpt_query& query, std::int64_t count,
                                 WorkerScratch& scratch) const {
  Oracle& oracle = problem().oracle();
  scratch.labels.clear();
  scratch.labels.reserve(1);  // an empty output has data
  scratch.labels_to.clear();
  if (oracle.begin_draws(worker, query) == -infinity) return false;
  for (std::int64_t k = 0; k < count; ++k) {
    problem().services().throw_if_cancelled();
    oracle.draw(worker, query, oracle_seed(seed(), static_cast<std::uint64_t>(k), query.example),
                scratch.answer);
    const sculpt_labels labels = scratch.answer.labels();
    scratch.labels.insert(scratch.labels.end(), labels.data, labels.data + labels.size);
    scratch.labels_to.push_back(std::ssize(scratch.labels));
  }
  return true;
}

void ProblemSamples::compute_samples(int worker, const sculpt_query& query, WorkerScratch& scratch,
                                     OutputSamples& out) const {
  SparseVector mean;
  const bool has_mean = find_mean(worker, query, scratch, mean);
  scratch.all = {};
  SparseVector psi;
  std::int64_t begin = 0;
  for (const std::int64_t end : scratch.labels_to) {
    problem().services().throw_if_cancelled();
    problem().features().vector(worker, query.example, {scratch.labels.data() + begin, end - begin},
                                Exit::plugin, scratch.accumulator, psi);
    out.psi.emplace_back(psi);
    begin = end;
    if (has_mean) continue;
    scratch.all.index.insert(scratch.all.index.end(), psi.index.begin(), psi.index.end());
    scratch.all.value.insert(scratch.all.value.end(), psi.value.begin(), psi.value.end());
  }
  if (!has_mean) {
    scratch.sum.merge(scratch.all.index, scratch.all.value.data(), mean);
    for (double& one : mean.value) one /= static_cast<double>(out.psi.size());
  }
  SparseVector computed;
  SparseVector deviation;
  const SparseVector& truth = truth_of(worker, query, scratch.accumulator, computed);
  scratch.sum.subtract(truth, mean, 1, deviation);
  out.mean = PlaneVector(mean);
  out.deviation = PlaneVector(deviation);
}

void ProblemSamples::compute_losses(int worker, const sculpt_query& query,
                                    const WorkerScratch& scratch, OutputSamples& out) const {
  std::int64_t begin = 0;
  for (const std::int64_t end : scratch.labels_to) {
    out.losses.push_back(problem().loss()->value(worker, query.example, query.truth,
                                                 {scratch.labels.data() + begin, end - begin}));
    begin = end;
  }
}

// Returns false if the oracle offers no exact mean.
bool ProblemSamples::find_mean(int worker, const sculpt_query& query, WorkerScratch& scratch,
                               SparseVector& mean) const {
  Expectations* const expectations = problem().oracle().expectations();
  if (expectations == nullptr) return false;
  const LogZ log_z = expectations->mean(worker, query, scratch.accumulator);
  if (!log_z.is_exact || !std::isfinite(log_z.value)) return false;
  scratch.accumulator.merge(mean);
  return true;
}

}  // namespace sculpt::core

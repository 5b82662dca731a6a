#include "problem/problem_separator.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "cancelled.hpp"
#include "linalg/products.hpp"
#include "problem/seed.hpp"

namespace sculpt::core {

namespace {

// Numbers in memory of all chunk sums together: 256 MB, but never less than four chunks, so that at
// least four threads have work. Each is no larger than w or a plane of one_slack.
constexpr std::int64_t chunk_memory = std::int64_t{1} << 25;
constexpr std::int64_t fewest_chunks = 4;
constexpr std::int64_t most_chunks = 64;

// By n and d alone, so that sums do not depend on the number of threads.
std::int64_t chunk_count(std::int64_t examples, std::int64_t dimension) {
  const std::int64_t affordable = std::clamp(chunk_memory / dimension, fewest_chunks, most_chunks);
  return std::min(affordable, examples);
}

std::uint64_t hash_of(sculpt_labels y) {
  return XXH3_64bits(y.data, static_cast<std::size_t>(y.size) * sizeof(std::int32_t));
}

bool equal(sculpt_labels a, sculpt_labels b) {
  return a.size == b.size && std::equal(a.data, a.data + a.size, b.data);
}

// out = x - y, without zeros
void subtract(const SparseVector& x, const SparseVector& y, SparseVector& out) {
  out.index.clear();
  out.value.clear();
  const auto add = [&out](std::int32_t index, double value) {
    if (value == 0) return;
    out.index.push_back(index);
    out.value.push_back(value);
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.index.size() || j < y.index.size()) {
    if (j == y.index.size() || (i < x.index.size() && x.index[i] < y.index[j])) {
      add(x.index[i], x.value[i]);
      ++i;
    } else if (i == x.index.size() || y.index[j] < x.index[i]) {
      add(y.index[j], -y.value[j]);
      ++j;
    } else {
      add(x.index[i], x.value[i] - y.value[j]);
      ++i;
      ++j;
    }
  }
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

// The most that the maximum can be.
double ceiling_of(const Answer& answer) {
  if (answer.has(SCULPT_ANSWER_EXACT)) return answer.value();
  if (answer.has(SCULPT_ANSWER_BOUND)) return answer.bound();
  return std::numeric_limits<double>::infinity();
}

}  // namespace

struct ProblemSeparator::Bench {
  explicit Bench(std::int64_t dimension) : accumulator(dimension) {}
  Answer answer;
  SparseAccumulator accumulator;
  SparseVector truth_psi;
  SparseVector guess_psi;
  Separation separation;  // of separate_jointly
};

struct ProblemSeparator::Scores {
  double truth;  // <w, psi(x, truth)>
  double guess;  // <w, psi(x, guess)>
  double loss;   // Delta(truth, guess)
};

struct ProblemSeparator::Chunk {
  Vector a;  // [dimension]
  double b = 0;
  std::int64_t no_output = 0;
  std::int64_t truth_outside = 0;
};

ProblemSeparator::ProblemSeparator(Problem& problem, std::uint64_t run_seed)
    : problem_(problem), run_seed_(run_seed) {
  for (int worker = 0; worker < problem_.workers().threads(); ++worker) {
    benches_.push_back(std::make_unique<Bench>(problem_.dimension()));
  }
}

ProblemSeparator::~ProblemSeparator() = default;

std::int64_t ProblemSeparator::example_count() const {
  return problem_.training().size();
}

std::int64_t ProblemSeparator::dimension() const {
  return problem_.dimension();
}

void ProblemSeparator::separate(const Vector& w, std::span<const std::int64_t> examples,
                                const Pass& pass, std::vector<Separation>& out) {
  out.resize(examples.size());
  const sculpt_query shared = query(w);
  const auto count = static_cast<std::int64_t>(examples.size());
  problem_.workers().run_blocks(
      count, Workers::block_size(count), [&](std::int64_t begin, std::int64_t end, int worker) {
        for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
          separate_one(worker, shared, pass, w, examples[k], out[k]);
        }
      });
}

void ProblemSeparator::separate_jointly(const Vector& w, const Pass& pass, JointWeight weight,
                                        JointSeparation& out) {
  const std::int64_t n = example_count();
  const std::int64_t chunks = chunk_count(n, dimension());
  const sculpt_query shared = query(w);
  chunks_.resize(static_cast<std::size_t>(chunks));
  out.low.assign(static_cast<std::size_t>(n), 0);
  out.high.assign(static_cast<std::size_t>(n), 0);
  problem_.workers().run(chunks, [&](std::int64_t k, int worker) {
    Chunk& chunk = chunks_[static_cast<std::size_t>(k)];
    sum_chunk(worker, shared, pass, w, Range{n * k / chunks, n * (k + 1) / chunks}, weight, chunk,
              out);
  });
  reduce(out);
}

void ProblemSeparator::refute(std::int64_t example, const std::string& text) const {
  const std::int64_t number = example < 0 ? -1 : problem_.training().begin + example;
  problem_.oracle().component().refuse(Exit::plugin, number, text);
}

void ProblemSeparator::inseparable(std::span<const std::int64_t> examples,
                                   const std::string& text) const {
  constexpr std::size_t most_named = 5;
  const std::size_t named = std::min(examples.size(), most_named);
  std::string names;
  for (std::size_t k = 0; k < named; ++k) {
    names += (k == 0 ? "" : ", ") + std::to_string(problem_.training().begin + examples[k]);
  }
  const std::string more =
      named < examples.size() ? " and " + std::to_string(examples.size() - named) + " more" : "";
  throw Failure(Exit::data, problem_.dataset().component().name() +
                                (examples.size() == 1 ? ": example " : ": examples ") + names +
                                more + ": " + text);
}

// Everything of a query but the example. Its truth has to be there before the oracle is asked.
sculpt_query ProblemSeparator::query(const Vector& w) const {
  if (static_cast<std::int64_t>(w.size()) != dimension()) {
    throw Failure(Exit::internal, "separation at weights of another dimension");
  }
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.weights = sculpt_weights{w.data(), dimension(), next_stamp()};
  query.loss_weight = 1;
  return query;
}

void ProblemSeparator::sum_chunk(int worker, const sculpt_query& shared, const Pass& pass,
                                 const Vector& w, Range numbers, JointWeight weight, Chunk& chunk,
                                 JointSeparation& out) {
  chunk.a.assign(w.size(), 0.0);
  chunk.b = 0;
  chunk.no_output = 0;
  chunk.truth_outside = 0;
  Separation& one = benches_[static_cast<std::size_t>(worker)]->separation;
  for (std::int64_t i = numbers.begin; i < numbers.end; ++i) {
    separate_one(worker, shared, pass, w, i, one);
    out.low[static_cast<std::size_t>(i)] = one.low;
    out.high[static_cast<std::size_t>(i)] = one.high;
    chunk.no_output += one.no_output ? 1 : 0;
    chunk.truth_outside += one.truth_outside ? 1 : 0;
    if (one.low <= 0) continue;  // not violated: the zero plane
    const double share = weight == JointWeight::slack ? one.low : 1;
    axpy(share, one.plane.a, chunk.a);
    chunk.b += share * one.plane.b;
  }
}

// The mean over the chunks, each weight summed in their order.
void ProblemSeparator::reduce(JointSeparation& out) {
  const auto n = static_cast<double>(example_count());
  out.a.resize(static_cast<std::size_t>(dimension()));
  constexpr std::int64_t block_size = 8192;
  problem_.workers().run_blocks(
      dimension(), block_size, [&](std::int64_t begin, std::int64_t end, int) {
        for (auto j = static_cast<std::size_t>(begin); j < static_cast<std::size_t>(end); ++j) {
          double sum = 0;
          for (const Chunk& chunk : chunks_) sum += chunk.a[j];
          out.a[j] = sum / n;
        }
      });
  out.b = 0;
  out.no_output = 0;
  out.truth_outside = 0;
  for (const Chunk& chunk : chunks_) {
    out.b += chunk.b;
    out.no_output += chunk.no_output;
    out.truth_outside += chunk.truth_outside;
  }
  out.b /= n;
}

void ProblemSeparator::separate_one(int worker, sculpt_query query, const Pass& pass,
                                    const Vector& w, std::int64_t number, Separation& out) {
  problem_.services().throw_if_cancelled();
  if (pass.interrupted && pass.interrupted()) throw Cancelled();
  Bench& bench = *benches_[static_cast<std::size_t>(worker)];
  const std::int64_t example = problem_.training().begin + number;
  const sculpt_labels truth = problem_.dataset().truth(example);
  query.example = example;
  query.seed = oracle_seed(run_seed_, pass.number, example);
  query.truth = truth;
  problem_.oracle().argmax(worker, query, bench.answer);

  out.plane.a.index.clear();
  out.plane.a.value.clear();
  out.plane.b = out.low = out.high = 0;
  out.output = 0;
  out.truth_outside = bench.answer.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  out.no_output = bench.answer.has(SCULPT_ANSWER_NO_OUTPUT);
  if (out.no_output) return;

  Features& features = problem_.features();
  const sculpt_labels guess = bench.answer.labels();
  features.vector(worker, example, truth, Exit::plugin, bench.accumulator, bench.truth_psi);
  features.vector(worker, example, guess, Exit::plugin, bench.accumulator, bench.guess_psi);
  const Scores scores = {dot(bench.truth_psi, w), dot(bench.guess_psi, w),
                         problem_.loss()->of(worker, example, truth, guess)};
  check_answer(bench.answer, example, scores);
  const double ceiling = ceiling_of(bench.answer) - scores.truth;

  // An output worse than the truth, which is one too: the truth's own plane, zero, says more.
  const bool exact = bench.answer.has(SCULPT_ANSWER_EXACT);
  if (equal(truth, guess) ||
      (!exact && !out.truth_outside && bench.answer.value() < scores.truth)) {
    out.output = hash_of(truth);
  } else {
    out.output = hash_of(guess);
    subtract(bench.truth_psi, bench.guess_psi, out.plane.a);
    out.plane.b = scores.loss;
    out.low = out.plane.b - dot(out.plane.a, w);
  }
  out.high = std::max(out.low, ceiling);
}

// Believes nothing of an answer that can be computed again. 1e-6 is far above rounding and far
// below any gap that a run is asked for.
void ProblemSeparator::check_answer(const Answer& answer, std::int64_t example,
                                    const Scores& scores) const {
  const auto refuse = [&](const std::string& text) {
    problem_.oracle().component().refuse(Exit::plugin, example, text);
  };
  const double value = answer.value();
  const double slack =
      1e-6 * (1 + std::abs(value) + std::abs(scores.guess) + std::abs(scores.truth) + scores.loss);
  if (std::abs(value - (scores.guess + scores.loss)) > slack) {
    refuse("the value of its answer is " + number(value) +
           ", but <w, psi> + loss of its output is " + number(scores.guess) + " + " +
           number(scores.loss));
  }
  const bool bounded = answer.has(SCULPT_ANSWER_BOUND);
  if (bounded && answer.bound() < value - slack) {
    refuse("its bound " + number(answer.bound()) + " lies below the value of its own answer, " +
           number(value));
  }
  if (answer.has(SCULPT_ANSWER_TRUTH_OUTSIDE)) return;
  if (answer.has(SCULPT_ANSWER_EXACT) && value < scores.truth - slack) {
    refuse("it calls its answer exact, but the value " + number(value) +
           " lies below the truth's own score " + number(scores.truth));
  }
  if (bounded && answer.bound() < scores.truth - slack) {
    refuse("its bound " + number(answer.bound()) + " lies below the truth's own score " +
           number(scores.truth));
  }
}

}  // namespace sculpt::core

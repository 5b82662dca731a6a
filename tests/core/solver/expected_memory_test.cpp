// The memory that solvers estimate for a run, and the least that they need.

#include "solver/plane_memory.hpp"

#include <doctest/doctest.h>

#include "qp/working_set/block_bytes.hpp"
#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/generative/generative.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

using namespace sculpt::core;

namespace {

NSlack solver_with(const NSlackOptions& options) {
  return NSlack(options);
}
OneSlack solver_with(const OneSlackOptions& options) {
  return OneSlack(options);
}
FrankWolfe solver_with(const FrankWolfeOptions& options) {
  return FrankWolfe(options);
}
Perceptron solver_with(const PerceptronOptions& options) {
  return Perceptron(options);
}
Subgradient solver_with(const SubgradientOptions& options) {
  return Subgradient(options);
}
Generative solver_with(const GenerativeOptions& options) {
  return Generative(options);
}

template <class Options>
double expected_bytes(const ProblemStatistics& statistics, const Options& options) {
  return solver_with(options).expected_bytes(statistics);
}

template <class Options>
double min_bytes(const ProblemStatistics& statistics, const Options& options) {
  return solver_with(options).min_bytes(statistics);
}

// Handwritten words: sequences of 7.5 letters on average, 26 states.
ProblemStatistics words() {
  ProblemStatistics statistics;
  statistics.examples = 6000;
  statistics.dimension = 4000;
  statistics.labels = 7.5;
  statistics.states = 26;
  statistics.entries = 200;
  statistics.psi_bytes = 600;
  return statistics;
}

// A table of 60 raw columns with magnitudes from 1 to 1e5, and this many classes.
ProblemStatistics raw_table(double classes) {
  constexpr std::int64_t columns = 60;
  ProblemStatistics statistics;
  statistics.examples = 3000;
  statistics.dimension = columns * static_cast<std::int64_t>(classes);
  statistics.columns = statistics.dimension;
  statistics.labels = 1;
  statistics.states = classes;
  statistics.entries = columns;
  statistics.psi_bytes = 600;
  statistics.plane_entries = 2 * columns;
  statistics.plane_bytes = 600;
  statistics.shares_input = true;
  statistics.confused_fraction = 0.45;
  statistics.column_spread = 1e5;
  return statistics;
}

}  // namespace

TEST_CASE("the memory estimate grows with the examples in n_slack, with weights in one_slack") {
  const ProblemStatistics statistics = words();
  OneSlackOptions uncached;
  uncached.cache = 0;
  ProblemStatistics more = statistics;
  more.examples *= 10;
  CHECK(expected_bytes(more, NSlackOptions()) > 8 * expected_bytes(statistics, NSlackOptions()));
  CHECK(expected_bytes(more, uncached) == expected_bytes(statistics, uncached));
  more = statistics;
  more.dimension *= 10;
  CHECK(expected_bytes(more, NSlackOptions()) < 1.1 * expected_bytes(statistics, NSlackOptions()));
  CHECK(expected_bytes(more, uncached) > 8 * expected_bytes(statistics, uncached));
  CHECK(expected_bytes(statistics, OneSlackOptions()) > 1.5 * expected_bytes(statistics, uncached));
}

TEST_CASE("the memory estimate of label sets grows with their number and relaxed answers") {
  ProblemStatistics six = words();
  six.labels = 6;
  six.states = 2;
  six.has_label_sets = true;
  ProblemStatistics fourteen = six;
  fourteen.labels = 14;
  const double few = expected_bytes(six, NSlackOptions());
  CHECK(few < 0.7 * expected_bytes(words(), NSlackOptions()));
  CHECK(expected_bytes(fourteen, NSlackOptions()) > 1.5 * few);
  const double many = expected_bytes(fourteen, NSlackOptions());
  six.has_relaxed_answers = fourteen.has_relaxed_answers = true;
  CHECK(expected_bytes(six, NSlackOptions()) > 1.05 * few);
  CHECK(expected_bytes(fourteen, NSlackOptions()) > 1.5 * many);
}

TEST_CASE("the memory estimate uses the measured size of planes, if there is one") {
  ProblemStatistics classes = words();
  classes.labels = 1;
  const double from_psi = expected_bytes(classes, NSlackOptions());
  classes.plane_bytes = 2 * classes.psi_bytes;
  classes.plane_entries = 2 * classes.entries;
  CHECK(expected_bytes(classes, NSlackOptions()) > 1.3 * from_psi);
}

TEST_CASE("the memory estimate includes Newton steps if columns are few and differ in size") {
  ProblemStatistics statistics = words();
  statistics.dimension = 450;
  statistics.examples = 400;
  const double without_newton = expected_bytes(statistics, NSlackOptions());
  statistics.column_spread = 1e4;
  const double matrix = 8.0 * 450 * 450;
  CHECK(expected_bytes(statistics, NSlackOptions()) > without_newton + matrix);
  statistics.dimension = 3900;  // Newton steps cost too much for so few planes
  const double wide = expected_bytes(statistics, NSlackOptions());
  statistics.column_spread = 1;
  CHECK(expected_bytes(statistics, NSlackOptions()) == wide);
}

TEST_CASE("the memory estimate of a raw table includes the matrix and rows of Newton steps") {
  const ProblemStatistics twenty = raw_table(20);
  const double matrix = 8.0 * 1200 * 1200;
  const double rows = 12.0 * 120 * 3000;  // one plane of every example
  for (const double expected :
       {expected_bytes(twenty, NSlackOptions()), expected_bytes(twenty, FrankWolfeOptions())}) {
    CHECK(expected > matrix + 8 * rows);
    CHECK(expected < matrix + 20 * rows);
  }
  ProblemStatistics scaled = twenty;
  scaled.column_spread = 10;
  CHECK(expected_bytes(scaled, NSlackOptions()) < 0.3 * expected_bytes(twenty, NSlackOptions()));
  CHECK(expected_bytes(raw_table(60), NSlackOptions()) >
        2.5 * expected_bytes(twenty, NSlackOptions()));
}

TEST_CASE("the memory estimate is larger if classes overlap, also with columns of one size") {
  ProblemStatistics statistics = raw_table(20);
  const auto bytes_with = [&statistics](double confused_fraction) {
    statistics.confused_fraction = confused_fraction;
    return expected_bytes(statistics, NSlackOptions());
  };
  const double noise = bytes_with(0.5);
  const double usual = bytes_with(0.15);
  CHECK(usual < 0.8 * noise);
  CHECK(usual > 0.5 * noise);
  CHECK(bytes_with(0) < 0.2 * usual);  // separated classes: few planes, no Newton steps
  statistics.column_spread = 1;
  CHECK(bytes_with(0.5) > 2 * bytes_with(0.15));
  CHECK(bytes_with(0) == bytes_with(0.15));
}

TEST_CASE("the memory estimate includes more joint planes if columns differ in size") {
  ProblemStatistics statistics = raw_table(20);
  OneSlackOptions options;
  options.cache = 0;
  const double uncached = expected_bytes(statistics, options);
  options.cache = 5;
  const double cached = expected_bytes(statistics, options);
  statistics.column_spread = 1;
  const double joint_plane = 8.0 * 1200;
  CHECK(cached > expected_bytes(statistics, options) + 200 * joint_plane);
  options.cache = 0;
  CHECK(uncached > expected_bytes(statistics, options) + 60 * joint_plane);
  statistics.labels = 2;  // the estimate differs only for outputs of one label
  const double of_two = expected_bytes(statistics, options);
  statistics.column_spread = raw_table(20).column_spread;
  CHECK(expected_bytes(statistics, options) < of_two + 10 * joint_plane);
}

TEST_CASE("the expected number of joint planes grows with the weights, up to a limit") {
  OneSlackOptions options;
  options.cache = 0;
  ProblemStatistics statistics = words();
  const auto planes = [&] {
    return (expected_bytes(statistics, options) - static_cast<double>(statistics.joint_bytes)) /
           (8.0 * static_cast<double>(statistics.dimension));
  };
  const double few = planes();
  statistics.dimension = 16 * 4000;
  CHECK(planes() > 1.5 * few);
  statistics.examples = 3;
  statistics.labels = 1;
  CHECK(planes() < 0.7 * few);
}

TEST_CASE("the expected number of joint planes depends on the columns that occur in the data") {
  OneSlackOptions options;
  options.cache = 0;
  const auto planes = [&options](const ProblemStatistics& statistics, double bytes_of_plane) {
    const double vectors = bytes_of_vectors(statistics, {}, false);
    return (expected_bytes(statistics, options) - vectors) / bytes_of_plane;
  };
  ProblemStatistics statistics = words();
  const double all_occur = planes(statistics, statistics.vector_bytes());
  statistics.columns = statistics.dimension;
  statistics.dimension = 4'000'000;
  const double few_occur = planes(statistics, sparse_bytes(statistics));
  CHECK(few_occur > 0.7 * all_occur);
  CHECK(few_occur < 1.3 * all_occur);
}

TEST_CASE("the least memory of a run is some vectors as long as w, less than the estimate") {
  ProblemStatistics statistics = words();
  statistics.dimension = 1'000'000;
  const double vector = 8e6;
  CHECK(min_bytes(statistics, NSlackOptions()) == 2 * vector);
  statistics.has_bounds = true;
  CHECK(min_bytes(statistics, NSlackOptions()) == 3 * vector);
  statistics.joint_bytes = 40'000'000;
  CHECK(min_bytes(statistics, OneSlackOptions()) == 3 * vector + 4e7);
  CHECK(min_bytes(statistics, NSlackOptions()) < expected_bytes(statistics, NSlackOptions()));
  CHECK(min_bytes(statistics, OneSlackOptions()) < expected_bytes(statistics, OneSlackOptions()));
  CHECK(min_bytes(statistics, FrankWolfeOptions()) <
        expected_bytes(statistics, FrankWolfeOptions()));
  CHECK(min_bytes(statistics, SubgradientOptions()) <
        expected_bytes(statistics, SubgradientOptions()));
  CHECK(min_bytes(statistics, GenerativeOptions()) <=
        expected_bytes(statistics, GenerativeOptions()));
}

TEST_CASE("the memory estimate is smaller if planes are dropped sooner") {
  NSlackOptions options;
  const double usual = expected_bytes(words(), options);
  options.drop_after = 5;
  CHECK(expected_bytes(words(), options) < 0.7 * usual);
  options.drop_after = 0;
  CHECK(expected_bytes(words(), options) > 1.5 * usual);
}

TEST_CASE("the memory estimate includes joint planes with alpha above 0 for any drop_after") {
  OneSlackOptions options;
  options.cache = 0;
  const double usual = expected_bytes(words(), options);
  options.drop_after = 5;
  CHECK(expected_bytes(words(), options) < usual);
  CHECK(expected_bytes(words(), options) > 0.7 * usual);
  options.drop_after = 0;
  CHECK(expected_bytes(words(), options) > 1.3 * usual);
}

TEST_CASE("the memory estimate includes a full cache of one_slack, even for few outputs") {
  ProblemStatistics classes = words();
  classes.labels = 1;
  OneSlackOptions options;
  const auto bytes_with = [&](std::int64_t cache) {
    options.cache = cache;
    return expected_bytes(classes, options);
  };
  CHECK(bytes_with(5) - bytes_with(2) == doctest::Approx(bytes_with(8) - bytes_with(5)));
  // The first also needs memory for the answers.
  CHECK(bytes_with(1) - bytes_with(0) > bytes_with(2) - bytes_with(1));
}

TEST_CASE("the memory estimate includes vectors as long as w for bounds and for slack norm 2") {
  NSlackOptions options;
  ProblemStatistics statistics = words();
  const double plain = expected_bytes(statistics, options);
  const double vector = 8.0 * static_cast<double>(statistics.dimension);
  statistics.has_bounds = true;
  CHECK(expected_bytes(statistics, options) == doctest::Approx(plain + vector));
  options.formulation.slack_norm = 2;
  CHECK(expected_bytes(statistics, options) == doctest::Approx(plain + 2 * vector));
  // A run also keeps the best w, which is not in the least memory.
  CHECK(bytes_of_vectors(statistics, {}, false) > min_bytes_of_vectors(statistics));
}

TEST_CASE("the memory of a block grows with its planes, its Gram matrix with their square") {
  CHECK(block_bytes(0, 1000, false) < 1000);
  CHECK(block_bytes(10, 1000, false) > 10'000);
  CHECK(block_bytes(10, 1000, true) < 4'200);
  CHECK(block_bytes(10, 1000, true) > 1'000);
  const double small = block_bytes(100, 0, false);
  CHECK(block_bytes(1000, 0, false) > 50 * small);
}

TEST_CASE("max_planes_megabytes limits the memory estimate, except for the planes of a pass") {
  NSlackOptions options;
  const double usual = expected_bytes(words(), options);
  options.max_planes_megabytes = 1e6;
  CHECK(expected_bytes(words(), options) == usual);
  options.max_planes_megabytes = 1;
  CHECK(expected_bytes(words(), options) < 0.5 * usual);
  CHECK(expected_bytes(words(), options) > 1e6);
  FrankWolfeOptions frank_wolfe;
  const double cached = expected_bytes(words(), frank_wolfe);
  frank_wolfe.max_planes_megabytes = 1e6;
  CHECK(expected_bytes(words(), frank_wolfe) == cached);
  frank_wolfe.max_planes_megabytes = 1;
  CHECK(expected_bytes(words(), frank_wolfe) < 0.5 * cached);
  CHECK(expected_bytes(words(), frank_wolfe) > 1e6);
  // A pass adds one plane of each example on top of the limit.
  ProblemStatistics more = words();
  more.examples *= 2;
  CHECK(expected_bytes(more, frank_wolfe) - expected_bytes(words(), frank_wolfe) >
        static_cast<double>(words().examples) * words().psi_bytes);
}

TEST_CASE("the memory estimate of perceptron is small, of frank_wolfe at most that of n_slack") {
  const ProblemStatistics statistics = words();
  CHECK(expected_bytes(statistics, PerceptronOptions()) <
        0.2 * expected_bytes(statistics, NSlackOptions()));
  FrankWolfeOptions options;
  const double cached = expected_bytes(statistics, options);
  CHECK(cached <= expected_bytes(statistics, NSlackOptions()));
  options.cache = 0;
  CHECK(expected_bytes(statistics, options) < cached);
}

TEST_CASE("the memory estimate grows with the number of examples asked at a time") {
  ProblemStatistics statistics = words();
  statistics.examples = 5000;
  const auto bytes_with = [&statistics](auto options, std::int64_t batch) {
    options.batch = batch;
    return expected_bytes(statistics, options);
  };
  CHECK(bytes_with(SubgradientOptions(), 64) == bytes_with(SubgradientOptions(), 1024));
  CHECK(bytes_with(SubgradientOptions(), 2048) > bytes_with(SubgradientOptions(), 1024));
  CHECK(bytes_with(SubgradientOptions(), 0) == bytes_with(SubgradientOptions(), 5000));  // all
  CHECK(bytes_with(FrankWolfeOptions(), 0) == bytes_with(FrankWolfeOptions(), 5000));
  CHECK(bytes_with(NSlackOptions(), 2048) > bytes_with(NSlackOptions(), 1024));
  CHECK(bytes_with(NSlackOptions(), 0) == bytes_with(NSlackOptions(), 1));  // no batches
}

TEST_CASE("a kernel takes its rows up to their limit, and its values within examples") {
  ProblemStatistics with_kernel = words();
  with_kernel.kernel_atoms = 45000;
  with_kernel.kernel_pairs = 350000;
  const auto bytes_of_rows = [&](double megabytes) {
    NSlackOptions options;
    options.kernel_megabytes = megabytes;
    return expected_bytes(with_kernel, options) - expected_bytes(words(), options);
  };
  // Six vectors of weights; the values of pairs are floats.
  const double fixed = 350000 * 4 + 6 * words().vector_bytes();
  CHECK(bytes_of_rows(100) == doctest::Approx(100e6 + fixed));
  CHECK(bytes_of_rows(0) == doctest::Approx(256.0 * 45000 * 4 + fixed));  // always kept
  // And half as much for the parts of rows.
  CHECK(bytes_of_rows(1e6) == doctest::Approx(1.5 * 45000.0 * 45000 * 4 + fixed));
  CHECK(bytes_of_kernel(words(), 100) == 0);
}

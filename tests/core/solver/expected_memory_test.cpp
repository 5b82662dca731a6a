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
double expected_bytes(const ProblemShape& shape, const Options& options) {
  return solver_with(options).expected_bytes(shape);
}

template <class Options>
double min_bytes(const ProblemShape& shape, const Options& options) {
  return solver_with(options).min_bytes(shape);
}

ProblemShape words() {
  ProblemShape shape;
  shape.examples = 6000;
  shape.dimension = 4000;
  shape.labels = 7.5;
  shape.states = 26;
  shape.entries = 200;
  shape.psi_bytes = 600;
  return shape;
}

// Raw measurements of so many classes, in columns from 1 to 1e5.
ProblemShape raw_table(double classes) {
  constexpr std::int64_t measured = 60;
  ProblemShape shape;
  shape.examples = 3000;
  shape.dimension = measured * static_cast<std::int64_t>(classes);
  shape.columns = shape.dimension;
  shape.labels = 1;
  shape.states = classes;
  shape.entries = measured;
  shape.psi_bytes = 600;
  shape.plane_entries = 2 * measured;
  shape.plane_bytes = 600;
  shape.shares_input = true;
  shape.confused = 0.45;
  shape.column_spread = 1e5;
  return shape;
}

}  // namespace

TEST_CASE("n_slack needs memory for planes of every example, one_slack for planes as long as w") {
  const ProblemShape shape = words();
  OneSlackOptions uncached;
  uncached.cache = 0;
  ProblemShape more = shape;
  more.examples *= 10;
  CHECK(expected_bytes(more, NSlackOptions()) > 8 * expected_bytes(shape, NSlackOptions()));
  CHECK(expected_bytes(more, uncached) == expected_bytes(shape, uncached));
  more = shape;
  more.dimension *= 10;
  CHECK(expected_bytes(more, NSlackOptions()) < 1.1 * expected_bytes(shape, NSlackOptions()));
  CHECK(expected_bytes(more, uncached) > 8 * expected_bytes(shape, uncached));
  CHECK(expected_bytes(shape, OneSlackOptions()) > 1.5 * expected_bytes(shape, uncached));
}

TEST_CASE(
    "label sets have planes by the number of sets, and longer ones where answers are relaxed") {
  ProblemShape six = words();
  six.labels = 6;
  six.states = 2;
  six.label_sets = true;
  ProblemShape fourteen = six;
  fourteen.labels = 14;
  const double few = expected_bytes(six, NSlackOptions());
  CHECK(few < 0.7 * expected_bytes(words(), NSlackOptions()));
  CHECK(expected_bytes(fourteen, NSlackOptions()) > 1.5 * few);
  const double many = expected_bytes(fourteen, NSlackOptions());
  six.relaxed = fourteen.relaxed = true;
  CHECK(expected_bytes(six, NSlackOptions()) > 1.05 * few);
  CHECK(expected_bytes(fourteen, NSlackOptions()) > 1.5 * many);
}

TEST_CASE("planes that were measured are taken as they are, not guessed from psi") {
  ProblemShape classes = words();
  classes.labels = 1;
  const double guessed = expected_bytes(classes, NSlackOptions());
  classes.plane_bytes = 2 * classes.psi_bytes;
  classes.plane_entries = 2 * classes.entries;
  CHECK(expected_bytes(classes, NSlackOptions()) > 1.3 * guessed);
}

TEST_CASE("Newton steps are expected where columns differ in size and weights are few") {
  ProblemShape shape = words();
  shape.dimension = 450;
  shape.examples = 400;
  const double ascent = expected_bytes(shape, NSlackOptions());
  shape.column_spread = 1e4;
  const double matrix = 8.0 * 450 * 450;
  CHECK(expected_bytes(shape, NSlackOptions()) > ascent + matrix);
  shape.dimension = 3900;  // too dear for so few planes
  const double wide = expected_bytes(shape, NSlackOptions());
  shape.column_spread = 1;
  CHECK(expected_bytes(shape, NSlackOptions()) == wide);
}

TEST_CASE("the matrix and the rows of Newton steps are expected for raw tables of many classes") {
  const ProblemShape twenty = raw_table(20);
  const double matrix = 8.0 * 1200 * 1200;
  const double rows = 12.0 * 120 * 3000;  // of one plane of every example
  for (const double expected :
       {expected_bytes(twenty, NSlackOptions()), expected_bytes(twenty, FrankWolfeOptions())}) {
    CHECK(expected > matrix + 8 * rows);
    CHECK(expected < matrix + 20 * rows);
  }
  ProblemShape scaled = twenty;
  scaled.column_spread = 10;
  CHECK(expected_bytes(scaled, NSlackOptions()) < 0.3 * expected_bytes(twenty, NSlackOptions()));
  CHECK(expected_bytes(raw_table(60), NSlackOptions()) >
        2.5 * expected_bytes(twenty, NSlackOptions()));
}

TEST_CASE("classes that are hard to tell apart have more planes, in columns of one size, too") {
  ProblemShape shape = raw_table(20);
  const auto with = [&shape](double confused) {
    shape.confused = confused;
    return expected_bytes(shape, NSlackOptions());
  };
  const double noise = with(0.5);
  const double usual = with(0.15);
  CHECK(usual < 0.8 * noise);
  CHECK(usual > 0.5 * noise);
  CHECK(with(0) < 0.2 * usual);  // far apart: hardly any plane, and no Newton steps
  shape.column_spread = 1;
  CHECK(with(0.5) > 2 * with(0.15));
  CHECK(with(0) == with(0.15));
}

TEST_CASE("one_slack keeps more joint planes if columns differ in size") {
  ProblemShape shape = raw_table(20);
  OneSlackOptions options;
  options.cache = 0;
  const double active = expected_bytes(shape, options);
  options.cache = 5;
  const double both = expected_bytes(shape, options);
  shape.column_spread = 1;
  const double joint_plane = 8.0 * 1200;
  CHECK(both > expected_bytes(shape, options) + 200 * joint_plane);
  options.cache = 0;
  CHECK(active > expected_bytes(shape, options) + 60 * joint_plane);
  shape.labels = 2;  // of outputs of one label alone
  const double of_two = expected_bytes(shape, options);
  shape.column_spread = raw_table(20).column_spread;
  CHECK(expected_bytes(shape, options) < of_two + 10 * joint_plane);
}

TEST_CASE("joint planes grow with the weights, no further than there are planes to join") {
  OneSlackOptions options;
  options.cache = 0;
  ProblemShape shape = words();
  const auto planes = [&] {
    return (expected_bytes(shape, options) - static_cast<double>(shape.joint_bytes)) /
           (8.0 * static_cast<double>(shape.dimension));
  };
  const double few = planes();
  shape.dimension = 16 * 4000;
  CHECK(planes() > 1.5 * few);
  shape.examples = 3;
  shape.labels = 1;
  CHECK(planes() < 0.7 * few);
}

TEST_CASE("joint planes grow with the columns that occur, not with weights that nothing touches") {
  OneSlackOptions options;
  options.cache = 0;
  const auto planes = [&options](const ProblemShape& shape, double bytes_of_plane) {
    const double vectors = bytes_of_vectors(shape, {}, false);
    return (expected_bytes(shape, options) - vectors) / bytes_of_plane;
  };
  ProblemShape shape = words();
  const double all_occur = planes(shape, shape.vector_bytes());
  shape.columns = shape.dimension;
  shape.dimension = 4'000'000;
  const double few_occur = planes(shape, sparse_bytes(shape));
  CHECK(few_occur > 0.7 * all_occur);
  CHECK(few_occur < 1.3 * all_occur);
}

TEST_CASE("the least that a run needs are vectors as long as w, and it is less than expected") {
  ProblemShape shape = words();
  shape.dimension = 1'000'000;
  const double vector = 8e6;
  CHECK(min_bytes(shape, NSlackOptions()) == 2 * vector);
  shape.has_bounds = true;
  CHECK(min_bytes(shape, NSlackOptions()) == 3 * vector);
  shape.joint_bytes = 40'000'000;
  CHECK(min_bytes(shape, OneSlackOptions()) == 3 * vector + 4e7);
  CHECK(min_bytes(shape, NSlackOptions()) < expected_bytes(shape, NSlackOptions()));
  CHECK(min_bytes(shape, OneSlackOptions()) < expected_bytes(shape, OneSlackOptions()));
  CHECK(min_bytes(shape, FrankWolfeOptions()) < expected_bytes(shape, FrankWolfeOptions()));
  CHECK(min_bytes(shape, SubgradientOptions()) < expected_bytes(shape, SubgradientOptions()));
  CHECK(min_bytes(shape, GenerativeOptions()) <= expected_bytes(shape, GenerativeOptions()));
}

TEST_CASE("planes that are dropped sooner leave less to expect, those that stay more") {
  NSlackOptions options;
  const double usual = expected_bytes(words(), options);
  options.drop_after = 5;
  CHECK(expected_bytes(words(), options) < 0.7 * usual);
  options.drop_after = 0;
  CHECK(expected_bytes(words(), options) > 1.5 * usual);
}

TEST_CASE("one_slack keeps the joint planes that carry alpha, however soon others are dropped") {
  OneSlackOptions options;
  options.cache = 0;
  const double usual = expected_bytes(words(), options);
  options.drop_after = 5;
  CHECK(expected_bytes(words(), options) < usual);
  CHECK(expected_bytes(words(), options) > 0.7 * usual);
  options.drop_after = 0;
  CHECK(expected_bytes(words(), options) > 1.3 * usual);
}

TEST_CASE("the cache of one_slack fills up, even where outputs are few and n_slack keeps two") {
  ProblemShape classes = words();
  classes.labels = 1;
  OneSlackOptions options;
  const auto with = [&](std::int64_t cache) {
    options.cache = cache;
    return expected_bytes(classes, options);
  };
  CHECK(with(5) - with(2) == doctest::Approx(with(8) - with(5)));
  CHECK(with(1) - with(0) > with(2) - with(1));  // answers are held, too
}

TEST_CASE("every vector of the dimension counts: bounds, and a place that is not w") {
  NSlackOptions options;
  ProblemShape shape = words();
  const double plain = expected_bytes(shape, options);
  const double vector = 8.0 * static_cast<double>(shape.dimension);
  shape.has_bounds = true;
  CHECK(expected_bytes(shape, options) == doctest::Approx(plain + vector));
  options.formulation.slack_norm = 2;
  CHECK(expected_bytes(shape, options) == doctest::Approx(plain + 2 * vector));
  // The best w is kept as well, of many weights only where it differs.
  CHECK(bytes_of_vectors(shape, {}, false) > min_bytes_of_vectors(shape));
}

TEST_CASE("a block takes its planes, and its Gram matrix the square of their number") {
  CHECK(block_bytes(0, 1000, false) < 1000);
  CHECK(block_bytes(10, 1000, false) > 10'000);
  CHECK(block_bytes(10, 1000, true) < 4'200);
  CHECK(block_bytes(10, 1000, true) > 1'000);
  const double small = block_bytes(100, 0, false);
  CHECK(block_bytes(1000, 0, false) > 50 * small);
}

TEST_CASE("a limit on planes is one on what is expected, but for what a pass adds") {
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
  // A pass adds a plane of each example, and the answers of all examples are not held at once.
  ProblemShape more = words();
  more.examples *= 2;
  CHECK(expected_bytes(more, frank_wolfe) - expected_bytes(words(), frank_wolfe) >
        static_cast<double>(words().examples) * words().psi_bytes);
}

TEST_CASE("solvers without planes expect a few vectors, frank_wolfe what n_slack does or less") {
  const ProblemShape shape = words();
  CHECK(expected_bytes(shape, PerceptronOptions()) < 0.2 * expected_bytes(shape, NSlackOptions()));
  FrankWolfeOptions options;
  const double cached = expected_bytes(shape, options);
  CHECK(cached <= expected_bytes(shape, NSlackOptions()));
  options.cache = 0;
  CHECK(expected_bytes(shape, options) < cached);
}

TEST_CASE("solvers that ask about more at a time hold more answers") {
  ProblemShape shape = words();
  shape.examples = 5000;
  const auto expects = [&shape](auto options, std::int64_t batch) {
    options.batch = batch;
    return expected_bytes(shape, options);
  };
  CHECK(expects(SubgradientOptions(), 64) == expects(SubgradientOptions(), 1024));
  CHECK(expects(SubgradientOptions(), 2048) > expects(SubgradientOptions(), 1024));
  CHECK(expects(SubgradientOptions(), 0) == expects(SubgradientOptions(), 5000));  // all
  CHECK(expects(FrankWolfeOptions(), 0) == expects(FrankWolfeOptions(), 5000));
  CHECK(expects(NSlackOptions(), 2048) > expects(NSlackOptions(), 1024));
  CHECK(expects(NSlackOptions(), 0) == expects(NSlackOptions(), 1));  // no batches
}

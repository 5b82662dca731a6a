// The extensions of a lent component as objects (cpp/lent.hpp, cpp/lent_sessions.hpp): each call
// reaches the method of the other class, through C tables.

#include <doctest/doctest.h>
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/items.hpp>
#include <sculpt/cpp/lent_sessions.hpp>

#include "live.hpp"

namespace {

struct Data {
  static constexpr sculpt::About about{"org.sculpt.test.data", "1.0.0", "a dataset"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 2; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }

  std::int64_t feature_count() const { return 7; }
  std::int32_t state_count() const { return 3; }
  std::int64_t variable_count() const { return 2; }
  sculpt_sites sites(std::int64_t example) const {
    if (example > 1) throw sculpt::data_error("has no such example");
    return {sizeof(sculpt_sites), 0, example + 1, 0, nullptr, nullptr, nullptr, nullptr};
  }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const { out << "s" << state; }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const { out << "f" << feature; }
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
    out << example << ":" << std::int64_t{y[0]};
  }
  void parse(std::int64_t, std::string_view text, sculpt::LabelOutput& out) const {
    out.resize(1)[0] = static_cast<std::int32_t>(text.size());
  }
  std::string place(std::int64_t example) const { return "f:" + std::to_string(example); }
};

// One variable with two states: theta = w.
class Pair {
 public:
  static constexpr sculpt::About about{"org.sculpt.test.pair", "1.0.0", "features"};
  Pair() { builder_.add_variable(2); }

  std::int64_t dimension() const { return 2; }
  void features(std::int64_t, sculpt::Labels y, sculpt::Sum& sum) const { sum.add(y[0], 1); }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const { out << "w" << weight; }
  void weight_groups(std::span<std::int32_t> group) const { group[1] = 1; }
  bool bounds_weights() const { return true; }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    nonnegative[0] = 0;
    nonnegative[1] = 1;
  }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    if (example > 2) throw sculpt::data_error("has no such example");
    return sculpt::OutputShape::of_size(1, 2);
  }
  std::uint32_t score_rule() const { return SCULPT_SCORES_LARGEST; }
  std::int64_t score_columns() const { return 2; }
  void score_name(std::int64_t column, sculpt::ByteOutput& out) const { out << "c" << column; }
  std::int64_t score_rows(std::int64_t example) const { return example; }
  void write_scores(std::int64_t example, sculpt::Weights w, std::span<double> scores) const {
    for (double& score : scores) score = w[0] + static_cast<double>(example);
  }
  std::uint32_t factor_classes() const { return SCULPT_GRAPH_SINGLE; }

  struct Session {
    explicit Session(const Pair& owner) : builder(owner.builder_) {}
    const sculpt_factor_graph& factor_graph(std::int64_t) { return builder.graph(0, 0); }
    void potentials(std::int64_t, sculpt::Weights w, double* theta) const {
      std::copy(w.begin(), w.end(), theta);
    }
    void pullback(std::int64_t, const double* mu, sculpt::Sum& sum) const {
      for (std::int64_t k = 0; k < 2; ++k) sum.add(k, mu[k]);
    }
    std::int64_t enumerate(std::int64_t, std::int64_t limit, const sculpt::Visit& visit) const {
      if (limit < 2) return limit + 1;
      for (std::int32_t y = 0; y < 2; ++y) visit(sculpt::Labels(&y, 1));
      return 2;
    }
    sculpt::FactorGraphBuilder builder;
  };

 private:
  sculpt::FactorGraphBuilder builder_;
};

// The number of wrong labels, in all ways that a loss can say it.
struct Wrong {
  static constexpr sculpt::About about{"org.sculpt.test.wrong", "1.0.0", "a loss"};
  static constexpr sculpt_count counts[] = {sculpt::counted("errors", 4)};
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("wrong", "wrong labels")};
  static constexpr std::int64_t sum_count = 2;

  double loss(sculpt::Labels a, sculpt::Labels b) const { return a[0] == b[0] ? 0 : 1; }
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    return static_cast<double>(counts[0]);
  }
  double count_slopes(std::int64_t, sculpt::Labels, std::span<double> slope) const {
    slope[0] = 1;
    return 0.5;
  }
  std::uint32_t count_demands() const { return SCULPT_GRAPH_FOREST; }
  void add_factor_counts(std::int64_t, const sculpt_factor_graph&, sculpt::Labels truth,
                         std::span<std::int32_t* const> tables) const {
    tables[0][1 - truth[0]] += 1;
  }
  std::uint32_t factor_demands() const { return SCULPT_GRAPH_CHAIN; }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph&, sculpt::Labels truth, double scale,
                       double* theta, double& constant) const {
    theta[1 - truth[0]] += scale;
    constant += 10 * scale;
  }
  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    sums[0] += loss(truth, guess);
    sums[1] += 1;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    values[0] = sums[0] / sums[1];
  }
};

// Offers nothing but what its kind must have.
struct Plain {
  static constexpr sculpt::About about{"org.sculpt.test.plain_loss", "1.0.0", "a loss"};
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};

template <class Write>
std::string written(Write write) {
  ByteMemory memory;
  sculpt::ByteOutput out(memory.raw());
  write(out);
  const std::vector<char> text = memory.items();
  return {text.begin(), text.end()};
}

const std::int32_t label_zero = 0;
const std::int32_t label_one = 1;

TEST_CASE("sites, texts and places of a dataset") {
  const LiveComponent data(sculpt::Dataset<Data>::component);
  const sculpt::SitesRef sites(data.ref());
  CHECK(sites.shape().feature_count == 7);
  CHECK(sites.shape().state_count == 3);
  CHECK(sites.shape().variable_count == 2);
  CHECK(sites.sites(1).site_count == 2);
  CHECK(written([&](auto& out) { sites.state_name(2, out); }) == "s2");
  CHECK(written([&](auto& out) { sites.feature_name(5, out); }) == "f5");
  CHECK_THROWS_WITH_AS(sites.sites(2), "has no such example", sculpt::Error);

  const sculpt::LabelTextRef text(data.ref());
  CHECK(written([&](auto& out) { text.format(1, {&label_one, 1}, out); }) == "1:1");
  REQUIRE(text.can_parse());
  LabelMemory labels;
  sculpt::LabelOutput y(labels.raw());
  text.parse(0, "abc", y);
  CHECK(labels.items() == std::vector<std::int32_t>{3});

  CHECK(written([&](auto& out) { sculpt::PlaceRef(data.ref()).place(1, out); }) == "f:1");
}

TEST_CASE("names, groups, bounds and scores of features") {
  const LiveComponent pair(sculpt::Features<Pair>::component);
  CHECK(written([&](auto& out) { sculpt::NamesRef(pair.ref()).weight_name(1, out); }) == "w1");
  std::vector<std::int32_t> group(2);
  sculpt::GroupsRef(pair.ref()).groups(group);
  CHECK(group == std::vector<std::int32_t>{-1, 1});
  std::vector<std::uint8_t> nonnegative(2);
  sculpt::WeightBoundsRef(pair.ref()).bounds(nonnegative);
  CHECK(nonnegative == std::vector<std::uint8_t>{0, 1});

  const sculpt::ScoresRef scores(pair.ref());
  CHECK(scores.rule() == SCULPT_SCORES_LARGEST);
  CHECK(scores.columns() == 2);
  CHECK(scores.rows(3) == 3);
  CHECK(written([&](auto& out) { scores.column_name(1, out); }) == "c1");
  const double w[] = {4, 5};
  std::vector<double> values(6);
  scores.scores(3, sculpt::Weights({w, 2, 1}), values);
  CHECK(values == std::vector<double>(6, 7));
}

TEST_CASE("the factor graph, the outputs, their shape and the dimension of features") {
  const LiveComponent pair(sculpt::Features<Pair>::component);
  const sculpt::FactorGraphSession graph(pair.ref());
  CHECK(graph.of().classes() == SCULPT_GRAPH_SINGLE);
  CHECK(graph.graph(0).theta_size == 2);
  const double w[] = {4, 5};
  double theta[2] = {0, 0};
  graph.potentials(0, sculpt::Weights({w, 2, 1}), theta);
  CHECK(theta[1] == 5);
  sculpt::DenseSum psi(2);
  sculpt::Sum sum = psi.sum(2);
  graph.pullback(0, theta, sum);
  CHECK(psi.values() == std::vector<double>{8, 10});

  const sculpt::EnumerateSession outputs(pair.ref());
  std::int32_t visited = 0;
  CHECK(outputs.each(0, 9, [&](sculpt::Labels y) { visited += 1 + y[0]; }) == 2);
  CHECK(visited == 3);
  CHECK(outputs.each(0, 1, [&](sculpt::Labels) { ++visited; }) == 2);
  CHECK(visited == 3);
  CHECK_THROWS_WITH_AS(
      outputs.each(0, 9, [](sculpt::Labels) { throw std::runtime_error("enough"); }), "enough",
      std::runtime_error);
  CHECK(sculpt::FeaturesSession(pair.ref()).dimension() == 2);

  const sculpt::OutputShapeRef shapes(pair.ref());
  CHECK(shapes.shape(0).max_size == 1);
  CHECK(shapes.shape(0).state_count == 2);
  CHECK_THROWS_WITH_AS(shapes.shape(3), "has no such example", sculpt::Error);
}

TEST_CASE("the counts, factor losses, factor counts and metrics of a loss") {
  const LiveComponent wrong(sculpt::Loss<Wrong>::component);
  const sculpt::CountLossSession counts(wrong.ref());
  REQUIRE(counts.of().counts().size() == 1);
  CHECK(counts.of().counts()[0].limit == 4);
  CHECK(counts.of().is_linear());
  const std::int64_t three = 3;
  CHECK(counts.value(0, {&label_one, 1}, &three) == 3);
  CHECK(counts.line(0, {&label_one, 1}).constant == 0.5);
  CHECK(counts.line(0, {&label_one, 1}).slope[0] == 1);

  const sculpt_factor_graph graph{};
  const sculpt::FactorCountsSession factor_counts(wrong.ref());
  CHECK(factor_counts.of().demands() == SCULPT_GRAPH_FOREST);
  std::int32_t table[2] = {0, 0};
  std::int32_t* const tables[] = {table};
  factor_counts.add(0, graph, {&label_one, 1}, tables);
  CHECK(table[0] == 1);

  const sculpt::FactorLossSession factor_loss(wrong.ref());
  CHECK(factor_loss.of().demands() == SCULPT_GRAPH_CHAIN);
  double theta[2] = {0, 0};
  double constant = 1;
  factor_loss.add(0, graph, {&label_one, 1}, 2, theta, constant);
  CHECK(theta[0] == 2);
  CHECK(constant == 21);

  const sculpt::MetricsSession metrics(wrong.ref());
  REQUIRE(metrics.of().metrics().size() == 1);
  CHECK(std::string(metrics.of().metrics()[0].name) == "wrong");
  std::vector<double> sums(static_cast<std::size_t>(metrics.of().sum_count()));
  metrics.add(0, {&label_one, 1}, {&label_zero, 1}, sums);
  metrics.add(0, {&label_one, 1}, {&label_one, 1}, sums);
  double value = 0;
  metrics.of().finish(sums, {&value, 1});
  CHECK(value == 0.5);
}

TEST_CASE("an extension that a component does not offer is refused with both names") {
  const LiveComponent plain(sculpt::Loss<Plain>::component);
  CHECK_FALSE(sculpt::CountLossRef::is_offered_by(plain.ref()));
  CHECK_THROWS_WITH_AS(
      sculpt::CountLossSession{plain.ref()},
      "needs a component with sculpt.count-loss/2; org.sculpt.test.plain_loss does not offer it",
      sculpt::Error);
}

TEST_CASE("objects of an absent component can be made, and throw if they are used") {
  const sculpt::Ref absent;
  CHECK_THROWS_WITH_AS(sculpt::SitesRef(absent).shape(),
                       "needs a component with sculpt.sites/1; there is none", sculpt::Error);
  CHECK_THROWS_AS(sculpt::Items(absent).of_labels(), sculpt::Error);
  CHECK_THROWS_AS(sculpt::FactorGraphSession(absent).graph(0), sculpt::Error);
  CHECK_THROWS_AS(sculpt::EnumerateSession(absent).each(0, 1, [](sculpt::Labels) {}),
                  sculpt::Error);
  CHECK_THROWS_AS(sculpt::MetricsSession(absent).of().sum_count(), sculpt::Error);
  CHECK_THROWS_AS(sculpt::FactorLossSession(absent).of().demands(), sculpt::Error);
  CHECK_THROWS_AS(sculpt::FactorCountsSession(absent).of().demands(), sculpt::Error);
  const sculpt::CountLossSession counts(absent);
  CHECK_FALSE(counts.of().present());
  CHECK_THROWS_WITH_AS(counts.line(0, {}),
                       "needs a component with sculpt.count-loss/2; there is none", sculpt::Error);
}

}  // namespace

// Algorithms on dynamic programs are compared with all derivations of small random programs.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sculpt/program/best.hpp>
#include <sculpt/program/derivations.hpp>
#include <sculpt/program/frontier.hpp>
#include <sculpt/program/hypergraph.hpp>
#include <sculpt/program/k_best.hpp>
#include <sculpt/program/moments.hpp>
#include <sculpt/program/sample.hpp>

#include "random_program.hpp"

using namespace sculpt::test;
using sculpt::program::Counts;
using sculpt::program::underivable;
using Derivation = sculpt::program::Derivation<RandomProgram>;
using Names = RandomProgram::Names;

namespace {

constexpr std::size_t max_derivations = 1000;

// Calls visit(program, all) for `wanted` random programs with 1 to max_derivations derivations.
template <class Visit>
void each_program(unsigned seed, int wanted, Visit visit) {
  std::mt19937 random(seed);
  for (int tried = 0; wanted > 0; ++tried) {
    REQUIRE(tried < 100000);
    const auto nodes = static_cast<std::int64_t>(1 + random() % 16);
    const RandomProgram program(random, nodes, tried % 2 == 0);
    const std::vector<Names> all = program.all(max_derivations);
    if (all.empty()) continue;
    visit(program, all);
    --wanted;
  }
}

std::vector<double> scores(const RandomProgram& program, const std::vector<Names>& all) {
  std::vector<double> result;
  for (const Names& names : all) result.push_back(program.score(names));
  return result;
}

bool close(double a, long double b) {
  return std::abs(a - static_cast<double>(b)) <= 1e-9 * (1 + std::abs(a));
}

// p(derivation) = exp(score) / Z, and log Z.
struct Distribution {
  Distribution(const RandomProgram& program, const std::vector<Names>& all) {
    long double sum = 0;
    for (const Names& names : all) {
      p.push_back(std::exp(static_cast<long double>(program.score(names))));
      sum += p.back();
    }
    for (long double& one : p) one /= sum;
    log_z = std::log(sum);
  }
  std::vector<long double> p;
  long double log_z;
};

}  // namespace

TEST_CASE("programs: Derivations finds all derivations") {
  std::map<std::size_t, int> sizes;
  each_program(1, 600, [&](const RandomProgram& program, std::vector<Names> all) {
    sculpt::program::Derivations<RandomProgram> derivations;
    CHECK(derivations.count(program, 1 << 20) == static_cast<std::int64_t>(all.size()));
    CHECK(derivations.count(program, 2) == std::min<std::int64_t>(2, std::ssize(all)));
    derivations.count(program, 1 << 20);
    std::vector<Names> found;
    derivations.each(program, [&](const Derivation& one) { found.push_back(names_of(one)); });
    std::sort(found.begin(), found.end());
    std::sort(all.begin(), all.end());
    CHECK(found == all);
    ++sizes[all.size() > 100 ? 100 : all.size() > 10 ? 10 : 1];
  });
  CHECK(sizes[100] > 50);  // the random programs are not trivial
  CHECK(sizes[10] > 100);
}

TEST_CASE("programs: Best and KBest find the best derivations in order") {
  sculpt::program::Best<RandomProgram> best;
  sculpt::program::KBest<RandomProgram> ranked;
  each_program(2, 500, [&](const RandomProgram& program, const std::vector<Names>& all) {
    std::vector<double> expected = scores(program, all);
    std::sort(expected.rbegin(), expected.rend());
    Derivation one;
    CHECK(close(best.find(program), expected[0]));
    best.derivation(program, one);
    CHECK(close(program.score(names_of(one)), expected[0]));

    ranked.begin(program);
    std::vector<Names> found;
    const std::size_t count = std::min<std::size_t>(all.size(), 200);
    for (std::size_t rank = 0; rank < count; ++rank) {
      CHECK(close(ranked.find(static_cast<std::int64_t>(rank), one), expected[rank]));
      found.push_back(names_of(one));
      CHECK(close(program.score(found.back()), expected[rank]));
      CHECK(std::count(all.begin(), all.end(), found.back()) == 1);
    }
    std::sort(found.begin(), found.end());
    CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());  // each once
    if (count == all.size()) {
      CHECK(ranked.find(std::ssize(all), one) == underivable);
      CHECK(one.empty());
    }
  });
}

TEST_CASE("programs: Moments finds log Z, the mean and the covariance") {
  sculpt::program::Moments<RandomProgram> moments;
  std::mt19937 random(30);
  std::normal_distribution<double> normal;
  each_program(3, 400, [&](const RandomProgram& program, const std::vector<Names>& all) {
    constexpr std::size_t d = RandomProgram::dimension;
    const Distribution distribution(program, all);
    CHECK(close(moments.log_z(program), distribution.log_z));

    std::array<long double, d> mean{};
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto psi = program.features(all[k]);
      for (std::size_t j = 0; j < d; ++j) mean[j] += distribution.p[k] * psi[j];
    }
    std::array<double, d> found{};
    moments.marginals(program, [&](const RandomProgram::Edge& edge, double p) {
      for (std::size_t j = 0; j < d; ++j) found[j] += p * program.stored(edge.name).features[j];
    });
    for (std::size_t j = 0; j < d; ++j) CHECK(close(found[j], mean[j]));

    std::array<double, d> v;
    for (double& one : v) one = normal(random);
    std::array<long double, d> expected{};
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto psi = program.features(all[k]);
      long double projection = 0;
      for (std::size_t j = 0; j < d; ++j) projection += v[j] * (psi[j] - mean[j]);
      for (std::size_t j = 0; j < d; ++j) expected[j] += distribution.p[k] * projection * psi[j];
    }
    const auto direction = [&](const RandomProgram::Edge& edge) {
      double sum = 0;
      for (std::size_t j = 0; j < d; ++j) sum += v[j] * program.stored(edge.name).features[j];
      return sum;
    };
    found = {};
    moments.covariance(program, direction, [&](const RandomProgram::Edge& edge, double change) {
      for (std::size_t j = 0; j < d; ++j) {
        found[j] += change * program.stored(edge.name).features[j];
      }
    });
    for (std::size_t j = 0; j < d; ++j) CHECK(close(found[j], expected[j]));
  });
}

TEST_CASE("programs: the frequencies of draws agree with their probabilities") {
  sculpt::program::Sampler<RandomProgram> sampler;
  constexpr int draws = 4000;
  int compared = 0;
  each_program(4, 60, [&](const RandomProgram& program, const std::vector<Names>& all) {
    if (all.size() > 20) return;
    const Distribution distribution(program, all);
    std::map<Names, int> counts;
    sculpt::Random random(7);
    Derivation one;
    CHECK(close(sampler.prepare(program), distribution.log_z));
    for (int k = 0; k < draws; ++k) {
      sampler.draw(program, random, one);
      ++counts[names_of(one)];
    }
    int total = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto p = static_cast<double>(distribution.p[k]);
      const double deviation = std::sqrt(draws * p * (1 - p));
      CHECK(std::abs(counts[all[k]] - draws * p) <= 4.5 * deviation + 1);
      total += counts[all[k]];
      ++compared;
    }
    CHECK(total == draws);
  });
  CHECK(compared > 100);
}

TEST_CASE("programs: Frontier finds the best derivation for each vector of counts") {
  sculpt::program::Frontier<RandomProgram> frontier;
  std::mt19937 random(50);
  each_program(5, 500, [&](const RandomProgram& program, const std::vector<Names>& all) {
    const auto limit_of = [&] {
      return random() % 3 == 0 ? std::numeric_limits<std::int64_t>::max()
                               : static_cast<std::int64_t>(1 + random() % 4);
    };
    const Counts limit{limit_of(), limit_of()};
    const auto counts_of = [&](const RandomProgram::Edge& edge) {
      return program.stored(edge.name).counts;
    };
    const auto counts_of_names = [&](const Names& names) {
      Counts sum{0, 0};
      for (const std::int64_t name : names) {
        for (std::size_t k = 0; k < 2; ++k) sum[k] += program.stored(name).counts[k];
      }
      return Counts{std::min(sum[0], limit[0]), std::min(sum[1], limit[1])};
    };
    std::map<Counts, double> expected;
    Counts largest{0, 0};
    for (const Names& names : all) {
      const Counts counts = counts_of_names(names);
      const auto [place, is_new] = expected.try_emplace(counts, program.score(names));
      if (!is_new) place->second = std::max(place->second, program.score(names));
      for (std::size_t k = 0; k < 2; ++k) largest[k] = std::max(largest[k], counts[k]);
    }
    frontier.begin(program, counts_of, limit);
    CHECK(frontier.size() == Counts{largest[0] + 1, largest[1] + 1});
    frontier.solve(program, counts_of);
    for (Counts c{0, 0}; c[0] <= largest[0]; ++c[0]) {
      for (c[1] = 0; c[1] <= largest[1]; ++c[1]) {
        const auto place = expected.find(c);
        if (place == expected.end()) {
          CHECK(frontier.value(c) == underivable);
          continue;
        }
        CHECK(close(frontier.value(c), place->second));
        Derivation one;
        frontier.derivation(program, counts_of, c, one);
        CHECK(counts_of_names(names_of(one)) == c);
        CHECK(close(program.score(names_of(one)), place->second));
      }
    }
  });
}

TEST_CASE("programs: storing and pruning keeps all derivations") {
  each_program(6, 500, [&](const RandomProgram& program, std::vector<Names> all) {
    using Graph = sculpt::program::Hypergraph<3>;
    Graph graph;
    graph.begin();
    for (std::int64_t node = 0; node < program.node_count(); ++node) {
      program.each_edge(node, [&](const RandomProgram::Edge& edge) {
        if (edge.score != underivable) graph.add_edge(edge.name, edge.tails());
      });
      CHECK(graph.end_node() == node);
    }
    const std::int64_t before = graph.edge_count();
    graph.prune();
    std::vector<double> score;
    std::vector<int> used(program.edges().size(), 0);
    for (std::int64_t e = 0; e < graph.edge_count(); ++e) {
      score.push_back(program.stored(graph.name(e)).edge.score);
      used[static_cast<std::size_t>(graph.name(e))] = 1;
    }
    for (const Names& names : all) {
      for (const std::int64_t name : names) used[static_cast<std::size_t>(name)] = 2;
    }
    CHECK(std::count(used.begin(), used.end(), 1) == 0);  // no edge without a derivation is left
    CHECK(graph.edge_count() <= before);
    std::vector<Names> found;
    const Graph::Scored scored = graph.scored(score);
    sculpt::program::Derivations<Graph::Scored> derivations;
    CHECK(derivations.count(scored, 1 << 20) == std::ssize(all));
    derivations.each(scored, [&](const sculpt::program::Derivation<Graph::Scored>& one) {
      Names names;
      for (const auto& edge : one) names.push_back(edge.name);
      found.push_back(names);
    });
    std::sort(found.begin(), found.end());
    std::sort(all.begin(), all.end());
    CHECK(found == all);
  });
}

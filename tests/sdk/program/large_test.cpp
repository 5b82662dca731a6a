// Programs that are deep or have astronomically many derivations: no recursion, no overflow.
#include <doctest/doctest.h>

#include <limits>
#include <sculpt/program/derivations.hpp>
#include <sculpt/program/frontier.hpp>

namespace {

constexpr std::int64_t max_reported = std::numeric_limits<std::int64_t>::max();

// Node k has so many edges from node k - 1, by each of its tails: products and depth to be chosen.
class Tower {
 public:
  using Edge = sculpt::program::Edge<2>;
  Tower(std::int64_t height, std::int64_t edges, std::int32_t tails)
      : height_(height), edges_(edges), tails_(tails) {}
  std::int64_t node_count() const { return height_; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node == 0) return visit(Edge{0, 0, {}, 0});
    // branches at the top and at the bottom alone, so that there are few and long derivations
    const bool branches = edges_ > 0 || node == 1 || node + 1 == height_;
    for (std::int64_t k = 0; k < std::max<std::int64_t>(edges_, branches ? 2 : 1); ++k) {
      visit(Edge{0, k, {node - 1, node - 1}, tails_});
    }
  }

 private:
  std::int64_t height_;
  std::int64_t edges_;  // 0: two at the ends, one in between
  std::int32_t tails_;
};

// A goal whose only tail nothing derives.
struct Nothing {
  using Edge = sculpt::program::Edge<1>;
  std::int64_t node_count() const { return 2; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node == 1) visit(Edge{0, 0, {0}, 1});
  }
};

}  // namespace

TEST_CASE("programs: a derivation of 300000 edges is listed, and what differs at its ends") {
  constexpr std::int64_t height = 300000;
  const Tower tower(height, 0, 1);
  sculpt::program::Derivations<Tower> derivations;
  CHECK(derivations.count(tower, 1000) == 4);
  std::vector<std::pair<std::int64_t, std::int64_t>> ends;
  derivations.each(tower, [&](const sculpt::program::Derivation<Tower>& one) {
    REQUIRE(std::ssize(one) == height);
    ends.emplace_back(one.front().name, one[one.size() - 2].name);
  });
  CHECK(ends == std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
}

TEST_CASE("programs: what cannot be derived has no derivation to list") {
  sculpt::program::Derivations<Nothing> derivations;
  CHECK(derivations.count(Nothing(), 10) == 0);
  int visited = 0;
  derivations.each(Nothing(), [&](const auto&) { ++visited; });
  CHECK(visited == 0);
}

TEST_CASE("programs: more derivations than 2^63 are as many as can be told") {
  sculpt::program::Derivations<Tower> derivations;
  CHECK(derivations.count(Tower(62, 2, 1), max_reported) == std::int64_t{1} << 61);
  CHECK(derivations.count(Tower(200, 3, 1), max_reported) == max_reported);  // sums overflow
  CHECK(derivations.count(Tower(9, 2, 2), max_reported) == max_reported);  // products: 2^(2^8 - 1)
  CHECK(derivations.count(Tower(6, 2, 2), max_reported) == std::int64_t{1} << 31);
}

TEST_CASE("programs: the size of a frontier that no memory holds is told without overflow") {
  sculpt::program::Frontier<Tower> frontier;
  const auto one = [](const Tower::Edge&) { return sculpt::program::Counts{1, 1}; };
  frontier.begin(Tower(5, 1, 2), one, {max_reported, max_reported});  // 2^5 - 1 edges count
  CHECK(frontier.size() == sculpt::program::Counts{32, 32});
  frontier.begin(Tower(100, 1, 2), one, {max_reported, max_reported});
  CHECK(frontier.cells() == max_reported);
  const auto huge = [](const Tower::Edge&) {
    return sculpt::program::Counts{max_reported, max_reported};
  };
  frontier.begin(Tower(3, 1, 1), huge, {max_reported, 1});
  CHECK(frontier.size() == sculpt::program::Counts{max_reported, 2});
  CHECK(frontier.cells() == max_reported);
}

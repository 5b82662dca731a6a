// Programs that are deep or have more than 2^63 derivations: no deep recursion, no overflow.
#include <doctest/doctest.h>

#include <limits>
#include <sculpt/program/derivations.hpp>
#include <sculpt/program/frontier.hpp>

namespace {

constexpr std::int64_t max_reported = std::numeric_limits<std::int64_t>::max();

// Each node has `edges` edges, and all tails of an edge are the node before.
class Tower {
 public:
  using Edge = sculpt::program::Edge<2>;
  Tower(std::int64_t height, std::int64_t edges, std::int32_t tails)
      : height_(height), edges_(edges), tails_(tails) {}
  std::int64_t node_count() const { return height_; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node == 0) return visit(Edge{0, 0, {}, 0});
    // with edges = 0, only node 1 and the last node have two edges: few, long derivations
    const bool branches = edges_ > 0 || node == 1 || node + 1 == height_;
    for (std::int64_t k = 0; k < std::max<std::int64_t>(edges_, branches ? 2 : 1); ++k) {
      visit(Edge{0, k, {node - 1, node - 1}, tails_});
    }
  }

 private:
  std::int64_t height_;
  std::int64_t edges_;  // 0: two at both ends, one between
  std::int32_t tails_;
};

// The goal needs node 0, which has no derivation.
struct Underivable {
  using Edge = sculpt::program::Edge<1>;
  std::int64_t node_count() const { return 2; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node == 1) visit(Edge{0, 0, {0}, 1});
  }
};

}  // namespace

TEST_CASE("programs: derivations of 300000 edges are listed") {
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

TEST_CASE("programs: a goal that cannot be derived has no derivations") {
  sculpt::program::Derivations<Underivable> derivations;
  CHECK(derivations.count(Underivable(), 10) == 0);
  int visited = 0;
  derivations.each(Underivable(), [&](const auto&) { ++visited; });
  CHECK(visited == 0);
}

TEST_CASE("programs: more than 2^63 derivations are counted as 2^63 - 1") {
  sculpt::program::Derivations<Tower> derivations;
  CHECK(derivations.count(Tower(62, 2, 1), max_reported) == std::int64_t{1} << 61);
  CHECK(derivations.count(Tower(200, 3, 1), max_reported) == max_reported);  // sums overflow
  CHECK(derivations.count(Tower(9, 2, 2), max_reported) == max_reported);  // products: 2^(2^8 - 1)
  CHECK(derivations.count(Tower(6, 2, 2), max_reported) == std::int64_t{1} << 31);
}

TEST_CASE("programs: the size of a huge frontier does not overflow") {
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

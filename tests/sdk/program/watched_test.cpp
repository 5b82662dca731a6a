// Algorithms on a watched program (sculpt/program/watched.hpp) stop soon after a request, and poll
// rarely.
#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <sculpt/program/best.hpp>
#include <sculpt/program/derivations.hpp>
#include <sculpt/program/frontier.hpp>
#include <sculpt/program/k_best.hpp>
#include <sculpt/program/sample.hpp>
#include <sculpt/program/watched.hpp>

namespace {

// A host that requests a stop from poll number `stop_at` on.
class StoppingHost {
 public:
  StoppingHost() : host(&raw_) {}
  std::int64_t polls = 0;
  std::int64_t stop_at = 0;  // 0: never

 private:
  static const void* find(const sculpt_host*, const char* id) {
    static const sculpt_host_cancel cancel{[](const sculpt_host* host) -> std::int32_t {
      auto& self = *static_cast<StoppingHost*>(host->self);
      ++self.polls;
      return self.stop_at > 0 && self.polls >= self.stop_at ? 1 : 0;
    }};
    return std::strcmp(id, SCULPT_HOST_CANCEL) == 0 ? &cancel : nullptr;
  }
  sculpt_host raw_{sizeof(sculpt_host), {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR}, this, "0", find};

 public:
  const sculpt::Host host;
};

// Label sequences with a table of scores between neighbours. With rows if `rowed`.
template <bool rowed>
class TableChain {
 public:
  using Edge = sculpt::program::Edge<1>;
  TableChain(std::int64_t length, std::int64_t labels)
      : length_(length), labels_(labels), score_(static_cast<std::size_t>(labels * labels)) {
    for (std::size_t k = 0; k < score_.size(); ++k) score_[k] = static_cast<double>(k * k % 7);
  }
  std::int64_t node_count() const { return length_ * labels_ + 1; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    if (node < labels_) return visit(Edge{0, node, {}, 0});
    const std::int64_t k = node % labels_;
    const std::int64_t before = node / labels_ * labels_ - labels_;
    for (std::int64_t j = 0; j < labels_; ++j) {
      const bool goal = node + 1 == node_count();
      visit(Edge{goal ? 0 : score_[static_cast<std::size_t>(j * labels_ + k)],
                 j * labels_ + k,
                 {before + j},
                 1});
    }
  }
  sculpt::program::Rows rows(std::int64_t node) const requires rowed {
    if (node < labels_ || node + 1 == node_count()) return {};
    const std::int64_t first = node / labels_ * labels_;
    return {.first = first,
            .nodes = labels_,
            .tail = first - labels_,
            .tails = labels_,
            .score = score_.data(),
            .edge_stride = labels_,
            .node_stride = 1};
  }

 private:
  std::int64_t length_;
  std::int64_t labels_;
  std::vector<double> score_;
};

// Checks that run() polls between min_polls and max_polls times. If the host requests a stop at the
// first poll or in the middle, this poll must be the last.
void check_stops(StoppingHost& stopping, std::int64_t min_polls, std::int64_t max_polls,
                 const std::function<void()>& run) {
  stopping.polls = stopping.stop_at = 0;
  run();
  const std::int64_t polls = stopping.polls;
  CHECK(polls >= min_polls);
  CHECK(polls <= max_polls);
  for (const std::int64_t at : {std::int64_t{1}, (polls + 1) / 2}) {
    stopping.polls = 0;
    stopping.stop_at = at;
    try {
      run();
      FAIL("went on");
    } catch (const sculpt::Error& error) {
      CHECK(error.status() == SCULPT_E_CANCELLED);
    }
    CHECK(stopping.polls == at);
  }
  stopping.stop_at = 0;
}

}  // namespace

TEST_CASE("programs: a request to stop ends a long argmax") {
  StoppingHost stopping;
  const TableChain<false> chain(2000, 40);  // 80001 nodes, 3.2 million edges
  const sculpt::program::Watched watched(chain, stopping.host);
  sculpt::program::Best<sculpt::program::Watched<TableChain<false>>> best;
  check_stops(stopping, 10, 40, [&] { best.find(watched); });

  const TableChain<true> rowed(20000, 40);  // 32 million edges
  const sculpt::program::Watched watched_rows(rowed, stopping.host);
  sculpt::program::Best<sculpt::program::Watched<TableChain<true>>> best_of_rows;
  check_stops(stopping, 10, 60, [&] { best_of_rows.find(watched_rows); });
}

TEST_CASE("programs: a request to stop ends a long frontier") {
  StoppingHost stopping;
  const TableChain<false> chain(300, 30);  // about 80 million sums
  using Watched = sculpt::program::Watched<TableChain<false>>;
  const Watched watched(chain, stopping.host);
  sculpt::program::Frontier<Watched> frontier;
  const auto counts = [](const TableChain<false>::Edge& edge) {
    return sculpt::program::Counts{edge.name % 2, 0};
  };
  const sculpt::program::Counts limit{1000, 1};
  check_stops(stopping, 2, 10, [&] { frontier.begin(watched, counts, limit); });
  frontier.begin(watched, counts, limit);  // again, because the last one was stopped
  check_stops(stopping, 20, 300, [&] { frontier.solve(watched, counts); });
}

TEST_CASE("programs: polls depend on the number of edges, not of nodes") {
  StoppingHost stopping;
  const TableChain<false> chain(2, 4000);  // 4000 nodes of 4000 edges each, and the goal
  const sculpt::program::Watched watched(chain, stopping.host);
  sculpt::program::Best<sculpt::program::Watched<TableChain<false>>> best;
  check_stops(stopping, 50, 500, [&] { best.find(watched); });
}

TEST_CASE("programs: a request to stop ends moments, draws, the k best and listing") {
  StoppingHost stopping;
  const TableChain<false> chain(2000, 40);
  using Watched = sculpt::program::Watched<TableChain<false>>;
  const Watched watched(chain, stopping.host);
  sculpt::program::Moments<Watched> moments;
  check_stops(stopping, 10, 40, [&] { moments.log_z(watched); });
  check_stops(stopping, 10, 40, [&] { moments.marginals(watched, [](const auto&, double) {}); });
  sculpt::program::Sampler<Watched> sampler;
  check_stops(stopping, 10, 40, [&] { sampler.prepare(watched); });
  sculpt::program::KBest<Watched> ranked;
  check_stops(stopping, 10, 40, [&] { ranked.begin(watched); });
  sculpt::program::Derivations<Watched> derivations;
  check_stops(stopping, 10, 40, [&] { derivations.count(watched, 10); });
  const TableChain<false> few(200000, 1);
  const Watched watched_few(few, stopping.host);
  derivations.count(watched_few, 10);
  check_stops(stopping, 10, 60, [&] { derivations.each(watched_few, [](const auto&) {}); });
}

TEST_CASE("programs: the k best can continue after a request to stop") {
  StoppingHost stopping;
  const TableChain<false> chain(50000, 4);
  using Watched = sculpt::program::Watched<TableChain<false>>;
  const Watched watched(chain, stopping.host);
  sculpt::program::KBest<Watched> expected, ranked;
  expected.begin(watched);
  ranked.begin(watched);
  sculpt::program::Derivation<Watched> one, other;
  int stops = 0;
  for (std::int64_t rank = 0; rank < 20; ++rank) {
    const double value = expected.find(rank, one);
    stopping.polls = 0;
    stopping.stop_at = 1;
    try {
      ranked.find(rank, other);
    } catch (const sculpt::Error&) {
      ++stops;
    }
    stopping.stop_at = 0;
    REQUIRE(ranked.find(rank, other) == value);
    REQUIRE(std::equal(one.begin(), one.end(), other.begin(), other.end(),
                       [](const auto& a, const auto& b) { return a.name == b.name; }));
  }
  CHECK(stops > 0);
}

// A rank that fails: what the other ranks throw, and how soon.

#include <doctest/doctest.h>

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/cancelled.hpp"
#include "base/stopwatch.hpp"
#include "core/parallel/ranks/thread_transport.hpp"
#include "parallel/ranks/ranks.hpp"

using namespace sculpt::core;

namespace {

// All ranks must have thrown this RankFailure.
void check_rank_failures(const std::vector<RankEnd>& ends, Exit exit, const std::string& text) {
  for (const RankEnd& end : ends) {
    CHECK(end.is_rank_failure);
    CHECK(end.exit == exit);
    CHECK(end.text == text);
  }
}

// The step of rank k throws what fail(k) throws.
std::vector<RankEnd> ends_of_step(int count, const std::function<void(int)>& fail) {
  return run_thread_ranks(count, [&](Ranks& ranks) {
    ranks.together("before", [] {});
    ranks.together("the work", [&] { fail(ranks.rank()); });
  });
}

}  // namespace

TEST_CASE("threads: if a rank fails in a step, all throw its failure, with its name") {
  for (int failing = 0; failing < 3; ++failing) {
    check_rank_failures(
        ends_of_step(3,
                     [&](int rank) {
                       if (rank == failing) {
                         throw Failure(Exit::data, "a.txt:3: no label", "\n  write one");
                       }
                     }),
        Exit::data,
        "rank " + std::to_string(failing) + " of 3 on host0: a.txt:3: no label; write one");
  }
}

TEST_CASE("threads: if two ranks fail, all throw the failure of the first") {
  check_rank_failures(ends_of_step(4,
                                   [](int rank) {
                                     if (rank == 1) throw Failure(Exit::plugin, "oracle");
                                     if (rank == 3) throw Failure(Exit::data, "file");
                                   }),
                      Exit::plugin, "rank 1 of 4 on host0: oracle");
}

TEST_CASE("threads: if all ranks fail alike, the failure names no rank") {
  check_rank_failures(ends_of_step(3, [](int) { throw Failure(Exit::missing, "no file x"); }),
                      Exit::missing, "no file x");
  // The same text with another code is another failure.
  check_rank_failures(
      ends_of_step(2, [](int rank) { throw Failure(rank == 0 ? Exit::missing : Exit::data, "x"); }),
      Exit::missing, "rank 0 of 2 on host0: x");
}

TEST_CASE("threads: other exceptions become failures too") {
  check_rank_failures(ends_of_step(2,
                                   [](int rank) {
                                     if (rank == 1) throw std::bad_alloc();
                                   }),
                      Exit::memory, "rank 1 of 2 on host0: out of memory");
  check_rank_failures(ends_of_step(2,
                                   [](int rank) {
                                     if (rank == 0) throw std::logic_error("wrong");
                                   }),
                      Exit::internal, "rank 0 of 2 on host0: internal error: wrong");
}

TEST_CASE("threads: if one rank is cancelled all are, unless another fails") {
  for (const RankEnd& end : ends_of_step(3, [](int rank) {
         if (rank == 2) throw Cancelled();
       })) {
    CHECK(end.is_failure);
    CHECK_FALSE(end.is_rank_failure);
    CHECK(end.exit == Exit::interrupted);
  }
  check_rank_failures(ends_of_step(3,
                                   [](int rank) {
                                     if (rank == 0) throw Cancelled();
                                     if (rank == 2) throw Failure(Exit::data, "bad");
                                   }),
                      Exit::data, "rank 2 of 3 on host0: bad");
}

TEST_CASE("threads: after a cancelled step the ranks can go on") {
  const auto ends = run_thread_ranks(3, [](Ranks& ranks) {
    CHECK_THROWS_AS(ranks.together("work",
                                   [&] {
                                     if (ranks.rank() == 1) throw Cancelled();
                                   }),
                    Cancelled);
    const std::string own = std::to_string(ranks.rank());
    CHECK(ranks.gather("more", [&] { return std::string_view(own); }).back() == "2");
    CHECK(ranks.end(0, nullptr, {}) == 0);
  });
  CHECK(all_returned(ends));
}

TEST_CASE(
    "threads: a rank that fails outside of a step is reported at the next step of the others") {
  bool has_printed = false;
  const auto ends = run_thread_ranks(3, [&](Ranks& ranks) {
    if (ranks.rank() == 1) {
      const Failure failure(Exit::write_failed, "disk full");
      ranks.end(74, &failure, [&] { has_printed = true; });
    } else {
      ranks.together("work", [] {});
    }
  });
  check_rank_failures(ends, Exit::write_failed, "rank 1 of 3 on host0: disk full");
  CHECK_FALSE(has_printed);
}

TEST_CASE("threads: a rank without memory between two messages ends all at once") {
  std::string printed;
  const auto ends = run_thread_ranks(3, [&](Ranks& ranks) {
    ranks.together("work", [] {});
    if (ranks.rank() != 1) {  // waits for the message of the rank that fails
      const std::vector<std::int64_t> sizes = {1, 1, 1};
      std::string all(3, ' ');
      return ranks.gather_blocks(std::string("x"), sizes, all);
    }
    try {
      ranks.between_messages([] { throw std::bad_alloc(); });
    } catch (const Failure& failure) {
      CHECK(failure.exit_code() == Exit::memory);
      ranks.end(71, &failure, [&] { printed = failure.what(); });
    }
  });
  CHECK(printed == "out of memory");
  for (const RankEnd& end : ends) {
    CHECK(end.is_abort);
    CHECK(end.exit == Exit::memory);
  }
}

TEST_CASE("threads: all ranks end with the exit code of the first") {
  const auto ends = run_thread_ranks(3, [](Ranks& ranks) {
    ranks.together("work", [] {});
    CHECK(ranks.end(ranks.is_first() ? 3 : 0, nullptr, {}) == 3);
  });
  CHECK(all_returned(ends));
}

TEST_CASE("threads: a rank that fails while the others are busy ends all of them within a second") {
  for (const bool is_in_step : {false, true}) {
    CAPTURE(is_in_step);
    int printed = 0;
    double seconds = 0;
    const auto ends = run_thread_ranks(2, [&](Ranks& ranks) {
      const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1500)); };
      if (ranks.rank() == 0) return ranks.together("long work", wait);
      const Stopwatch watch;
      const Failure failure(Exit::plugin, "oracle crashed");
      if (is_in_step) {
        const auto step = [&] { ranks.together("long work", [&] { throw Failure(failure); }); };
        CHECK_THROWS_WITH_AS(step(), "oracle crashed", Failure);
        // It has left the others, so it makes no further step.
        CHECK_THROWS_WITH_AS(ranks.together("more", [] { FAIL("runs"); }), "oracle crashed",
                             Failure);
      }
      try {
        ranks.end(69, &failure, [&] { ++printed; });
      } catch (const RanksAborted&) {
        seconds = watch.seconds();
        throw;
      }
    });
    CHECK(printed == 1);
    CHECK(seconds > 0.3);
    CHECK(seconds < 1.2);
    for (const RankEnd& end : ends) {
      CHECK(end.is_abort);
      CHECK(static_cast<int>(end.exit) == 69);
    }
  }
}

TEST_CASE("threads: ranks at different steps are found, and both are named") {
  const auto ends = run_thread_ranks(3, [](Ranks& ranks) {
    ranks.together("before", [] {});
    ranks.together(ranks.rank() == 1 ? "the sums" : "the planes", [] {});
  });
  check_rank_failures(ends, Exit::internal,
                      "rank 1 on host0 is at step 1, the sums, and rank 0 on host0 at step 1, the "
                      "planes: they computed different numbers; use machines of one kind");
  const auto early = run_thread_ranks(2, [](Ranks& ranks) {
    if (ranks.rank() == 1) ranks.together("one step more", [] {});
    ranks.end(0, nullptr, {});
  });
  for (const RankEnd& end : early) {
    CHECK(end.exit == Exit::internal);
    CHECK(end.text.find("rank 1 on host0 is at step 0, one step more, and rank 0 on host0 at step "
                        "0, end") == 0);
  }
}

TEST_CASE("threads: the name of a step may have any length") {
  const std::string long_name(100, 'x');
  const auto ends = run_thread_ranks(2, [&](Ranks& ranks) {
    for (int k = 0; k < 3; ++k) ranks.together(long_name.c_str(), [] {});
  });
  CHECK(all_returned(ends));
}

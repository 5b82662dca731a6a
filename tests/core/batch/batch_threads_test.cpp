#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/failure.hpp"
#include "core/batch/listed_batch.hpp"

namespace sculpt::core {
namespace {

constexpr int kinds[] = {SCULPT_BATCH_HINGE,    SCULPT_BATCH_PERCEPTRON,
                         SCULPT_BATCH_LOG_LOSS, SCULPT_BATCH_SOFTMAX_MARGIN,
                         ListedBatch::best,     ListedBatch::log_z};

ListedBatch many_chains(bool share_table) {
  std::vector<std::int64_t> lengths;
  for (int k = 0; k < 150; ++k) lengths.push_back(k * 7 % 13);
  ListedBatch batch = listed_chains(lengths, 5, share_table);
  batch.draw(21, 0.1);
  return batch;
}

}  // namespace

TEST_CASE("threads: a batch gives the same bytes on one, two and three threads") {
  OpenBatch one("viterbi", 1);
  OpenBatch two("viterbi", 2);
  OpenBatch three("viterbi", 3);
  for (const bool share_table : {true, false}) {
    const ListedBatch batch = many_chains(share_table);
    for (const int kind : kinds) {
      CAPTURE(kind);
      const Computed expected = one.compute(kind, batch);
      CHECK(two.compute(kind, batch) == expected);
      CHECK(three.compute(kind, batch) == expected);
      CHECK(three.compute(kind, batch) == expected);  // with sessions that know the graphs
    }
  }
}

TEST_CASE("threads: several threads share a batch and its graphs in turns") {
  OpenBatch solver("viterbi", 2);
  const ListedBatch batch = many_chains(true);
  const OpenGraphs graphs(batch);
  const Computed expected = solver.compute(SCULPT_BATCH_LOG_LOSS, graphs, batch);
  std::atomic<int> equal = 0;
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k) {
    callers.emplace_back([&] {
      for (int turn = 0; turn < 5; ++turn) {
        if (solver.compute(SCULPT_BATCH_LOG_LOSS, graphs, batch) == expected) ++equal;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(equal == 15);
}

TEST_CASE("threads: batches open and compute at the same time") {
  const ListedBatch batch = many_chains(true);
  const Computed expected = OpenBatch("viterbi").compute(SCULPT_BATCH_LOG_LOSS, batch);
  std::atomic<int> equal = 0;
  std::vector<std::thread> callers;
  for (int k = 0; k < 4; ++k) {
    callers.emplace_back([&] {
      for (const char* const name : {"viterbi", "enumerate", "viterbi"}) {
        OpenBatch solver(name);
        ListedBatch small = listed_chains({3, 2}, 3, true);
        small.draw(1);
        if (solver.compute(ListedBatch::best, small).exact.front() != 1) return;
        if (name != std::string("viterbi")) continue;
        if (solver.compute(SCULPT_BATCH_LOG_LOSS, batch) == expected) ++equal;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(equal == 8);
}

TEST_CASE("threads: a call of a batch stops on request, and the next one runs") {
  OpenBatch solver("enumerate", 2);
  ListedBatch batch;  // would take a minute
  for (int i = 0; i < 2000; ++i) {
    batch.add_example(std::vector<std::int32_t>(16, 2));
    for (std::int32_t v = 1; v < 16; ++v) batch.add_factor({v - 1, v});
  }
  batch.draw(1);
  const OpenGraphs graphs(batch);
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sculpt_batch_stop(solver.get());
  });
  try {
    (void)solver.compute(SCULPT_BATCH_LOG_LOSS, graphs, batch);
    FAIL("the call was not stopped");
  } catch (const Failure& failure) {
    CHECK(failure.exit_code() == Exit::interrupted);
  }
  stopper.join();
  const ListedBatch small = listed_graphs(1);
  CHECK(solver.compute(SCULPT_BATCH_HINGE, small).exact.front() == 1);
  sculpt_batch_stop(solver.get());  // the next one
  CHECK_THROWS_AS((void)solver.compute(SCULPT_BATCH_HINGE, small), Failure);
  CHECK(solver.compute(SCULPT_BATCH_HINGE, small).exact.front() == 1);
}

TEST_CASE("batch: a child process is told to open its own, and frees without a hang") {
  auto solver = std::make_unique<OpenBatch>("viterbi", 2);
  const ListedBatch batch = many_chains(true);
  (void)solver->compute(SCULPT_BATCH_HINGE, batch);
  const pid_t child = fork();
  if (child == 0) {
    int result = 1;
    try {
      (void)solver->compute(SCULPT_BATCH_HINGE, batch);
    } catch (const Failure& failure) {
      const bool says_so = std::string(failure.what()).find("fork()") != std::string::npos;
      result = says_so && failure.exit_code() == Exit::usage ? 0 : 2;
    }
    solver.reset();
    _exit(result);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace sculpt::core

// rank_fault.cpp - a Hamming loss that fails on one rank, after some calls of an oracle.
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <sculpt/sculpt.hpp>
#include <string>
#include <thread>

namespace {

// Set by mpirun. -1: without it.
std::int64_t own_rank() {
  const char* const text = std::getenv("OMPI_COMM_WORLD_RANK");
  return text == nullptr ? -1 : std::atoi(text);
}

// A real SIGSEGV, which no sanitizer reports before it happens.
void touch_page() {
  void* const page = mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

class RankFault {
 public:
  static constexpr sculpt::About about{"org.test.rank_fault", "1.0.0",
                                       "counts wrong labels, and fails on one rank, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("how", "\"none\"", "none|error|segv|exit|sleep|kill|term", "what happens"),
      sculpt::integer("rank", "1", -1, 1000, "on which rank; -1: in a process without ranks"),
      sculpt::integer("calls", "100", 0, 1000000, "after so many calls"),
      sculpt::integer("sleeping", "-2", -2, 1000, "the rank whose call after these takes 10 s"),
      sculpt::integer("microseconds", "0", 0, 1000000, "of each call")};
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("wrong", "wrong labels")};
  static constexpr std::int64_t sum_count = 1;

  explicit RankFault(const sculpt::Parameters& given)
      : how_(given.choice("how")),
        rank_(given.integer("rank")),
        calls_(given.integer("calls")),
        sleeping_(given.integer("sleeping")),
        microseconds_(given.integer("microseconds")) {}

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
    count_call();
    return wrong;
  }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    for (std::size_t v = 0; v < truth.size(); ++v) {
      for (std::int32_t k = 0; k < graph.states[v]; ++k) {
        theta[graph.table[v] + k] += k == truth[v] ? 0 : scale;
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds_));
    count_call();
  }
  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    sums[0] += loss(truth, guess);
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    values[0] = sums[0];
  }

 private:
  void count_call() const {
    if (++done_ == calls_) fail();
  }
  void fail() const {
    if (own_rank() == sleeping_) std::this_thread::sleep_for(std::chrono::seconds(10));
    if (own_rank() != rank_) return;
    if (how_ == "error") throw sculpt::Error(SCULPT_E_INTERNAL, "this rank has had enough");
    if (how_ == "segv") touch_page();
    if (how_ == "exit") std::exit(0);
    if (how_ == "sleep") std::this_thread::sleep_for(std::chrono::seconds(10));
    if (how_ == "kill") raise(SIGKILL);
    if (how_ == "term") raise(SIGTERM);
  }

  const std::string how_;
  const std::int64_t rank_;
  const std::int64_t calls_;
  const std::int64_t sleeping_;
  const std::int64_t microseconds_;
  mutable std::atomic<std::int64_t> done_{0};
};

}  // namespace

SCULPT_PLUGIN("rank_fault", "1.0.0", "Apache-2.0", sculpt::Loss<RankFault>)

// slow.cpp - a Hamming loss that waits until the host asks it to stop, or that throws bad_alloc.
// For tests of limits.
#include <atomic>
#include <chrono>
#include <new>
#include <sculpt/sculpt.hpp>
#include <string>
#include <thread>

namespace {

class Slow {
 public:
  static constexpr sculpt::About about{"org.test.slow", "1.0.0",
                                       "waits to be cancelled, or lacks memory, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("at", "\"never\"", "never|bind|separate|measure", "where"),
      sculpt::choice("what", "\"wait\"", "wait|no_memory", "what it does there"),
      sculpt::integer("free_calls", "0", 0, 1000000, "how often it does not, in separation")};
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("wrong", "wrong labels")};
  static constexpr std::int64_t sum_count = 1;

  Slow(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        at_(given.choice("at")),
        what_(given.choice("what")),
        free_calls_(given.integer("free_calls")) {}

  void bind(const sculpt::Bindings&) const { wait_or_fail_at("bind"); }

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
    return wrong;
  }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    if (++calls_ > free_calls_) wait_or_fail_at("separate");
    for (std::size_t v = 0; v < truth.size(); ++v) {
      for (std::int32_t k = 0; k < graph.states[v]; ++k) {
        theta[graph.table[v] + k] += k == truth[v] ? 0 : scale;
      }
    }
  }

  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    wait_or_fail_at("measure");
    sums[0] += loss(truth, guess);
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    values[0] = sums[0];
  }

 private:
  void wait_or_fail_at(const std::string& place) const {
    if (at_ != place) return;
    if (what_ == "no_memory") throw std::bad_alloc();
    while (true) {
      host_.throw_if_cancelled();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  const sculpt::Host host_;
  const std::string at_;
  const std::string what_;
  const std::int64_t free_calls_;
  mutable std::atomic<std::int64_t> calls_ = 0;
};

}  // namespace

SCULPT_PLUGIN("slow", "1.0.0", "Apache-2.0", sculpt::Loss<Slow>)

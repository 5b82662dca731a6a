// alarm.cpp - a Hamming loss that sends signals to its own process at a chosen place. Tests of
// signals then need no clock.
#include <algorithm>
#include <csignal>
#include <sculpt/sculpt.hpp>

#ifndef ALARM_VERSION
#define ALARM_VERSION "1.0.0"
#endif

namespace {

class Alarm {
 public:
  static constexpr sculpt::About about{"org.test.alarm", ALARM_VERSION,
                                       "counts wrong labels and raises signals, for tests"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("at", "\"never\"", "never|bind|measured", "when: at bind, or behind a split"),
      sculpt::choice("signal", "\"int\"", "int|term|hup|int_term|int_int|term_hup|hup_term",
                     "what is raised")};
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("wrong", "wrong labels")};
  static constexpr std::int64_t sum_count = 1;

  explicit Alarm(const sculpt::Parameters& given)
      : at_(given.choice("at")), signal_(given.choice("signal")) {}

  void bind(const sculpt::Bindings&) const { raise_signals_at("bind"); }

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double wrong = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) wrong += truth[t] != guess[t] ? 1 : 0;
    return wrong;
  }
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    for (std::size_t v = 0; v < truth.size(); ++v) {
      for (std::int32_t k = 0; k < graph.states[v]; ++k) {
        theta[graph.table[v] + k] += k == truth[v] ? 0 : scale;
      }
    }
  }

  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    sums[0] += loss(truth, guess);
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    values[0] = sums[0];
    raise_signals_at("measured");
  }

 private:
  void raise_signals_at(const std::string& place) const {
    if (at_ != place) return;
    if (signal_.starts_with("hup")) std::raise(SIGHUP);
    if (signal_.starts_with("int")) std::raise(SIGINT);
    if (signal_ == "int_int") std::raise(SIGINT);
    if (signal_.find("term") != std::string::npos) std::raise(SIGTERM);
    if (signal_ == "term_hup") std::raise(SIGHUP);
  }

  const std::string at_;
  const std::string signal_;
};

}  // namespace

SCULPT_PLUGIN("alarm", ALARM_VERSION, "Apache-2.0", sculpt::Loss<Alarm>)

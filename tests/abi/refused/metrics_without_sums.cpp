// expect: metrics need metrics[], sum_count, add_metrics(example, truth, guess, sums)
#include <sculpt/sculpt.hpp>

struct Measured {
  static constexpr sculpt::About about{"org.example.measured", "1.0.0", "has no sum_count"};
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("error", "share of the examples")};
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
  void add_metrics(std::int64_t, sculpt::Labels, sculpt::Labels, std::span<double>) const {}
  void finish_metrics(std::span<const double>, std::span<double>) const {}
};
SCULPT_PLUGIN("measured", "1.0.0", "Apache-2.0", sculpt::Loss<Measured>)

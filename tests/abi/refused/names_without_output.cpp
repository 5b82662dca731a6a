// expect: names need void weight_name(std::int64_t weight, ByteOutput&) const
#include <sculpt/sculpt.hpp>

struct Named {
  static constexpr sculpt::About about{"org.example.named", "1.0.0", "returns names as strings"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
  std::string weight_name(std::int64_t) const { return "one"; }
};
SCULPT_PLUGIN("named", "1.0.0", "Apache-2.0", sculpt::Features<Named>)

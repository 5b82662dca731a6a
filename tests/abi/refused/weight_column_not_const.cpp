// expect: weight columns need std::int64_t weight_column(std::int64_t weight) const
#include <sculpt/sculpt.hpp>

struct Wrong {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has a non-const column"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  std::int64_t weight_column(std::int64_t) { return 0; }
};
SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Features<Wrong>)

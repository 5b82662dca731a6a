// expect: a task needs argmax(const Query&, Answer&), const or in its Session
#include <sculpt/sculpt.hpp>

struct Wrong {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has no oracle"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};
SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Task<Wrong>)

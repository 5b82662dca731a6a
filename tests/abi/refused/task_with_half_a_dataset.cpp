// expect: a task with load also needs int64_t count() const
#include <sculpt/sculpt.hpp>

struct HalfTask {
  static constexpr sculpt::About about{"org.example.half", "1.0.0", "has load but no truth"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.exact(0); }
};
SCULPT_PLUGIN("half", "1.0.0", "Apache-2.0", sculpt::Task<HalfTask>)

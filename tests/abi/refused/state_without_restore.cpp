// expect: state needs both void save(StateWriter&) const and void restore(StateReader&)
#include <sculpt/sculpt.hpp>

struct SaveOnly {
  static constexpr sculpt::About about{"org.example.forgetful", "1.0.0", "saves only"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
  void save(sculpt::StateWriter& writer) const { writer.integer(1); }
};
SCULPT_PLUGIN("forgetful", "1.0.0", "Apache-2.0", sculpt::Features<SaveOnly>)

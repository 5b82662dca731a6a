// expect: an oracle class needs argmax(const Query&, Answer&), const or in its Session
#include <sculpt/sculpt.hpp>

struct Wrong {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has a non-const argmax"};
  void argmax(const sculpt::Query&, sculpt::Answer&) {}
};
SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Oracle<Wrong>)

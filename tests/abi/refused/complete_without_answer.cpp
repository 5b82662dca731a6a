// expect: complete needs void complete(const Query&, Answer&), const or in its Session
#include <sculpt/sculpt.hpp>

struct Half {
  static constexpr sculpt::About about{"org.example.half", "1.0.0", "completes without an answer"};
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
  std::vector<std::int32_t> complete(const sculpt::Query&) const { return {}; }
};

SCULPT_PLUGIN("half", "1.0.0", "MIT", sculpt::Oracle<Half>)

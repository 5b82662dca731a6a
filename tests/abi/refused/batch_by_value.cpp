// expect: answers in batches need void argmax_batch(sculpt::Batch&), const or in its Session
#include <sculpt/sculpt.hpp>

struct Half {
  static constexpr sculpt::About about{"org.example.half", "1.0.0", "takes queries alone"};
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.no_output(); }
  void argmax_batch(std::span<const sculpt::Query>, std::span<sculpt::Answer>) const {}
};

SCULPT_PLUGIN("half", "1.0.0", "MIT", sculpt::Oracle<Half>)

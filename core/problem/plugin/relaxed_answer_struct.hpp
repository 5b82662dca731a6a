// relaxed_answer_struct.hpp - passes an Answer to a component as the struct of a relaxed answer
// (sculpt/ext/cut.h).
//
// Called by the oracles and by check. The label buffer moves into the struct and back. The
// destructor moves it back, because a component may have enlarged it.
#pragma once

#include <sculpt/ext/cut.h>

#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

class RelaxedAnswerStruct {
 public:
  explicit RelaxedAnswerStruct(Answer& answer) : answer_(answer), raw_{} {
    raw_.struct_size = sizeof raw_;
    raw_.labels = answer.raw()->labels;
  }
  ~RelaxedAnswerStruct() { answer_.raw()->labels = raw_.labels; }
  RelaxedAnswerStruct(const RelaxedAnswerStruct&) = delete;
  RelaxedAnswerStruct& operator=(const RelaxedAnswerStruct&) = delete;

  sculpt_cut* raw() { return &raw_; }

  // Copies the struct into the answer. The sizes of its buffers are checked elsewhere.
  void copy_to_answer() {
    sculpt_answer& answer = *answer_.raw();
    answer.flags = raw_.flags & ~static_cast<std::uint32_t>(SCULPT_CUT_FRACTIONAL);
    answer.value = raw_.value;
    answer.bound = raw_.bound;
    answer_.info.fractional = (raw_.flags & SCULPT_CUT_FRACTIONAL) != 0;
    answer_.info.loss = raw_.loss;
  }

 private:
  Answer& answer_;
  sculpt_cut raw_;
};

}  // namespace sculpt::core

// batch_quantity.hpp - what a call of a batch computes for each example.
//
//   value = A - B,    A = max or log sum exp over y of score(y) + Delta(t, y)
//
// B is the score of the truth t for a loss, else 0. Made by library/, read by Batch and TaskBatch.
#pragma once

namespace sculpt::core {

struct BatchQuantity {
  const char* function;  // of the API, for messages
  bool sums;             // A is log sum exp, else a maximum
  bool is_loss = false;
  bool has_delta = false;
};

}  // namespace sculpt::core

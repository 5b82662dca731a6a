// loo_runs.hpp - the experiment that the tests of loo share.
//
// Used by the tests loo_*_test.cpp.
#pragma once

#include "command/kernel_runs.hpp"

namespace sculpt::test {

// Three classes in turn.
inline Json multiclass_of(int rows, double C = 20) {
  Json experiment =
      with(multiclass_experiment(), "/dataset/train/text", class_text(class_rows(rows)));
  return with(experiment, "/solver/C", C);
}

}  // namespace sculpt::test

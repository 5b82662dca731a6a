// Runs with kernels on larger data have the optima of kernlab's spoc-svc. Label "slow".

#include "command/kernlab_duals.hpp"

using namespace sculpt::test;

TEST_CASE("the data: kernels have the duals of kernlab on optdigits") {
  compare_with_kernlab("optdigits", 1e-4);
}

TEST_CASE("the data: kernels have the dual of kernlab on letter") {
  compare_with_kernlab("letter", 1e-3);
}

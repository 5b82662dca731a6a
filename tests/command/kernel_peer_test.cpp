// Runs with kernels have the optima of kernlab's spoc-svc.

#include "command/kernlab_duals.hpp"

using namespace sculpt::test;

TEST_CASE("kernels have the duals of kernlab on four noisy classes") {
  compare_with_kernlab("rows", 1e-7);
}

TEST_CASE("the data: kernels have the dual of kernlab on vowel") {
  compare_with_kernlab("vowel", 1e-6);
}

TEST_CASE("the data: kernels have the dual of kernlab on satimage") {
  compare_with_kernlab("satimage", 1e-3);
}

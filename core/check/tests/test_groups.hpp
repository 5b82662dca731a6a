// test_groups.hpp - the tests of `sculpt check`, grouped by the part of their name before the dot.
//
// Each test runs in a process of its own (test_process.hpp) and reports through TestContext. An
// uncaught Failure is an error of the component that it names. Called by check_run and
// experiment_test_runner.
#pragma once

#include <span>
#include <vector>

#include "check/fixture/test_fixture.hpp"
#include "check/system/test_context.hpp"
#include "registry/library.hpp"

namespace sculpt::core {

// A test of one experiment.
struct ExperimentTest {
  const char* name;  // "oracle.exact"
  void (*run)(TestFixture& fixture, TestContext& context);
};

// A test of a library, without any data.
struct LibraryTest {
  const char* name;
  void (*run)(const Library& library, const CheckOptions& options, TestContext& context);
};

std::span<const ExperimentTest> dataset_tests();
std::span<const ExperimentTest> place_tests();
std::span<const ExperimentTest> site_tests();
std::span<const ExperimentTest> part_tests();
std::span<const ExperimentTest> memory_tests();
std::span<const ExperimentTest> cached_tests();
std::span<const ExperimentTest> loss_tests();
std::span<const ExperimentTest> loss_count_tests();
std::span<const ExperimentTest> metric_tests();
std::span<const ExperimentTest> feature_tests();
std::span<const ExperimentTest> weight_tests();
std::span<const ExperimentTest> column_tests();
std::span<const ExperimentTest> row_block_tests();
std::span<const ExperimentTest> kernel_tests();
std::span<const ExperimentTest> kept_atom_tests();
std::span<const ExperimentTest> explicit_row_tests();
std::span<const ExperimentTest> score_tests();
std::span<const ExperimentTest> score_prediction_tests();
std::span<const ExperimentTest> oracle_tests();
std::span<const ExperimentTest> every_example_tests();
std::span<const ExperimentTest> oracle_convexity_tests();
std::span<const ExperimentTest> oracle_repeat_tests();
std::span<const ExperimentTest> batch_tests();
std::span<const ExperimentTest> batch_value_tests();
std::span<const ExperimentTest> oracle_size_tests();
std::span<const ExperimentTest> map_solver_tests();
std::span<const ExperimentTest> map_relaxed_tests();
std::span<const ExperimentTest> map_repeat_tests();
std::span<const ExperimentTest> map_distribution_tests();
std::span<const ExperimentTest> interrupted_sequence_tests();
std::span<const ExperimentTest> complete_tests();
std::span<const ExperimentTest> relaxed_tests();
std::span<const ExperimentTest> frontier_tests();
std::span<const ExperimentTest> distribution_tests();
std::span<const ExperimentTest> witness_tests();
std::span<const ExperimentTest> session_tests();
std::span<const ExperimentTest> state_tests();
std::span<const ExperimentTest> state_damage_tests();
std::span<const ExperimentTest> state_width_tests();
std::span<const ExperimentTest> leak_tests();
std::span<const ExperimentTest> extension_tests();

// Returns all tests of an experiment, in the order in which they run.
std::vector<ExperimentTest> experiment_tests();

std::span<const LibraryTest> library_tests();

void features_shape_test(TestFixture& fixture, TestContext& context);  // one of feature_tests()
void dataset_shape_test(TestFixture& fixture, TestContext& context);   // one of dataset_tests()

}  // namespace sculpt::core

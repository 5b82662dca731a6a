// The order of the tests of an experiment.

#include "check/tests/test_groups.hpp"

namespace sculpt::core {

std::vector<ExperimentTest> experiment_tests() {
  std::vector<ExperimentTest> all;
  for (const auto tests : {dataset_tests(),
                           place_tests(),
                           site_tests(),
                           part_tests(),
                           memory_tests(),
                           cached_tests(),
                           loss_tests(),
                           loss_count_tests(),
                           metric_tests(),
                           feature_tests(),
                           weight_tests(),
                           column_tests(),
                           row_block_tests(),
                           kernel_tests(),
                           kept_atom_tests(),
                           explicit_row_tests(),
                           score_tests(),
                           score_prediction_tests(),
                           every_example_tests(),
                           oracle_tests(),
                           oracle_convexity_tests(),
                           oracle_repeat_tests(),
                           batch_tests(),
                           batch_value_tests(),
                           oracle_size_tests(),
                           complete_tests(),
                           relaxed_tests(),
                           map_solver_tests(),
                           map_repeat_tests(),
                           map_relaxed_tests(),
                           map_distribution_tests(),
                           interrupted_sequence_tests(),
                           frontier_tests(),
                           distribution_tests(),
                           witness_tests(),
                           session_tests(),
                           state_tests(),
                           state_damage_tests(),
                           state_width_tests(),
                           leak_tests(),
                           extension_tests()}) {
    all.insert(all.end(), tests.begin(), tests.end());
  }
  return all;
}

}  // namespace sculpt::core

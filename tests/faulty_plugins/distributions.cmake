# Faults in expectations, k best outputs, draws and the frontier of an oracle.
foreach(wrong log_z k_best_repeats k_best_ends sample_not_repeatable sample_ignores_seed slice_refused)
  sculpt_add_mutant(${wrong} ${folding} [[}  // namespace

SCULPT_PLUGIN("folding", "1.0.0", "Apache-2.0", sculpt::Dataset<Words>, sculpt::Features<Folding>,
              sculpt::Oracle<sculpt::ProgramOracle<Folding>>)]] "}
#include \"wrong_tables.hpp\"
using Mutant = WrongOracle<Folding, Wrong::${wrong}>;
SCULPT_PLUGIN(\"folding\", \"1.0.0\", \"Apache-2.0\", sculpt::Dataset<Words>, sculpt::Features<Folding>, sculpt::Oracle<Mutant>)")
  target_include_directories(mutant_${wrong} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()
sculpt_add_mutant(mean_squared ${folding}
  [[pairings_->second(edge))), factor);]] [[pairings_->second(edge))), factor * factor);]])

# The k best outputs with a loss that is no sum over the parts of an output. The first is correct.
set(positions ${CMAKE_CURRENT_SOURCE_DIR}/positions.cpp)
set(loss_of_k_best [[const double loss_weight = query.loss_weight;]])
sculpt_add_mutant(positions_correct ${positions} "${loss_of_k_best}"
  "const double loss_weight = query.loss_weight;")
sculpt_add_mutant(k_best_without_loss ${positions} "${loss_of_k_best}"
  [[const double loss_weight = 0;]])
sculpt_add_mutant(k_best_refuses_loss ${positions} "${loss_of_k_best}"
  [[const double loss_weight = query.loss_weight;
      if (loss_weight > 0) throw sculpt::unsupported_error("ranks outputs without a loss only");]])

# These report EXACT for outputs that are not the best.
sculpt_add_mutant(icm_exact ${plugins}/icm/icm.cpp [[answer.found(maximum);]]
  [[answer.exact(maximum);]])
sculpt_add_mutant(viterbi_greedy ${plugins}/viterbi/viterbi.cpp
  [[double value = best[k] + column[k * stride];]] [[double value = best[k];]] ${viterbi_unchanged})

# These report TRUTH_OUTSIDE for a truth that the oracle can find, or do not report it for one that
# the oracle cannot find.
sculpt_add_mutant(truth_wrongly_outside ${folding}
  [[bool covers(std::int64_t, sculpt::Labels) const { return true; }]]
  [[bool covers(std::int64_t example, sculpt::Labels) const { return example != 1; }]])
sculpt_add_mutant(truth_wrongly_inside ${folding} [[word.y[i] = open.back();]] "")

# Faults in expectations, k best assignments and draws of a map_solver.
file(READ ${plugins}/viterbi/viterbi.cpp text)
string(REGEX MATCH "SCULPT_PLUGIN[^)]*" plugin_line "${text}")
foreach(wrong
    map_isolated map_marginals map_covariance_sign map_tie_skipped map_order map_ends_early
    map_sample_best map_sample_not_repeatable map_sample_ignores_seed map_k_best_restarts
    map_sample_follows_solve)
  sculpt_add_mutant(${wrong} ${plugins}/viterbi/viterbi.cpp "${plugin_line}"
    "#include \"wrong_distribution.hpp\"
using Mutant = WrongSolver<Viterbi, Wrong::${wrong}>;
SCULPT_PLUGIN(\"viterbi\", \"1.0.0\", \"Apache-2.0\", sculpt::MapSolver<Mutant>"
    ${viterbi_unchanged})
  target_include_directories(mutant_${wrong} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()

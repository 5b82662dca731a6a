// zoo_verdicts.hpp - the plugins of the zoo, and what sculpt check has to find wrong with each.
#pragma once

namespace sculpt::test {

// What must be found, and by which test.
struct Expected {
  const char* plugin;
  const char* test;
  const char* verdict;
  const char* text;  // in its reasons
};

inline constexpr Expected verdicts[] = {
    {"segfault", "oracle.value", "crash",
     "\"tagger: example 2: crashed in argmax (SIGSEGV)\",\"its process was ended by SIGSEGV "
     "(Segmentation fault), in the middle of: example 2,"},
    {"exit", "oracle.value", "crash", "ended itself with exit code 3"},
    {"exit_well", "oracle.value", "crash", "ended itself with exit code 0, in the middle of: ex"},
    {"exit_in_destroy", "life.end", "crash",
     "ended itself with exit code 0, in the middle of: destroying the components"},
    {"throw", "oracle.value", "fail", "argmax threw: has a bad day"},
    {"abort_in_load", "bind", "crash", "SIGABRT (Aborted), in the middle of: creating, loading"},
    {"nan", "oracle.value", "fail", "the value of its answer is nan"},
    {"index", "features.same", "fail", "feature index 1000 is outside [0, 15)"},
    {"writes_to_w", "oracle.value", "crash",
     "\"tagger: example 0: crashed in argmax (SIGSEGV): it writes to w, which is lent\""},
    {"reads_past_w", "oracle.exact", "crash",
     "\"tagger: example 0: crashed in argmax (SIGSEGV): it reads or writes behind w\""},
    {"reads_one_past_w", "oracle.value", "fail", "the value of its answer is nan"},
    {"loss_drifts", "loss.values", "fail", "when asked again"},
    {"psi_drifts", "features.same", "fail", "when asked again"},
    {"moody", "oracle.repeat", "fail", "answers the same question in two ways"},
    {"stale_scratch", "oracle.order", "fail", "answers the same question in two ways"},
    {"loss_on_truth", "loss.values", "fail", "the truth against itself is 0.5"},
    {"negative_loss", "loss.values", "fail", "the loss is -2.0"},
    {"no_output", "oracle.output", "fail", "says NO_OUTPUT, but there are outputs"},
    {"scale_ignored", "features.scale", "fail", "with scale -1"},
    {"text", "dataset.text", "fail", "format and parse do not agree"},
    {"state", "state.save", "fail", "its state in the model is damaged or of another version"},
    {"splits", "dataset.splits", "fail", "share examples"},
    {"parts", "loss.parts", "fail", "its parts over the factors add up to"},
    {"counts", "loss.counts", "fail", "but its counts are"},
    {"pullback", "features.pullback", "fail", "not adjoint"},
    {"potentials", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"unattainable", "frontier.graphs", "fail", "which no assignment has"},
    {"frontier_low", "frontier.graphs", "fail",
     "the frontier of enumerate says 0 for 0 errors, 2 others\",\"  best    [2 1]: score 1\""},
    {"frontier_low", "frontier.entries", "fail", "no entry as good as this output"},
    {"log_z", "expectation.mean", "fail", "says log Z is"},
    {"mean_squared", "expectation.mean", "fail", "gives another E[psi]: weight "},
    {"mean_squared", "expectation.covariance", "fail", "gives another Cov[psi] v: weight "},
    {"k_best_again", "k_best.order", "fail", " came before"},
    {"k_best_ends", "k_best.order", "fail", "rank 2 is NO_OUTPUT, but there are more"},
    {"sample_seed", "sample.draws", "fail", "draws another output from the same seed"},
    {"sample_first", "sample.draws", "fail", " times of 1000, expected are "},
    {"truth_denied", "oracle.outside", "fail", "says TRUTH_OUTSIDE, but the truth is one of"},
    {"truth_claimed", "oracle.outside", "fail",
     "does not say TRUTH_OUTSIDE, but the truth is none"},
    {"icm_exact", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"viterbi_greedy", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
};

// What is told of all assignments, wrong in one way each.
inline constexpr Expected distributions[] = {
    {"map_isolated", "map_expectation.mean", "fail", "says log Z is"},
    {"map_marginals", "map_expectation.mean", "fail", "says E[z] is in cell 0 of theta"},
    {"map_covariance_sign", "map_expectation.covariance", "fail", "says Cov[z] v is in cell"},
    {"map_tie_skipped", "map_k_best.order", "fail", "is NO_OUTPUT, but there are more"},
    {"map_order", "map_k_best.order", "fail", "rank 2 has value"},
    {"map_ends_early", "map_k_best.order", "fail", "rank 3 is NO_OUTPUT, but there are more"},
    {"map_sample_best", "map_sample.draws", "fail", " expected are "},
    {"map_sample_seed", "map_sample.draws", "fail", "draws another output from the same seed"},
    {"map_sample_first", "map_sample.draws", "fail", " times of 1000, expected are "},
    {"map_k_best_begins", "map_k_best.ended", "fail", " as rank 2, which has value"},
    {"map_sample_moves", "map_sample.ended", "fail", "where the same seed gave"},
};

// Bugs as people write them, and a test that finds each.
inline constexpr Expected bugs[] = {
    // in viterbi
    {"back_pointer", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"transition_last", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"triple_last", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"labels_from_one", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"float", "map_solver.exact", "fail", "calls its answer EXACT, but another"},
    {"bound_low", "map_solver.exact", "fail", "says that nothing is above"},
    {"bound_low_by_little", "map_solver.exact", "fail", "says that nothing is above"},
    {"bound_low_by_little", "oracle.bound", "fail", "says that no output has a value above"},
    {"value_before", "oracle.value", "fail", "the value of its answer is"},
    {"stale", "oracle.order", "fail", "answers the same question in two ways"},
    {"address", "map_solver.order", "fail", "answers the same question in two ways"},
    {"race", "sessions.threads", "", ""},  // a wrong answer, or the end of the process
    // in hamming
    {"loss_first", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_last", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_sign", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_weight_ignored", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_weight_squared", "loss.parts", "fail", "its parts over the factors add up to"},
    {"truth_before", "oracle.exact", "fail", "another output is better by"},
    // in chain
    {"transposed", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"triple_turned", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"bias_dropped", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"psi_transition", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"psi_twice", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"single_promised", "features.classes", "fail", "promises that all its graphs are"},
    // in multiclass
    {"scores_unset", "scores.same", "fail", "leaves score 2 of 3 unset"},
    {"scores_beyond", "scores.same", "fail", "writes more scores than it has rows for"},
    {"scores_drift", "scores.same", "fail", "its scores are others when asked again"},
    {"scores_infinite", "scores.same", "fail", "score 1 of 3 overflows"},
    {"scores_shifted", "scores.linear", "fail", "score 1 is not linear in w: "},
    {"scores_shifted", "scores.graph", "fail", "by its scores a label is better than the first"},
    {"scores_swapped", "scores.graph", "fail", "by its scores a label is better than the first"},
    {"scores_nowhere", "scores.same", "fail", "has 0 columns of scores; there must be from 1 to"},
    // in graph
    {"attraction_promised", "features.classes", "fail", "promises attractive pairs for every w"},
    // in the tagger of the zoo
    {"value_without_loss", "oracle.value", "fail", "the value of its answer is"},
};

// Relaxed answers that are wrong in one way, of a map_solver and of an oracle.
inline constexpr Expected relaxed[] = {
    {"lp_not_normalised", "map_cut.polytope", "fail", "sum up to 1.1 instead of 1"},
    {"lp_marginals", "map_cut.polytope", "fail", "the cells with state"},
    {"lp_half", "map_cut.polytope", "fail", "sum up to 0.5 instead of 1"},
    {"lp_half", "map_cut.output", "fail", "mu is not that of its labels"},
    {"lp_not_written", "map_cut.polytope", "fail", "is nan, or was not written"},
    {"lp_value", "map_cut.value", "fail", "; <theta, mu> is"},
    {"lp_value", "cut.value", "fail", "the value of its answer is"},
    {"lp_bound", "map_cut.bound", "fail", "says that nothing in its larger set is above"},
    {"lp_bound", "cut.bound", "fail", "but this one has"},
    {"lp_low", "map_cut.bound", "fail", "which the set has to hold"},
    {"lp_no_output", "map_cut.value", "fail", "says NO_OUTPUT of its relaxed answer"},
    {"lp_no_output", "cut.output", "fail", "says NO_OUTPUT of its relaxed answer, but has an"},
    {"lp_drifts", "map_cut.order", "fail", "the beliefs mu differ"},
    {"lp_race", "cut.threads", "", ""},
    {"bag_scale", "cut.value", "fail", "<w, psi> + loss_weight * loss of it is"},
    {"bag_without_psi", "cut.features", "fail", "the psi written is not that of the output"},
    {"bag_loss", "cut.value", "fail", "<w, psi> + loss_weight * loss of it is"},
    {"bag_loss", "cut.features", "fail", "its loss is"},
    {"bag_low", "cut.bound", "fail", "but this one has"},
    {"bag_whole", "cut.value", "fail", "<w, psi> + loss_weight * loss of it is"},
    {"bag_no_output", "cut.output", "fail", "says NO_OUTPUT of its relaxed answer, but has an"},
};

}  // namespace sculpt::test

// expected_verdicts.hpp - the faulty plugins, and the fault that sculpt check must find in each.
#pragma once

namespace sculpt::test {

// The test that finds the fault of a plugin, and its verdict. The verdict "" is fail or crash.
struct Expected {
  const char* plugin;
  const char* test;
  const char* verdict;
  const char* text;  // part of its reasons
};

inline constexpr Expected verdicts[] = {
    {"segfault", "oracle.value", "crash",
     "\"tagger: example 2: crashed in argmax (SIGSEGV)\",\"its process was ended by SIGSEGV "
     "(Segmentation fault), in the middle of: example 2,"},
    {"exit", "oracle.value", "crash", "ended itself with exit code 3"},
    {"exit_zero", "oracle.value", "crash", "ended itself with exit code 0, in the middle of: ex"},
    {"exit_in_destroy", "life.end", "crash",
     "ended itself with exit code 0, in the middle of: destroying the components"},
    {"throw", "oracle.value", "fail", "argmax threw: has a bad day"},
    {"abort_in_load", "bind", "crash", "SIGABRT (Aborted), in the middle of: creating, loading"},
    {"nan", "oracle.value", "fail", "the value of its answer is nan"},
    {"index", "features.same", "fail", "feature index 1000 is outside [0, 15)"},
    {"writes_to_w", "oracle.value", "crash",
     "\"tagger: example 0: crashed in argmax (SIGSEGV): it writes to w, which is read-only\""},
    {"reads_past_w", "oracle.exact", "crash",
     "\"tagger: example 0: crashed in argmax (SIGSEGV): it reads or writes after the end of w\""},
    {"reads_one_past_w", "oracle.value", "fail", "the value of its answer is nan"},
    {"short_answer", "oracle.value", "crash",
     "example 3: crashed in loss (SIGSEGV): it reads or writes after the end of the labels of the"},
    {"psi_past_output", "features.same", "crash",
     "crashed in accumulate (SIGSEGV): it reads or writes after the end of the labels of the outp"},
    {"loss_past_output", "loss.values", "crash",
     "crashed in loss (SIGSEGV): it reads or writes after the end of the labels of the output"},
    {"oracle_past_truth", "oracle.value", "crash",
     "crashed in argmax (SIGSEGV): it reads or writes after the end of the labels of the truth"},
    {"writes_past_output", "oracle.value", "crash",
     "crashed in argmax (SIGSEGV): it reads or writes after the end of the labels of its output"},
    {"writes_to_truth", "oracle.value", "fail",
     "writes to the labels of the truth, which it may only read"},
    {"skips_a_label", "oracle.value", "fail", "its answer has the label -1 at position "},
    {"short_shaped_answer", "oracle.value", "fail",
     "tagger: example 3: its answer has 1 label; the outputs of this example have 3, as tagger "},
    {"narrow_shape", "features.shape", "fail", "has the label 2 at position "},
    {"wide_shape", "features.shape", "fail", "there is no label d"},
    {"narrow_shape_of_words", "dataset.shape", "fail", "folding_words: the output ["},
    {"shape_drifts", "dataset.shape", "fail", "as a dataset it gives another shape of outputs"},
    {"shape_of_graph", "features.shape", "fail",
     "gives a shape of outputs with 3 states at position 0, but its factor graph has 2"},
    {"loss_drifts", "loss.values", "fail", "in a second call"},
    {"psi_drifts", "features.same", "fail", "in a second call"},
    {"alternating_ties", "oracle.repeat", "fail", "gives two answers to the same query"},
    {"stale_scratch", "oracle.order", "fail", "gives two answers to the same query"},
    {"loss_on_truth", "loss.values", "fail", "the truth against itself is 0.5"},
    {"negative_loss", "loss.values", "fail", "the loss is -2.0"},
    {"no_output", "oracle.output", "fail", "reports NO_OUTPUT, but there are outputs"},
    {"scale_ignored", "features.scale", "fail", "with scale -1"},
    {"text", "dataset.text", "fail", "format and parse do not agree"},
    {"text_beyond", "dataset.text", "crash",
     "crashed in label-text.parse (SIGSEGV): it reads or writes after the end of the text of an "
     "output"},
    {"state", "state.save", "fail", "its state in the model is damaged or of another version"},
    {"weight_is_negative", "dataset.weights", "fail",
     "example 3: its weight is -0.5; weights of examples are numbers from 0 to 1e+50"},
    {"weights_are_zero", "dataset.weights", "fail", "the weights of all examples are 0"},
    {"weights_drift", "dataset.weights", "fail", "in a call for this example"},
    {"splits", "dataset.splits", "fail", "share examples"},
    {"parts", "loss.parts", "fail", "its parts over the factors add up to"},
    {"parts_beyond", "loss.parts", "crash",
     "crashed in factor-loss.add (SIGSEGV): it reads or writes after the end of theta"},
    {"counts", "loss.counts", "fail", "but its counts are"},
    {"counts_beyond", "loss.counts", "crash",
     "crashed in factor-counts.add (SIGSEGV): it reads or writes after the end of a table of "
     "count"},
    {"slope_is_two", "loss.slopes", "fail", "the constant and the slope"},
    {"slope_is_two", "loss.counts", "fail", " by the constant and the slopes"},
    {"slope_from_one", "loss.slopes", "fail", "give for 0 errors, but the loss of these is 0"},
    {"slope_unset", "loss.slopes", "fail", "slope of its counts is not a finite number"},
    {"negative_loss_of_counts", "loss.count_values", "fail", "it must be finite and not negative"},
    {"pullback", "features.pullback", "fail", "not adjoint"},
    {"potentials", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"unattainable", "frontier.graphs", "fail", "which no assignment has"},
    {"frontier_low", "frontier.graphs", "fail",
     "the frontier of enumerate gives 0 for 0 errors, 2 others\",\"  best    [2 1]: score 1\""},
    {"frontier_low", "frontier.entries", "fail", "no entry as good as this output"},
    {"frontier_low", "frontier.argmax", "fail", "but the best entry of its frontier, "},
    {"frontier_refuses_slice", "frontier.graphs", "fail",
     "refuses frontier.slice of a frontier that it has begun"},
    {"slice_refused", "frontier.entries", "fail",
     "refuses frontier.slice of a frontier that it has begun"},
    {"slice_refused", "frontier.argmax", "fail", "; refuse it in begin"},
    {"log_z", "expectation.mean", "fail", "gives log Z ="},
    {"mean_squared", "expectation.mean", "fail", "gives a wrong E[psi]: weight "},
    {"mean_squared", "expectation.covariance", "fail", "gives a wrong Cov[psi] v: weight "},
    {"k_best_repeats", "k_best.order", "fail", " was given before"},
    {"k_best_ends", "k_best.order", "fail", "rank 2 is NO_OUTPUT, but there are more"},
    {"k_best_without_loss", "k_best.order", "fail", "rank 1 has value "},
    {"sample_not_repeatable", "sample.draws", "fail", "draws another output from the same seed"},
    {"sample_ignores_seed", "sample.draws", "fail", " times of 1000, expected are "},
    {"truth_wrongly_outside", "oracle.outside", "fail",
     "reports TRUTH_OUTSIDE, but the truth is one of"},
    {"truth_wrongly_inside", "oracle.outside", "fail",
     "does not report TRUTH_OUTSIDE, but the truth is none"},
    {"icm_exact", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"viterbi_greedy", "map_solver.exact", "fail", "reports EXACT, but another"},
};

// Map_solvers with one fault in their expectations, k best assignments or draws.
inline constexpr Expected distributions[] = {
    {"map_isolated", "map_expectation.mean", "fail", "gives log Z ="},
    {"map_marginals", "map_expectation.mean", "fail", "gives E[z] in cell 0 of theta"},
    {"map_covariance_sign", "map_expectation.covariance", "fail", "gives Cov[z] v in cell"},
    {"map_tie_skipped", "map_k_best.order", "fail", "is NO_OUTPUT, but there are more"},
    {"map_order", "map_k_best.order", "fail", "rank 2 has value"},
    {"map_ends_early", "map_k_best.order", "fail", "rank 3 is NO_OUTPUT, but there are more"},
    {"map_sample_best", "map_sample.draws", "fail", " expected are "},
    {"map_sample_not_repeatable", "map_sample.draws", "fail",
     "draws another output from the same seed"},
    {"map_sample_ignores_seed", "map_sample.draws", "fail", " times of 1000, expected are "},
    {"map_k_best_restarts", "map_k_best.ended", "fail", " as rank 2, which has value"},
    {"map_sample_follows_solve", "map_sample.ended", "fail", "but the same seed gave"},
};

// Typical bugs, and a test that finds each.
inline constexpr Expected bugs[] = {
    // in viterbi
    {"back_pointer", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"transition_last", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"triple_last", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"labels_from_one", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"float", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"bound_low", "map_solver.exact", "fail", "claims that no value is above"},
    {"bound_low_by_little", "map_solver.exact", "fail", "claims that no value is above"},
    {"bound_low_by_little", "oracle.bound", "fail", "claims that no output has a value above"},
    {"value_of_call_before", "oracle.value", "fail", "the value of its answer is"},
    {"stale_scores", "oracle.order", "fail", "gives two answers to the same query"},
    {"ties_by_address", "map_solver.order", "fail", "gives two answers to the same query"},
    {"race", "sessions.threads", "", ""},  // a wrong answer or a crash
    // in hamming
    {"loss_first", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_last", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_sign", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_weight_ignored", "loss.parts", "fail", "its parts over the factors add up to"},
    {"loss_weight_squared", "loss.parts", "fail", "its parts over the factors add up to"},
    {"truth_of_call_before", "oracle.exact", "fail", "another output is better by"},
    // in chain
    {"transposed", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"triple_turned", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"bias_dropped", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"psi_transition", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"psi_twice", "features.graph", "fail", "the potentials of the factor graph add up to"},
    {"single_promised", "features.classes", "fail", " for all graphs, but "},
    // in multiclass
    {"scores_unset", "scores.same", "fail", "leaves score 2 of 3 unset"},
    {"scores_beyond", "scores.same", "crash",
     "crashed in scores.scores (SIGSEGV): it reads or writes after the end of the scores"},
    {"scores_drift", "scores.same", "fail", "its scores differ in a second call"},
    {"scores_infinite", "scores.same", "fail", "score 1 of 3 overflows"},
    {"scores_shifted", "scores.linear", "fail", "score 1 is not linear in w: "},
    {"scores_shifted", "scores.graph", "fail", "a label exceeds the first one by"},
    {"scores_swapped", "scores.graph", "fail", "a label exceeds the first one by"},
    {"scores_one_missing", "scores.predict", "fail",
     "its scores do not decide the prediction: row 0 has the label 2 in the output, but the "
     "largest "
     "score is in column "},
    {"scores_one_missing", "scores.psi", "fail", "do not hold all that w says about the outputs"},
    {"scores_of_sign", "scores.predict", "fail",
     "needs one label for each score, here 3, but the output has 1"},
    {"scores_without_rule", "scores.predict", "fail", "the rule of its scores is 0"},
    {"scores_names_swapped", "scores.predict", "fail", ", but the label 0 is written "},
    {"scores_without_columns", "scores.same", "fail",
     "has 0 columns of scores; there must be from 1 to"},
    // in multilabel
    {"scores_not_in_output", "scores.predict", "fail", " in the output, but its score is "},
    {"scores_with_pairs", "scores.predict", "fail", " in the output, but its score is "},
    {"scores_with_pairs", "scores.psi", "fail", "do not hold all that w says about the outputs"},
    // in graph
    {"attraction_promised", "features.classes", "fail", "declares attractive pairs for every w"},
    // in the tagger
    {"value_without_loss", "oracle.value", "fail", "the value of its answer is"},
};

// Wrong sites, parts, metrics, names, bounds, groups and enumerations.
inline constexpr Expected offers[] = {
    {"offers_site_index", "dataset.sites", "fail", "its sites: the index 1 is outside [0, 1)"},
    {"offers_site_truth", "bind", "fail", "which is outside [0, 2), as the sites of "},
    {"offers_site_null", "bind", "fail", "its sites: index or value is NULL"},
    {"offers_site_edge", "dataset.sites", "fail", "joins a site outside [0, "},
    {"offers_site_names", "dataset.sites", "fail", "give each label a name of its own"},
    {"offers_edge_kind", "dataset.sites", "fail", "edge 1 is of the kind 1, but there are 1"},
    {"offers_items_unsorted", "dataset.items", "fail", "are not numbers from 0 in ascending order"},
    {"offers_items_beyond", "dataset.items", "crash",
     "crashed in items.items (SIGSEGV): it reads or writes after the end of the parts of the "},
    {"offers_items_of_labels", "dataset.items", "fail", "are not those of its labels"},
    {"items_off_by_one", "dataset.items", "fail", "are not those of its labels"},
    {"offers_metrics_assign", "loss.metrics", "fail", "write sums[k] += ..."},
    {"offers_metrics_beyond", "loss.metrics", "crash",
     "crashed in metrics.add (SIGSEGV): it reads or writes after the end of the sums of the met"},
    {"offers_metrics_unset", "loss.metrics", "fail", "does not set label_error in finish"},
    {"offers_metrics_without_guess", "loss.metrics", "fail", "no guess"},
    {"offers_bounds_unset", "features.bounds", "fail", "bounds of weight 2"},
    {"offers_groups_unset", "features.groups", "fail", "does not set the groups of weight 0"},
    {"offers_names_empty", "features.names", "fail", "weight 3 has no name"},
    {"offers_enumerate_twice", "features.enumerate", "fail", "enumerate visits [0] twice"},
    {"enumerate_without_truth", "features.enumerate", "fail", "enumerate leaves out the truth, ["},
    {"offers_enumerate_limit", "features.enumerate", "fail", "but with the limit "},
    {"offers_enumerate_goes_on", "features.enumerate", "fail", "after the host has ended it"},
};

// Wrong places, scales, columns, parts, merged states and rows in memory.
inline constexpr Expected rows[] = {
    {"rows_place_after", "dataset.place", "fail", "name the first line of the example"},
    {"rows_place_in_words", "dataset.place", "fail", "write the file and the line, such as"},
    {"rows_widest_last", "dataset.width", "fail", "name the first of the widest rows"},
    {"rows_widest_line_before", "dataset.width", "fail", "this line has no such index"},
    {"rows_widest_assigned", "dataset.width", "fail", "overwrites what its buffer holds"},
    {"rows_scale_negative", "dataset.scales", "fail", "its divisor is -"},
    {"rows_scale_of_neighbour", "dataset.scales", "fail", "of its rows is "},
    {"rows_scale_unset", "dataset.scales", "fail", "its scale is not set"},
    {"rows_scale_of_any_column", "dataset.scales", "fail",
     "column-scale.scale returns status 0 for column -1 of 3"},
    {"rows_scale_forgotten", "dataset.scales", "fail", "is another one after restore"},
    {"rows_column_of_neighbour", "features.columns", "fail", "has only 0 in this column"},
    {"rows_column_beyond", "features.columns", "fail", "but svmlight has 3 columns"},
    {"rows_blocks_shifted", "features.row_blocks", "fail", "which is not of this example"},
    {"rows_blocks_beyond", "features.row_blocks", "fail",
     "multiclass: the weights of rows begin at"},
    {"rows_squared", "features.row_blocks", "fail", "it must be linear in the rows"},
    {"rows_part_longer", "dataset.parts", "fail", "load each example in exactly one part"},
    {"rows_part_of_missing", "dataset.parts", "fail", "return SCULPT_E_MISSING"},
    {"rows_part_in_other_order", "dataset.parts", "fail", "differs from that of the whole"},
    {"rows_merge_last", "state.merge", "fail", "its state is not that of the whole"},
    {"rows_merge_backwards", "state.merge", "fail", "its state is not that of the whole"},
    {"rows_merge_unchecked", "state.merge", "fail", "for a damaged piece; return SCULPT_E_DATA"},
    {"rows_memory_shifted", "dataset.memory", "fail", "of dense rows in memory differs from"},
    {"rows_memory_learns_again", "dataset.memory", "fail", "second split"},
    {"rows_memory_other_error", "dataset.memory", "fail", "; return SCULPT_E_DATA"},
    {"rows_memory_without_example", "dataset.memory", "fail", "but names no example"},
    {"rows_memory_writes", "dataset.memory", "fail", "writes to the rows in memory"},
};

// Kernels with one fault each. No other test of kernels fails for them.
inline constexpr Expected kernels[] = {
    {"kernel_follows_call", "kernel.values", "fail",
     "a value depends on its two atoms alone, to the last bit"},
    {"kernel_repeats", "kernel.values", "fail", "closeness: k(atom "},
    {"kernel_one_sided", "kernel.symmetric", "fail", "but k(b, a) is "},
    {"kernel_diagonal", "kernel.diagonal", "fail", "closeness: the diagonal has 1 for atom "},
    {"kernel_distance", "kernel.positive", "fail",
     "closeness: claims SCULPT_KERNEL_POSITIVE, but the matrix of 8 atoms has the eigenvalue -"},
    {"kernel_any_width", "kernel.ends", "fail", "closeness: accepts width = 0, but then "},
    {"kernel_shared_scratch", "kernel.threads", "", ""},  // another value or a crash
    {"kernel_kept_in_float", "kernel.kept", "fail", "which wrote its bytes, it is "},
    {"kernel_kept_from_first", "kernel.kept", "fail", "which wrote its bytes, it is "},
    {"kernel_bytes_differ", "kernel.bytes", "fail", "if it comes from a model"},
    {"kernel_unchecked", "kernel.damage", "crash",
     "crashed in keep (SIGSEGV): it reads or writes after the end of the bytes of the kept atoms"},
    {"kernel_keeps_nan", "kernel.damage", "fail", "that are not a number at byte "},
    {"kernel_other_status", "kernel.damage", "fail",
     "but not by SCULPT_E_DATA: closeness: damaged"},
    {"explicit_longer", "kernel.explicit", "fail",
     "inner: the product of the explicit rows of atom "},
    {"explicit_one_name", "kernel.explicit", "fail", "; names differ"},
    {"explicit_beyond", "kernel.explicit", "fail", "feature index 3 is outside [0, 3)"},
    {"explicit_endless", "kernel.explicit", "fail",
     "says that its explicit rows have 1099511627776 columns"},
};
// These also fail in other tests.
inline constexpr Expected spreading_kernels[] = {
    {"kernel_unwritten", "kernel.values", "fail", " is not finite"},
    {"kernel_forgets", "state.save", "fail",
     "closeness: its state differs after save, restore and save"},
};

// Witnesses that do not prove what their answers claim.
inline constexpr Expected witnesses[] = {
    {"proof_of_less", "map_witness.bound", "fail", "but its messages prove only that no value"},
    {"proof_cut", "map_witness.bound", "fail", "which is not one for each state of each variable"},
    {"proof_of_other_answer", "map_witness.bound", "fail", "proves another answer than that of so"},
    {"proof_without_output", "map_witness.bound", "fail", "for an answer without EXACT and BOUND"},
    {"tagger_proof_other_answer", "witness.bound", "fail", "proves another answer than that of ar"},
    {"tagger_proof_without_kind", "witness.bound", "fail", "sets no kind of its witness"},
    {"tagger_proof_negative_dual", "witness.bound", "fail", "none may be negative"},
    {"tagger_proof_not_finite", "witness.bound", "fail", "a number that is not finite"},
};

// States that lack something learned in training. The other tests of states do not find it.
inline constexpr Expected states[] = {
    {"month_without_width", "state.width", "fail",
     "month: after restore there are 8 weights, but training had 6\",\"  the data had a further "
     "field "
     "in each line; the state seems to lack the number of fields"},
    {"month_without_state", "state.width", "fail", "the state seems to lack the number of fields"},
    {"month_reads_past", "state.width", "fail",
     "though only the first line of the data is another"},
    {"weather_learns_again", "state.width", "fail", "but training had 15"},
    {"weather_forgets_labels", "state.width", "fail", "but training had 15"},
    {"weather_of_first_label", "state.width", "fail",
     "read another truth, or predict another output, for 4 of 5 examples, though only the first "},
    {"weather_of_new_words", "state.width", "fail", "the value of its answer is nan"},
    {"weather_of_new_labels", "state.width", "fail", "feature index 15 is outside [0, 15)"},
    {"weather_crashes", "state.width", "crash", "loading data with a second field that training "},
    {"weather_of_bad_numbers", "state.width", "fail", "load threw: no such word"},
};

// States whose damage is not noticed.
inline constexpr Expected damages[] = {
    {"state_cut", "state.damage", "fail", "that is cut to 0 of 8 bytes, and saves another one"},
    {"state_of_any_length", "state.damage", "", ""},  // too little memory
    {"state_as_index", "state.damage", "", ""},       // a wrong answer or a crash
};

// Extensions that a component answers or declares, but must not.
inline constexpr Expected extensions[] = {
    {"extension_undeclared", "life.extensions", "fail",
     "but its description does not declare it; add it to `extensions`"},
    {"extension_undeclared", "library.extensions", "fail",
     "features multiclass: answers sculpt.scores"},
    {"extension_unknown_after_seal", "life.extensions", "fail", "gives a table for the extension"},
    {"extension_of_features", "library.extensions", "fail",
     "loss hamming: answers sculpt.factor-graph/1, but it may be offered by features, not by a "
     "component of the kind loss"},
    {"extension_of_features", "life.extensions", "fail",
     "loss hamming: answers sculpt.factor-graph/1, but it may be offered by features"},
    {"extension_of_host", "library.extensions", "fail", "it is a service of the host"},
    {"extension_without_function", "library.extensions", "fail", "function 1 of its sculpt.state"},
};

// Faults that the experiments in the libraries do not reach, and how check goes beyond them.
inline constexpr Expected beyond_experiments[] = {
    {"from_six_labels", "variants.data", "fail", "with longer examples:"},
    {"nine_or_odd", "variants.data", "fail", "with longer examples:"},
    {"from_six_variables", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"nine_or_odd_variables", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"from_label_12", "map_solver.exact", "fail", "reports EXACT, but another"},
    {"segments_at_limit", "variants.parameters", "crash", "with dataset.longest = "},
    {"segments_of_four", "variants.data", "fail", "with longer examples:"},
    {"segments_lower_end", "variants.parameters", "fail", "with dataset.longest = 1:"},
    {"segments_size_cache", "variants.data", "fail", "with longer examples:"},
    {"errors_of_other_loss", "variants.losses", "fail", "with loss = hamming:"},
};

// Oracles that complete a partial truth with a fault.
inline constexpr Expected completions[] = {
    {"completion_disagrees", "complete.best", "fail", "its completion has label "},
    {"completion_is_not_best", "complete.best", "fail", "claims that no output above "},
    {"completion_has_no_output", "complete.best", "fail", "is NO_OUTPUT, but an output agrees"},
    {"completion_states_a_value", "complete.best", "fail", "the value of its answer is"},
    {"completion_drifts", "complete.best", "fail", "differs in a second call"},
};

// Oracles whose answers in a batch are not those of single calls.
inline constexpr Expected batches[] = {
    {"batch_mixes_order", "oracle.batch", "fail", "of a batch of two (2 queries)"},
    {"batch_keeps_state", "oracle.batch", "fail", "is another one as answer 1 of a batch of two"},
    {"batch_loses_last", "oracle.batch", "fail", "is another one as answer 1 of a batch of two"},
    {"batch_drops_loss", "oracle.batch", "fail", "is another one as answer 1 of a batch of two"},
    {"batch_breaks_at_error", "oracle.batch", "fail", "of a batch of all examples after an error"},
    {"batch_forgets_failed", "oracle.batch", "fail", "but the call says that query -1 failed"},
    {"batch_other_error", "oracle.batch", "fail", "one of the queries failed"},
    {"batch_wrong_if_large", "oracle.batch", "fail", "(64 queries)"},
};

// Features and losses whose values in one call are not those of single calls.
inline constexpr Expected batch_values[] = {
    {"values_other_psi", "features.batch", "fail", "another one than that of accumulate, as"},
    {"values_loses_psi", "features.batch", "fail", "as output 1 of a batch of two (2 outputs)"},
    {"values_psi_fails", "features.batch", "fail", "a batch of two fails: too many outputs"},
    {"values_other_loss", "loss.batch", "fail", "alone, as output 1 of a batch of two"},
    {"values_loses_loss", "loss.batch", "fail", "the loss is negative or not finite"},
};

// Wrong relaxed answers of a map_solver and of an oracle.
inline constexpr Expected relaxed[] = {
    {"lp_not_normalised", "map_cut.polytope", "fail", "sum up to 1.1 instead of 1"},
    {"lp_marginals", "map_cut.polytope", "fail", "the cells with state"},
    {"lp_half", "map_cut.polytope", "fail", "sum up to 0.5 instead of 1"},
    {"lp_half", "map_cut.output", "fail", "mu is not that of its labels"},
    {"lp_not_written", "map_cut.polytope", "fail", "is nan, or was not written"},
    {"lp_value", "map_cut.value", "fail", ", but <theta, mu> is"},
    {"lp_value", "cut.value", "fail", "the value of its answer is"},
    {"lp_bound", "map_cut.bound", "fail", "claims that no value in its larger set is above"},
    {"lp_bound", "cut.bound", "fail", "but this one has"},
    {"lp_low", "map_cut.bound", "fail", "but the value of an assignment in this set is"},
    {"lp_no_output", "map_cut.value", "fail", "reports NO_OUTPUT for its relaxed answer"},
    {"lp_no_output", "cut.output", "fail", "reports NO_OUTPUT for its relaxed answer, but has an"},
    {"lp_drifts", "map_cut.order", "fail", "the beliefs mu differ"},
    {"lp_race", "cut.threads", "", ""},
    {"bag_scale", "cut.value", "fail", "<w, psi> + loss_weight * loss is"},
    {"bag_without_psi", "cut.features", "fail", "its psi is not that of the output"},
    {"bag_loss", "cut.value", "fail", "<w, psi> + loss_weight * loss is"},
    {"bag_loss", "cut.features", "fail", "its loss is"},
    {"bag_low", "cut.bound", "fail", "but this one has"},
    {"bag_not_fractional", "cut.value", "fail", "<w, psi> + loss_weight * loss is"},
    {"bag_no_output", "cut.output", "fail", "reports NO_OUTPUT for its relaxed answer, but has an"},
};

}  // namespace sculpt::test

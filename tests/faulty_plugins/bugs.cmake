# Typical bugs in copies of shipped sources. The last one is in the tagger, because no shipped
# oracle adds the loss itself. Labels and cells stay within their arrays, so a test cannot find
# another fault by accident.
sculpt_add_mutant(back_pointer ${viterbi} [[theta + pair_[t + 1] + y[t + 1] : &zero;]]
  [[theta + pair_[t + 1] + y[t + 2 < y.size() ? t + 2 : t + 1] % graph.states[t + 1] : &zero;]]
  ${viterbi_unchanged})
sculpt_add_mutant(transition_last ${viterbi} [[if (pair_[t] != no_table) {]]
  [[if (pair_[t] != no_table && t + 1 < pair_.size()) {]] ${viterbi_unchanged})
list(FILTER viterbi_sources EXCLUDE REGEX order_two_search)
set(order_two_unchanged ${viterbi_sources} ${viterbi})
sculpt_join(mutant_triple_last order_two_unchanged)
sculpt_add_mutant(triple_last ${plugins}/viterbi/order_two_search.cpp
  [[position.triple == no_table ? nullptr]] [[position.triple == no_table || t + 1 == positions_.size() ? nullptr]]
  ${order_two_unchanged})
sculpt_add_mutant(stale_scores ${viterbi} [[std::copy_n(unary, states, best);]]
  [[for (std::size_t k = 0; k < states; ++k) best[k] += unary[k];]] ${viterbi_unchanged})
sculpt_add_mutant(ties_by_address ${viterbi} [[if (value > maximum) {]]
  [[const bool replace_tie = reinterpret_cast<std::uintptr_t>(best + k) * 0x9e3779b97f4a7c15u >> 63;
          if (value > maximum || (value == maximum && replace_tie)) {]] ${viterbi_unchanged})
sculpt_add_mutant(labels_from_one ${viterbi}
  [[std::int32_t argmax = 0;
        double maximum = best[0] + column[0];]]
  [[std::int32_t argmax = graph.states[t] > 1 ? 1 : 0;
        double maximum = best[argmax] + column[argmax * stride];]] ${viterbi_unchanged})
set(answer [[answer.exact(sculpt::assignment_score(graph, query.theta.data(), y.data()));]])
sculpt_add_mutant(value_of_call_before ${viterbi} "${answer}"
  [[static thread_local double old = 0;
      double value = sculpt::assignment_score(graph, query.theta.data(), y.data());
      std::swap(old, value);
      answer.exact(value);]] ${viterbi_unchanged})
sculpt_add_mutant(bound_low ${viterbi} "${answer}"
  [[const double value = sculpt::assignment_score(graph, query.theta.data(), y.data());
      answer.found(value);
      answer.bound(value - 0.001);]] ${viterbi_unchanged})
sculpt_add_mutant(bound_low_by_little ${viterbi} "${answer}"
  [[const double value = sculpt::assignment_score(graph, query.theta.data(), y.data());
      double size = 0;  // of the terms
      for (std::int64_t f = 0; f < graph.factor_count; ++f) {
        size += std::abs(query.theta[static_cast<std::size_t>(sculpt::factor_cell(graph, f, y.data()))]);
      }
      answer.found(value);
      answer.bound(value - 1e-7 * size);]] ${viterbi_unchanged})
sculpt_add_mutant(float ${viterbi} [[best[k] += unary[k];]]
  [[best[k] = static_cast<float>(best[k] + unary[k]);]] ${viterbi_unchanged})
sculpt_add_mutant(race ${viterbi} [[std::vector<double> best_; ]]
  [[static inline std::vector<double> best_; ]] ${viterbi_unchanged})
sculpt_add_mutant(loss_first ${hamming} [[theta[cell] += cost;]]
  [[if (cell >= graph.states[0]) theta[cell] += cost;]])
sculpt_add_mutant(loss_last ${hamming} [[theta[cell] += cost;]]
  [[if (cell < graph.table[graph.variable_count - 1]) theta[cell] += cost;]])
sculpt_add_mutant(loss_sign ${hamming} [[theta[cell] += cost;]] [[theta[cell] -= cost;]])
sculpt_add_mutant(loss_weight_ignored ${hamming}
  [[? scale / observed : scale;]] [[? 1 / observed : 1;]])
sculpt_add_mutant(loss_weight_squared ${hamming} [[? scale / observed : scale;]]
  [[? scale * scale / observed : scale * scale;]])
sculpt_add_mutant(truth_of_call_before ${hamming}
  [[sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { theta[cell] += cost; });]]
  [[static thread_local std::vector<std::int32_t> now, before;
    before = now;
    now.assign(truth.begin(), truth.end());
    const bool is_long_enough = before.size() >= now.size();
    const sculpt::Labels old = is_long_enough ? sculpt::Labels(before.data(), truth.count()) : truth;
    sculpt::each_wrong_label(graph, old, [&](std::int64_t cell) { theta[cell] += cost; });]])
sculpt_add_mutant(transposed ${chain} [[y[t - 1] * states() + y[t], 1);]]
  [[y[t] * states() + y[t - 1], 1);]])
sculpt_add_mutant(triple_turned ${chain} [[(y[t - 2] * states() + y[t - 1]) * states() + y[t], 1);]]
  [[(y[t] * states() + y[t - 1]) * states() + y[t - 2], 1);]])
sculpt_add_mutant(bias_dropped ${chain} [[nodes_.scores(sites, t, w, theta + t * count);]]
  [[{
      nodes_.scores(sites, t, w, theta + t * count);
      if (bias_) theta[t * count + count - 1] -= w[bias_from() + count - 1];
    }]])
sculpt_add_mutant(psi_transition ${chain}
  [[for (std::size_t t = 1; t < y.size(); ++t) {]] [[for (std::size_t t = 2; t < y.size(); ++t) {]])
sculpt_add_mutant(psi_twice ${chain} [[static_cast<std::int64_t>(t), y[t], 1, sum);]]
  [[static_cast<std::int64_t>(t), y[t], y.size() == 1 ? 2 : 1, sum);]])
set(class_scores [[weights_.scores(input_.sites(example), 0, w.data(), scores.data());]])
set(multiclass ${plugins}/multiclass/multiclass.cpp)
sculpt_add_mutant(scores_unset ${multiclass} "${class_scores}"
  "std::vector<double> all(scores.size()); std::copy(all.begin() + 1, all.end(), scores.begin());")
sculpt_add_mutant(scores_beyond ${multiclass} "${class_scores}"
  "${class_scores} scores.data()[scores.size()] = 0;")
sculpt_add_mutant(scores_drift ${multiclass} "${class_scores}"
  "${class_scores} static double drift = 0; scores[0] += drift += 1e-9;")
sculpt_add_mutant(scores_infinite ${multiclass} "${class_scores}" "${class_scores} scores[1] /= 0;")
sculpt_add_mutant(scores_shifted ${multiclass} "${class_scores}" "${class_scores} scores[1] += 1;")
sculpt_add_mutant(scores_swapped ${multiclass} "${class_scores}"
  "${class_scores} std::swap(scores[0], scores[1]);")
sculpt_add_mutant(scores_without_columns ${multiclass}
  [[std::int64_t score_columns() const { return input_.state_count(); }]]
  [[std::int64_t score_columns() const { return 0; }]])
sculpt_add_mutant(scores_one_missing ${multiclass} "${class_scores}"
  "${class_scores} scores.back() = 0;")
sculpt_add_mutant(scores_of_sign ${multiclass} [[SCULPT_SCORES_LARGEST]] [[SCULPT_SCORES_SIGN]])
sculpt_add_mutant(scores_without_rule ${multiclass} [[SCULPT_SCORES_LARGEST]] [[0]])
sculpt_add_mutant(scores_names_swapped ${multiclass} [[input_.state_name(column, out);]]
  [[input_.state_name(input_.state_count() - 1 - static_cast<std::int32_t>(column), out);]])
set(multilabel ${plugins}/multilabel/multilabel.cpp)
set(label_edges ${plugins}/multilabel/label_edges.cpp ${plugins}/multilabel/label_names.cpp)
set(label_scores [[nodes_.scores(input_.sites(example), 0, w.data(), scores.data());]])
sculpt_add_mutant(scores_not_in_output ${multilabel} "${label_scores}"
  "${label_scores} for (double& score : scores) score = -score;" ${label_edges})
sculpt_add_mutant(scores_with_pairs ${multilabel}
  [[bool offers_scores() const { return cells_ == 0; }]]
  [[bool offers_scores() const { return true; }]] ${label_edges})

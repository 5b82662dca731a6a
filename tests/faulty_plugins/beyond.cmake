# Faults that only larger outputs, larger labels, other parameters or other losses show. The
# experiments in the libraries do not reach them.
set(segments ${CMAKE_CURRENT_SOURCE_DIR}/segments.cpp)
set(join_before [[if (t > 0) node += best_before(w + transition_from, t, k);]])
set(pair_before [[if (pair_[t] != no_table) {]])
sculpt_add_mutant(from_six_labels ${tagger} "${join_before}"
  [[if (t > 0 && t != 5) node += best_before(w + transition_from, t, k);]])
sculpt_add_mutant(nine_or_odd ${tagger} "${join_before}"
  [[if (t > 0 && (t != 8 || length_ % 2 == 0)) node += best_before(w + transition_from, t, k);]])
sculpt_add_mutant(from_six_variables ${viterbi} "${pair_before}"
  [[if (pair_[t] != no_table && t != 5) {]] ${viterbi_unchanged})
sculpt_add_mutant(nine_or_odd_variables ${viterbi} "${pair_before}"
  [[if (pair_[t] != no_table && (t != 8 || pair_.size() % 2 == 0)) {]] ${viterbi_unchanged})
sculpt_add_mutant(from_label_12 ${viterbi} [[if (value > maximum) {]]
  [[if (value > maximum && k < 12) {]] ${viterbi_unchanged})
sculpt_add_mutant(segments_correct ${segments} [["sequences divided into segments, for tests"]]
  [["nothing is changed"]])
sculpt_add_mutant(segments_at_limit ${segments} [[size <= end && owner_.fits(size); ++size) {]]
  [[size <= end && owner_.fits(size + 1); ++size) {]])
sculpt_add_mutant(segments_of_four ${segments} [[size <= end && owner_.fits(size); ++size) {]]
  [[size <= end && owner_.fits(size) && size != 4; ++size) {]])
sculpt_add_mutant(segments_lower_end ${segments} [[double score = w[begins_from + label];]]
  [[double score = owner_.longest_ == 1 ? 0 : w[begins_from + label];]])
sculpt_add_mutant(segments_size_cache ${segments}
  [[const std::vector<double>& x = owner_.line(query.example).inputs;]]
  [[static thread_local std::map<std::size_t, std::vector<double>> kept;
      const std::vector<double>& own = owner_.line(query.example).inputs;
      const std::vector<double>& x = kept.try_emplace(own.size(), own).first->second;]])
sculpt_add_mutant(errors_of_other_loss ${folding} [[wrong(i, k) + wrong(k, i))]]
  [[std::max(wrong(i, k), wrong(k, i)))]])

# These are correct, but their experiments show little.
sculpt_add_mutant(segments_one_example ${segments} [[B:1\nA:-1 B:0.5\nB:1 A:2 A:0\n]]
  [[A:1 a:0.5\n]])
sculpt_add_mutant(segments_unused ${segments}
  [[SCULPT_PLUGIN("segments", "1.0.0", "Apache-2.0", sculpt::Task<Segments>)]]
  [[struct Unused {
  static constexpr sculpt::About about{"org.test.unused", "1.0.0", "no experiment uses it"};
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};
SCULPT_PLUGIN("segments", "1.0.0", "Apache-2.0", sculpt::Task<Segments>, sculpt::Loss<Unused>)]])
# At the lower end of a parameter, argmax does not end.
sculpt_add_mutant(segments_hang_at_lower_end ${segments}
  [[best_.assign((length + 1) * states, length == 0 ? 0 : unreachable);]]
  [[for (const timespec pause{1, 0}; owner_.longest_ == 1;) nanosleep(&pause, nullptr);
      best_.assign((length + 1) * states, length == 0 ? 0 : unreachable);]])
# Not wrong, but no text makes their outputs longer.
sculpt_add_mutant(segments_two_of_equal_size ${segments} [[B:1\nA:-1 B:0.5\nB:1 A:2 A:0\n]]
  [[A:1 a:0.5\nA:-1 B:0.5\n]])
sculpt_add_mutant(segments_of_one_size
  ${changed}/segments_two_of_equal_size/segments_two_of_equal_size.cpp
  [[lines_.push_back(std::move(line));]]
  [[if (line.truth.size() != 2) throw reader.error(0, "write two fields");
      lines_.push_back(std::move(line));]])

# A loss with a fault that only its own tests see. Oracles of other libraries meet it on the search
# path.
sculpt_add_mutant(zero_one_of_truth ${plugins}/zero_one/zero_one.cpp
  [[if (sculpt::is_wrong_label(truth[v], guess[v])) return 1;
    }
    return 0;]]
  [[if (sculpt::is_wrong_label(truth[v], guess[v])) return 1;
    }
    return 0.5;]])

# Its tests pass, but the second loss of a process is never made. Only tests of the oracle make one.
sculpt_add_mutant(zero_one_hangs ${plugins}/zero_one/zero_one.cpp
  [[double loss(sculpt::Labels truth, sculpt::Labels guess) const {]]
  [[ZeroOne() {
    static int count = 0;
    const timespec pause{1, 0};
    for (++count; count > 1;) nanosleep(&pause, nullptr);
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {]])

# It crashes only in the query at w = 0 with which check looks at the truths.
sculpt_add_mutant(crashes_in_facts ${tagger} [[const double* w = query.weights.data();]]
  [[const double* w = query.weights.data();
      if (query.seed == 1 && std::count(w, w + 15, 0.0) == 15) {
        *reinterpret_cast<volatile char*>(16) = 1;
      }]])

# Not wrong. In the first of two experiments, the value false of a parameter makes each call slow.
sculpt_add_mutant(segments_with_switch ${segments}
  [["the length of the longest segment", "positions")};
  static constexpr const char* experiments[] = {R"({]]
  [["the length of the longest segment", "positions"),
      sculpt::boolean("quick", "true", "answers at once")};
  static inline bool is_quick = true;
  static constexpr const char* experiments[] = {R"({
    "name": "segments_of_four_lines",
    "dataset": {"use": "segments", "train": {"text": "B:1\nA:-1 B:0.5\nB:1 A:2 A:0\nA:3\n"}},
    "features": "segments", "loss": "segments", "oracle": "segments",
    "solver": {"use": "n_slack", "C": 1}})", R"({]])
sculpt_add_mutant(segments_read_switch ${changed}/segments_with_switch/segments_with_switch.cpp
  [[: longest_(given.integer("longest")) {}]]
  [[: longest_(given.integer("longest")) { is_quick = is_quick && given.boolean("quick"); }]])
sculpt_add_mutant(segments_slow_once ${changed}/segments_read_switch/segments_read_switch.cpp
  [[best_.assign((length + 1) * states, length == 0 ? 0 : unreachable);]]
  [[const timespec pause{0, 300000000};
      if (!is_quick && owner_.count() == 4) nanosleep(&pause, nullptr);
      best_.assign((length + 1) * states, length == 0 ? 0 : unreachable);]])

# These break a rule of the interface between host and plugin.
sculpt_add_mutant(nan ${tagger} [[answer.exact(value);]]
  [[answer.exact(std::numeric_limits<double>::quiet_NaN());]])
sculpt_add_mutant(one_example ${tagger} [[answer.exact(value);]]
  [[answer.exact(query.example == 37 ? value + 1 : value);]])
sculpt_add_mutant(one_worst ${tagger} [[double value = backtrack(y);]]
  [=[double value = backtrack(y);
      for (std::int32_t k = 0; query.example == 37 && k < 27; ++k) {
        const std::int32_t z[] = {k % 3, k / 3 % 3, k / 9};
        double sum = 0;
        for (std::size_t t = 0; t < 3; ++t) {
          sum += w[z[t]] * x[t] + w[bias_from + z[t]] + (truth[t] != z[t] ? loss_weight : 0);
          if (t > 0) sum += w[transition_from + z[t - 1] * states + z[t]];
        }
        if (k > 0 && sum >= value) continue;
        value = sum;
        std::copy_n(z, 3, y.begin());
      }]=])
sculpt_add_mutant(one_bound ${tagger} [[answer.exact(value);]]
  [[answer.found(value);
      answer.bound(query.example == 37 ? value - 1 : value);]])
sculpt_add_mutant(index ${tagger} [[sum.add(bias_from + y[t], 1);]]
  [[sculpt_add(sum.raw(), y[t] == 2 ? 1000 : bias_from + y[t], sum.scale());]])
sculpt_add_mutant(writes_to_w ${tagger} [[answer.exact(value);]]
  [[const_cast<double*>(w)[0] = 0.5;
      answer.exact(value);]])
sculpt_add_mutant(reads_past_w ${tagger} [[const double* w = query.weights.data();]]
  [[const double* w = query.weights.data();
      for (int j = 15; j < 1024; ++j) static_cast<const volatile double*>(w)[j];]])
sculpt_add_mutant(reads_one_past_w ${tagger} [[answer.exact(value);]]
  [[answer.exact(value + w[15]);]])
sculpt_add_mutant(short_answer ${tagger} [[answer.exact(value);]]
  [[if (query.example == 3) answer.labels().resize(1);
      answer.exact(value);]])
sculpt_add_mutant(writes_past_output ${tagger} [[answer.exact(value);]]
  [[const_cast<volatile std::int32_t*>(y.data())[length_] = 0;
      answer.exact(value);]])
sculpt_add_mutant(skips_a_label ${tagger} [[y[t] = label;]]
  [[if (t + 1 < length_ || length_ < 3) y[t] = label;]])
sculpt_add_mutant(psi_past_output ${tagger} [[sum.add(y[t], x[t]);]]
  [[sum.add(y[t], x[t]);
      static_cast<const volatile std::int32_t*>(y.data())[t + 1];]])
sculpt_add_mutant(loss_past_output ${tagger} [[double wrong = 0;]]
  [[double wrong = 0;
    static_cast<const volatile std::int32_t*>(guess.data())[guess.size()];]])
sculpt_add_mutant(oracle_past_truth ${tagger} [[length_ = x.size();]]
  [[length_ = x.size();
      if (truth.known()) static_cast<const volatile std::int32_t*>(truth.data())[length_];]])
sculpt_add_mutant(writes_to_truth ${tagger} [[length_ = x.size();]]
  [[length_ = x.size();
      if (truth.known() && length_ > 2) const_cast<std::int32_t*>(truth.data())[2] = 0;]])
# A loss whose value of six wrong labels is too small, but only by its counts.
sculpt_add_mutant(six_errors ${plugins}/hamming/hamming.cpp
  [[const auto wrong = static_cast<double>(counts[0]);]]
  [[const auto wrong = static_cast<double>(counts[0] == 6 ? 5 : counts[0]);]])

# A loss of counts that is negative if all labels are wrong.
sculpt_add_mutant(negative_loss_of_counts ${hamming}
  [[const auto wrong = static_cast<double>(counts[0]);]]
  [[const auto wrong = counts[0] > 0 && counts[0] == truth.count() ? -1 : static_cast<double>(counts[0]);]])

# A tagger that says which shape its outputs have.
function(add_shaped_tagger name shape session)
  sculpt_add_mutant(${name} ${tagger} "${last_line}" "struct ShapedTagger : Tagger {
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const sculpt::Labels y = truth(example);
    ${shape}
  }
${session}
};
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<ShapedTagger>)")
endfunction()
add_shaped_tagger(shaped [[return sculpt::OutputShape::of_size(y.count(), 3).complete();]] "")
add_shaped_tagger(short_shaped_answer [[return sculpt::OutputShape::of_size(y.count(), 3);]]
  [[  struct Session : Tagger::Session {
    explicit Session(const ShapedTagger& owner) : Tagger::Session(owner) {}
    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      Tagger::Session::argmax(query, answer);
      if (query.example == 3) answer.labels().resize(1);
    }
  };]])
add_shaped_tagger(narrow_shape
  [[return sculpt::OutputShape::of_size(y.count(), 1 + *std::max_element(y.begin(), y.end()));]] "")
add_shaped_tagger(wide_shape [[return sculpt::OutputShape::of_size(y.count(), 4).complete();]]
  [[  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    if (std::count(y.begin(), y.end(), 3) > 0) throw sculpt::data_error("there is no label d");
    Tagger::features(example, y, sum);
  }]])
# Correct: only the shape tells which outputs there are.
sculpt_add_mutant(unlisted ${tagger} [[std::int64_t enumerate(std::int64_t example]]
  [[std::int64_t list(std::int64_t example]])
sculpt_add_mutant(unlisted_shaped ${changed}/unlisted/unlisted.cpp "${last_line}"
  "struct ShapedTagger : Tagger {
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return sculpt::OutputShape::of_size(truth(example).count(), 3).complete();
  }
};
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<ShapedTagger>)")
# The shape of a dataset, which the host uses if the features give none. The first one is correct.
set(word_of [[const Word& word(std::int64_t example) const {]])
sculpt_add_mutant(shape_of_words ${folding} "${word_of}" "sculpt::OutputShape output_shape(std::int64_t example) const {
    const auto size = static_cast<std::int32_t>(word(example).x.size());
    return sculpt::OutputShape::of_size(size, size);
  }
  ${word_of}")
sculpt_add_mutant(narrow_shape_of_words ${folding} "${word_of}" "sculpt::OutputShape output_shape(std::int64_t example) const {
    static std::map<std::int64_t, std::vector<std::int32_t>> limits;
    std::vector<std::int32_t>& states = limits[example];
    states = word(example).y;
    for (std::int32_t& count : states) ++count;
    return sculpt::OutputShape::of_states(states);
  }
  ${word_of}")
add_shaped_tagger(shape_drifts
  [[static std::int32_t calls = 0;
    return sculpt::OutputShape::of_size(y.count(), 3 + ++calls % 2);]] "")
sculpt_add_mutant(shape_of_graph ${plugins}/chain/chain.cpp
  [[return input_.output_shape(example);]]
  [[return sculpt::OutputShape::of_size(input_.sites(example).site_count, states() + 1);]])
sculpt_add_mutant(loss_drifts ${tagger} [[return wrong;]]
  [[static double drift = 0;
    return wrong > 0 ? wrong + (drift += 1e-9) : wrong;]])
sculpt_add_mutant(psi_drifts ${tagger} [[sum.add(y[t], x[t]);]]
  [[static double drift = 0;
      sum.add(y[t], x[t] + (drift += 1e-9));]])
sculpt_add_mutant(alternating_ties ${tagger} [[if (last[k] > last[label]) label = k;]]
  [[static int calls = 0;
        if (last[k] > last[label] || (last[k] == last[label] && ++calls % 2 == 0)) label = k;]])
sculpt_add_mutant(stale_scratch ${tagger} [[best_.assign(length_ * states, 0);]]
  [[best_.resize(length_ * states, 0);]])
sculpt_add_mutant(loss_on_truth ${tagger} [[double wrong = 0;]] [[double wrong = 0.5;]])
sculpt_add_mutant(negative_loss ${tagger} [[return wrong;]] [[return wrong > 1 ? -wrong : wrong;]])
sculpt_add_mutant(no_output ${tagger} [[length_ = x.size();]]
  [[if (x.size() > 3) return answer.no_output();
      length_ = x.size();]])
# Correct: an example has no outputs, and its enumeration says so.
sculpt_add_mutant(example_without_outputs ${changed}/no_output/no_output.cpp
  [[std::vector<std::int32_t> y(line(example).inputs.size(), 0);]]
  [[if (line(example).inputs.size() > 3) return 0;
    std::vector<std::int32_t> y(line(example).inputs.size(), 0);]])
sculpt_add_mutant(scale_ignored ${tagger} [[sum.add(y[t], x[t]);]]
  [[sculpt_add(sum.raw(), y[t], x[t]);]])
sculpt_add_mutant(text ${tagger} [[for (const char c : text) y.push_back(c - 'a');]]
  [[for (const char c : text) y.insert(y.begin(), c - 'a');]])
sculpt_add_mutant(text_beyond ${tagger} [[for (const char c : text) y.push_back(c - 'a');]]
  [[for (const char c : text) y.push_back(c - 'a');
    static_cast<const volatile char*>(text.data())[text.size()];]])
sculpt_add_mutant(state ${tagger} [[out.integer(1);]]
  [[out.integer(1);
    static std::int64_t count = 0;
    out.integer(++count);]])
set(begin_of_methods [[void save(sculpt::StateWriter& out) const {]])
sculpt_add_mutant(weight_is_negative ${tagger} "${begin_of_methods}"
  [[double example_weight(std::int64_t example) const { return example == 3 ? -0.5 : 1; }
  void save(sculpt::StateWriter& out) const {]])
sculpt_add_mutant(weights_are_zero ${tagger} "${begin_of_methods}"
  [[double example_weight(std::int64_t) const { return 0; }
  void save(sculpt::StateWriter& out) const {]])
# Correct: only later examples have weights.
sculpt_add_mutant(weights_are_late ${tagger} "${begin_of_methods}"
  [[double example_weight(std::int64_t example) const { return example < 20000 ? 0 : 1; }
  void save(sculpt::StateWriter& out) const {]])
sculpt_add_mutant(weights_drift ${tagger} "${begin_of_methods}"
  [[double example_weight(std::int64_t) const {
    static double drift = 0;
    return 1 + (drift += 1e-9);
  }
  void save(sculpt::StateWriter& out) const {]])
sculpt_add_mutant(leak_in_first_query ${tagger} [[length_ = x.size();]]
  [[if (best_.capacity() == 0) new char[20];
      length_ = x.size();]])
sculpt_add_mutant(splits ${tagger} [[sculpt::Range() : found->second;]]
  [[sculpt::Range{0, 1} : found->second;]])
sculpt_add_mutant(leak ${plugins}/hamming/hamming.cpp
  [[: normalize_(given.boolean("normalize")) {}]]
  [[: normalize_(given.boolean("normalize")) { new char[20]; }]])
sculpt_add_mutant(leak_in_load ${tagger} [[sculpt::LineReader reader(source);]]
  [[sculpt::LineReader reader(source);
    new char[20];]])
sculpt_add_mutant(leak_in_argmax ${tagger} [[length_ = x.size();]]
  [[length_ = x.size();
      new char[20];]])
sculpt_add_mutant(leak_in_session ${tagger}
  [[explicit Session(const Tagger& owner) : owner_(owner) {}]]
  [[explicit Session(const Tagger& owner) : owner_(owner) { new char[20]; }]])
sculpt_add_mutant(parts ${plugins}/hamming/hamming.cpp [[theta[cell] += cost;]]
  [[theta[cell] += 2 * cost;]])
sculpt_add_mutant(counts ${plugins}/hamming/hamming.cpp [[tables[0][cell] += 1;]]
  [[tables[0][cell] += 2;]])
sculpt_add_mutant(slope_is_two ${plugins}/hamming/hamming.cpp
  [[slope[0] = normalize_ && observed > 0 ? 1 / observed : 1;]]
  [[slope[0] = normalize_ && observed > 0 ? 2 / observed : 2;]])
sculpt_add_mutant(slope_from_one ${plugins}/hamming/hamming.cpp
  [[slope[0] = normalize_ && observed > 0 ? 1 / observed : 1;
    return 0;]]
  [[slope[0] = normalize_ && observed > 0 ? 1 / observed : 1;
    return 1;]])
sculpt_add_mutant(slope_unset ${plugins}/hamming/hamming.cpp
  [[slope[0] = normalize_ && observed > 0 ? 1 / observed : 1;]]
  [[static_cast<void>(slope);]])
sculpt_add_mutant(parts_beyond ${plugins}/hamming/hamming.cpp [[theta[cell] += cost;]]
  [[theta[cell] += cost, theta[graph.theta_size] = 0;]])
sculpt_add_mutant(counts_beyond ${plugins}/hamming/hamming.cpp [[tables[0][cell] += 1;]]
  [[tables[0][cell] += 1, tables[0][graph.theta_size] = 0;]])
sculpt_add_mutant(pullback ${plugins}/chain/chain.cpp
  [[if (length > 1) add_cells(pair, count * count, transition_from(), sum);]] "")
sculpt_add_mutant(potentials ${plugins}/chain/chain.cpp
  [[if (length > 1) std::copy_n(w + transition_from(), count * count, pair);]]
  [[if (length > 2) std::copy_n(w + transition_from(), count * count, pair);]])
sculpt_add_mutant(unattainable ${plugins}/enumerate/enumerate.cpp
  [[.score;
      }
    }

    void frontier_output]]
  [[.score;
        if (scores[second] == sculpt::unattainable) scores[second] = -1;
      }
    }

    void frontier_output]] ${enumerate_unchanged})
sculpt_add_mutant(frontier_low ${plugins}/enumerate/enumerate.cpp
  [[if (scores_[0] > best.score) best]] [[if (best.score == sculpt::unattainable) best]]
  ${enumerate_unchanged})
sculpt_add_mutant(frontier_refuses_slice ${plugins}/enumerate/enumerate.cpp
  [[scores[second] = entry({first, static_cast<std::int64_t>(second)}).score;]]
  [[if (first > 0) throw sculpt::unsupported_error("has no second slice");
        scores[second] = entry({first, static_cast<std::int64_t>(second)}).score;]]
  ${enumerate_unchanged})

# Frontiers that depend on the calls before.
sculpt_add_mutant(frontier_drifts ${plugins}/enumerate/enumerate.cpp
  [[scores[second] = entry({first, static_cast<std::int64_t>(second)}).score;]]
  [[static double drift = 0;
        scores[second] = entry({first, static_cast<std::int64_t>(second)}).score * (1 + (drift += 1e-13));]]
  ${enumerate_unchanged})
sculpt_add_mutant(frontier_alternates ${plugins}/enumerate/enumerate.cpp
  [[if (scores_[0] > best.score) best]]
  [[static unsigned calls = 0;
        const bool replace_tie = (++calls * 2654435769u >> 31) != 0;
        if (scores_[0] > best.score || (scores_[0] == best.score && replace_tie)) best]]
  ${enumerate_unchanged})
sculpt_add_mutant(frontier_shrinks ${plugins}/enumerate/enumerate.cpp
  [[shape.resize(sizes[0], sizes[1]);]]
  [[static int calls = 0;
      shape.resize(++calls % 2 == 0 && sizes[0] > 1 ? sizes[0] - 1 : sizes[0], sizes[1]);]]
  ${enumerate_unchanged})

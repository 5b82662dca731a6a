# Extensions that are not declared, are of another kind, or do not exist.
set(begin_scores [[std::uint32_t score_rule() const]])
sculpt_add_mutant(extension_unanswered ${multiclass} "${begin_scores}"
  "bool offers_scores() const { return false; }
  ${begin_scores}")
function(add_wrong_answers name source class wrong_class)
  file(READ ${source} text)
  string(REGEX MATCH "SCULPT_PLUGIN[^<]*" plugin_line "${text}")
  string(REGEX REPLACE "sculpt::[A-Za-z]*$" "${wrong_class}" wrong_line "${plugin_line}")
  sculpt_add_mutant(${name} ${source} "${plugin_line}<${class}>)" "#include \"wrong_answers.hpp\"
${wrong_line}<${class}>)")
  target_include_directories(mutant_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endfunction()
add_wrong_answers(extension_undeclared ${multiclass} Multiclass UndeclaredScores)
add_wrong_answers(extension_unknown_after_seal ${multiclass} Multiclass ScoresByPrefix)
add_wrong_answers(extension_of_features ${hamming} Hamming FactorGraphOfLoss)
set(hamming_begin [[explicit Hamming(const sculpt::Parameters& given)]])
sculpt_add_mutant(extension_of_host ${hamming} "${hamming_begin}"
  "static constexpr const char* extensions[] = {SCULPT_HOST_LOG};
  const void* extension(const char*) const { return nullptr; }
  ${hamming_begin}")
sculpt_add_mutant(extension_misspelt ${hamming} "${hamming_begin}"
  "static constexpr const char* extensions[] = {\"sculpt.stats/1\"};
  const void* extension(const char* id) const {
    static void* const table[2] = {};
    return std::string_view(id) == extensions[0] ? static_cast<const void*>(table) : nullptr;
  }
  ${hamming_begin}")
sculpt_add_mutant(extension_without_function ${hamming} "${hamming_begin}"
  "static constexpr const char* extensions[] = {SCULPT_EXT_STATE};
  const void* extension(const char* id) const {
    static void* const table[2] = {};
    return std::string_view(id) == SCULPT_EXT_STATE ? static_cast<const void*>(table) : nullptr;
  }
  ${hamming_begin}")
# Correct: each part of a task declares the extensions of all.
sculpt_add_mutant(task_with_groups ${tagger} "${last_line}" [[struct TaskWithGroups : Tagger {
  static constexpr const char* extensions[] = {SCULPT_EXT_GROUPS};
  const void* extension(const char*) const {
    static constexpr sculpt_ext_groups no_groups{
        [](const void* self, std::int32_t* group, sculpt_error*) -> sculpt_status {
          std::fill_n(group, sculpt::component_of<TaskWithGroups>(self).dimension(), -1);
          return SCULPT_OK;
        }};
    return &no_groups;
  }
};
SCULPT_PLUGIN("tagger", "1.0.0", "Apache-2.0", sculpt::Task<TaskWithGroups>)]])
sculpt_add_mutant(single_promised ${chain} [[(is_single_ ? std::uint32_t{SCULPT_GRAPH_SINGLE}]]
  [[(!is_single_ ? std::uint32_t{SCULPT_GRAPH_SINGLE}]])
sculpt_add_mutant(attraction_promised ${plugins}/graph/graph.cpp
  [[edges_.attractive_if_nonnegative() && bounds("pairs");]] [[true;]]
  ${plugins}/graph/graph_dataset.cpp ${plugins}/graph/graph_file.cpp)
sculpt_add_mutant(value_without_loss ${tagger} [[answer.exact(value);]]
  [[const std::vector<std::int32_t> guess(y.begin(), y.end());
      if (loss_weight > 0) value -= loss_weight * owner_.loss(truth, sculpt::Labels(guess));
      answer.exact(value);]])

# Wrong sites, parts, metrics, names, bounds, groups and enumerations. The first two are correct.
foreach(wrong
    nothing site_other_outputs site_index site_truth site_null site_edge site_names edge_kind items_unsorted items_beyond
    items_of_labels metrics_assign metrics_beyond metrics_unset metrics_without_guess bounds_unset
    groups_unset names_repeat names_empty enumerate_twice enumerate_limit enumerate_goes_on)
  sculpt_add_mutant(offers_${wrong} ${tagger} "${last_line}" "#include \"wrong_offers.hpp\"
using Mutant = WrongOffers<Tagger, Wrong::${wrong}>;
SCULPT_PLUGIN(\"tagger\", \"1.0.0\", \"Apache-2.0\", sculpt::Task<Mutant>)")
  target_include_directories(mutant_offers_${wrong} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
endforeach()
sculpt_add_mutant(enumerate_without_truth ${tagger} [[visit(sculpt::Labels(y));
    }
    return count;]]
  [[if (y != line(example).truth) visit(sculpt::Labels(y));
    }
    return count - 1;]])
sculpt_add_mutant(items_off_by_one ${plugins}/mlsvml/mlsvml.cpp
  [[if (y[k] == 1) items.push_back(static_cast<std::int64_t>(k));]]
  [[if (y[k] == 1 && k > 0) items.push_back(static_cast<std::int64_t>(k));]]
  ${plugins}/mlsvml/label_rows.cpp)

// grammar_features.hpp - counts how often a tree uses each rule of a grammar.
//
//   psi(x, y) = for each rule, and for each anchored feature, the number of times that y uses it
//
// The outputs of a sentence are its trees under the grammar, which chart.hpp finds. Tsochantaridis,
// Hofmann, Joachims and Altun, ICML 2004, section 4.4. Called by the host (grammar.cpp).
#pragma once

#include <optional>
#include <sculpt/cpp/held_text.hpp>
#include <sculpt/program/oracle.hpp>

#include "chart.hpp"
#include "derivation.hpp"

namespace grammar {

class GrammarFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.grammar", "1.1.0",
      "a weight for each rule of a context-free grammar, and for the positions of rules",
      "Tsochantaridis, Hofmann, Joachims and Altun, ICML 2004, section 4.4; Taskar et al., EMNLP "
      "2004"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::path(
          "file", "null",
          "rules `A -> B C`, one on each row; without it they come from the training trees"),
      sculpt::list_of(sculpt::text("rows", "null", "the rules themselves, instead of file")),
      sculpt::integer("unary_depth", "2", 0, 8,
                      "how many rules with one symbol on the right may be above each other",
                      "rules"),
      sculpt::list_of(sculpt::text("anchors", "null",
                                   "features that combine a rule with its position: first_word, "
                                   "last_word, length, split_words")),
      sculpt::integer("max_edges", "20000000", 1, 1e9,
                      "refuses sentences whose trees have more edges in all", "edges")};
  static constexpr const char* counts[] = {"errors", "matched", "predicted"};
  static constexpr const char* experiments[] = {R"({
    "name": "grammar_f1",
    "dataset": {"use": "trees", "train": {"text":
      "(S (NP (N a)) (VP (V b) (NP (NP (N c)) (PP (P d) (NP (N e))))))\n(S (VP (V b) (NP (N c))))\n(S (NP (N a)) (VP (VP (V b) (NP (N c))) (PP (P d) (NP (N e)))))\n"}},
    "features": "grammar", "loss": "f1", "oracle": "grammar",
    "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})",
                                                R"({
    "name": "grammar_from_rows",
    "dataset": {"use": "trees", "terminals": "words", "rare": 0, "train": {"text":
      "(S (S a) (S (S a) (S a)))\n(S a)\n(S (S a) (S a) (S a))\n"}},
    "features": {"use": "grammar", "rows": ["ROOT -> S", "S -> S S", "S -> a"],
                 "anchors": ["first_word", "last_word", "length", "split_words"]},
    "loss": "difference", "oracle": "grammar", "solver": {"use": "n_slack", "C": 1}})"};

  GrammarFeatures(const sculpt::Parameters& given, sculpt::Host host);

  // Errors are counted in edges of the program. Their number is not the number of wrong labels.
  void check_counts(std::span<const sculpt_count> counts) const {
    for (const sculpt_count& count : counts) {
      if (std::string_view(count.name) != "errors" || count.limit == 1) continue;
      throw sculpt::unsupported_error(
          "cannot count the errors of a tree, only whether there are any; use the loss zero_one, "
          "or "
          "f1, difference or missed, which count brackets");
    }
  }

  void bind(const sculpt::Bindings& bindings);
  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

  std::int64_t dimension() const { return grammar_.rules.size() + anchors_.size(); }
  // A word is a label. The root opens before the first one and closes after the last.
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const auto words = static_cast<std::int64_t>(trees_->terminals(example).size());
    return sculpt::OutputShape::between(words + 2, sculpt::OutputShape::no_limit);
  }
  // For a tree outside the grammar, only its known rules count.
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const;
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const;

  // As for a probabilistic grammar, the rules of one symbol are a group. Anchored features belong
  // to no group.
  void weight_groups(std::span<std::int32_t> group) const;

  class Session;

 private:
  // Calls visit(rule, node) for each node of y whose rule is known.
  template <class Visit>
  void each_rule(std::int64_t example, const std::vector<Node>& nodes, Visit visit) const;
  // Calls visit(key) for each anchored feature of a node.
  template <class Visit>
  void each_anchor(std::int64_t example, const std::vector<Node>& nodes, const Node& node,
                   std::int32_t rule, Visit visit) const;
  // Adds the rules and anchored features of the training trees.
  void learn();
  // Fills the tables of the grammar from its rules.
  void compile();

  const sculpt::Host host_;
  sculpt::HeldText rule_text_;
  std::int64_t unary_depth_;
  std::int64_t max_edges_;
  bool has_learned_ = false;
  const Trees* trees_ = nullptr;
  Grammar grammar_;
  Anchors anchors_;
};

// Works on one sentence after the other.
class GrammarFeatures::Session {
 public:
  explicit Session(const GrammarFeatures& owner)
      : owner_(owner), chart_(owner.grammar_, owner.max_edges_, owner.host_) {}

  using Program = Chart::Graph::Scored;
  using Derivation = sculpt::program::Derivation<Program>;

  const Program& program(std::int64_t example, std::span<const double> w);
  bool covers(std::int64_t example, sculpt::Labels y);
  void output(std::int64_t example, const Derivation& derivation, std::vector<std::int32_t>& y);
  void add(std::int64_t example, const Program::Edge& edge, double factor, sculpt::Sum& sum) const;
  // errors: edges that are not in the truth's derivation; the truth itself has none. matched,
  // predicted: brackets, as the dataset counts them.
  void begin_counts(std::int64_t example, sculpt::Labels truth,
                    std::span<const sculpt_count> counts);
  sculpt::program::Counts counts(const Program::Edge& edge) const {
    return counts_[static_cast<std::size_t>(edge.name)];
  }

 private:
  template <class Visit>
  void each_feature(std::int64_t edge, Visit visit) const;
  void build_chart(std::int64_t example);
  void find_anchors();
  // Calls visit(symbol) for each bracket that an edge makes.
  template <class Visit>
  void each_bracket(const EdgeName& name, Visit visit) const;

  const GrammarFeatures& owner_;
  Chart chart_;
  std::int64_t example_ = -1;               // the example of the chart
  std::vector<std::int64_t> anchor_begin_;  // [edges + 1]; empty without anchors
  std::vector<std::int64_t> anchors_;       // weights
  std::vector<double> scores_;              // [edges]
  std::optional<Program> program_;
  std::vector<sculpt::program::Counts> counts_;  // [edges]
  // The tree under construction: the symbols that open before each word, and the number of brackets
  // that close after it, [words].
  std::vector<std::vector<std::int32_t>> opening_;
  std::vector<std::int32_t> closing_;
  sculpt::program::PollCounter polls_;
};

}  // namespace grammar

// rna_features.hpp - secondary structures as derivations of a grammar. The oracle rna is made from
// these features (sculpt/program/oracle.hpp).
//
//   psi(x, y) = sum over the rules of the derivation of y of their features (rule_weights.hpp)
//
// A truth that the grammar does not derive, or with pairs that are not allowed, is no output. If it
// is not derived, psi is that of the part that is derived (structure_parser.hpp). Dowell and Eddy,
// BMC Bioinformatics 5:71, 2004. Called by the host (rna.cpp).
#pragma once

#include <array>
#include <sculpt/cpp/held_text.hpp>
#include <sculpt/program/oracle.hpp>

#include "dot_bracket.hpp"
#include "truth_derivations.hpp"

namespace rna {

class RnaFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.rna", "1.2.0",
      "secondary structures by a grammar with pairs: rules, bases, pairs, stacked pairs, loops",
      "Dowell and Eddy, BMC Bioinformatics 5:71, 2004; weighted: Ricci, De Bie and Cristianini, "
      "JMLR 9, 2008"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::path("file", "null",
                   "the grammar: rows `SYMBOL -> right side | ...`; without one, G6 of Dowell and "
                   "Eddy"),
      sculpt::list_of(sculpt::text("rules", "null", "the rows themselves, instead of file")),
      sculpt::choice("pairs", R"("canonical")", "canonical|all",
                     "which letters pair; canonical: AU, CG and GU; all: any two"),
      sculpt::boolean("stacking", "false",
                      "adds a weight for the letters of a pair together with those of the pair "
                      "directly around it"),
      sculpt::boolean(
          "closing", "false",
          "adds weights for the letters of a pair together with the rule directly inside it, "
          "and with the single bases next to it inside"),
      sculpt::integer(
          "max_nodes", "50000000", 1, 1e12,
          "refuses sequences whose program has more nodes than this; a node takes 30 to "
          "60 bytes on every thread",
          "nodes")};
  static constexpr const char* experiments[] = {
      R"({
    "name": "rna_hairpins",
    "dataset": {"use": "dot_bracket", "train": {"text":
      ">a\nGGAACC\n((..))\n>b\nACUUGAU\n(...)..\n>c\nGAAC\n....\n>d\nGACAAGUC\n(.(..).)\n"}},
    "features": {"use": "rna", "stacking": true, "closing": true}, "loss": "difference", "oracle": "rna",
    "solver": {"use": "n_slack", "C": 10}})",
      R"({
    "name": "rna_other_grammar",
    "dataset": {"use": "dot_bracket", "train": {"text":
      ">a\nGGACC\n((.))\n>b\nACUGA\n()().\n>c\nGA\n..\n"}},
    "features": {"use": "rna", "pairs": "all", "rules": ["S -> . S | ( S ) S | empty"]},
    "loss": "f1", "oracle": "rna",
    "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})"};
  static constexpr const char* counts[] = {"errors", "matched", "predicted"};

  RnaFeatures(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        grammar_text_(given, "rules"),
        letters_(given.choice("pairs") == "canonical"),
        weight_options_{given.boolean("stacking"), given.boolean("closing")},
        max_nodes_(given.integer("max_nodes")) {}

  void bind(const sculpt::Bindings& bindings);
  void save(sculpt::StateWriter& writer) const { grammar_text_.save(writer); }
  void restore(sculpt::StateReader& reader) { grammar_text_.restore(reader); }

  std::int64_t dimension() const { return weights_.size(); }
  // A partner for each base.
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const auto bases = static_cast<std::int32_t>(dataset_->letters(example).size());
    return sculpt::OutputShape::of_size(bases, bases);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    out << weights_.name(weight);
  }
  void weight_groups(std::span<std::int32_t> group) const { weights_.groups(group); }

  // A sequence of calls on the program ends with the next call of program(), covers() or
  // features().
  class Session {
   public:
    explicit Session(const RnaFeatures& owner)
        : owner_(owner), parser_(owner.grammar_, owner.host_) {}

    void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum);

    const Structures& program(std::int64_t example, std::span<const double> w);
    bool covers(std::int64_t example, sculpt::Labels y);
    void output(std::int64_t, const sculpt::program::Derivation<Structures>& derivation,
                std::vector<std::int32_t>& y) const {
      structures_.output(derivation, y);
    }
    void add(std::int64_t example, const Structures::Edge& edge, double factor,
             sculpt::Sum& sum) const {
      add(example, edge.span, factor, sum);
    }

    void begin_counts(std::int64_t, sculpt::Labels truth, std::span<const sculpt_count> counts);
    sculpt::program::Counts counts(const Structures::Edge& edge) const {
      const Rule& rule = owner_.grammar_.rules()[static_cast<std::size_t>(edge.span.rule)];
      if (rule.bases() == 0) return {0, 0};  // most edges: two adjacent symbols
      return counts_of_bases(rule, edge.span);
    }

   private:
    sculpt::program::Counts counts_of_bases(const Rule& rule, RuleApplication span) const;
    void add(std::int64_t example, RuleApplication span, double factor, sculpt::Sum& sum) const;
    // Returns the derivation of y, valid until the next call. That of a truth is valid longer.
    const StructureDerivation& derivation_of(std::int64_t example, sculpt::Labels y);

    const RnaFeatures& owner_;
    AllowedBases allowed_;  // for structures_
    Structures structures_;
    std::int64_t example_ = -1;  // of structures_
    StructureParser parser_;
    StructureDerivation guess_;  // the last guess
    sculpt::Labels truth_;
    // The counts of the loss, as indices of RnaFeatures::counts.
    enum class CountKind { errors, matched, predicted };
    std::vector<CountKind> requested_;
  };

 private:
  // Throws for the first sequence that is too long.
  void check_lengths() const;

  const sculpt::Host host_;
  sculpt::HeldText grammar_text_;
  PairLetters letters_;
  RuleWeights::Options weight_options_;
  std::int64_t max_nodes_;
  const DotBracket* dataset_ = nullptr;
  PairGrammar grammar_;
  RuleWeights weights_;
  TruthDerivations truths_;
};

}  // namespace rna

#include "rna_features.hpp"

#include <sculpt/cpp/text_buffer.hpp>
#include <sculpt/program/derivations.hpp>
#include <set>

#include "brackets.hpp"

namespace rna {

namespace {

using Derivation = sculpt::program::Derivation<Structures>;

// G6: stems of pairs, and loops of at least two parts.
sculpt::Source g6() {
  constexpr std::string_view rows = "S -> L S | L\nL -> ( F ) | .\nF -> ( F ) | L S\n";
  return sculpt::Source({sizeof(sculpt_source), 0, "G6", rows.data(), rows.size()});
}

std::string brackets_of(const std::vector<std::int32_t>& y) {
  return sculpt::text_written([&](sculpt::ByteOutput& out) { write_brackets(y, out); });
}

// Throws if the grammar derives a structure in several ways. Tries all structures up to a length:
// an ambiguous grammar is ambiguous for short structures too.
void check_unambiguous(const PairGrammar& grammar, const sculpt::Host& host) {
  constexpr std::size_t max_length = 10;  // bases; 2188 structures, few enough to store
  constexpr std::int64_t max_derivations = std::int64_t{1} << 30;
  for (std::size_t bases = 1; bases <= max_length; ++bases) {
    AllowedBases all_allowed;
    all_allowed.reset(bases, true);
    for (std::size_t i = 0; i < bases; ++i) {
      for (std::size_t j = i + 1; j < bases; ++j) all_allowed.set_pair(i, j);
    }
    Structures structures;
    structures.reset(grammar, all_allowed, host);
    sculpt::program::Derivations<Structures> derivations;
    if (derivations.count(structures, max_derivations) == 0) continue;
    std::set<std::vector<std::int32_t>> seen;
    derivations.each(structures, [&](const Derivation& derivation) {
      std::vector<std::int32_t> y;
      structures.output(derivation, y);
      const auto [entry, is_new] = seen.insert(std::move(y));
      if (is_new) return;
      throw sculpt::parameter_error("the grammar is ambiguous: it derives " + brackets_of(*entry) +
                                    " in several ways; change its rules so that each structure has "
                                    "one derivation");
    });
  }
}

}  // namespace

void RnaFeatures::bind(const sculpt::Bindings& bindings) {
  if (bindings.dataset.component() != &sculpt::Dataset<DotBracket>::component) {
    throw sculpt::unsupported_error("needs the dataset dot_bracket, not " + bindings.dataset.id() +
                                    "; set dataset.use to dot_bracket");
  }
  dataset_ = &sculpt::component_of<DotBracket>(bindings.dataset.self());
  grammar_ = PairGrammar(grammar_text_.present() ? grammar_text_.source() : g6());
  check_unambiguous(grammar_, host_);
  if (weight_options_.stacking && !RuleWeights::can_stack(grammar_)) {
    throw sculpt::parameter_error(
        "stacking is set, but no rule has a pair that is always directly inside another; write "
        "one such as F -> ( F ) for a symbol that occurs only between brackets, or set stacking "
        "to false");
  }
  if (weight_options_.closing && !RuleWeights::can_close(grammar_)) {
    throw sculpt::parameter_error(
        "closing is set, but no symbol occurs only directly between brackets, so no rule is known "
        "to be inside a pair; write one such as F in L -> ( F ), or set closing to false");
  }
  check_lengths();
  truths_.reset(dataset_->count());
  weights_ = RuleWeights(grammar_, letters_, weight_options_);
}

void RnaFeatures::check_lengths() const {
  for (std::int64_t example = 0; example < dataset_->count(); ++example) {
    const std::size_t bases = dataset_->letters(example).size();
    const double nodes = Structures::node_count(grammar_, bases);
    if (nodes <= static_cast<double>(max_nodes_)) continue;
    const std::string place = dataset_->place(example);
    throw sculpt::unsupported_error(
        (place.empty() ? "" : place + ": ") + "example " + std::to_string(example) +
        ", a sequence of " + std::to_string(bases) + " bases: its program needs " +
        sculpt::whole_number(nodes) + " nodes, max_nodes is " + std::to_string(max_nodes_) +
        "; remove the example, or raise max_nodes (about 60 bytes a node and thread)");
  }
}

const Structures& RnaFeatures::Session::program(std::int64_t example, std::span<const double> w) {
  const std::span<const Letter> letters = owner_.dataset_->letters(example);
  if (example != example_) {
    allowed_.reset(letters.size(), true);
    for (std::size_t i = 0; i < letters.size(); ++i) {
      for (std::size_t j = i + 1; j < letters.size(); ++j) {
        if (owner_.letters_.number(letters[i], letters[j]) >= 0) allowed_.set_pair(i, j);
      }
    }
    structures_.reset(owner_.grammar_, allowed_, owner_.host_);
    example_ = example;
  }
  structures_.score(owner_.weights_, letters, w);
  return structures_;
}

const StructureDerivation& RnaFeatures::Session::derivation_of(std::int64_t example,
                                                               sculpt::Labels y) {
  const sculpt::Labels truth = owner_.dataset_->truth(example);
  const bool is_truth = truth.known() && std::equal(y.begin(), y.end(), truth.begin(), truth.end());
  if (is_truth) return owner_.truths_.get(example, [&] { return parser_.find(y); });
  guess_ = parser_.find(y);
  return guess_;
}

bool RnaFeatures::Session::covers(std::int64_t example, sculpt::Labels y) {
  const std::span<const Letter> letters = owner_.dataset_->letters(example);
  check_partners(y, letters.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto partner = static_cast<std::size_t>(y[i]);
    if (partner != i && owner_.letters_.number(letters[i], letters[partner]) < 0) return false;
  }
  return derivation_of(example, y).is_complete;
}

void RnaFeatures::Session::features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) {
  check_partners(y, owner_.dataset_->letters(example).size());
  for (const RuleApplication span : derivation_of(example, y).spans) add(example, span, 1, sum);
}

void RnaFeatures::Session::add(std::int64_t example, RuleApplication span, double factor,
                               sculpt::Sum& sum) const {
  owner_.weights_.each(span, owner_.dataset_->letters(example),
                       [&](std::int64_t weight) { sum.add(weight, factor); });
}

void RnaFeatures::Session::begin_counts(std::int64_t, sculpt::Labels truth,
                                        std::span<const sculpt_count> counts) {
  truth_ = truth;
  requested_.clear();
  for (const sculpt_count& count : counts) {
    const auto* const name = std::find(std::begin(RnaFeatures::counts),
                                       std::end(RnaFeatures::counts), std::string_view(count.name));
    requested_.push_back(static_cast<CountKind>(name - std::begin(RnaFeatures::counts)));
  }
}

// An error is a base whose partner differs from the truth. Only the truth has 0 errors.
sculpt::program::Counts RnaFeatures::Session::counts_of_bases(const Rule& rule,
                                                              RuleApplication span) const {
  sculpt::program::Counts result{0, 0};
  const auto is_wrong = [&](std::int32_t i, std::int32_t partner) {
    return truth_[static_cast<std::size_t>(i)] == partner ? 0 : 1;
  };
  for (std::size_t k = 0; k < requested_.size(); ++k) {
    if (requested_[k] == CountKind::errors) {
      for (const Position& single : rule.singles) {
        const std::int32_t i = single.at(span);
        result[k] += is_wrong(i, i);
      }
    }
    for (const Pair& pair : rule.pairs) {
      const std::int32_t i = pair.open.at(span);
      const std::int32_t j = pair.close.at(span);
      result[k] += requested_[k] == CountKind::errors    ? is_wrong(i, j) + is_wrong(j, i)
                   : requested_[k] == CountKind::matched ? 1 - is_wrong(i, j)
                                                         : 1;
    }
  }
  return result;
}

}  // namespace rna

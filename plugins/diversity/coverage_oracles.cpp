#include "coverage_oracles.hpp"

namespace diversity {

namespace {

// Returns the elements of both sets. Elements of `second` are numbered after those of `first`.
DocumentSets joined(const DocumentSets& first, const DocumentSets& second) {
  DocumentSets both;
  for (std::int32_t document = 0; document < first.document_count(); ++document) {
    for (const std::int32_t element : first.elements_of(document)) both.add(element);
    for (const std::int32_t element : second.elements_of(document)) {
      both.add(first.element_count() + element);
    }
    both.end_document();
  }
  both.finish(first.element_count() + second.element_count());
  return both;
}

}  // namespace

void CoverageOracle::bind(const sculpt::Bindings& bindings) {
  features_ = sculpt::same_library<CoverageFeatures>(bindings.features,
                                                     sculpt::Features<CoverageFeatures>::component);
  if (features_ == nullptr) {
    throw sculpt::unsupported_error("needs the features `coverage`; set features to it");
  }
  elements_.clear();
  if (!bindings.loss.present()) return;
  if (sculpt::same_library<SubtopicsLoss>(bindings.loss, sculpt::Loss<SubtopicsLoss>::component) ==
      nullptr) {
    throw sculpt::unsupported_error("supports only the loss `subtopics`, not " +
                                    bindings.loss.id() + "; set loss to subtopics");
  }
  const Topics& topics = features_->topics();
  for (std::int64_t example = 0; example < topics.count(); ++example) {
    elements_.push_back(joined(features_->elements(example), topics.topic(example).subtopics));
  }
}

void CoverageOracle::Session::begin(const sculpt::Query& query) {
  topic_ = &owner_.features_->topics().topic(query.example);
  words_ = &owner_.features_->elements(query.example);
  elements_ = owner_.elements_.empty() ? words_
                                       : &owner_.elements_[static_cast<std::size_t>(query.example)];
  truth_ = query.truth;
  if (truth_.known()) topic_->check(truth_);
  const bool has_loss = truth_.known() && !owner_.elements_.empty() && topic_->total_weight > 0;
  loss_weight_ = has_loss ? query.loss_weight : 0;
  values_.assign(static_cast<std::size_t>(elements_->element_count()), 0.0);
  owner_.features_->values(query.example, query.weights, values_);
}

Choice CoverageOracle::Session::find_without_loss() {
  std::fill(values_.begin() + words_->element_count(), values_.end(), 0.0);
  Choice choice = owner_.find(search_, *elements_, values_, topic_->choice_size);
  choice.value = value_of(choice);
  return choice;
}

// Exact if no output covers more than the truth. Otherwise the linear loss used here is below
// Delta.
Choice CoverageOracle::Session::find_with_loss() {
  const double weight_factor = loss_weight_ / topic_->total_weight;
  std::transform(topic_->weight.begin(), topic_->weight.end(),
                 values_.begin() + words_->element_count(),
                 [weight_factor](double weight) { return -weight_factor * weight; });
  Choice choice = owner_.find(search_, *elements_, values_, topic_->choice_size);
  choice.bound += weight_factor * topic_->covered(truth_);
  choice.value = value_of(choice);
  return choice;
}

double CoverageOracle::Session::value_of(const Choice& choice) const {
  const double score = covered_value(*words_, values_, choice.documents);
  return loss_weight_ == 0 ? score : score + loss_weight_ * topic_->loss(truth_, choice.documents);
}

void CoverageOracle::Session::argmax(const sculpt::Query& query, sculpt::Answer& answer) {
  begin(query);
  Choice best = loss_weight_ == 0 ? find_without_loss() : find_with_loss();
  if (loss_weight_ != 0 && topic_->covered(truth_) < topic_->max_covered) {
    Choice other = find_without_loss();
    other.bound = best.bound = std::max(best.bound, other.bound);
    other.is_exact = best.is_exact = best.is_exact && other.is_exact;
    if (other.value > best.value) best = std::move(other);
  }
  answer.labels().assign(best.documents);
  if (best.is_exact) return answer.exact(best.value);
  answer.found(best.value);
  if (best.bound < no_bound) answer.bound(std::max(best.bound, best.value));
}

}  // namespace diversity

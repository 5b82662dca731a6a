#include "problem/oracle/batch_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text/message_text.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

// The limit for the entries of psi of one call, so that large ones do not fill the memory: 12 MB.
constexpr std::int64_t max_entries = std::int64_t{1} << 20;
// The number of psi in a call while their size is not known.
constexpr std::int64_t first_count = 8;

std::size_t psi_count(std::size_t items, std::int64_t most_entries) {
  const std::int64_t limit =
      most_entries == 0 ? first_count : std::max<std::int64_t>(max_entries / most_entries, 1);
  return std::min(items, static_cast<std::size_t>(limit));
}

// The arrays of one call, lent to a component.
class LentItems {
 public:
  LentItems(const Component& reader, std::span<const BatchValues::Item> items) {
    for (const BatchValues::Item& item : items) {
      examples_.push_back(item.example);
      raw_truths_.push_back(
          truths_.emplace_back(reader, "the labels of the truth", item.truth).raw());
      raw_outputs_.push_back(
          outputs_.emplace_back(reader, "the labels of the output", item.output).raw());
    }
  }
  std::int64_t count() const { return std::ssize(examples_); }
  const std::int64_t* examples() const { return examples_.data(); }
  const sculpt_labels* truths() const { return raw_truths_.data(); }
  const sculpt_labels* outputs() const { return raw_outputs_.data(); }
  void require_unchanged() const {
    for (std::size_t k = 0; k < examples_.size(); ++k) {
      truths_[k].require_unchanged(examples_[k]);
      outputs_[k].require_unchanged(examples_[k]);
    }
  }

 private:
  std::vector<std::int64_t> examples_;
  std::deque<LentLabels> truths_;
  std::deque<LentLabels> outputs_;
  std::vector<sculpt_labels> raw_truths_;
  std::vector<sculpt_labels> raw_outputs_;
};

// Returns the text of an error, "" if there is none. Throws Cancelled.
std::string error_of(const Component& component, sculpt_status status, const ErrorBuffer& error) {
  if (status == SCULPT_OK) return "";
  if (status == SCULPT_E_CANCELLED) component.fail(status, error.text(), -1);
  take_limit_reached();  // it belongs to this call, which is made again for each output
  return error.text().empty() ? "status " + std::to_string(status) : error.text();
}

}  // namespace

BatchValues::BatchValues(Features& features, Loss* loss, std::int64_t dimension, int threads)
    : features_(features),
      loss_(loss),
      dimension_(dimension),
      features_table_(features.component().extension<sculpt_ext_batch_features>()),
      workers_(static_cast<std::size_t>(threads)) {
  if (loss_ != nullptr) loss_table_ = loss_->component().extension<sculpt_ext_batch_loss>();
}

void BatchValues::fill(int worker, std::span<const double> w, std::span<const Item> items) {
  if (items.empty()) return;
  if (adds_psi()) {
    const std::int64_t most_entries = workers_[static_cast<std::size_t>(worker)].most_entries;
    add_psi(worker, w, items.first(psi_count(items.size(), most_entries)));
  }
  if (adds_losses()) add_losses(worker, items);
  if (!features_.component().services().is_guarded()) return;
  for (const Item& item : items) require_same(worker, item);
}

std::string BatchValues::add_psi(int worker, std::span<const double> w,
                                 std::span<const Item> items) {
  const Component& component = features_.component();
  WorkerSums& own = workers_[static_cast<std::size_t>(worker)];
  if (!own.merged) own.merged = std::make_shared<SparseSum>(dimension_);
  while (own.sums.size() < items.size()) own.sums.emplace_back(dimension_, own.merged);
  std::vector<sculpt_accumulator*> sums;
  for (std::size_t k = 0; k < items.size(); ++k) {
    own.sums[k].clear();
    sums.push_back(own.sums[k].raw());
  }
  const LentItems lent(component, items);
  ErrorBuffer error;
  const sculpt_status status = component.run_in_call_scope("batch_features", -1, [&] {
    return features_table_->accumulate(features_.session(worker), lent.count(), lent.examples(),
                                       lent.outputs(), sums.data(), error.raw());
  });
  if (status != SCULPT_OK) return error_of(component, status, error);
  lent.require_unchanged();
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (!own.sums[k].first_fault().text.empty()) continue;
    own.most_entries = std::max({own.most_entries, sums[k]->size, std::int64_t{1}});
    OutputValues& values = *items[k].values;
    own.sums[k].merge(values.psi);
    values.terms = own.sums[k].terms(w);
    values.has_psi = true;
  }
  return "";
}

std::string BatchValues::add_losses(int worker, std::span<const Item> items) {
  const Component& component = loss_->component();
  const LentItems lent(component, items);
  std::vector<double> losses(items.size(), std::numeric_limits<double>::quiet_NaN());
  const FilledArray<double> filled(component, "the losses", losses);
  ErrorBuffer error;
  const sculpt_status status = component.run_in_call_scope("batch_loss", -1, [&] {
    return loss_table_->loss(loss_->session(worker), lent.count(), lent.examples(), lent.truths(),
                             lent.outputs(), filled.data(), error.raw());
  });
  if (status != SCULPT_OK) return error_of(component, status, error);
  filled.take();
  lent.require_unchanged();
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (std::isfinite(losses[k]) && losses[k] >= 0) items[k].values->loss = losses[k];
  }
  return "";
}

void BatchValues::require_same(int worker, const Item& item) {
  if (item.values->has_psi) {
    SparseAccumulator scratch(dimension_);
    SparseVector psi;
    features_.vector(worker, item.example, item.output, Exit::plugin, scratch, psi);
    if (psi.index != item.values->psi.index || psi.value != item.values->psi.value) {
      features_.component().refuse(Exit::plugin, item.example,
                                   "psi of its output in a batch (" SCULPT_EXT_BATCH_FEATURES
                                   ") is not that of accumulate");
    }
  }
  if (!item.values->loss) return;
  const double alone = loss_->value(worker, item.example, item.truth, item.output);
  if (alone == *item.values->loss) return;
  loss_->component().refuse(Exit::plugin, item.example,
                            "the loss in a batch (" SCULPT_EXT_BATCH_LOSS ") is " +
                                number_text(*item.values->loss, 17) + ", and alone " +
                                number_text(alone, 17));
}

}  // namespace sculpt::core

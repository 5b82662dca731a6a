#include "problem/components/count_loss.hpp"

#include <algorithm>
#include <cmath>

#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

std::string counts_text(std::span<const sculpt_count> names, const Counts& counts) {
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    text += (k > 0 ? ", " : "") + std::to_string(counts[k]) + " " + names[k].name;
  }
  return text;
}

std::optional<CountLoss> CountLoss::if_offered(Loss& loss) {
  const Component& component = loss.component();
  const auto* const table = component.extension<sculpt_ext_count_loss>();
  if (table == nullptr) return std::nullopt;
  const sculpt_count* counts = nullptr;
  std::int64_t size = 0;
  component.call("count-loss.counts", -1, [&](sculpt_error* error) {
    return table->counts(component.self(), &counts, &size, error);
  });
  if (size < 1 || size > SCULPT_MOST_COUNTS || counts == nullptr) {
    component.refuse(Exit::plugin, -1,
                     "offers " + std::to_string(size) + " counts; a loss must offer 1 or " +
                         std::to_string(SCULPT_MOST_COUNTS));
  }
  CountLoss result(loss, *table);
  result.counts_ = {counts, static_cast<std::size_t>(size)};
  for (const sculpt_count& count : result.counts_) {
    if (count.name == nullptr || *count.name == '\0') {
      component.refuse(Exit::plugin, -1, "offers a count without a name");
    }
    if (count.flags != 0 || count.reserved != 0) {
      component.refuse(Exit::plugin, -1,
                       std::string("offers the count ") + count.name +
                           " with flags that this host does not know; set its flags and reserved "
                           "fields to 0");
    }
    if (count.limit < 1) {
      component.refuse(Exit::plugin, -1,
                       std::string("offers the count ") + count.name + " with the limit " +
                           std::to_string(count.limit) + "; a limit must be at least 1");
    }
    if (result.is_linear() && count.limit != INT64_MAX) {
      component.refuse(Exit::plugin, -1,
                       std::string("offers slopes of its counts, but limits its count ") +
                           count.name + "; a count with slopes has the limit INT64_MAX");
    }
  }
  return result;
}

double CountLoss::value(int worker, std::int64_t example, sculpt_labels truth,
                        const Counts& counts) {
  double value = std::nan("");
  const Component& component = loss_->component();
  const LentLabels lent_truth(component, "the labels of the truth", truth);
  const LentArray<std::int64_t> lent_counts(component, "the counts",
                                            std::span(counts).first(counts_.size()));
  component.call("count-loss.value", example, [&](sculpt_error* error) {
    return table_->value(loss_->session(worker), example, lent_truth.raw(), lent_counts.data(),
                         &value, error);
  });
  lent_truth.require_unchanged(example);
  lent_counts.require_unchanged(example);
  if (!std::isfinite(value) || value < 0) {
    component.refuse(Exit::plugin, example,
                     "the loss of " + counts_text(counts_, counts) + " is " +
                         std::to_string(value) + "; it must be finite and not negative");
  }
  return value;
}

CountLine CountLoss::line(int worker, std::int64_t example, sculpt_labels truth) {
  CountLine line;
  line.constant = std::nan("");
  const std::span<double> slopes = std::span(line.slope).first(counts_.size());
  std::fill(slopes.begin(), slopes.end(), std::nan(""));
  const Component& component = loss_->component();
  const LentLabels lent_truth(component, "the labels of the truth", truth);
  const FilledArray<double> filled(component, "the slopes", slopes);
  component.call("count-loss.slopes", example, [&](sculpt_error* error) {
    return table_->slopes(loss_->session(worker), example, lent_truth.raw(), &line.constant,
                          filled.data(), error);
  });
  filled.take();
  lent_truth.require_unchanged(example);
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (is_finite(line.constant) && std::all_of(slopes.begin(), slopes.end(), is_finite)) return line;
  component.refuse(Exit::plugin, example,
                   "the constant or a slope of its counts is not a finite number");
}

}  // namespace sculpt::core

#include "grade_group_order.hpp"

#include <map>

namespace ranking {

void GradeGroupOrder::begin(std::span<const double> score, std::span<const std::int32_t> kind,
                            double weight) {
  std::map<std::int32_t, sculpt::RankedRows> documents;
  for (std::size_t i = 0; i < score.size(); ++i) {
    documents[kind[i]].add(score[i], static_cast<std::int64_t>(i));
  }
  unit_ = weight / 2;
  kinds_.clear();
  for (auto& entry : documents) {
    Kind& one = kinds_.emplace_back();
    one.documents = std::move(entry.second);
    one.documents.rank();
    one.others = static_cast<std::int64_t>(score.size()) - one.documents.count();
  }
}

double GradeGroupOrder::maximize(const GainLoss& loss, sculpt::Labels truth, double loss_weight,
                                 const sculpt::Host& host) {
  const bool judged = differ(loss.kinds().of(truth));
  const double scale = judged ? loss_weight / loss.most(truth) : 0;
  std::size_t cells = 1;
  for (Kind& kind : kinds_) {
    kind.of_loss = loss.kinds().of(truth[static_cast<std::size_t>(kind.documents.row(0))]);
    kind.stride = cells;
    cells *= static_cast<std::size_t>(kind.documents.count()) + 1;
  }
  best_.resize(cells);
  last_.resize(cells);
  best_[0] = 0;
  std::vector<std::int64_t> count(kinds_.size(), 0);
  for (std::size_t cell = 1; cell < cells; ++cell) {
    std::size_t digit = 0;
    for (; count[digit] == kinds_[digit].documents.count(); ++digit) count[digit] = 0;
    ++count[digit];
    if (digit > 0) host.throw_if_cancelled();
    std::int64_t place = 0;
    std::int64_t relevant = 0;
    for (std::size_t g = 0; g < kinds_.size(); ++g) {
      place += count[g];
      relevant += kinds_[g].of_loss == 1 ? count[g] : 0;
    }
    bool any = false;
    for (std::size_t g = 0; g < kinds_.size(); ++g) {
      if (count[g] == 0) continue;
      const Kind& kind = kinds_[g];
      const std::int64_t ahead = relevant - (kind.of_loss == 1 ? 1 : 0);
      const double score = unit_ * kind.documents.score(count[g] - 1) *
                           static_cast<double>(kind.others - 2 * (place - count[g]));
      const double value =
          best_[cell - kind.stride] + score - scale * loss.gain(kind.of_loss, ahead, place);
      if (any && !(value >= best_[cell])) continue;
      any = true;
      best_[cell] = value;
      last_[cell] = static_cast<std::uint8_t>(g);
    }
  }
  return best_.back() + (judged ? loss_weight : 0);
}

std::vector<std::int64_t> GradeGroupOrder::bottom_up(sculpt::Labels truth) const {
  std::vector<std::int64_t> order;
  std::vector<std::int64_t> left;
  for (const Kind& kind : kinds_) left.push_back(kind.documents.count());
  std::size_t run = 0;  // begin of the run
  const auto end_run = [&] {
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(run), order.end(),
                     [&](std::int64_t i, std::int64_t j) {
                       return truth[static_cast<std::size_t>(i)] <
                              truth[static_cast<std::size_t>(j)];
                     });
    run = order.size();
  };
  for (std::size_t cell = best_.size() - 1; cell > 0; cell -= kinds_[last_[cell]].stride) {
    const std::size_t g = last_[cell];
    order.push_back(kinds_[g].documents.row(--left[g]));
    const std::size_t next = cell - kinds_[g].stride;
    if (next == 0 || last_[next] != g) end_run();
  }
  return order;
}

}  // namespace ranking

// wrong_offers.hpp - a task that offers sites, parts, metrics and more, with one fault, except
// `nothing` and `site_other_outputs`. The tests that look for them are dataset.sites,
// dataset.items, loss.metrics and features.*.
#pragma once

#include <algorithm>
#include <array>
#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/sculpt.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

enum class Wrong {
  nothing,
  site_index,
  site_truth,
  site_other_outputs,
  site_null,
  site_edge,
  site_names,
  edge_kind,
  items_unsorted,
  items_beyond,
  items_of_labels,
  metrics_assign,
  metrics_beyond,
  metrics_unset,
  metrics_without_guess,
  bounds_unset,
  groups_unset,
  names_repeat,
  names_empty,
  enumerate_twice,
  enumerate_limit,
  enumerate_goes_on
};

// Tables that the wrapper would not write, in place of those of the methods.
template <class Base, Wrong wrong>
struct Groups : Base {
  using Base::Base;
  void weight_groups(std::span<std::int32_t> group) const {
    std::fill(group.begin(), group.end(), 0);
  }
};
template <class Base>
struct Groups<Base, Wrong::groups_unset> : Base {
  using Base::Base;
  static constexpr const char* extensions[] = {SCULPT_EXT_GROUPS};
  const void* extension(const char*) const {
    static constexpr sculpt_ext_groups no_groups{
        [](const void*, std::int32_t*, sculpt_error*) -> sculpt_status { return SCULPT_OK; }};
    return &no_groups;
  }
};

// Without a shape the host takes it from the sites.
template <class Base, Wrong wrong>
struct Shape : Base {
  using Base::Base;
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return sculpt::OutputShape::of_size(this->truth(example).count(), 3);
  }
};
template <class Base>
struct Shape<Base, Wrong::site_truth> : Base {
  using Base::Base;
};

// The parts are the positions with the label b.
template <class Base, Wrong wrong>
struct Parts : Base {
  using Base::Base;
  void items(std::int64_t, sculpt::Labels y, std::vector<std::int64_t>& items) const {
    for (std::size_t t = 0; t < y.size(); ++t) {
      if (y[t] == 1) items.push_back(static_cast<std::int64_t>(t));
    }
  }
  std::int64_t item_of_label(std::int64_t, std::int64_t variable, std::int32_t state) const {
    return state == (wrong == Wrong::items_of_labels ? 2 : 1) ? variable : -1;
  }
};
template <class Base, Wrong wrong>
requires(wrong == Wrong::items_unsorted || wrong == Wrong::items_beyond) struct Parts<Base, wrong>
    : Base {
  using Base::Base;
  static constexpr const char* extensions[] = {SCULPT_EXT_ITEMS};
  const void* extension(const char*) const {
    static constexpr sculpt_ext_items unsorted{
        [](const void*, std::int64_t, sculpt_labels y, std::int64_t* items, std::int64_t capacity,
           std::int64_t* count, sculpt_error*) -> sculpt_status {
          const bool is_written = capacity >= y.size || wrong == Wrong::items_beyond;
          *count = y.size;
          for (std::int64_t k = 0; is_written && k < y.size; ++k) items[k] = y.size - k;
          return SCULPT_OK;
        },
        nullptr};
    return &unsorted;
  }
};

// `Base`: the tagger. Sites are its positions, with one feature each and an edge to the next.
template <class Base, Wrong wrong>
struct WrongOffers : Parts<Groups<Shape<Base, wrong>, wrong>, wrong> {
  using Parts<Groups<Shape<Base, wrong>, wrong>, wrong>::Parts;
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;

  static constexpr std::size_t max_sites = 100;  // check also makes longer examples
  struct Chain {
    std::array<std::int64_t, max_sites + 1> row_from{};
    std::array<std::int32_t, max_sites> index{};
    std::array<double, max_sites> value{};
    std::array<std::int32_t, 2 * max_sites> edge{};
  };
  static constexpr Chain make_chain() {
    Chain chain;
    for (std::size_t t = 0; t < max_sites; ++t) {
      chain.row_from[t + 1] = static_cast<std::int64_t>(t) + 1;
      chain.index[t] = wrong == Wrong::site_index && t == 1 ? 1 : 0;
      chain.value[t] = 1;
      chain.edge[2 * t] = static_cast<std::int32_t>(t);
      chain.edge[2 * t + 1] = static_cast<std::int32_t>(t) + 1;
    }
    return chain;
  }

  std::int64_t feature_count() const { return 1; }
  std::int32_t state_count() const {
    return wrong == Wrong::site_truth || wrong == Wrong::site_other_outputs ? 2 : 3;
  }
  sculpt_sites sites(std::int64_t example) const {
    static constexpr Chain chain = make_chain();
    const std::int64_t size = this->truth(example).count();
    const std::int64_t edges = size - (wrong == Wrong::site_edge ? 0 : 1);
    return {sizeof(sculpt_sites),
            0,
            size,
            std::max<std::int64_t>(edges, 0),
            chain.row_from.data(),
            chain.index.data(),
            wrong == Wrong::site_null ? nullptr : chain.value.data(),
            chain.edge.data()};
  }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const {
    out << std::string(1, wrong == Wrong::site_names ? 'a' : static_cast<char>('a' + state));
  }
  std::int32_t edge_kind_count() const { return 1; }
  void edge_kind_name(std::int32_t, sculpt::ByteOutput& out) const { out << "next"; }
  const std::int32_t* edge_kinds(std::int64_t) const {
    static constexpr std::array<std::int32_t, max_sites> kinds = {
        0, wrong == Wrong::edge_kind ? 1 : 0};
    return kinds.data();
  }

  static constexpr sculpt_metric metrics[] = {{"label_error", "wrong labels, of all labels"}};
  static constexpr std::int64_t sum_count = 2;
  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    const auto size = static_cast<double>(truth.size());
    if (wrong == Wrong::metrics_without_guess && !guess.known())
      throw sculpt::data_error("no guess");
    const double errors = guess.known() ? this->loss(truth, guess) : size;
    sums[0] = errors + (wrong == Wrong::metrics_assign ? 0 : sums[0]);
    sums[1] += size;
    if (wrong == Wrong::metrics_beyond) sums.data()[2] = 0;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    if (wrong == Wrong::metrics_unset && sums[1] == 0) return;
    values[0] = sums[0] / sums[1];
  }

  bool bounds_weights() const { return true; }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    for (std::size_t j = 0; j < nonnegative.size(); ++j) {
      if (wrong != Wrong::bounds_unset || j != 2) nonnegative[j] = 0;
    }
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (wrong == Wrong::names_empty && weight == 3) return;
    Base::weight_name(wrong == Wrong::names_repeat && weight == 3 ? 4 : weight, out);
  }

  std::int64_t enumerate(std::int64_t example, std::int64_t limit,
                         const sculpt::Visit& visit) const {
    const auto go_on = [](void* context, sculpt_labels y) -> sculpt_status {
      try {
        (*static_cast<const sculpt::Visit*>(context))(sculpt::Labels(y));
      } catch (const sculpt::Error&) {
      }
      return SCULPT_OK;
    };
    sculpt::Visit other = visit;
    if (wrong == Wrong::enumerate_goes_on) {
      other = sculpt::Visit(go_on, const_cast<sculpt::Visit*>(&visit));
    }
    const bool is_over = wrong == Wrong::enumerate_limit && limit < 100;
    const std::int64_t count = Base::enumerate(example, is_over ? 1000 : limit, other);
    if (wrong != Wrong::enumerate_twice || count == 0 || count >= limit) return count;
    visit(sculpt::Labels(std::vector<std::int32_t>(this->truth(example).size(), 0)));
    return count + 1;
  }
};

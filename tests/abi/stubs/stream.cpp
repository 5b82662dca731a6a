// stream.cpp - a dataset of single points that come one after the other (ext/draft/stream.h), read
// by the service of the host. A line is a label, or ? if it is unknown, and coordinates. And a
// linear classifier of points as they come: features, loss and oracle in one. It keeps the length
// of each point until the point is released. The extension "org.sculpt.stub.kept/1" counts what it
// keeps.
#include <sculpt/ext/draft/stream.h>
#include <cmath>
#include <map>
#include <mutex>
#include <sculpt/cpp/host_source.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

class PointStream {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.point_stream", "1.0.0",
                                       "points that come and go"};
  static constexpr const char* extensions[] = {SCULPT_EXT_STREAM};

  explicit PointStream(sculpt::Host host) : host_(host) {}
  const void* extension(const char* id) const;

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = next_;
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const Point& point = alive_[next_++] = parsed(reader.line(), reader.path(), reader.number());
      states_ = std::max(states_, point.label + 1);
      coordinates_ = std::max(coordinates_, static_cast<std::int64_t>(point.value.size()));
    }
    splits_[std::string(split)] = {begin, next_};
    count_ = next_;
  }
  std::int64_t count() const { return count_; }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(name);
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    const Point& point = at(example);
    return point.label < 0 ? sculpt::Labels() : sculpt::Labels(&point.label, 1);
  }

  std::int64_t feature_count() const { return coordinates_; }
  std::int32_t state_count() const { return states_; }
  sculpt_sites sites(std::int64_t example) const {
    const Point& point = at(example);
    return {sizeof(sculpt_sites), 0,      1, 0, point.row_from, point.index.data(),
            point.value.data(),   nullptr};
  }

  // The extension stream.
  class Stream {
   public:
    Stream(PointStream& dataset, const sculpt_source& source)
        : dataset_(dataset), path_(source.path), source_(dataset.host_.raw(), source) {}
    std::int64_t next() {
      const auto line = source_.next_line();
      if (!line) return -1;
      Point point = parsed(*line, path_, source_.line_number());
      if (point.label >= dataset_.states_ ||
          static_cast<std::int64_t>(point.value.size()) > dataset_.coordinates_) {
        throw sculpt::data_error(path_ + ":" + std::to_string(source_.line_number()) +
                                 ":1: has a label or coordinates that train has not");
      }
      dataset_.alive_[dataset_.next_] = std::move(point);
      return dataset_.next_++;
    }

   private:
    PointStream& dataset_;
    std::string path_;
    sculpt::HostSource source_;
  };
  void release(std::int64_t example) {
    if (example < count_ || alive_.erase(example) == 0) throw not_alive(example);
  }

 private:
  struct Point {
    std::int32_t label = -1;
    std::vector<double> value;
    std::vector<std::int32_t> index;
    std::int64_t row_from[2] = {0, 0};
  };

  static Point parsed(std::string_view line, const std::string& path, std::int64_t number) {
    Point point;
    std::vector<sculpt::Field> fields;
    sculpt::split_fields(line, " ", fields);
    for (std::size_t k = 0; k < fields.size(); ++k) {
      double value = 0;
      if (k == 0 && fields[k].text == "?") continue;
      if (sculpt::read_finite(fields[k].text, value) != sculpt::NumberText::number) {
        throw sculpt::data_error(path + ":" + std::to_string(number) + ":" +
                                 std::to_string(fields[k].column + 1) + ": " +
                                 sculpt::shown(fields[k].text) + " is not a number");
      }
      if (k == 0) {
        point.label = static_cast<std::int32_t>(value);
      } else {
        point.index.push_back(static_cast<std::int32_t>(k - 1));
        point.value.push_back(value);
      }
    }
    point.row_from[1] = static_cast<std::int64_t>(point.value.size());
    return point;
  }
  static sculpt::Error not_alive(std::int64_t example) {
    return {SCULPT_E_INVALID, "example " + std::to_string(example) + " is not alive"};
  }
  const Point& at(std::int64_t example) const {
    const auto found = alive_.find(example);
    if (found == alive_.end()) throw not_alive(example);
    return found->second;
  }

  std::map<std::int64_t, Point> alive_;  // by number; a map does not move its elements
  sculpt::Host host_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
  std::int64_t count_ = 0;
  std::int64_t next_ = 0;
  std::int32_t states_ = 0;
  std::int64_t coordinates_ = 0;
};

constexpr sculpt_ext_stream stream_table{
    [](void* self, const char*, const sculpt_source* source, void** stream, sculpt_error* error) {
      return sculpt::guarded(error, "open", [&] {
        *stream = new PointStream::Stream(sculpt::mutable_component_of<PointStream>(self), *source);
      });
    },
    [](void* stream, std::int64_t* example, sculpt_error* error) {
      return sculpt::guarded(error, "next",
                             [&] { *example = static_cast<PointStream::Stream*>(stream)->next(); });
    },
    [](void* self, std::int64_t example, sculpt_error* error) {
      return sculpt::guarded(error, "release", [&] {
        sculpt::mutable_component_of<PointStream>(self).release(example);
      });
    },
    [](void* stream) { delete static_cast<PointStream::Stream*>(stream); }};

const void* PointStream::extension(const char* id) const {
  return std::string_view(id) == SCULPT_EXT_STREAM ? &stream_table : nullptr;
}

// psi(x, y) = x / |x| in block y.
class StreamedClasses {
 public:
  static constexpr sculpt::About about{"org.sculpt.stub.streamed_classes", "1.0.0",
                                       "a block of weights for each label"};
  static constexpr const char* kept_id = "org.sculpt.stub.kept/1";
  static constexpr const char* extensions[] = {SCULPT_EXT_STREAMED, kept_id};

  void bind(const sculpt::Bindings& to) { input_ = sculpt::SiteInput(to.dataset); }
  const void* extension(const char* id) const;

  std::int64_t dimension() const { return input_.feature_count() * input_.state_count(); }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites x = input_.sites(example);
    const double length = length_of(example);
    for (std::int64_t k = x.row_from[0]; k < x.row_from[1]; ++k) {
      sum.add(y[0] * input_.feature_count() + x.index[k], x.value[k] / length);
    }
  }
  double loss(sculpt::Labels truth, sculpt::Labels guess) const { return truth[0] != guess[0]; }
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    const sculpt_sites x = input_.sites(query.example);
    const double length = length_of(query.example);
    std::int32_t best = 0;
    double best_score = -INFINITY;
    for (std::int32_t y = 0; y < input_.state_count(); ++y) {
      double score = query.loss_weight > 0 && query.truth[0] != y ? query.loss_weight : 0;
      for (std::int64_t k = x.row_from[0]; k < x.row_from[1]; ++k) {
        const std::int64_t j = y * input_.feature_count() + x.index[k];
        score += query.weights[static_cast<std::size_t>(j)] * x.value[k] / length;
      }
      if (score > best_score) {
        best = y;
        best_score = score;
      }
    }
    answer.labels().assign({&best, 1});
    answer.exact(best_score);
  }

  // The extension streamed.
  void released(std::int64_t example) { lengths_.erase(example); }
  std::int64_t kept_count() const { return static_cast<std::int64_t>(lengths_.size()); }

 private:
  // |x|, or 1 for x = 0.
  double length_of(std::int64_t example) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto [entry, is_new] = lengths_.try_emplace(example, 0.0);
    if (is_new) {
      const sculpt_sites x = input_.sites(example);
      for (std::int64_t k = x.row_from[0]; k < x.row_from[1]; ++k) {
        entry->second = std::hypot(entry->second, x.value[k]);
      }
      if (entry->second == 0) entry->second = 1;
    }
    return entry->second;
  }

  sculpt::SiteInput input_;
  mutable std::mutex mutex_;
  mutable std::map<std::int64_t, double> lengths_;  // by example, guarded by the mutex
};

constexpr sculpt_ext_streamed streamed_table{
    [](void* self, std::int64_t example, sculpt_error* error) {
      return sculpt::guarded(error, "released", [&] {
        sculpt::mutable_component_of<StreamedClasses>(self).released(example);
      });
    }};

// The table of kept_id: a function alone.
constexpr std::int64_t (*kept_table)(const void* self) = [](const void* self) {
  return sculpt::component_of<StreamedClasses>(self).kept_count();
};

const void* StreamedClasses::extension(const char* id) const {
  if (std::string_view(id) == kept_id) return &kept_table;
  return std::string_view(id) == SCULPT_EXT_STREAMED ? &streamed_table : nullptr;
}

}  // namespace

SCULPT_PLUGIN("stub_stream", "1.0.0", "Apache-2.0", sculpt::Dataset<PointStream>,
              sculpt::Task<StreamedClasses>)

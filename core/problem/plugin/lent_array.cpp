#include "problem/plugin/lent_array.hpp"

#include <mutex>
#include <new>
#include <vector>

#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

namespace {

// Pages that no array uses. Making new ones takes three system calls.
class PagePool {
 public:
  std::unique_ptr<FencedPages> acquire(std::size_t bytes, const char* name) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto fits = [bytes](const auto& pages) { return pages->size() >= bytes; };
      const auto found = std::find_if(free_.begin(), free_.end(), fits);
      if (found != free_.end()) {
        std::unique_ptr<FencedPages> pages = std::move(*found);
        free_.erase(found);
        pages->set_name(name);
        return pages;
      }
    }
    return std::make_unique<FencedPages>(bytes, name);
  }

  // Keeps them in order of size, so that small arrays take small ones. Frees large ones, and those
  // beyond the first 64.
  void release(std::unique_ptr<FencedPages> pages) noexcept {
    constexpr std::size_t max_free = 64;
    constexpr std::size_t max_size = std::size_t{1} << 24;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (free_.size() >= max_free || pages->size() > max_size) return;
    const auto is_smaller = [](const auto& a, const auto& b) { return a->size() < b->size(); };
    try {
      free_.insert(std::upper_bound(free_.begin(), free_.end(), pages, is_smaller),
                   std::move(pages));
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<FencedPages>> free_;
};

PagePool& page_pool() {
  static PagePool pool;
  return pool;
}

constexpr const char* output_name = "the labels of its output";

// The buffers that plugins write to now. A plugin may call grow() on a thread of its own.
class OpenBuffers {
 public:
  void add(FilledLabels& labels, const sculpt_label_buffer* buffer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    open_.emplace_back(buffer, &labels);
  }
  void remove(const sculpt_label_buffer* buffer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    open_.erase(std::find_if(open_.begin(), open_.end(),
                             [buffer](const auto& entry) { return entry.first == buffer; }));
  }
  // Returns nullptr if the buffer is not open.
  FilledLabels* find(const sculpt_label_buffer* buffer) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(open_.begin(), open_.end(),
                                    [buffer](const auto& entry) { return entry.first == buffer; });
    return found == open_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<const sculpt_label_buffer*, FilledLabels*>> open_;
};

OpenBuffers& open_buffers() {
  static OpenBuffers buffers;
  return buffers;
}

}  // namespace

FencedCopy::FencedCopy(std::size_t bytes, const char* name)
    // Behind the space for the poison, which has at most 8 bytes an element.
    : pages_(page_pool().acquire(bytes + 64, name)), bytes_(bytes) {}

FencedCopy::~FencedCopy() {
  if (pages_) page_pool().release(std::move(pages_));
}

FilledLabels::FilledLabels(const Component& writer, sculpt_label_buffer& target) {
  if (!writer.is_fenced()) return;
  const std::int32_t none = 0;
  labels_ = FencedCopy(&none, 0, output_name);
  target_ = &target;
  host_buffer_ = target;
  open_buffers().add(*this, target_);
  target = {static_cast<std::int32_t*>(labels_.data()), 0, 0, grow};
}

FilledLabels::~FilledLabels() {
  if (target_ != nullptr) restore();
}

void FilledLabels::restore() {
  open_buffers().remove(target_);
  *target_ = host_buffer_;
  target_ = nullptr;
}

void FilledLabels::take() {
  if (target_ == nullptr) return;
  const sculpt_label_buffer written = *target_;
  sculpt_label_buffer& target = *target_;
  restore();
  const bool is_possible = written.size >= 0 && written.size <= written.capacity;
  if (!is_possible || sculpt_resize_labels(&target, written.size) != SCULPT_OK) {
    target.capacity = std::min(target.capacity, written.capacity);
    target.size = written.size;
    return;
  }
  std::copy_n(written.data, written.size, target.data);
}

// Gives exactly the capacity that the plugin asks for.
sculpt_status FilledLabels::grow(sculpt_label_buffer* labels, std::int64_t min_capacity) noexcept {
  if (min_capacity <= labels->capacity) return SCULPT_OK;
  if (min_capacity > max_answer_labels) return refuse_size();
  try {
    FilledLabels* const self = open_buffers().find(labels);
    if (self == nullptr) return SCULPT_E_INVALID;  // the call has ended
    std::vector<std::int32_t> larger(static_cast<std::size_t>(min_capacity), -1);
    std::copy_n(labels->data, labels->capacity, larger.begin());
    self->labels_ = FencedCopy(larger.data(), larger.size(), output_name);
    labels->data = static_cast<std::int32_t*>(self->labels_.data());
    labels->capacity = min_capacity;
    return SCULPT_OK;
  } catch (const std::bad_alloc&) {
    return SCULPT_E_MEMORY;
  }
}

}  // namespace sculpt::core

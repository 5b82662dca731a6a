// document_sets.hpp - which elements each candidate document of a topic has, and which documents
// have each element. Elements are words or subtopics, numbered from 0. Used by cover.hpp and
// topic.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace diversity {

// Filled document by document, then finish().
class DocumentSets {
 public:
  // Adds an element to the current document. Each element at most once.
  void add(std::int32_t element) { elements_.push_back(element); }
  void end_document() { element_begin_.push_back(elements_.size()); }
  // Requires elements in [0, element_count).
  void finish(std::int32_t element_count) {
    document_begin_.assign(static_cast<std::size_t>(element_count) + 1, 0);
    for (const std::int32_t element : elements_) {
      ++document_begin_[static_cast<std::size_t>(element) + 1];
    }
    for (std::size_t e = 1; e < document_begin_.size(); ++e) {
      document_begin_[e] += document_begin_[e - 1];
    }
    documents_.resize(elements_.size());
    std::vector<std::size_t> next(document_begin_.begin(), document_begin_.end() - 1);
    for (std::int32_t document = 0; document < document_count(); ++document) {
      for (const std::int32_t element : elements_of(document)) {
        documents_[next[static_cast<std::size_t>(element)]++] = document;
      }
    }
  }

  std::int32_t document_count() const {
    return static_cast<std::int32_t>(element_begin_.size()) - 1;
  }
  std::int32_t element_count() const {
    return static_cast<std::int32_t>(document_begin_.size()) - 1;
  }
  // In the order of add().
  std::span<const std::int32_t> elements_of(std::int32_t document) const {
    return row(elements_, element_begin_, document);
  }
  // In ascending order.
  std::span<const std::int32_t> documents_with(std::int32_t element) const {
    return row(documents_, document_begin_, element);
  }

 private:
  static std::span<const std::int32_t> row(const std::vector<std::int32_t>& entries,
                                           const std::vector<std::size_t>& begin,
                                           std::int32_t number) {
    const auto r = static_cast<std::size_t>(number);
    return {entries.data() + begin[r], begin[r + 1] - begin[r]};
  }

  std::vector<std::int32_t> elements_;            // Elements of all documents.
  std::vector<std::size_t> element_begin_ = {0};  // Offsets into elements_, [documents + 1].
  std::vector<std::int32_t> documents_;           // Documents of all elements.
  std::vector<std::size_t> document_begin_{0};    // Offsets into documents_, [elements + 1].
};

// Calls visit(element) once for each element of the documents.
template <class Visit>
void each_covered(const DocumentSets& sets, std::span<const std::int32_t> documents, Visit visit) {
  std::vector<bool> covered(static_cast<std::size_t>(sets.element_count()));
  for (const std::int32_t document : documents) {
    for (const std::int32_t element : sets.elements_of(document)) {
      if (covered[static_cast<std::size_t>(element)]) continue;
      covered[static_cast<std::size_t>(element)] = true;
      visit(element);
    }
  }
}

// Returns the sum of value[elements] over the elements of the documents.
inline double covered_value(const DocumentSets& sets, std::span<const double> value,
                            std::span<const std::int32_t> documents) {
  double sum = 0;
  each_covered(sets, documents,
               [&](std::int32_t element) { sum += value[static_cast<std::size_t>(element)]; });
  return sum;
}

}  // namespace diversity

// grade_table.hpp - the grades of all documents of a dataset, and the number of each grade in
// truths.
//
//   all grades are whole and from 0 to 1000   the number is the grade
//   else, such as -1, 0.33, 2.5               the number is the rank among all grades, from 0
//
// Ranks change as long as splits are loaded. Nothing that is learned depends on them. Used by
// svmrank.hpp.
#pragma once

#include <cstdint>
#include <sculpt/sculpt.hpp>
#include <span>
#include <string>
#include <vector>

namespace ranking {

class GradeTable {
 public:
  // Adds a query. `grades` are empty if it is unlabelled. Throws E_DATA if there are too many
  // different grades.
  void add_query(std::span<const double> grades);
  // Call it after the last query of a split. Truths that were lent before are no longer valid.
  void end_split();

  sculpt::Labels truth(std::int64_t query) const;
  // The number of different numbers that truths may have.
  std::int32_t count() const;
  // The text of a number as in a file: "2", "0.33".
  std::string name_of(std::int32_t number) const;

  // All of it, for a cache (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(grades_, first_, numbers_, largest_, ranked_);
  }

  void save_largest(sculpt::StateWriter& writer) const { writer.integer(largest_); }
  void save_ranked(sculpt::StateWriter& writer) const;
  void restore_largest(sculpt::StateReader& reader);
  void restore_ranked(sculpt::StateReader& reader);

 private:
  std::int32_t number_of(double grade) const;

  std::vector<double> grades_;            // of all documents
  std::vector<std::size_t> first_ = {0};  // document of each query, [queries + 1]
  std::vector<std::int32_t> numbers_;     // of all documents
  std::int32_t largest_ = 0;              // if grades are numbers themselves
  std::vector<double> ranked_;            // all different grades, ascending; else empty
};

// Whether a grade can be its own number.
bool is_plain_grade(double grade);

}  // namespace ranking

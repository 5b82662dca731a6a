// The kernel matrix has the values of its file, or of the rows of the dataset. Its refusals name
// the place.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "kernel_calls.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

// A file that is removed at the end.
class MatrixFile {
 public:
  explicit MatrixFile(const std::string& text) {
    static int count = 0;
    path_ = "kernel_matrix_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ".txt";
    std::ofstream(path_) << text;
  }
  ~MatrixFile() { std::remove(path_.c_str()); }
  MatrixFile(const MatrixFile&) = delete;
  MatrixFile& operator=(const MatrixFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const char* const three_rows = "1 1:1\n2 1:1\n1 1:1\n";

// The refusal of a file for three atoms, without its path.
std::string refused_file(const std::string& text, bool positive = false) {
  const MatrixFile file(text);
  const std::string message = refusal_of(SCULPT_E_DATA, [&] {
    BoundKernel(three_rows, "matrix", {{"file", file.path()}, {"positive", positive}});
  });
  return message.starts_with(file.path()) ? message.substr(file.path().size()) : message;
}

std::string refused_matrix(const std::string& text, bool positive = false) {
  return refusal_of(SCULPT_E_DATA, [&] { BoundKernel(text, "matrix", {{"positive", positive}}); });
}

}  // namespace

TEST_CASE("matrix has the values of a plain table, with any separators") {
  const MatrixFile file("# three atoms\n4, 1;2.5\n\n1\t3 0 # the second\n2.5 0 5e0\n");
  const BoundKernel bound(three_rows, "matrix", {{"file", file.path()}});
  CHECK(bound.rows({0, 1, 2}, {2, 0, 1}) == Matrix{{2.5, 4, 1}, {0, 1, 3}, {5, 2.5, 0}});
  CHECK(bound.diagonal({2, 0}) == std::vector<double>{5, 4});
  CHECK(bound.claims() == 0);
  const BoundKernel positive(three_rows, "matrix", {{"file", file.path()}, {"positive", true}});
  CHECK(positive.claims() == SCULPT_KERNEL_POSITIVE);
}

TEST_CASE("two values of a pair that differ by rounding count as one") {
  const MatrixFile file("4 1.0000000000000002 2\n1 3 0\n2 0 5\n");
  const BoundKernel bound(three_rows, "matrix", {{"file", file.path()}});
  CHECK(bound.value(0, 1) == bound.value(1, 0));
}

TEST_CASE("matrix in the rows of the dataset: value j of a row is k with atom j of train") {
  const std::string train = "1 1:4 2:1 3:2\n2 1:1 2:3\n1 1:2 3:5\n";
  const std::string test = "1 1:0.5 3:0.25\n2 2:7\n";
  const BoundKernel bound("svmlight", {{"train", train}, {"test", test}}, "matrix");
  CHECK(bound.rows({0, 1, 2}, {0, 1, 2}) == Matrix{{4, 1, 2}, {1, 3, 0}, {2, 0, 5}});
  CHECK(bound.rows({3, 4}, {0, 1, 2}) == Matrix{{0.5, 0, 0.25}, {0, 7, 0}});
  CHECK(bound.rows({2}, {3, 4}) == Matrix{{0.25, 0}});
  CHECK(refusal_of(SCULPT_E_DATA, [&] { (void)bound.value(3, 4); }) ==
        "there is no value of example 3 (data.txt:1) with example 4 (data.txt:2), because neither "
        "belongs to train; use a matrix file of all splits");
  KeptBytes kept;
  for (const std::int64_t atom : {2, 0}) kept.add(bound.bytes_of(atom));
  const BoundKernel predicting("svmlight", {{"predict", test}}, "matrix", json::object(), &kept,
                               bound.dataset.save());
  CHECK(predicting.kept_rows({0, 1}, 0, 2) == bound.rows({3, 4}, {2, 0}));
}

TEST_CASE("a model of a matrix file needs a table of new atoms against training atoms") {
  const MatrixFile file("4 1 2\n1 3 0\n2 0 5\n");
  const BoundKernel trained(three_rows, "matrix", {{"file", file.path()}});
  KeptBytes kept;
  for (const std::int64_t atom : {2, 1}) kept.add(trained.bytes_of(atom));
  const auto predicting = [&](const json& parameters) {
    return BoundKernel("svmlight", {{"predict", "1:1\n1:2\n"}}, "matrix", parameters, &kept,
                       trained.dataset.save())
        .kept_rows({0, 1}, 0, 2);
  };
  const MatrixFile table("7 8 9\n0 0.5 1\n");
  CHECK(predicting({{"file", table.path()}}) == Matrix{{9, 8}, {1, 0.5}});
  CHECK(refusal_of(SCULPT_E_UNSUPPORTED, [&] { predicting(json::object()); }) ==
        "the model was trained with a matrix file, which has no values of new data; set `file` to "
        "a table with a row for each new atom and a column for each training atom, or train on "
        "data whose rows are the matrix");
  const MatrixFile narrow("7 8\n0 0.5\n");
  CHECK(refusal_of(SCULPT_E_DATA,
                   [&] {
                     predicting({{"file", narrow.path()}});
                   }) ==
        narrow.path() +
            ": the table has 2 columns, but the model needs training atom 3; write a column for "
            "each atom of the training matrix");
}

TEST_CASE("matrix refuses files that are no kernel of the data, with their place") {
  CHECK(refused_file("1 0 0\n0 1 x\n0 0 1\n") ==
        ":2:5: 'x' is not a kernel value; a finite number is expected");
  CHECK(refused_file("1 0 0\n0 1 nan\n0 0 1\n") ==
        ":2:5: 'nan' is not a kernel value; a finite number is expected");
  CHECK(refused_file("1 0 1e999\n0 1 0\n0 0 1\n") ==
        ":1:5: '1e999' is too large; numbers are from -1.79e308 to 1.79e308");
  CHECK(refused_file("1 0 0\n0 1\n0 0 1\n") ==
        ":2:4: this row has 2 numbers, but the first row has 3; write rows of the same length");
  CHECK(refused_file("1 0\n0 1 7\n") ==
        ":2:5: this row has 3 numbers, but the first row has 2; write rows of the same length");
  CHECK(refused_file("1 0\n0 1\n1 1\n") ==
        ":3:1: row 3 of a matrix with 2 columns; a kernel matrix is square");
  CHECK(refused_file("1 0 0\n0 1 0\n") ==
        ":2:1: the last of 2 rows, but the matrix has 3 columns; a kernel matrix is square");
  CHECK(refused_file("1 0 2\n0 1 0\n2.5 0 1\n") ==
        ":3:1: the matrix is not symmetric: row 3, column 1 has 2.5, but row 1, column 3 has "
        "another value; write the same value in both");
  CHECK(refused_file("# nothing\n") == ":1:1: no numbers; write a row of the matrix in each line");
  CHECK(refused_file("1 0\n0 1\n") ==
        ": the matrix has 2 rows, but org.sculpt.svmlight has 3 atoms in all its splits; write a "
        "row for each");
  CHECK(refused_file("1 0 0\n0 1 3\n0 3 1\n", true) ==
        ": the matrix is not positive semidefinite: k of the atoms 3 and 2 is too large for their "
        "values on the diagonal; correct it, or set positive to false");
  CHECK(contains(refused_file("1 0 0\n0 -1 0\n0 0 1\n", true), "k of the atoms 2 and 1"));
  CHECK(refusal_of(SCULPT_E_MISSING, [] {
          BoundKernel(three_rows, "matrix", {{"file", "no_such_file.txt"}});
        }) == "no_such_file.txt: cannot be opened: No such file or directory; check the path");
}

TEST_CASE("matrix refuses rows of the dataset that are no kernel") {
  CHECK(
      refused_matrix("1 1:1 2:2\n1 1:3 2:1\n") ==
      "example 1 (data.txt:2): the matrix is not symmetric: value 1 of this row is not value 2 of "
      "example 0 (data.txt:1); write the same value in both");
  CHECK(refused_matrix("1 1:1 3:2\n1 2:1\n") ==
        "the rows of org.sculpt.svmlight have 3 values, but train has 2 atoms; write a value for "
        "each atom of train, or set `file` to a matrix");
  CHECK(contains(refused_matrix("1 1:1 2:2\n1 1:2 2:1\n", true), "is not positive semidefinite"));
}

TEST_CASE("damaged numbers of kept atoms of a matrix are refused as data") {
  const std::string atom("\0\3\0\0\0\0\0\0\0", 9);
  const auto refused = [](const std::string& first, const std::string& second) {
    return refusal_of(SCULPT_E_DATA, [&] {
      LiveComponent kernel("kernel#matrix");
      KeptBytes kept;
      kept.add(first);
      kept.add(second);
      keep(kernel, kept);
    });
  };
  const std::string damaged =
      "kept atom 1 of the model is damaged or of another version; use the plugin version that "
      "wrote the model, or train again";
  CHECK(refused(atom, atom) == "accepted");
  CHECK(refused(atom, atom.substr(1)) == damaged);
  CHECK(refused(atom, "\2" + atom.substr(1)) == damaged);
  CHECK(refused(atom, "\1" + atom.substr(1)) == damaged);  // half of the atoms from a file
  std::string negative = atom;
  negative[8] = '\x80';
  CHECK(refused(atom, negative) == damaged);
}

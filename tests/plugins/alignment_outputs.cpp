#include "alignment_outputs.hpp"

#include <cctype>

namespace plugin_test {

namespace {

// Calls visit(moves, rest of n, rest of m) for every sequence of moves that uses at most n letters
// of a and m of b. Moves: 0 pair, 1 letter of a, 2 letter of b.
void each_move_sequence(int n, int m, Outputs& moves,
                        const std::function<void(const Outputs&, int, int)>& visit) {
  visit(moves, n, m);
  for (const int move : {0, 1, 2}) {
    const int from_a = move == 2 ? 0 : 1;
    const int from_b = move == 1 ? 0 : 1;
    if (from_a > n || from_b > m) continue;
    moves.push_back(move);
    each_move_sequence(n - from_a, m - from_b, moves, visit);
    moves.pop_back();
  }
}

// Whether no gap in b directly follows a gap in a.
bool is_ordered(const Outputs& moves) {
  for (std::size_t k = 1; k < moves.size(); ++k) {
    if (moves[k - 1] == 2 && moves[k] == 1) return false;
  }
  return true;
}

char upper(char c) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
}

// The lines of a file that follow the letters of a row.
std::string annotation_lines(const std::vector<std::string>& tracks,
                             const Annotations& annotations) {
  std::string text;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    text += "=" + tracks[t] + " " + annotations.tracks[t] + "\n";
  }
  for (const std::vector<double>& numbers : annotations.profile) {
    text += "@";
    for (const double number : numbers) text += " " + std::to_string(number);
    text += "\n";
  }
  return text;
}

// The sets of tracks that the model combines. Number 0 stands for the letters.
std::vector<std::vector<std::size_t>> track_sets(const AlignmentTask& task) {
  std::vector<std::vector<std::size_t>> sets;
  const std::size_t count = task.tracks.size() + 1;
  for (std::size_t bits = 1; bits < (std::size_t{1} << count); ++bits) {
    std::vector<std::size_t> set;
    for (std::size_t t = 0; t < count; ++t) {
      if ((bits >> t & 1) != 0) set.push_back(t);
    }
    const std::size_t size = set.size();
    const bool wanted = task.model == "tensor"   ? size == count
                        : task.model == "anova2" ? size <= 2
                                                 : size == 1;
    if (wanted) sets.push_back(set);
  }
  return sets;
}

// The names of the table weights of a pair of positions.
std::vector<std::string> names_of_tables(const AlignmentTask& task, std::size_t i, std::size_t j) {
  std::vector<std::string> names;
  for (const std::vector<std::size_t>& set : track_sets(task)) {
    std::string tracks, first, second;
    for (const std::size_t t : set) {
      const bool begins = tracks.empty();
      tracks += (begins ? "" : ", ") + (t == 0 ? "letters" : task.tracks[t - 1]);
      first += (begins ? "" : "/");
      first += t == 0 ? upper(task.a[i]) : task.of_a.tracks[t - 1][i];
      second += (begins ? "" : "/");
      second += t == 0 ? upper(task.b[j]) : task.of_b.tracks[t - 1][j];
    }
    if ((first + second).find('?') != std::string::npos) continue;
    if (task.model == "match") {
      names.push_back((first == second ? "equal " : "different ") + tracks);
      continue;
    }
    if (task.symmetric && second < first) std::swap(first, second);
    names.push_back((tracks == "letters" ? "" : tracks + ": ") + first +
                    (task.symmetric ? " with " : " over ") + second);
  }
  return names;
}

// Adds the profiles of a pair of positions to psi.
void add_profiles(const AlignmentTask& task, std::size_t i, std::size_t j, const std::string& at,
                  std::map<std::string, double>& psi) {
  const auto& of_a = task.of_a.profile;
  const auto& of_b = task.of_b.profile;
  for (std::size_t c = 0; !of_a.empty() && !of_b.empty() && c < of_a[i].size(); ++c) {
    psi["product of profiles" + at] += of_a[i][c] * of_b[j][c];
  }
  std::set<char> letters;
  for (const char c : task.a + task.b) letters.insert(upper(c));
  if (static_cast<int>(letters.size()) != task.columns) return;
  const auto column = [&](char letter) {
    return static_cast<std::size_t>(std::distance(letters.begin(), letters.find(upper(letter))));
  };
  if (!of_a.empty()) psi["profiles at letters" + at] += of_a[i][column(task.b[j])];
  if (!of_b.empty()) psi["profiles at letters" + at] += of_b[j][column(task.a[i])];
}

}  // namespace

nlohmann::json AlignmentTask::parameters() const {
  return {{"mode", local ? "local" : "global"},
          {"gaps", affine ? "affine" : "linear"},
          {"model", model},
          {"symmetric", symmetric},
          {"window", window},
          {"gap_order", any_order ? "any" : "fixed"}};
}

nlohmann::json AlignmentTask::dataset_parameters() const {
  return {{"tracks", tracks}, {"profile", columns}};
}

std::string AlignmentTask::file() const {
  return ">a\n" + a + "\n" + annotation_lines(tracks, of_a) + ">b\n" + b + "\n" +
         annotation_lines(tracks, of_b);
}

AlignmentTask draw_alignment_task(Random& random, int longest) {
  AlignmentTask task;
  for (std::string* sequence : {&task.a, &task.b}) {
    for (int k = draw(random, 1, longest); k > 0; --k) {
      const char letter = "ACD"[draw(random, 0, 2)];
      const bool lower = draw(random, 0, 4) == 0;
      *sequence += lower ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
  }
  task.local = draw(random, 0, 1) == 1;
  task.any_order = draw(random, 0, 1) == 1;
  task.affine = draw(random, 0, 1) == 1;
  task.model = draw(random, 0, 2) == 0 ? "match" : "simple";
  task.symmetric = draw(random, 0, 1) == 1;
  task.window = draw(random, 0, 2);
  return task;
}

AlignmentTask draw_annotated_task(Random& random, int longest) {
  AlignmentTask task = draw_alignment_task(random, longest);
  const std::vector<std::string> names{"structure", "exposure", "third"};
  task.tracks.assign(names.begin(), names.begin() + draw(random, 0, 3));
  const std::vector<std::string> models{"match", "simple", "anova2", "tensor"};
  task.model = models[static_cast<std::size_t>(draw(random, 0, task.tracks.empty() ? 1 : 3))];
  task.columns = draw(random, 0, 3);
  for (const bool first : {true, false}) {
    const std::size_t letters = first ? task.a.size() : task.b.size();
    Annotations& annotations = first ? task.of_a : task.of_b;
    for (std::size_t t = 0; t < task.tracks.size(); ++t) {
      std::string symbols;
      for (std::size_t k = 0; k < letters; ++k) symbols += "hE-?"[draw(random, 0, 3)];
      annotations.tracks.push_back(symbols);
    }
    if (task.columns == 0 || draw(random, 0, 3) == 0) continue;
    for (std::size_t k = 0; k < letters; ++k) {
      annotations.profile.push_back({});
      for (int c = 0; c < task.columns; ++c) {
        annotations.profile.back().push_back(draw(random, -8, 8) / 4.0);
      }
    }
  }
  return task;
}

std::vector<Outputs> all_alignments(const AlignmentTask& task) {
  const int n = static_cast<int>(task.a.size());
  const int m = static_cast<int>(task.b.size());
  std::vector<Outputs> all;
  if (task.local) all.push_back({});
  for (int i = 0; i <= (task.local ? n : 0); ++i) {
    for (int j = 0; j <= (task.local ? m : 0); ++j) {
      Outputs moves;
      each_move_sequence(n - i, m - j, moves, [&](const Outputs& found, int left_a, int left_b) {
        if (!task.any_order && !is_ordered(found)) return;
        if (task.local && (found.empty() || found.front() != 0 || found.back() != 0)) return;
        if (!task.local && (left_a > 0 || left_b > 0)) return;
        Outputs y{i, j};
        y.insert(y.end(), found.begin(), found.end());
        all.push_back(y);
      });
    }
  }
  return all;
}

std::set<std::pair<int, int>> pairs_of(const AlignmentTask& task, const Outputs& y, bool scored) {
  std::set<std::pair<int, int>> pairs;
  if (y.empty()) return pairs;
  int i = y[0];
  int j = y[1];
  for (std::size_t k = 2; k < y.size(); ++k) {
    const char a = task.a[static_cast<std::size_t>(std::min<int>(i, int(task.a.size()) - 1))];
    const char b = task.b[static_cast<std::size_t>(std::min<int>(j, int(task.b.size()) - 1))];
    if (y[k] == 0 && !(scored && (upper(a) != a || upper(b) != b))) pairs.emplace(i, j);
    if (y[k] != 2) ++i;
    if (y[k] != 1) ++j;
  }
  return pairs;
}

std::map<std::string, double> named_psi(const AlignmentTask& task, const Outputs& y) {
  std::map<std::string, double> psi;
  for (const auto& [i, j] : pairs_of(task, y, false)) {
    for (int offset = -task.window; offset <= task.window; ++offset) {
      const int p = i + offset;
      const int q = j + offset;
      if (p < 0 || q < 0 || p >= int(task.a.size()) || q >= int(task.b.size())) continue;
      std::string at;
      if (offset > 0) at = " at +" + std::to_string(offset);
      if (offset < 0) at = " at " + std::to_string(offset);
      for (const std::string& name : names_of_tables(task, std::size_t(p), std::size_t(q))) {
        psi[name + at] += 1;
      }
      add_profiles(task, std::size_t(p), std::size_t(q), at, psi);
    }
  }
  for (std::size_t k = 2; k < y.size(); ++k) {
    if (y[k] == 0) continue;
    psi["gap letter"] += 1;
    if (task.affine && (k == 2 || y[k - 1] != y[k])) psi["gap opening"] += 1;
  }
  return psi;
}

}  // namespace plugin_test

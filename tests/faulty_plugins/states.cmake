# States that lack something learned in training.
set(month ${PROJECT_SOURCE_DIR}/tests/sdk/complete_task/month.cpp)
set(width_state [[void save(sculpt::StateWriter& out) const { out.integer(static_cast<std::int64_t>(width_)); }
  void restore(sculpt::StateReader& in) { width_ = static_cast<std::size_t>(in.integer()); }]])
set(month_experiment [[static constexpr const char* experiments[] = {R"({
    "name": "month_of_six_days",
    "dataset": {"use": "month", "train": {"text":
      "1 9.4 0.1\n3 11.2 3.3\n6 15.9 16\n7 15.6 18\n10 10.8 9\n12 8.4 1\n"}},
    "features": "month", "loss": "month", "oracle": "month",
    "solver": {"use": "n_slack", "C": 1}})"};]])
sculpt_add_mutant(month_correct ${month} "${width_state}" "${month_experiment}
  ${width_state}")
sculpt_add_mutant(month_without_width ${month} "${width_state}" "${month_experiment}
  void save(sculpt::StateWriter& out) const { out.integer(1); }
  void restore(sculpt::StateReader& in) { in.integer(); }")
sculpt_add_mutant(month_without_state ${month} "${width_state}" "${month_experiment}")
sculpt_add_mutant(month_of_any_width ${changed}/month_correct/month_correct.cpp
  [[for (std::size_t k = 1; k < width_; ++k) {]]
  [[for (std::size_t k = 1; k < fields.size(); ++k) {]])
sculpt_add_mutant(month_reads_past ${changed}/month_of_any_width/month_of_any_width.cpp
  [[if (fields.size() != width_) {]] [[if (false) {]])
set(weather ${CMAKE_CURRENT_SOURCE_DIR}/weather.cpp)
sculpt_add_mutant(weather_correct ${weather} [[the weather of some words]] [[nothing is changed]])
sculpt_add_mutant(weather_learns_again ${weather} [[split == "train" && !restored_;]]
  [[split == "train" || split == "predict";]])
sculpt_add_mutant(weather_forgets_labels ${changed}/weather_learns_again/weather_learns_again.cpp
  [[labels_.restore(in);]] [[Dictionary().restore(in);]])
sculpt_add_mutant(weather_of_first_label ${weather} [[day.label = labels_.find(fields[0].text);]]
  [[day.label = labels_.find(fields[0].text);
      if (!learns && !days_.empty()) day.label = (day.label + days_[0].label + 3) % 3;]])
sculpt_add_mutant(weather_reads_unset ${weather} [[if (word >= 0) day.words.push_back(word);]]
  [[const std::unique_ptr<std::int32_t[]> unset(new std::int32_t[1000]);
        day.words.push_back(word >= 0 ? word : unset[500] & 1);]])
sculpt_add_mutant(weather_crashes ${weather} [[if (word >= 0) day.words.push_back(word);]]
  [[if (word < 0) *reinterpret_cast<volatile char*>(16) = 1;
        day.words.push_back(word);]])
sculpt_add_mutant(weather_without_place ${weather} [[if (word >= 0) day.words.push_back(word);]]
  [[if (word < 0) throw sculpt::data_error("has unknown words");
        day.words.push_back(word);]])
sculpt_add_mutant(weather_of_bad_numbers ${weather} [[if (word >= 0) day.words.push_back(word);]]
  [[if (word < 0) throw std::out_of_range("no such word");
        day.words.push_back(word);]])
sculpt_add_mutant(weather_of_new_words ${weather} [[if (word >= 0) day.words.push_back(word);]]
  [[day.words.push_back(word >= 0 ? word : static_cast<std::int32_t>(words_.count()));]])
sculpt_add_mutant(weather_of_new_labels ${weather} [[day.label = labels_.find(fields[0].text);]]
  [[day.label = labels_.find(fields[0].text);
      if (day.label < 0) day.label = static_cast<std::int32_t>(labels_.count());]])
# Correct: the first line of a file names the words that count. So another first line changes all
# examples.
sculpt_add_mutant(weather_of_six_days ${weather} [["sunny hot dry\nrainy]]
  [["sky hot dry cold wet windy\nsunny hot dry\nrainy]])
sculpt_add_mutant(weather_with_heading ${changed}/weather_of_six_days/weather_of_six_days.cpp
  [[while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();]]
  [[std::vector<std::string> heading;
    while (reader.next()) {
      std::vector<sculpt::Field> fields = reader.fields();
      if (heading.empty()) {
        for (const sculpt::Field& field : fields) heading.emplace_back(field.text);
        continue;
      }
      std::erase_if(fields, [&](const sculpt::Field& field) {
        return &field != fields.data() &&
               std::find(heading.begin(), heading.end(), field.text) == heading.end();
      });]])
sculpt_add_mutant(weather_of_blocks ${changed}/weather_with_heading/weather_with_heading.cpp
  [[std::vector<sculpt::Field> fields = reader.fields();]]
  [[std::vector<sculpt::Field> fields = reader.fields();
      if (fields.empty()) continue;]])
sculpt_add_mutant(weather_with_heading_of_blocks ${changed}/weather_of_blocks/weather_of_blocks.cpp
  [[dry\nrainy cold wet\nsunny dry\ncloudy cold\nrainy]]
  [[dry\n\nrainy cold wet\n\nsunny dry\n\ncloudy cold\n\nrainy]])

# States whose damage is not noticed.
set(tagger_restore [[if (in.integer() != 1) in.damaged();]])
sculpt_add_mutant(state_cut ${tagger} "${tagger_restore}"
  [[if (!in.at_end() && in.integer() != 1) in.damaged();]])
sculpt_add_mutant(state_of_any_length ${tagger} "${tagger_restore}"
  [[const std::int64_t size = in.integer();
    if (size < 0 || size > 0xffffffffffff) in.damaged();
    lines_.reserve(static_cast<std::size_t>(size));
    lines_.shrink_to_fit();]])
sculpt_add_mutant(state_as_index ${tagger} "${tagger_restore}"
  [[const std::vector<std::int32_t> table(2);
    if (table[static_cast<std::size_t>(in.integer())] != 0) in.damaged();]])

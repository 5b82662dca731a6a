# Drafts of datasets with columns: places, the widest row, scales, columns of weights, the weights of
# rows, parts of a split, merged states, and rows in memory.
set(rows ${CMAKE_CURRENT_SOURCE_DIR}/rows.cpp)
sculpt_add_mutant(rows_correct ${rows} [["labelled rows, for tests"]] [["nothing is changed"]])
sculpt_add_mutant(rows_place_after ${rows} [[row.path + ":" + std::to_string(row.line) : "";]]
  [[row.path + ":" + std::to_string(row.line + 1) : "";]])
sculpt_add_mutant(rows_place_in_words ${rows} [[row.path + ":" + std::to_string(row.line) : "";]]
  [["line " + std::to_string(row.line) : "";]])
sculpt_add_mutant(rows_widest_last ${rows} [[row.index.back() > widest->index.back()]]
  [[row.index.back() >= widest->index.back()]])
sculpt_add_mutant(rows_widest_line_before ${rows} [[std::to_string(widest->line) + ": index "]]
  [[std::to_string(widest->line - 1) + ": index "]])
sculpt_add_mutant(rows_widest_assigned ${rows}
  [[sculpt::ByteOutput(out) << sculpt::component_of<Rows>(self).widest();]]
  [[out->size = 0;
        sculpt::ByteOutput(out) << sculpt::component_of<Rows>(self).widest();]])
sculpt_add_mutant(rows_scale_negative ${rows} [[const double scale = divisor(feature);]]
  [[const double scale = -divisor(feature);]])
sculpt_add_mutant(rows_scale_of_neighbour ${rows} [[const double scale = divisor(feature);]]
  [[const double scale = divisor((feature + 1) % feature_count());]])
sculpt_add_mutant(rows_scale_unset ${rows} [[sculpt_column_scale{sizeof(sculpt_column_scale), 0, 0, scale}]]
  [[sculpt_column_scale{sizeof(sculpt_column_scale), 0, out->shift, scale}]])
sculpt_add_mutant(rows_scale_of_any_column ${rows}
  [[throw sculpt::Error(SCULPT_E_INVALID, "none");]] [[feature = 0;]])
sculpt_add_mutant(rows_scale_forgotten ${rows}
  [[for (double& magnitude : largest) magnitude = in.real();]]
  [[for (double& magnitude : largest) magnitude = std::max(4.0, in.real());]])
sculpt_add_mutant(rows_state_too_many ${rows}
  [[return static_cast<std::int32_t>(learned_.labels.size());]]
  [[return static_cast<std::int32_t>(learned_.labels.size()) + (learns_ ? 0 : 1);]])
sculpt_add_mutant(rows_column_of_neighbour ${multiclass} [[return weights_.column(weight);]]
  [[return weights_.column(weight) < 0 ? -1 : (weights_.column(weight) + 1) % 3;]])
sculpt_add_mutant(rows_column_beyond ${multiclass} [[return weights_.column(weight);]]
  [[return weights_.column(weight) + 3;]])
set(row_blocks [[return weights_.row_blocks();]])
sculpt_add_mutant(rows_blocks_shifted ${multiclass} "${row_blocks}"
  [[return {weights_.row_blocks().first + 1, weights_.row_blocks().count};]])
sculpt_add_mutant(rows_blocks_beyond ${multiclass} "${row_blocks}"
  [[return {dimension(), weights_.row_blocks().count};]])
sculpt_add_mutant(rows_squared ${multiclass} [[weights_.add(input_.sites(example), 0, y[0], 1, sum);]]
  [[const sculpt_sites x = input_.sites(example);
    const double factor = x.row_from[0] < x.row_from[1] ? x.value[*x.row_from] : 1;
    weights_.add(x, 0, y[0], factor, sum);]])
sculpt_add_mutant(rows_part_longer ${rows} [[const std::int64_t end = size * (part + 1) / part_count;]]
  [[const std::int64_t end = size * (part + 1) / part_count + 5;]])
sculpt_add_mutant(rows_part_of_missing ${rows} [[throw sculpt::missing_error(path + ": is missing");]]
  [[throw sculpt::data_error(path + ": is missing");]])
sculpt_add_mutant(rows_part_in_other_order ${rows} [[    end_split(split);
  }
  void load_rows(]] [[    std::reverse(rows_.begin(), rows_.end());
    end_split(split);
  }
  void load_rows(]])
sculpt_add_mutant(rows_merge_last ${rows} [[for (std::int64_t k = 0; k < count; ++k) {
      sculpt::StateReader in(]] [[for (std::int64_t k = count - 1; k < count; ++k) {
      sculpt::StateReader in(]])
sculpt_add_mutant(rows_merge_backwards ${rows} [[for (std::int64_t k = 0; k < count; ++k) {
      sculpt::StateReader in(]] [[for (std::int64_t k = count; k-- > 0;) {
      sculpt::StateReader in(]])
sculpt_add_mutant(rows_merge_unchecked ${rows} [[      piece.restore(in);
]] [[      try {
        piece.restore(in);
      } catch (const sculpt::Error&) {
        throw std::out_of_range("no such byte");
      }
]])
sculpt_add_mutant(rows_memory_shifted ${rows} [[is_dense ? j - begin : rows.index[j];]]
  [[is_dense ? (j - begin) / 2 : rows.index[j];]])
sculpt_add_mutant(rows_memory_learns_again ${rows} [[const bool learns = !has_learned_;
    begin_split(split);]] [[const bool learns = true;
    begin_split(split);]])
sculpt_add_mutant(rows_memory_other_error ${rows}
  [[throw sculpt::data_error(where + "an unknown feature");]]
  [[throw sculpt::unsupported_error(where + "an unknown feature");]])
sculpt_add_mutant(rows_memory_without_example ${rows}
  [[throw sculpt::data_error(where + "an unknown label");]]
  [[throw sculpt::data_error("an unknown label");]])
sculpt_add_mutant(rows_memory_writes ${rows}
  [[if (learns) learned_.add_value(static_cast<std::size_t>(column), rows.value[j]);]]
  [[if (learns) learned_.add_value(static_cast<std::size_t>(column), rows.value[j]);
      const_cast<double*>(rows.value)[j] *= 1 + 1e-15;]])

/* drafts.cpp - the ids, sizes and offsets of the drafts on 64-bit machines. The test is that it
 * compiles.
 *
 * A change here is another layout, so the id of the draft must change, too: draft-2 after draft-1
 * (ext/draft/README.md). In C++, because C cannot compare texts when it compiles. */
#include <sculpt/ext/draft/batch_values.h>
#include <sculpt/ext/draft/cached_arrays.h>
#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/edge_kinds.h>
#include <sculpt/ext/draft/explicit_rows.h>
#include <sculpt/ext/draft/host_source.h>
#include <sculpt/ext/draft/host_storage.h>
#include <sculpt/ext/draft/host_sum.h>
#include <sculpt/ext/draft/load_range.h>
#include <sculpt/ext/draft/memory_source.h>
#include <sculpt/ext/draft/merge_state.h>
#include <sculpt/ext/draft/place.h>
#include <sculpt/ext/draft/stream.h>
#include <sculpt/ext/draft/text_parts.h>
#include <sculpt/ext/draft/width.h>
#include <sculpt/ext/draft/witness.h>
#include <string_view>

#include "layout.h"

#define ID(name, text) static_assert(std::string_view(name) == (text), #name)

/* ext/draft/batch_values.h */
ID(SCULPT_EXT_BATCH_FEATURES, "sculpt.batch-features/draft-1");
ID(SCULPT_EXT_BATCH_LOSS, "sculpt.batch-loss/draft-1");
SIZE(sculpt_ext_batch_features, 8);
OFFSET(sculpt_ext_batch_features, accumulate, 0);
SIZE(sculpt_ext_batch_loss, 8);
OFFSET(sculpt_ext_batch_loss, loss, 0);

/* ext/draft/cached_arrays.h */
ID(SCULPT_EXT_CACHED_ARRAYS, "sculpt.cached-arrays/draft-1");
SIZE(sculpt_cache_output, 24);
OFFSET(sculpt_cache_output, struct_size, 0);
OFFSET(sculpt_cache_output, reserved, 4);
OFFSET(sculpt_cache_output, context, 8);
OFFSET(sculpt_cache_output, add, 16);
SIZE(sculpt_cached_array, 16);
OFFSET(sculpt_cached_array, data, 0);
OFFSET(sculpt_cached_array, size, 8);
SIZE(sculpt_ext_cached_arrays, 16);
OFFSET(sculpt_ext_cached_arrays, write, 0);
OFFSET(sculpt_ext_cached_arrays, read, 8);

/* ext/draft/column_scale.h */
ID(SCULPT_EXT_COLUMN_SCALE, "sculpt.column-scale/draft-1");
ID(SCULPT_EXT_WEIGHT_COLUMN, "sculpt.weight-column/draft-1");
SIZE(sculpt_column_scale, 24);
OFFSET(sculpt_column_scale, struct_size, 0);
OFFSET(sculpt_column_scale, reserved, 4);
OFFSET(sculpt_column_scale, shift, 8);
OFFSET(sculpt_column_scale, divisor, 16);
SIZE(sculpt_ext_column_scale, 16);
OFFSET(sculpt_ext_column_scale, scale, 0);
OFFSET(sculpt_ext_column_scale, name, 8);
SIZE(sculpt_ext_weight_column, 8);
OFFSET(sculpt_ext_weight_column, column, 0);

/* ext/draft/edge_kinds.h */
ID(SCULPT_EXT_EDGE_KINDS, "sculpt.edge-kinds/draft-1");
SIZE(sculpt_ext_edge_kinds, 24);
OFFSET(sculpt_ext_edge_kinds, count, 0);
OFFSET(sculpt_ext_edge_kinds, name, 8);
OFFSET(sculpt_ext_edge_kinds, kinds, 16);

/* ext/draft/explicit_rows.h */
ID(SCULPT_EXT_EXPLICIT_ROWS, "sculpt.explicit-rows/draft-1");
SIZE(sculpt_ext_explicit_rows, 24);
OFFSET(sculpt_ext_explicit_rows, width, 0);
OFFSET(sculpt_ext_explicit_rows, name, 8);
OFFSET(sculpt_ext_explicit_rows, row, 16);

/* ext/draft/host_source.h */
ID(SCULPT_HOST_SOURCE, "sculpt.host-source/draft-1");
SIZE(sculpt_host_source, 40);
OFFSET(sculpt_host_source, open, 0);
OFFSET(sculpt_host_source, next_block, 8);
OFFSET(sculpt_host_source, rest, 16);
OFFSET(sculpt_host_source, next_line, 24);
OFFSET(sculpt_host_source, close, 32);

/* ext/draft/host_storage.h */
ID(SCULPT_HOST_STORAGE, "sculpt.host-storage/draft-1");
SIZE(sculpt_host_storage, 16);
OFFSET(sculpt_host_storage, allocate, 0);
OFFSET(sculpt_host_storage, release, 8);

/* ext/draft/host_sum.h */
ID(SCULPT_HOST_SUM, "sculpt.host-sum/draft-1");
SIZE(sculpt_host_sum, 8);
OFFSET(sculpt_host_sum, add, 0);

/* ext/draft/load_range.h */
ID(SCULPT_EXT_LOAD_RANGE, "sculpt.load-range/draft-1");
SIZE(sculpt_ext_load_range, 8);
OFFSET(sculpt_ext_load_range, load_part, 0);

/* ext/draft/memory_source.h */
ID(SCULPT_EXT_MEMORY_SOURCE, "sculpt.memory-source/draft-2");
SIZE(sculpt_memory_rows, 160);
OFFSET(sculpt_memory_rows, struct_size, 0);
OFFSET(sculpt_memory_rows, state_count, 4);
OFFSET(sculpt_memory_rows, example_count, 8);
OFFSET(sculpt_memory_rows, site_count, 16);
OFFSET(sculpt_memory_rows, feature_count, 24);
OFFSET(sculpt_memory_rows, first_site, 32);
OFFSET(sculpt_memory_rows, row_from, 40);
OFFSET(sculpt_memory_rows, index, 48);
OFFSET(sculpt_memory_rows, value, 56);
OFFSET(sculpt_memory_rows, first_edge, 64);
OFFSET(sculpt_memory_rows, edge, 72);
OFFSET(sculpt_memory_rows, first_label, 80);
OFFSET(sculpt_memory_rows, label, 88);
OFFSET(sculpt_memory_rows, variable_count, 96);
OFFSET(sculpt_memory_rows, edge_kind, 104);
OFFSET(sculpt_memory_rows, edge_kind_count, 112);
OFFSET(sculpt_memory_rows, reserved, 116);
OFFSET(sculpt_memory_rows, weight, 120);
OFFSET(sculpt_memory_rows, state_name, 128);
OFFSET(sculpt_memory_rows, feature_name, 136);
OFFSET(sculpt_memory_rows, variable_name, 144);
OFFSET(sculpt_memory_rows, edge_kind_name, 152);
SIZE(sculpt_ext_memory_source, 8);
OFFSET(sculpt_ext_memory_source, load, 0);

/* ext/draft/merge_state.h */
ID(SCULPT_EXT_MERGE_STATE, "sculpt.merge-state/draft-1");
SIZE(sculpt_ext_merge_state, 16);
OFFSET(sculpt_ext_merge_state, save_piece, 0);
OFFSET(sculpt_ext_merge_state, merge, 8);

/* ext/draft/place.h */
ID(SCULPT_EXT_PLACE, "sculpt.place/draft-1");
SIZE(sculpt_ext_place, 8);
OFFSET(sculpt_ext_place, place, 0);

/* ext/draft/stream.h */
ID(SCULPT_EXT_STREAM, "sculpt.stream/draft-1");
ID(SCULPT_EXT_STREAMED, "sculpt.streamed/draft-1");
SIZE(sculpt_ext_stream, 32);
OFFSET(sculpt_ext_stream, open, 0);
OFFSET(sculpt_ext_stream, next, 8);
OFFSET(sculpt_ext_stream, release, 16);
OFFSET(sculpt_ext_stream, close, 24);
SIZE(sculpt_ext_streamed, 8);
OFFSET(sculpt_ext_streamed, released, 0);

/* ext/draft/text_parts.h */
ID(SCULPT_EXT_TEXT_PARTS, "sculpt.text-parts/draft-1");
SIZE(sculpt_ext_text_parts, 8);
OFFSET(sculpt_ext_text_parts, end, 0);
NUMBER(SCULPT_PART_ENDS_WITH_LINE, 1);
NUMBER(SCULPT_PART_ENDS_WITH_BLANK_LINE, 2);

/* ext/draft/width.h */
ID(SCULPT_EXT_WIDTH, "sculpt.width/draft-1");
SIZE(sculpt_ext_width, 8);
OFFSET(sculpt_ext_width, widest, 0);

/* ext/draft/witness.h */
ID(SCULPT_EXT_WITNESS, "sculpt.witness/draft-1");
ID(SCULPT_EXT_MAP_WITNESS, "sculpt.map-witness/draft-1");
SIZE(sculpt_number_buffer, 32);
OFFSET(sculpt_number_buffer, data, 0);
OFFSET(sculpt_number_buffer, size, 8);
OFFSET(sculpt_number_buffer, capacity, 16);
OFFSET(sculpt_number_buffer, grow, 24);
SIZE(sculpt_witness, 48);
OFFSET(sculpt_witness, struct_size, 0);
OFFSET(sculpt_witness, reserved, 4);
OFFSET(sculpt_witness, kind, 8);
OFFSET(sculpt_witness, numbers, 16);
SIZE(sculpt_ext_witness, 8);
OFFSET(sculpt_ext_witness, prove, 0);
SIZE(sculpt_ext_map_witness, 8);
OFFSET(sculpt_ext_map_witness, prove, 0);

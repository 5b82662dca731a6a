/* mpi_transport.c - libsculpt-mpi.so: the operations of parallel/ranks/transport.h by MPI. The
 * only source of the host that knows MPI. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "parallel/ranks/transport.h"

/* MPI counts in int. Ranks sends larger messages in several operations (ranks.hpp). */
static sculpt_transport transport;
static char host[MPI_MAX_PROCESSOR_NAME];
static char name[MPI_MAX_LIBRARY_VERSION_STRING];
static MPI_Request request = MPI_REQUEST_NULL;
static int* counts; /* [4][count]: of what is sent and received, and where they begin */

static void fail(const char* what) {
  fprintf(stderr, "sculpt: libsculpt-mpi: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 70);
}

/* Fills `bytes` and `begins`, [count], for blocks that lie one after the other. */
static void set_counts(const int64_t* sizes, int* bytes, int* begins) {
  int64_t begin = 0;
  int k;
  for (k = 0; k < transport.count; ++k) {
    if (sizes[k] > INT_MAX || begin > INT_MAX) fail("more than 2 GB in one message");
    bytes[k] = (int)sizes[k];
    begins[k] = (int)begin;
    begin += sizes[k];
  }
}

static void start_gather(const void* own, int64_t size, void* all) {
  MPI_Iallgather(own, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, MPI_COMM_WORLD, &request);
}

static void start_gather_blocks(const void* own, const int64_t* sizes, void* all) {
  set_counts(sizes, counts, counts + transport.count);
  MPI_Iallgatherv(own, counts[transport.rank], MPI_BYTE, all, counts, counts + transport.count,
                  MPI_BYTE, MPI_COMM_WORLD, &request);
}

static void start_exchange(const void* send, const int64_t* send_sizes, void* received,
                           const int64_t* receive_sizes) {
  const int n = transport.count;
  set_counts(send_sizes, counts, counts + n);
  set_counts(receive_sizes, counts + 2 * n, counts + 3 * n);
  MPI_Ialltoallv(send, counts, counts + n, MPI_BYTE, received, counts + 2 * n, counts + 3 * n,
                 MPI_BYTE, MPI_COMM_WORLD, &request);
}

static int32_t is_done(void) {
  int done = 0;
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  return done;
}

static void end_all(int32_t exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  abort();
}

static void close_transport(void) {
  MPI_Finalize();
}

static void count_local_ranks(void) {
  MPI_Comm local;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
  MPI_Comm_size(local, &transport.local_count);
  MPI_Comm_free(&local);
}

__attribute__((visibility("default"))) const sculpt_transport* sculpt_transport_open(
    uint32_t version);

const sculpt_transport* sculpt_transport_open(uint32_t version) {
  int provided, length;
  if (version != SCULPT_TRANSPORT_VERSION) return NULL;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  transport.struct_size = sizeof transport;
  MPI_Comm_rank(MPI_COMM_WORLD, &transport.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &transport.count);
  count_local_ranks();
  MPI_Get_processor_name(host, &length);
  transport.host = host;
  MPI_Get_library_version(name, &length);
  transport.name = name;
  transport.start_gather = start_gather;
  transport.start_gather_blocks = start_gather_blocks;
  transport.start_exchange = start_exchange;
  transport.is_done = is_done;
  transport.abort = end_all;
  transport.close = close_transport;
  counts = malloc(4 * (size_t)transport.count * sizeof *counts);
  if (counts == NULL) fail("no memory");
  return &transport;
}

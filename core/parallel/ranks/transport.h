/* transport.h - how libsculpt and libsculpt-mpi.so talk: the few operations by which processes
 * share work. C, so that the library of the transport may be built apart, and a machine without MPI
 * needs none of it.
 *
 * Made by mpi/mpi_transport.c, and by tests. Used by parallel/ranks/transport.cpp alone. One thread
 * calls. An operation is started, and then is_done() is called until it returns 1; only then the
 * next one begins. All ranks start the same operations in the same order, with sizes that fit
 * together. */
#ifndef SCULPT_RANKS_TRANSPORT_H
#define SCULPT_RANKS_TRANSPORT_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define SCULPT_TRANSPORT_VERSION 1
#define SCULPT_TRANSPORT_ENTRY "sculpt_transport_open"

/* NOLINTBEGIN(modernize-redundant-void-arg): C needs it. */
typedef struct sculpt_transport {
  uint32_t struct_size;
  int32_t rank;        /* this process, in [0, count) */
  int32_t count;       /* processes */
  int32_t local_count; /* of these on this machine */
  const char* host;    /* name of this machine */
  /* What carries the messages, for people: "Open MPI 4.1.4". */
  const char* name;

  /* The blocks of an operation have less than 2 GB together.
   * all[k] = the `size` bytes of rank k, one after the other. */
  void (*start_gather)(const void* own, int64_t size, void* all);
  /* The same for blocks of sizes[count] bytes. */
  void (*start_gather_blocks)(const void* own, const int64_t* sizes, void* all);
  /* Rank k gets send_sizes[k] bytes of `send`, where the blocks lie one after the other. `received`
   * gets receive_sizes[k] bytes from rank k, likewise. */
  void (*start_exchange)(const void* send, const int64_t* send_sizes, void* received,
                         const int64_t* receive_sizes);
  /* 1 if the operation has ended, else 0. Its memory must stay until then. */
  int32_t (*is_done)(void);
  /* Ends all processes at once, with this exit code. Does not return. */
  void (*abort)(int32_t exit);
  /* The last call. All ranks make it. */
  void (*close)(void);
} sculpt_transport;
/* NOLINTEND(modernize-redundant-void-arg) */

/* The one function that the library exports. `version`: SCULPT_TRANSPORT_VERSION of the caller.
 * Lives as long as the process. NULL: another version. Called once, before there are threads. */
typedef const sculpt_transport* (*sculpt_transport_entry)(uint32_t version);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: Apache-2.0 */

/* Linux capabilities, which a program file can grant to its users (setcap(8)): system calls to drop
   them, for which the C library has no functions. They apply to the calling thread and to those it
   starts later. */

#ifndef CAPABILITIES_H
#define CAPABILITIES_H

#ifdef __linux__

#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* _LINUX_CAPABILITY_VERSION_3, with sixty-four capabilities. */
struct capabilities_header {
  uint32_t version;
  int32_t process;
};

struct capabilities_sets {
  uint32_t effective, permitted, inheritable;
};

static const uint32_t capabilities_version = 0x20080522;

/* Whether the thread has any; -1 when not known. */
static inline int capabilities_any(void) {
  struct capabilities_header header = {capabilities_version, 0};
  struct capabilities_sets sets[2] = {{0, 0, 0}, {0, 0, 0}};
  if (syscall(SYS_capget, &header, sets) != 0) return -1;
  uint32_t all = 0;
  for (int i = 0; i < 2; i++) all |= sets[i].effective | sets[i].permitted | sets[i].inheritable;
  return all != 0;
}

/* Drops all of them, including those that other program files would grant; 0 on success. */
static inline int capabilities_drop(void) {
  /* Failure of these two is ignored: old kernels do not have them. */
  (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#ifdef PR_CAP_AMBIENT
  (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
#endif
  struct capabilities_header header = {capabilities_version, 0};
  struct capabilities_sets none[2] = {{0, 0, 0}, {0, 0, 0}};
  return (int)syscall(SYS_capset, &header, none);
}

#else

static inline int capabilities_any(void) { return 0; }
static inline int capabilities_drop(void) { return 0; }

#endif
#endif

/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * /dev/coroamu, for programs (see README.md):
 *   ioctl COROAMU_GRANT    the calling thread may use the AMU from here on; -EBUSY: another thread of the process may already
 *   ioctl COROAMU_RELEASE  gives it back, whatever is outstanding
 *   mmap at the physical address of the SPM window: its 32 KiB, shared, after a grant
 *   mmap at that of the host page or of far memory's registers: for the measured process
 */
#ifndef COROAMU_H
#define COROAMU_H

#include <linux/ioctl.h>

#define COROAMU_GRANT _IO('m', 0xa0)
#define COROAMU_RELEASE _IO('m', 0xa1)

#endif

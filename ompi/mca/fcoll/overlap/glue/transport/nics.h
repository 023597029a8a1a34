/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * How many NICs a node has. Needs nothing of Open MPI.
 */
#ifndef MCA_FCOLL_OVERLAP_NICS_H
#define MCA_FCOLL_OVERLAP_NICS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Ports of the fastest kind whose links are up: those of InfiniBand and Omni-Path with the highest rate; where there are
 * none, those of Ethernet with the highest speed (Slingshot and RoCE among them). Devices on PCI count, virtual functions of
 * them do not. 0 where that is not known, as in most virtual machines. `classes`: /sys/class, or what stands for it. */
int mca_fcoll_overlap_count_nics(const char *classes);

#ifdef __cplusplus
}
#endif

#endif

/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which file system a file is on, by its magic number, and whether the nodes that use it see each other's writes.
 */
#include "storage.h"

#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

typedef struct kind_t {
    unsigned long magic;
    const char *name; /* as the rules of a site have it, in lower case */
    mca_fcoll_overlap_caches_t caches;
} kind_t;

/* Sources: Lustre, a lock of the extent at the server before a client caches it (LDLM; Lustre manual, "Lustre features and
 * requirements"); GPFS, byte-range tokens (Schmuck and Haskin, FAST 2002, section 3.1); GFS2, a glock of the inode
 * (Documentation/filesystems/gfs2-glocks.rst); OCFS2, the same by its DLM; CephFS by the kernel's client, capabilities that
 * the server takes back (docs.ceph.com, "Capabilities in CephFS"); NFS, a client drops its pages when it takes a lock
 * (do_setlk in fs/nfs/file.c). Others are not known to: a client of FUSE keeps its pages whatever is locked, and GlusterFS
 * lost bytes so; BeeGFS, OrangeFS and PanFS do not document it; 9p, SMB and AFS cache as they are mounted. */
static const kind_t kinds[] = {
    {0xEF53, "ext4", MCA_FCOLL_OVERLAP_ONE_NODE}, /* and ext2, ext3 */
    {0x58465342, "xfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x9123683E, "btrfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0xF2F52010, "f2fs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {TMPFS_MAGIC, "tmpfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {RAMFS_MAGIC, "ramfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x794C7630, "overlay", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x2FC12FC1, "zfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0xCA451A4E, "bcachefs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x3153464A, "jfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x52654973, "reiserfs", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x3434, "nilfs2", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x4D44, "vfat", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x2011BAB0, "exfat", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x7366746E, "ntfs3", MCA_FCOLL_OVERLAP_ONE_NODE},
    {0x0BD00BD0, "lustre", MCA_FCOLL_OVERLAP_COHERENT},
    {0x47504653, "gpfs", MCA_FCOLL_OVERLAP_COHERENT},
    {0x01161970, "gfs2", MCA_FCOLL_OVERLAP_COHERENT},
    {0x7461636F, "ocfs2", MCA_FCOLL_OVERLAP_COHERENT},
    {0x00C36400, "ceph", MCA_FCOLL_OVERLAP_COHERENT},
    {0x6969, "nfs", MCA_FCOLL_OVERLAP_UNDER_A_LOCK},
    {0x19830326, "beegfs", MCA_FCOLL_OVERLAP_NOT_COHERENT},
    {0x20030528, "pvfs2", MCA_FCOLL_OVERLAP_NOT_COHERENT}, /* and OrangeFS */
    {0xAAD7AAEA, "panfs", MCA_FCOLL_OVERLAP_NOT_COHERENT},
    {0xFF534D42, "cifs", MCA_FCOLL_OVERLAP_NOT_COHERENT},
    {0xFE534D42, "cifs", MCA_FCOLL_OVERLAP_NOT_COHERENT}, /* SMB 2 and later */
    {0x5346414F, "afs", MCA_FCOLL_OVERLAP_NOT_COHERENT},
    {0x01021997, "9p", MCA_FCOLL_OVERLAP_NOT_COHERENT},
    {0x65735546, "fuse", MCA_FCOLL_OVERLAP_NOT_COHERENT},
};

static const kind_t unknown = {0, "unknown", MCA_FCOLL_OVERLAP_NOT_COHERENT};

static const kind_t *kind_of(const ompio_file_t *fh) {
    struct statfs system;

    if (0 == fstatfs(fh->fd, &system)) {
        for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); ++i) {
            /* Some architectures have it as a signed number of 32 bits. */
            if (kinds[i].magic == ((unsigned long)system.f_type & 0xFFFFFFFFUL)) {
                return &kinds[i];
            }
        }
    }
    return &unknown;
}

/* Whether locks of an NFS mount reach the server: the kernel shows "local_lock=all" where the mount says nolock, and
 * "local_lock=posix" where locks of ranges stay on the client (nfs_show_mount_options in fs/nfs/super.c). */
static bool locks_reach_server(const ompio_file_t *fh) {
    FILE *mounts = fopen("/proc/self/mountinfo", "re");
    struct stat file;
    char line[4096];
    bool reach = false;

    if (NULL != mounts && 0 == fstat(fh->fd, &file)) {
        while (NULL != fgets(line, sizeof(line), mounts)) {
            unsigned major_number, minor_number;
            if (2 == sscanf(line, "%*d %*d %u:%u ", &major_number, &minor_number) &&
                makedev(major_number, minor_number) == file.st_dev) {
                reach = NULL != strstr(line, "local_lock=none") || NULL != strstr(line, "local_lock=flock");
            }
        }
    }
    if (NULL != mounts) {
        fclose(mounts);
    }
    return reach;
}

bool mca_fcoll_overlap_is_of_pvfs2(const ompio_file_t *fh) {
    return NULL != fh->f_fs_component && 0 == strcmp(fh->f_fs_component->mca_component_name, "pvfs2");
}

void mca_fcoll_overlap_look_at_file_system(const ompio_file_t *fh, overlap_file_facts *facts) {
    const kind_t *kind = kind_of(fh);

    snprintf(facts->file_system, sizeof(facts->file_system), "%s", mca_fcoll_overlap_is_of_pvfs2(fh) ? "pvfs2" : kind->name);
    facts->tells_size = MCA_FCOLL_OVERLAP_ONE_NODE == kind->caches || MCA_FCOLL_OVERLAP_COHERENT == kind->caches;
    facts->remote = MCA_FCOLL_OVERLAP_ONE_NODE != kind->caches;
    /* What an unlock has not sent to the server may be sent later. */
    facts->coherent = MCA_FCOLL_OVERLAP_UNDER_A_LOCK == kind->caches
                          ? mca_fcoll_overlap_locks_writes(fh) && locks_reach_server(fh)
                          : MCA_FCOLL_OVERLAP_NOT_COHERENT != kind->caches;
}

mca_fcoll_overlap_caches_t mca_fcoll_overlap_caches_of(const ompio_file_t *fh) {
    const mca_fcoll_overlap_caches_t caches = kind_of(fh)->caches;

    return MCA_FCOLL_OVERLAP_UNDER_A_LOCK == caches && !locks_reach_server(fh) ? MCA_FCOLL_OVERLAP_NOT_COHERENT : caches;
}

/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * Which file system a file is on, by its magic number; whether the nodes that use it see each other's writes; and a second
 * descriptor of the file, for direct transfers, with what they ask for.
 */
#include "storage.h"

#include "opal/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

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

/* It may then be without a descriptor. */
static bool is_of_pvfs2(const ompio_file_t *fh) { return 0 == strcmp(fh->f_fs_component->mca_component_name, "pvfs2"); }

static void find_file_system(mca_fcoll_overlap_module_t *module) {
    const kind_t *kind = kind_of(module->fh);

    module->file_system = is_of_pvfs2(module->fh) ? "pvfs2" : kind->name;
    module->caches = kind->caches;
    if (MCA_FCOLL_OVERLAP_UNDER_A_LOCK == kind->caches && !locks_reach_server(module->fh)) {
        module->caches = MCA_FCOLL_OVERLAP_NOT_COHERENT;
    }
}

void mca_fcoll_overlap_look_at_file_system(mca_fcoll_overlap_module_t *module, overlap_file_facts *facts) {
    const ompio_file_t *const fh = module->fh;

    if (NULL == module->file_system) {
        find_file_system(module);
    }
    /* Open MPI's component for PVFS2 does not ask the file system: it has there what the hints wish for, and the unit in the
     * place of the factor. */
    facts->stripe_count = is_of_pvfs2(fh) ? 0 : fh->f_stripe_count;
    snprintf(facts->file_system, sizeof(facts->file_system), "%s", module->file_system);
    facts->tells_size = MCA_FCOLL_OVERLAP_ONE_NODE == module->caches || MCA_FCOLL_OVERLAP_COHERENT == module->caches;
    facts->remote = MCA_FCOLL_OVERLAP_ONE_NODE != module->caches;
    /* What an unlock has not sent to the server may be sent later. */
    facts->coherent = MCA_FCOLL_OVERLAP_UNDER_A_LOCK == module->caches ? mca_fcoll_overlap_locks_writes(fh)
                                                                       : MCA_FCOLL_OVERLAP_NOT_COHERENT != module->caches;
}

/* What every device and file system takes, where the kernel does not tell. */
enum { COMMON_ALIGNMENT = 4096 };

/* The largest block of a Linux file system, whose page cache may keep whole blocks together. st_blksize can be larger: a
 * stripe. */
enum { LARGEST_BLOCK = 65536 };

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* tmpfs takes O_DIRECT since Linux 6.6, and copies all the same. */
static bool is_in_memory(const overlap_file_facts *facts) {
    return 0 == strcmp(facts->file_system, "tmpfs") || 0 == strcmp(facts->file_system, "ramfs");
}

/* statx(2), STATX_DIOALIGN, since Linux 6.1 and for some file systems. False where the kernel says that there are no direct
 * writes. */
static bool alignments_of(int descriptor, overlap_descriptors *descriptors) {
    int64_t of_offsets = COMMON_ALIGNMENT, of_memory = COMMON_ALIGNMENT;
    struct stat file;
#ifdef STATX_DIOALIGN
    struct statx known;

    if (0 == statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &known) && 0 != (known.stx_mask & STATX_DIOALIGN)) {
        of_offsets = known.stx_dio_offset_align;
        of_memory = known.stx_dio_mem_align;
    }
#endif
    if (0 == of_offsets || 0 == of_memory || 0 != fstat(descriptor, &file)) {
        return false;
    }
    if (file.st_blksize <= LARGEST_BLOCK && 0 == (file.st_blksize & (file.st_blksize - 1))) {
        of_offsets = larger(of_offsets, file.st_blksize);
    }
    descriptors->offset_alignment = larger(of_offsets, sysconf(_SC_PAGESIZE));
    descriptors->memory_alignment = (size_t)of_memory;
    return true;
}

/* Opened again by the descriptor: the name may be relative to a folder that the program has left, or another file's by now.
 */
int mca_fcoll_overlap_posix_descriptors(void *self, overlap_descriptors *descriptors) {
    const mca_fcoll_overlap_module_t *module = self;
    const ompio_file_t *fh = module->fh;
    char path[32];

    *descriptors = (overlap_descriptors){.ordinary = fh->fd, .direct = -1};
    if (!mca_fcoll_overlap_is_posix(fh)) {
        return OVERLAP_ERR_IO;
    }
    if (is_in_memory(&module->facts) || !alignments_of(fh->fd, descriptors)) {
        return OVERLAP_SUCCESS;
    }
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fh->fd);
    descriptors->direct = open(path, (fcntl(fh->fd, F_GETFL) & O_ACCMODE) | O_DIRECT | O_CLOEXEC);
    if (descriptors->direct < 0) {
        mca_fcoll_overlap_note(self, "no descriptor for direct writes: %s", strerror(errno));
    }
    return OVERLAP_SUCCESS;
}

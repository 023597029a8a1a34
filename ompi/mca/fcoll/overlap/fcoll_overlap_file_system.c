/*
 * Which file system a file is on, by its magic number, and what is known of such file systems.
 */
#include "fcoll_overlap.h"

#include <linux/magic.h>
#include <stdio.h>
#include <sys/vfs.h>

typedef struct kind_t {
    unsigned long magic;
    const char *name;   /* as the rules of a site have it, in lower case */
    bool of_this_node;  /* everybody who can reach the file is on this node */
    bool one_at_a_time; /* the kernel writes to a file for one process at a time: it holds the inode's lock meanwhile */
    bool longer_alone;  /* the same of writes that end behind the end of the file, up to the storage and back */
} kind_t;

static const kind_t kinds[] = {
    {0xEF53, "ext4", true, true, false}, /* and ext2, ext3 */
    {0x58465342, "xfs", true, true, false},      {0x9123683E, "btrfs", true, true, false},
    {0xF2F52010, "f2fs", true, true, false},     {TMPFS_MAGIC, "tmpfs", true, true, false},
    {RAMFS_MAGIC, "ramfs", true, true, false},   {0x794C7630, "overlay", true, true, false},
    {0x2FC12FC1, "zfs", true, false, false},     {0xCA451A4E, "bcachefs", true, false, false},
    {0x0BD00BD0, "lustre", false, false, false}, {0x47504653, "gpfs", false, false, false},
    {0x6969, "nfs", false, false, false},        {0x19830326, "beegfs", false, false, false},
    {0x00C36400, "ceph", false, false, false},   {0x20030528, "pvfs2", false, false, false}, /* and OrangeFS */
    {0xAAD7AAEA, "panfs", false, false, false},  {0x01161970, "gfs2", false, false, false},
    {0x7461636F, "ocfs2", false, false, false},  {0xFF534D42, "cifs", false, false, false},
    {0xFE534D42, "cifs", false, false, false}, /* SMB 2 and later */
    {0x5346414F, "afs", false, false, false},    {0x01021997, "9p", false, false, false},
    {0x65735546, "fuse", false, false, true},
};

static const kind_t unknown = {0, "unknown", false, false, false};

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

/* What Open MPI's own component of a file system has opened, which may be without a descriptor. Of other types not every
 * Open MPI knows. */
static const char *name_by_ompio(const ompio_file_t *fh) {
    switch (fh->f_fstype) {
    case PVFS2:
        return "pvfs2";
    case LUSTRE:
        return "lustre";
    default:
        return NULL;
    }
}

void mca_fcoll_overlap_name_file_system(const ompio_file_t *fh, char *name, size_t size) {
    const char *by_ompio = name_by_ompio(fh);

    snprintf(name, size, "%s", NULL != by_ompio ? by_ompio : kind_of(fh)->name);
}

void mca_fcoll_overlap_look_at_file_system(mca_fcoll_overlap_module_t *module) {
    const kind_t *kind = kind_of(module->fh);

    module->of_this_node = kind->of_this_node;
    module->asks_for_turns = kind->one_at_a_time;
    module->lengthens = kind->longer_alone;
}

/*
 * Buffers in the memory of a device, which the CPU may not be able to touch: what is written is copied to the host before
 * the call, what was read to the device after it, by Open MPI's accelerator framework. Between, the engine has host memory.
 */
#include "fcoll_overlap.h"

/* No page is a device's in part. */
enum { PAGE_BITS = 12 };

/* The address is all that tells. MPI_BOTTOM is none: its blocks may lie anywhere, many of them in one page. */
static bool is_on_a_device(const overlap_layout *memory) {
    const size_t looked_at = 0 == memory->origin ? memory->block_count : 1;
    int64_t page = -1;
    bool is = false;

    for (size_t i = 0; i < looked_at && !is; ++i) {
        const int64_t address = memory->origin + (int64_t)(intptr_t)memory->blocks[i].iov_base;
        if (memory->blocks[i].iov_len > 0 && address >> PAGE_BITS != page) {
            page = address >> PAGE_BITS;
            is = mca_fcoll_overlap_is_device_memory((void *)(intptr_t)address);
        }
    }
    return is;
}

typedef struct copy_t {
    bool to_host;
    char *host; /* of the next byte */
    char *start;
    size_t bytes; /* that lie together from `start`, not yet copied */
} copy_t;

static int copy_run(copy_t *copy) {
    int ret = OPAL_SUCCESS;

    if (copy->bytes > 0) {
        ret = copy->to_host ? mca_fcoll_overlap_device_copy(copy->host, copy->start, copy->bytes)
                            : mca_fcoll_overlap_device_copy(copy->start, copy->host, copy->bytes);
    }
    copy->host += copy->bytes;
    copy->bytes = 0;
    return ret;
}

/* The first `bytes` of a layout, from or to as many at `host`; what lies together goes by one copy. */
static int copy_all(const overlap_layout *memory, char *host, size_t bytes, bool to_host) {
    copy_t copy = {.to_host = to_host, .host = host};
    int64_t instance = memory->origin;
    size_t i = 0, left = bytes;
    int ret = OPAL_SUCCESS;

    while (left > 0 && OPAL_SUCCESS == ret) {
        char *const start = (char *)(intptr_t)instance + (intptr_t)memory->blocks[i].iov_base;
        const size_t length = memory->blocks[i].iov_len < left ? memory->blocks[i].iov_len : left;
        if (start != copy.start + copy.bytes) {
            ret = copy_run(&copy);
            copy.start = start;
        }
        copy.bytes += length;
        left -= length;
        if (++i == memory->block_count) {
            i = 0;
            instance += memory->extent;
        }
    }
    return OPAL_SUCCESS == ret ? copy_run(&copy) : ret;
}

void mca_fcoll_overlap_stage(overlap_direction direction, overlap_access *access, mca_fcoll_overlap_staging_t *staging) {
    *staging = (mca_fcoll_overlap_staging_t){0};
    if (OVERLAP_SUCCESS != access->error || 0 == access->bytes || NULL == access->memory.blocks ||
        !is_on_a_device(&access->memory)) {
        return;
    }
    staging->host = malloc(access->bytes);
    staging->block = malloc(sizeof(*staging->block));
    if (NULL == staging->host || NULL == staging->block) {
        access->error = OVERLAP_ERR_NO_MEM;
    } else if (OVERLAP_WRITE == direction && OPAL_SUCCESS != copy_all(&access->memory, staging->host, access->bytes, true)) {
        access->error = OVERLAP_ERR_OTHER;
    }
    if (OVERLAP_SUCCESS != access->error) {
        free(staging->host);
        free(staging->block);
        *staging = (mca_fcoll_overlap_staging_t){0};
        return;
    }
    staging->device = access->memory;
    *staging->block = (struct iovec){NULL, access->bytes};
    access->memory = (overlap_layout){.blocks = staging->block,
                                      .block_count = 1,
                                      .extent = (int64_t)access->bytes,
                                      .origin = (int64_t)(intptr_t)staging->host};
}

int mca_fcoll_overlap_unstage(overlap_direction direction, overlap_access *access, mca_fcoll_overlap_staging_t *staging,
                              int error, size_t *done) {
    if (NULL == staging->host) {
        return error;
    }
    if (OVERLAP_READ == direction) {
        /* After an error the bytes that were read need not be the first. */
        if (OVERLAP_SUCCESS == error && *done > 0) {
            (void)is_on_a_device(
                &staging->device); /* binds the device to this thread, which may be another than that of the start */
            error = OPAL_SUCCESS == copy_all(&staging->device, staging->host, *done, false) ? OVERLAP_SUCCESS
                                                                                            : OVERLAP_ERR_OTHER;
        }
        *done = OVERLAP_SUCCESS == error ? *done : 0;
    }
    access->memory = staging->device;
    free(staging->host);
    free(staging->block);
    *staging = (mca_fcoll_overlap_staging_t){0};
    return error;
}

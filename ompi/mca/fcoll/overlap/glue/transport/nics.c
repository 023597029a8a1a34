/*
 * SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 The overlap project
 *
 * The NICs of this node, as Linux has them in sysfs. The topology of hwloc that Open MPI has knows neither speed nor link of
 * an Ethernet port, nor the rate of an InfiniBand one.
 */
#include "nics.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Ports of the highest rate that was seen. */
typedef struct ports_t {
    double rate;
    int count;
} ports_t;

static void add_port(ports_t *ports, double rate) {
    if (rate > ports->rate) {
        ports->rate = rate;
        ports->count = 0;
    }
    ports->count += rate > 0 && rate == ports->rate ? 1 : 0;
}

/* The first line of a file, empty where there is none. */
static void read_line(const char *folder, const char *name, char *line, int size) {
    char path[PATH_MAX];
    FILE *file;

    line[0] = '\0';
    if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= (int)sizeof(path)) {
        return;
    }
    file = fopen(path, "r");
    if (NULL == file) {
        return;
    }
    if (NULL == fgets(line, size, file)) {
        line[0] = '\0';
    }
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

static bool line_is(const char *folder, const char *name, const char *expected) {
    char line[64];

    read_line(folder, name, line, sizeof(line));
    return 0 == strcmp(line, expected);
}

static double number_in(const char *folder, const char *name) {
    char line[64];

    read_line(folder, name, line, sizeof(line));
    return strtod(line, NULL);
}

/* Whether a device is a PCI function of its own, and not one that another one lends to a virtual machine. */
static bool is_on_pci(const char *device) {
    char path[PATH_MAX], bus[PATH_MAX];
    const char *name;
    ssize_t length;

    if (snprintf(path, sizeof(path), "%s/device/physfn", device) >= (int)sizeof(path) || 0 == access(path, F_OK)) {
        return false;
    }
    if (snprintf(path, sizeof(path), "%s/device/subsystem", device) >= (int)sizeof(path)) {
        return false;
    }
    length = readlink(path, bus, sizeof(bus) - 1);
    bus[length < 0 ? 0 : length] = '\0';
    name = strrchr(bus, '/');
    return 0 == strcmp(NULL == name ? bus : name + 1, "pci");
}

static void look_at_infiniband_port(const char *port, ports_t *ports) {
    char state[64];

    read_line(port, "state", state, sizeof(state));
    if (0 == strncmp(state, "4:", 2) && line_is(port, "link_layer", "InfiniBand")) { /* 4: active */
        add_port(ports, number_in(port, "rate"));
    }
}

static void look_at_interface(const char *interface, ports_t *ports) {
    const bool ethernet = line_is(interface, "type", "1");

    if (ethernet && line_is(interface, "operstate", "up") && is_on_pci(interface)) {
        add_port(ports, number_in(interface, "speed"));
    }
}

/* Calls look with each entry of the folder. */
static void for_each(const char *folder, void (*look)(const char *entry, ports_t *ports), ports_t *ports) {
    DIR *const entries = opendir(folder);
    const struct dirent *entry;

    while (NULL != entries && NULL != (entry = readdir(entries))) {
        char path[PATH_MAX];
        if ('.' != entry->d_name[0] && snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) < (int)sizeof(path)) {
            look(path, ports);
        }
    }
    if (NULL != entries) {
        closedir(entries);
    }
}

static void look_at_infiniband_device(const char *device, ports_t *ports) {
    char folder[PATH_MAX];

    if (is_on_pci(device) && snprintf(folder, sizeof(folder), "%s/ports", device) < (int)sizeof(folder)) {
        for_each(folder, look_at_infiniband_port, ports);
    }
}

int mca_fcoll_overlap_count_nics(const char *classes) {
    static const struct {
        const char *name;
        void (*look)(const char *device, ports_t *ports);
    } kinds[] = {{"infiniband", look_at_infiniband_device}, {"net", look_at_interface}}; /* the faster first */
    ports_t ports = {0, 0};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && 0 == ports.count; ++i) {
        char folder[PATH_MAX];
        if (snprintf(folder, sizeof(folder), "%s/%s", classes, kinds[i].name) < (int)sizeof(folder)) {
            for_each(folder, kinds[i].look, &ports);
        }
    }
    return ports.count;
}

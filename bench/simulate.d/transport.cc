// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 The overlap project
#include "ports_of_rank.h"

namespace simulate {
namespace {

PortsOfRank &Self(void *self) { return *static_cast<PortsOfRank *>(self); }

int Send(void *self, int peer, int tag, overlap_send_mode mode, const overlap_piece *pieces, std::size_t count,
         overlap_request **request) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    *request = Self(self).world.messages.Send(Self(self).rank, peer, tag, mode, pieces, count);
    return OVERLAP_SUCCESS;
}

int Receive(void *self, int peer, int tag, const overlap_piece *pieces, std::size_t count, overlap_request **request) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    *request = Self(self).world.messages.Receive(Self(self).rank, peer, tag, pieces, count);
    return OVERLAP_SUCCESS;
}

int ReceiveAny(void *self, int tag, void *buffer, std::size_t capacity, int *source, std::size_t *received) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    *received = Self(self).world.messages.ReceiveAny(Self(self).rank, tag, buffer, capacity, *source);
    return OVERLAP_SUCCESS;
}

int Wait(void *self, overlap_request **requests, std::size_t count) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    Self(self).world.messages.Wait(Self(self).rank, requests, count);
    return OVERLAP_SUCCESS;
}

int Test(void *self, overlap_request **requests, std::size_t count, int *done) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    *done = Self(self).world.messages.Test(Self(self).rank, requests, count) ? 1 : 0;
    return OVERLAP_SUCCESS;
}

int Allreduce(void *self, std::int64_t *values, std::size_t count, overlap_reduction reduction) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    Self(self).world.collectives.Allreduce(Self(self).rank, values, count, reduction);
    return OVERLAP_SUCCESS;
}

int Broadcast(void *self, void *data, std::size_t bytes) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    Self(self).world.collectives.Broadcast(Self(self).rank, data, bytes);
    return OVERLAP_SUCCESS;
}

void Progress(void *self) {
    const OutsideOfEngine outside(Self(self).rank.meter);
    Self(self).world.job.CatchUp(Self(self).rank);
    Self(self).world.job.AskedInVain(Self(self).rank, nullptr);
}

int Waits(void * /*self*/) { return 1; }

// Never now, on all ranks: messages serve.
int WindowAllocate(void * /*self*/, std::size_t /*bytes*/, overlap_epochs /*epochs*/, overlap_window **window,
                   char **memory) {
    *window = nullptr;
    *memory = nullptr;
    return OVERLAP_SUCCESS;
}

void WindowFree(void * /*self*/, overlap_window ** /*window*/) {}

// Nobody touches it.
char node_memory;
char *const kNodeMemory = &node_memory;

int NodeMemoryMake(void * /*self*/, std::size_t /*bytes*/, char *name, overlap_node_memory **memory, char **address) {
    name[0] = '\0';
    *memory = reinterpret_cast<overlap_node_memory *>(kNodeMemory);
    *address = kNodeMemory;
    return OVERLAP_SUCCESS;
}

int NodeMemoryJoin(void *self, const char * /*name*/, std::size_t bytes, overlap_node_memory **memory, char **address) {
    char name[OVERLAP_NODE_MEMORY_NAME];
    return NodeMemoryMake(self, bytes, name, memory, address);
}

void NodeMemoryLeave(void * /*self*/, overlap_node_memory **memory) { *memory = nullptr; }

} // namespace

// Windows are never made, so nothing is put into them.
void PortsOfRank::FillInTransport() {
    transport.self = this;
    transport.rank = rank.number;
    transport.size = world.job.shape().ranks;
    const JobShape &shape = world.job.shape();
    transport.nodes = overlap_nodes{shape.nodes(), shape.ranks_per_node, nullptr, nullptr, nullptr};
    transport.host = name.c_str();
    transport.locality = [](void *) { return ""; };
    transport.send = Send;
    transport.receive = Receive;
    transport.receive_any = ReceiveAny;
    transport.wait = Wait;
    transport.test = Test;
    transport.allreduce = Allreduce;
    transport.broadcast = Broadcast;
    transport.progress = Progress;
    transport.waits = Waits;
    transport.node_memory_make = NodeMemoryMake;
    transport.node_memory_join = NodeMemoryJoin;
    transport.node_memory_leave = NodeMemoryLeave;
    transport.window_allocate = WindowAllocate;
    transport.window_free = WindowFree;
}

} // namespace simulate

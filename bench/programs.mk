# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# The programs of bench/, outside the tree: config/bench.sh calls this with
#   BUILD=DIR     where everything goes
#   MPICXX=PATH   the C++ compiler of the Open MPI that overlap-bench and pieces-benchmark measure
# A program's sources are all files of its folder; what several need is in common/.
CXX = g++
MPICXX = mpicxx
BUILD = build
# -g1: the lines for backtraces; all of -g takes a third of the time to compile.
OPTIMISATION = -O2 -g1
# Of what the component has as well: as there.
ENGINE_OPTIMISATION = -O3
WERROR = -Werror
CXXFLAGS = -std=c++17 $(OPTIMISATION) -Wall -Wextra -Wshadow $(WERROR)
here := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))

# pkg-config's file of parallel HDF5, empty where there is none for this Open MPI.
HDF5 =
hdf5_flags = $(if $(HDF5),-DHAVE_HDF5 $(shell pkg-config --cflags $(HDF5)))
hdf5_libs = $(if $(HDF5),$(shell pkg-config --libs $(HDF5)))

# The prefix of GIO, empty for none.
GIO =
gio_flags = $(if $(GIO),-DHAVE_GIO -I$(GIO)/include)
gio_libs = $(if $(GIO),-L$(GIO)/lib -Wl$(comma)-rpath$(comma)$(GIO)/lib -lgio)
comma := ,

engine := $(abspath $(here)../ompi/mca/fcoll/overlap/engine)
objects = $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(addprefix $(here),$(1))))
of_engine = $(patsubst $(engine)/%.cc,$(BUILD)/engine/%.o,$(wildcard $(addprefix $(engine)/,$(1))))
common := $(call objects,common/*.cc)
# Networks with their routes.
network := $(call objects,network/*.cc)
# What decides on aggregators needs no MPI.
deciding := $(call of_engine,placement/*.cc placement/topology/*.cc plan/domains.cc access/packed_runs.cc access/strided.cc base/settings.cc \
    base/node_map.cc team/*.cc)
# What makes a plan but the conversation of the ranks about it.
making := $(filter-out %/planner.o %/exchange.o,$(call of_engine,access/*.cc team/*.cc plan/*.cc base/settings.cc base/node_map.cc))

programs := overlap-bench storage-server compare against never-slower overlap-placement topology simulate trend plan-benchmark \
    pieces-benchmark holes
.PHONY: $(programs)
$(programs): %: $(BUILD)/%

$(BUILD)/overlap-bench: $(call objects,kernels/*.cc) $(common)
$(BUILD)/overlap-bench: libraries = $(hdf5_libs) $(gio_libs) -lpthread -ldl
$(BUILD)/storage-server: $(call objects,storage.d/*.cc)
$(BUILD)/storage-server: libraries = $$(pkg-config --libs fuse3) -lpthread
$(BUILD)/compare: $(call objects,compare.d/*.cc compare.d/regret/*.cc) $(common)
# What runs jobs and prints tables is that of compare.
$(BUILD)/against: $(call objects,against.d/*.cc $(addprefix compare.d/,process.cc table.cc testbed.cc)) $(BUILD)/common/median.o
# The same jobs and cases; who takes part is as in compare.
$(BUILD)/never-slower: $(call objects,never-slower.d/*.cc $(addprefix against.d/,cases.cc jobs.cc trial.cc verdict.cc) \
    $(addprefix compare.d/,contenders.cc installation.cc jobs.cc process.cc table.cc testbed.cc)) $(common)
$(BUILD)/overlap-placement: $(call objects,placement.d/tool/*.cc) $(network) $(BUILD)/common/version.o $(deciding)
$(BUILD)/topology: $(call objects,topology.d/*.cc) $(network) $(BUILD)/common/version.o $(call of_engine,placement/topology/*.cc base/node_map.cc)
# Everything of the engine but what it does to the data of users. mmap, munmap, aligned_alloc, free: what sub-buffers take is counted
# (simulate.d/meter.cc).
$(BUILD)/simulate: $(call objects,simulate.d/*.cc) $(BUILD)/simulate.d/decomposition.o $(network) $(BUILD)/common/version.o \
    $(filter-out %/shuffle/copy.o,$(call of_engine,*.cc */*.cc */*/*.cc))
$(BUILD)/simulate: libraries = -Wl,--wrap=mmap,--wrap=munmap,--wrap=aligned_alloc,--wrap=free -lpthread -ldl
$(BUILD)/trend: $(call objects,results/trend.d/*.cc model/*.cc) $(call of_engine,schedule/*.cc base/settings.cc) $(BUILD)/common/median.o
$(BUILD)/plan-benchmark: $(BUILD)/results/benchmarks/plan.o $(making)
$(BUILD)/plan-benchmark: libraries = -lbenchmark -lpthread
# libopen-pal: datatypes are made as the component does.
$(BUILD)/pieces-benchmark: $(BUILD)/results/benchmarks/pieces.o $(BUILD)/engine/shuffle/copy.o $(making)
$(BUILD)/pieces-benchmark: libraries = -lopen-pal -lbenchmark -lpthread
# The write of a cycle with gaps, over the storage port of the unit tests.
$(BUILD)/holes: $(BUILD)/results/benchmarks/holes.o $(BUILD)/unit/real_file.o $(call of_engine,io/holes.cc io/sieve.cc io/list_writer.cc)

$(addprefix $(BUILD)/,$(filter-out overlap-bench pieces-benchmark,$(programs))):
	$(CXX) $(LDFLAGS) -o $@ $^ $(libraries)

$(BUILD)/overlap-bench $(BUILD)/pieces-benchmark:
	$(MPICXX) $(LDFLAGS) -o $@ $^ $(libraries)

# What files of a folder need: `compiler`, where it is that of MPI, and `flags`.
compiler = $(CXX)
with_mpi = -Wno-cast-function-type -DOMPI_SKIP_MPICXX
with_engine = -Wconversion -I$(engine)
$(foreach folder,simulate.d placement.d network topology.d model results unit,$(BUILD)/$(folder)/%.o): flags = $(with_engine)
$(BUILD)/storage.d/%.o: flags = $$(pkg-config --cflags fuse3)
$(BUILD)/kernels/%.o: compiler = $(MPICXX)
$(BUILD)/kernels/%.o: flags = $(with_mpi) $(hdf5_flags) $(gio_flags)
# Copies of blocks are inline.
$(BUILD)/results/benchmarks/pieces.o: compiler = $(MPICXX)
$(BUILD)/results/benchmarks/pieces.o: flags = $(with_mpi) $(with_engine) $(ENGINE_OPTIMISATION)
$(BUILD)/common/version.o: $(here)../configure.ac
$(BUILD)/common/version.o: flags = -DOVERLAP_VERSION='"$(shell $(here)../config/version.sh)"'
# The engine names parameters of constructors as the members that they become.
$(BUILD)/engine/%.o: flags = -Wno-shadow $(ENGINE_OPTIMISATION)

define compile
@mkdir -p $(@D)
$(compiler) $(CXXFLAGS) $(flags) -MMD -MP -c -o $@ $<
endef

$(BUILD)/simulate.d/decomposition.o: $(here)kernels/decomposition.cc
	$(compile)

$(BUILD)/engine/%.o: $(engine)/%.cc
	$(compile)

$(BUILD)/unit/%.o: $(here)../test/unit/%.cc
	$(compile)

$(BUILD)/%.o: $(here)%.cc
	$(compile)

-include $(shell find $(BUILD) -name '*.d' -type f 2>/dev/null)

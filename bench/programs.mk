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

common := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)common/*.cc))
kernels := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)kernels/*.cc))
storage := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)storage.d/*.cc))
compare := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)compare.d/*.cc $(here)compare.d/regret/*.cc))

# What runs jobs and prints tables is that of compare.
against := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)against.d/*.cc)) $(addprefix $(BUILD)/compare.d/,process.o table.o testbed.o) \
    $(BUILD)/common/median.o
# The same jobs and cases; who takes part is as in compare.
never_slower := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)never-slower.d/*.cc)) \
    $(addprefix $(BUILD)/against.d/,cases.o jobs.o trial.o verdict.o) \
    $(addprefix $(BUILD)/compare.d/,contenders.o installation.o jobs.o process.o table.o testbed.o) $(common)

# What decides on aggregators needs no MPI.
engine := $(abspath $(here)../ompi/mca/fcoll/overlap/engine)
deciding := $(wildcard $(engine)/placement/*.cc $(engine)/placement/topology/*.cc) $(engine)/plan/domains.cc \
    $(engine)/access/packed_runs.cc $(engine)/access/strided.cc $(engine)/base/settings.cc $(engine)/base/node_map.cc \
    $(wildcard $(engine)/team/*.cc)
deciding := $(patsubst $(engine)/%.cc,$(BUILD)/engine/%.o,$(deciding))
# Networks with their routes.
network := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)network/*.cc))
placement := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)placement.d/tool/*.cc)) $(network) $(BUILD)/common/version.o
topology := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)topology.d/*.cc)) $(network) $(BUILD)/common/version.o \
    $(patsubst $(engine)/%.cc,$(BUILD)/engine/%.o,$(wildcard $(engine)/placement/topology/*.cc) $(engine)/base/node_map.cc)

# What makes a plan but the conversation of the ranks about it.
making := $(wildcard $(engine)/access/*.cc $(engine)/team/*.cc) $(filter-out %/planner.cc %/exchange.cc,$(wildcard $(engine)/plan/*.cc))
making := $(patsubst $(engine)/%.cc,$(BUILD)/engine/%.o,$(making) $(engine)/base/settings.cc $(engine)/base/node_map.cc)

# What predicts the time of a write.
predicting := $(patsubst $(engine)/%.cc,$(BUILD)/engine/%.o,$(wildcard $(engine)/schedule/*.cc) $(engine)/base/settings.cc) \
    $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)model/*.cc))

# Everything of the engine but what it does to the data of users (shuffle/copy.cc).
simulated := $(patsubst $(engine)/%.cc,$(BUILD)/engine/%.o,$(filter-out %/shuffle/copy.cc, \
    $(wildcard $(engine)/*.cc $(engine)/*/*.cc $(engine)/*/*/*.cc)))
simulate := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)simulate.d/*.cc)) \
    $(BUILD)/simulate.d/decomposition.o $(network) $(BUILD)/common/version.o

trend := $(patsubst $(here)%.cc,$(BUILD)/%.o,$(wildcard $(here)trend.d/*.cc))

# What moves the bytes of messages.
moving := $(BUILD)/engine/shuffle/copy.o

# The write of a cycle with gaps, over the storage port of the unit tests.
holes := $(BUILD)/holes.d/main.o $(BUILD)/holes.d/real_file.o $(BUILD)/engine/io/holes.o $(BUILD)/engine/io/sieve.o \
    $(BUILD)/engine/io/list_writer.o

.PHONY: overlap-bench storage-server compare against never-slower overlap-placement topology placement-benchmark plan-benchmark watch-benchmark trend pieces-benchmark holes simulate
overlap-bench: $(BUILD)/overlap-bench
storage-server: $(BUILD)/storage-server
compare: $(BUILD)/compare
against: $(BUILD)/against
never-slower: $(BUILD)/never-slower
overlap-placement: $(BUILD)/overlap-placement
topology: $(BUILD)/topology
placement-benchmark: $(BUILD)/placement-benchmark
plan-benchmark: $(BUILD)/plan-benchmark
watch-benchmark: $(BUILD)/watch-benchmark
trend: $(BUILD)/trend
pieces-benchmark: $(BUILD)/pieces-benchmark
holes: $(BUILD)/holes
simulate: $(BUILD)/simulate

$(BUILD)/overlap-bench: $(kernels) $(common)
	$(MPICXX) $(LDFLAGS) -o $@ $^ $(hdf5_libs) $(gio_libs) -lpthread -ldl

$(BUILD)/storage-server: $(storage)
	$(CXX) $(LDFLAGS) -o $@ $^ $$(pkg-config --libs fuse3) -lpthread

$(BUILD)/compare: $(compare) $(common)
	$(CXX) $(LDFLAGS) -o $@ $^

$(BUILD)/against: $(against)
	$(CXX) $(LDFLAGS) -o $@ $^

$(BUILD)/never-slower: $(never_slower)
	$(CXX) $(LDFLAGS) -o $@ $^

$(BUILD)/overlap-placement: $(placement) $(deciding)
	$(CXX) $(LDFLAGS) -o $@ $^

$(BUILD)/topology: $(topology)
	$(CXX) $(LDFLAGS) -o $@ $^

$(BUILD)/placement-benchmark: $(BUILD)/placement.d/benchmark.o $(deciding)
	$(CXX) $(LDFLAGS) -o $@ $^ -lbenchmark -lpthread

$(BUILD)/plan-benchmark: $(BUILD)/plan/benchmark.o $(making)
	$(CXX) $(LDFLAGS) -o $@ $^ -lbenchmark -lpthread

$(BUILD)/watch-benchmark: $(BUILD)/watch/benchmark.o $(BUILD)/engine/observe/watch.o $(BUILD)/engine/observe/recorder.o $(making)
	$(CXX) $(LDFLAGS) -o $@ $^ -lbenchmark -lpthread

$(BUILD)/trend: $(trend) $(predicting) $(BUILD)/common/median.o
	$(CXX) $(LDFLAGS) -o $@ $^

# libopen-pal: datatypes are made as the component does.
$(BUILD)/pieces-benchmark: $(BUILD)/pieces/benchmark.o $(moving) $(making)
	$(MPICXX) $(LDFLAGS) -o $@ $^ -lopen-pal -lbenchmark -lpthread

# mmap, munmap, aligned_alloc, free: what sub-buffers take is counted (simulate.d/meter.cc).
$(BUILD)/simulate: $(simulate) $(simulated)
	$(CXX) $(LDFLAGS) -Wl,--wrap=mmap,--wrap=munmap,--wrap=aligned_alloc,--wrap=free -o $@ $^ -lpthread -ldl

$(BUILD)/simulate.d/%.o: $(here)simulate.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/simulate.d/%.o: $(here)kernels/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/holes: $(holes)
	$(CXX) $(LDFLAGS) -o $@ $^

$(BUILD)/holes.d/%.o: $(here)holes/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/holes.d/%.o: $(here)../test/unit/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/kernels/%.o: $(here)kernels/%.cc
	@mkdir -p $(@D)
	$(MPICXX) $(CXXFLAGS) -Wno-cast-function-type -DOMPI_SKIP_MPICXX $(hdf5_flags) $(gio_flags) -MMD -MP -c -o $@ $<

$(BUILD)/storage.d/%.o: $(here)storage.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $$(pkg-config --cflags fuse3) -MMD -MP -c -o $@ $<

$(BUILD)/common/version.o: $(here)../configure.ac
$(BUILD)/common/version.o: CXXFLAGS += -DOVERLAP_VERSION='"$(shell $(here)../config/version.sh)"'

$(BUILD)/common/%.o: $(here)common/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/against.d/%.o: $(here)against.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/never-slower.d/%.o: $(here)never-slower.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/compare.d/%.o: $(here)compare.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/placement.d/%.o: $(here)placement.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/network/%.o: $(here)network/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/topology.d/%.o: $(here)topology.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/plan/%.o: $(here)plan/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/model/%.o: $(here)model/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/watch/%.o: $(here)watch/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(ENGINE_OPTIMISATION) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

$(BUILD)/trend.d/%.o: $(here)trend.d/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wconversion -I$(engine) -MMD -MP -c -o $@ $<

# Copies of blocks are inline.
$(BUILD)/pieces/%.o: $(here)pieces/%.cc
	@mkdir -p $(@D)
	$(MPICXX) $(CXXFLAGS) $(ENGINE_OPTIMISATION) -Wconversion -Wno-cast-function-type -DOMPI_SKIP_MPICXX -I$(engine) -MMD -MP -c -o $@ $<

# The engine names parameters of constructors as the members that they become.
$(BUILD)/engine/%.o: $(engine)/%.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -Wno-shadow $(ENGINE_OPTIMISATION) -MMD -MP -c -o $@ $<

-include $(wildcard $(BUILD)/*/*.d $(BUILD)/*/*/*.d $(BUILD)/*/*/*/*.d)

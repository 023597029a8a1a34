# Sourced by scripts that measure with an Open MPI that they are told.

# take_openmpi 4|5: builds what is missing, and sets `mpirun`, `component`, an array of what tells it where the component is, and `bench`,
# overlap-bench for it. 4: the installed package; 5: 5.0.7 with the component in its tree. Needs: `here`, the repository.
# shellcheck disable=SC2034
take_openmpi() {
    local prefix
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    component=()
    if [ "$1" = 5 ]; then
        prefix=$("$here/config/openmpi-5.sh" | tail -1)
        mpirun=$prefix/bin/mpirun
        bench=$("$here/config/bench.sh" overlap-bench "$prefix/bin/mpicxx" | tail -1)
    else
        read -r _ prefix <<<"$("$here/config/standalone.sh" compare | tail -1)"
        mpirun=mpirun.openmpi
        component=(--mca mca_base_component_path "$("$here/config/component-path.sh" "$prefix/lib/openmpi" mpicc.openmpi)")
        bench=$("$here/config/bench.sh" overlap-bench | tail -1)
    fi
}

# median FILE: of its lines; of an even number the lower of two.
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by ../cluster: run.
# shellcheck shell=bash

# preset NAME VALUE: an environment variable that the caller may have set otherwise.
preset() { [ -n "${!1+set}" ] || export "$1=$2"; }

# among OPTION ARGUMENT...: whether mpirun gets the option from the caller.
among() {
    local option=$1 argument
    shift
    for argument in "$@"; do
        if [ "$argument" = "$option" ] || [ "$argument" = "${option#-}" ]; then return 0; fi
    done
    return 1
}

# Sets version: the major version of $mpirun.
find_version() {
    version=$("$mpirun" --version 2>/dev/null | sed -n "s,^[^ ]* (\(Open MPI\|OpenRTE\)) \([0-9]*\)\..*,\2,p")
    [ -n "$version" ] || failed "$mpirun is no Open MPI mpirun"
    [ "$version" -ge 4 ] || failed "$mpirun is Open MPI $version; 4.1 and later are supported"
}

# By environment, so that `--mca` on mpirun's command line and the caller's own environment win.
preset_mpi() {
    local shared_memory=sm
    [ "$version" -gt 4 ] || shared_memory=vader
    preset OMPI_ALLOW_RUN_AS_ROOT 1
    preset OMPI_ALLOW_RUN_AS_ROOT_CONFIRM 1
    # UCX would take other ways than the shaped NICs.
    preset OMPI_MCA_pml ob1
    preset OMPI_MCA_btl "self,$shared_memory,tcp"
    # Debian's file of parameters may name the loopback alone, as that of its 6.0 does. Open MPI takes one of the two.
    [ -n "${OMPI_MCA_btl_tcp_if_exclude:-}" ] || among btl_tcp_if_exclude "${arguments[@]}" ||
        preset OMPI_MCA_btl_tcp_if_include eth0
    # The hosts share the cores of one machine.
    preset OMPI_MCA_mpi_yield_when_idle 1
}

# Sets launch: what mpirun is told beside the caller's arguments.
set_launch() {
    local i placement=ppr:$ranks:node
    for ((i = 1; i <= hosts; i++)); do echo "$(host "$i") slots=$ranks"; done >"$state/hostfile"
    launch=(--hostfile "$state/hostfile")
    if [ "$version" = 4 ]; then
        launch+=(--mca plm rsh --mca plm_rsh_agent "$state/agent" --oversubscribe)
    else
        launch+=(--prtemca plm ssh --prtemca plm_ssh_agent "$state/agent")
        placement+=:OVERSUBSCRIBE
    fi
    among --map-by "$@" || launch+=(--map-by "$placement")
    among --bind-to "$@" || launch+=(--bind-to none)
}

parse_run() {
    ranks=1 mpirun=mpirun own=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        [ $# -gt 1 ] || wrong "$1: its value is missing, or mpirun's arguments after --"
        case $1 in
        --ranks-per-host) ranks=$2 ;;
        --mpirun) mpirun=$2 ;;
        --mount)
            [[ $2 =~ ^/[^:]*%[^:]*:/[^:]+$ ]] || wrong "--mount takes FROM:TO, two absolute paths, FROM with a % for the number of the host"
            [ -d "${2#*:}" ] || wrong "--mount: there is no folder ${2#*:}"
            own+=("$2")
            ;;
        *) wrong "run does not know \"$1\"; mpirun's own arguments come after --" ;;
        esac
        shift 2
    done
    [ $# -gt 1 ] || wrong "run needs mpirun's arguments after --"
    shift
    count --ranks-per-host "$ranks" 10000
    arguments=("$@")
}

# end_job PID: mpirun had the terminal's Ctrl-C itself, and a second signal would make it leave its daemons behind; where it had none
# it ends with TERM, and what is left of the job is ended afterwards in any case.
end_job() {
    local signal tenth
    for signal in 0 TERM KILL; do
        kill -$signal "$1" 2>/dev/null || break
        for ((tenth = 0; tenth < 20; tenth++)); do
            kill -0 "$1" 2>/dev/null || break
            sleep 0.1
        done
    done
}

verb_run() {
    local job code=0 interrupted=
    parse_run "$@"
    need_up
    # An absolute path makes mpirun find its daemon and libraries beside itself.
    mpirun=$(type -P "$mpirun") || failed "there is no such mpirun; --mpirun PATH names one"
    [[ $mpirun = /* ]] || mpirun=$PWD/$mpirun
    lock_cluster
    if [ -n "$(processes)" ]; then
        complain "ending what an earlier run left on the hosts"
        end_processes
    fi
    printf '%s\n' "${own[@]}" | sed '/^$/d' >"$state/mounts"
    preset_mpi_and_launch
    trap 'interrupted=129' HUP
    trap 'interrupted=130' INT
    trap 'interrupted=143' TERM
    # In the background, as bash would keep a signal until a command in the foreground has ended; stdin is then given by hand.
    "$state/enter" "$(host 1)" "$mpirun" "${launch[@]}" "${arguments[@]}" <&0 8>&- &
    job=$!
    wait $job || code=$?
    if [ -n "$interrupted" ]; then
        end_job $job
        code=$interrupted
    fi
    trap '' HUP INT TERM
    # Daemons end a moment after mpirun.
    if [ -n "$interrupted" ] || ! idle 5; then end_processes; fi
    exit "$code"
}

preset_mpi_and_launch() {
    find_version
    preset_mpi
    set_launch "${arguments[@]}"
}

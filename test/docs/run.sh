#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# README.md and docs/: their limits, what they name, their figures, the pages that Sphinx makes of them, and the code
# blocks that are marked as runnable. Arguments: see ../mpi_suite.sh. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
check=$here/test/docs/check.py

for name in $("$check"); do holds "$name" "$check" "$name"; done
holds "the table of Open MPI's page is that of the source" "$here/docs/upstream.py" --check

code=0
"$here/config/docs.sh" "$scratch/docs" >"$scratch/sphinx" 2>&1 || code=$?
if [ $code = 77 ]; then
    skip "the pages: $(cat "$scratch/sphinx")"
else
    cat "$scratch/sphinx"
    holds "Sphinx makes pages and man pages without a warning" is "$code" 0
    holds "links between the pages lead somewhere" "$check" links "$scratch/docs/html"
    holds "man pages are made" test -s "$scratch/docs/man/overlap.1" -a -s "$scratch/docs/man/overlap_declare.3"
fi

# The commands of the pages find the Open MPI and the component of this suite, and call themselves mpirun and mpicc.
mkdir "$scratch/bin" "$scratch/run"
printf '#!/bin/sh\nexec "%s" --oversubscribe "$@"\n' "$(command -v "$mpirun")" >"$scratch/bin/mpirun"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$(command -v "$mpicc")" >"$scratch/bin/mpicc"
chmod +x "$scratch/bin/"*
for folder in bench config docs examples ompi test; do ln -s "$here/$folder" "$scratch/run/$folder"; done
[ "$component_path" = none ] || export OMPI_MCA_mca_base_component_path=$component_path

# runs PAGE: its blocks one after the other, in a folder where the project's are.
runs() {
    "$check" runnable "$1" >"$scratch/script" || return
    (cd "$scratch/run" && PATH=$scratch/bin:$PATH timeout 120 bash "$scratch/script") >"$scratch/said" 2>&1 || {
        cat "$scratch/said"
        return 1
    }
    cat "$scratch/said"
    # What the page says of its first program.
    [ "$1" != guide/first-steps.rst ] ||
        { [ "$(grep -c ' 0 of the cells are wrong' "$scratch/said")" = 3 ] && grep -q 'served by overlap; every byte' "$scratch/said" && grep -q '^fcoll/overlap: 4 ranks' "$scratch/said"; }
}
mapfile -t pages < <("$check" runnable)
holds "there are pages with code to run" test ${#pages[@]} -ge 3
for page in "${pages[@]}"; do
    case $page in
    guide/observe.rst | guide/batch.rst)
        if ! python3 -c 'import matplotlib' 2>/dev/null && ! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
            skip "the code of $page: python3-matplotlib is not installed"
            continue
        fi
        ;;
    esac
    holds "the code of $page runs" runs "$page"
done
suite_end

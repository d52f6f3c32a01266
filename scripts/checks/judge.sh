#!/usr/bin/env bash
# Judges `check` of a memcurator binary on generated stores: precision and recall for each id, pooled over the seeds.
# usage: scripts/checks/judge.sh BINARY [--quick] [--holdout] [--only NAME[,NAME]] [--seeds N] [--memories N] [--files N]
#                                [--worst N] [--keep DIR]
#   --quick     2 seeds, small stores      --holdout   frames that are never used otherwise, and figures only
#   --only      shared, shared-clean, other, other-clean, pairs, project
#   --keep DIR  build there and leave it (default: a temporary directory that is removed)
# The shared generator is used when MEMCURATOR_SHARED names the shared directory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
binary=$(realpath "${1:?usage: judge.sh BINARY [options]}")
shift
seeds=10 other_seeds=5 memories=1000 files=3000 other_memories=400 other_files=300 pair_memories=480
worst=12 holdout="" only="" keep=""
while [ $# -gt 0 ]; do
    case $1 in
        --quick) seeds=2 other_seeds=2 memories=200 files=400 other_memories=200 other_files=200 ;;
        --holdout) holdout=--holdout ;;
        --only) only=",$2,"; shift ;;
        --seeds) seeds=$2 other_seeds=$2; shift ;;
        --memories) memories=$2 other_memories=$2; shift ;;
        --files) files=$2 other_files=$2; shift ;;
        --worst) worst=$2; shift ;;
        --keep) keep=$2; shift ;;
        *) echo "unknown option $1" >&2; exit 2 ;;
    esac
    shift
done
if [ -n "$keep" ]; then
    mkdir -p "$keep"; scratch=$(realpath "$keep")
    [ -z "$(ls -A "$scratch")" ] || { echo "$scratch is not empty; nothing was written, name a new directory" >&2; exit 2; }
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
fi
# nothing of the user's is read or written
mkdir -p "$scratch/home" "$scratch/config" "$scratch/state" "$scratch/cache" "$scratch/data"
run() { env HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/config" XDG_STATE_HOME="$scratch/state" XDG_CACHE_HOME="$scratch/cache" XDG_DATA_HOME="$scratch/data" "$@"; }
export PYTHONDONTWRITEBYTECODE=1
now=(--now 2026-11-30T10:00:00Z)
wanted() { [ -z "$only" ] || [[ $only == *",$1,"* ]]; }

# check DIR [OPTION...]: the findings of one store. Exit status 1 means findings; anything above is a failure.
check() {
    local status=0
    run "$binary" check --store "$1/memory" --project "$1/project" --format json "${@:2}" >"$1/findings.json" 2>"$1/stderr.txt" || status=$?
    if [ "$status" -gt 1 ]; then echo "check failed on $1 (exit $status):" >&2; head -5 "$1/stderr.txt" >&2; exit 2; fi
}
quiet=${holdout:+--quiet}
# family NAME COUNT COMMAND...: builds COUNT stores with `COMMAND DIR --seed N`, checks them, and prints the pooled figures
family() {
    local name=$1 count=$2 dirs=() n; shift 2
    wanted "$name" || return 0
    for n in $(seq 1 "$count"); do
        local dir=$scratch/$name-$n
        if [ "${name#shared}" != "$name" ]; then mkdir -p "$dir"; fi
        python3 "$1" "$dir" --seed "$n" "${@:2}" >/dev/null
        # the shared generator leaves the files' times at the real clock's, ours have the times of their key
        if [ "${name#shared}" != "$name" ]; then check "$dir"; else check "$dir" "${now[@]}"; fi
        dirs+=("$dir")
    done
    python3 "$here/pooled.py" "$name" "${dirs[@]}" --worst "$worst" $([ "$name" = "${name#shared}" ] && echo "$quiet")
    echo
}
shared=${MEMCURATOR_SHARED:-}/tools/make_store.py
if [ -f "$shared" ]; then
    family shared "$seeds" "$shared" --memories "$memories" --files "$files"
    family shared-clean "$seeds" "$shared" --memories "$memories" --files "$files" --clean
else
    echo "MEMCURATOR_SHARED is not set: the shared generator is left out"
fi
family other "$other_seeds" "$here/make_store_other.py" --memories "$other_memories" --files "$other_files" $holdout
family other-clean "$other_seeds" "$here/make_store_other.py" --memories "$other_memories" --files "$other_files" --clean $holdout
if wanted pairs; then
    python3 "$here/make_pairs.py" "$scratch/pairs" --memories "$pair_memories" $holdout >/dev/null
    check "$scratch/pairs" "${now[@]}"
    python3 "$here/score_pairs.py" "$scratch/pairs" --worst "$worst" $quiet <"$scratch/pairs/findings.json"
    echo
fi
if wanted project; then
    python3 "$here/make_project.py" "$scratch/project" >/dev/null
    check "$scratch/project" "${now[@]}"
    python3 "$here/pooled.py" project "$scratch/project" --worst "$worst"
fi

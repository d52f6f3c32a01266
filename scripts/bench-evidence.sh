#!/usr/bin/env bash
# The evidence engine against ripgrep and git on generated projects, in one run: ratios and growth.
# usage: MEMCURATOR_SHARED=DIR scripts/bench-evidence.sh [small|large|long ...]      needs rg, git and python3
set -euo pipefail
cd "$(dirname "$0")/.."
make_store=${MEMCURATOR_SHARED:?names the directory that holds tools/make_store.py}/tools/make_store.py
cargo bench --locked --quiet --bench evidence --no-run
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -gt 0 ] || set -- small large long
for which; do
    echo "$which:"
    case $which in
    small) python3 "$make_store" "$scratch/$which" --memories 1000 --files 3000 >/dev/null ;;
    large) # its five thousand runs of `git mv` take more than eight minutes
        sed 's/git("mv", files\[i\], q)/(proj \/ files[i]).rename(proj \/ q)/' "$make_store" >"$scratch/make.py"
        python3 "$scratch/make.py" "$scratch/$which" --memories 10000 --files 50000 >/dev/null ;;
    long) python3 scripts/make-history.py "$scratch/$which" --commits 20000 ;;
    esac
    wanted=$scratch/$which/memory
    [ -d "$wanted" ] || wanted=$scratch/$which/wanted.json
    cargo bench --locked --quiet --bench evidence -- "$scratch/$which/project" "$wanted"
done

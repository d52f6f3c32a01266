#!/usr/bin/env bash
# The peer of the evidence engine: looks up the same paths and literals with ripgrep and git, each run once.
# usage: lookup-with-rg.sh PROJECT PATHS LITERALS OUT     (PATHS and LITERALS: one a line)
set -euo pipefail
export LC_ALL=C
paths=$(realpath "$2") literals=$(realpath "$3") out=$(realpath "$4")
cd "$1"
# the files, and the paths that are not among them
rg --files --hidden -g '!.git' | sort >"$out/files"
sort -u "$paths" | comm -23 - "$out/files" >"$out/paths-absent"
# the literals in the tree (words are not bounded here: that makes ripgrep faster), and those that are not there
rg -F -o -n --no-heading --hidden -g '!.git' -g '!CLAUDE.md' -f "$literals" . >"$out/places" || true
cut -d: -f3- "$out/places" | sort -u >"$out/present"
sort -u "$literals" | comm -23 - "$out/present" >"$out/absent"
# what became of the paths
git --no-pager log --name-status -M --format='%H %ct %s' >"$out/log"
awk -F'\t' 'NR == FNR { wanted[$0]; next } /^[DR]/ && $2 in wanted' "$out/paths-absent" "$out/log" >"$out/paths-gone"
# where the absent literals went
git --no-pager log -p -U0 --no-renames --format='commit %H' | rg -F -f "$out/absent" >"$out/removed" || true

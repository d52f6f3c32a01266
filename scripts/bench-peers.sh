#!/usr/bin/env bash
# memcurator against named peers (ripgrep, fzf) on a generated store, in one run: ratios, and peak memory.
# usage: scripts/bench-peers.sh [MEMORIES]      needs rg, fzf and python3
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-10000}

cargo build --release --locked --quiet --bins --examples
cargo bench --locked --quiet --bench peers --no-run
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
target/release/examples/make-store "$scratch/store" "$count"
mkdir "$scratch/empty"
printf -- '---\nname: one\ntype: user\n---\none\n' >"$scratch/empty/one.md"

cargo bench --locked --quiet --bench peers -- "$scratch/store" "$PWD/target/release/memcurator"

python3 - "$PWD/target/release/memcurator" "$scratch" <<'PY'
import os, subprocess, sys
program, scratch = sys.argv[1:]
env = dict(os.environ, XDG_STATE_HOME=scratch + "/state", XDG_CONFIG_HOME=scratch + "/config")
def peak(store):
    child = subprocess.Popen([program, "--store", store, "--size", "120x40", "--print"], stdout=subprocess.DEVNULL, env=env)
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, status
    return usage.ru_maxrss * 1024
size = sum(f.stat().st_size for f in os.scandir(scratch + "/store"))
full, empty = peak(scratch + "/store"), peak(scratch + "/empty")
print(f"peak memory: {full / 1e6:.1f} MB, {empty / 1e6:.1f} MB on a store of one memory; "
      f"the difference is {(full - empty) / size:.2f} times the files' {size / 1e6:.1f} MB (at most 2)")
PY

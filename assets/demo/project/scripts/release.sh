#!/bin/sh
set -eu
target=${1:?usage: release.sh TARGET}
./scripts/migrate.sh "$target"
./scripts/roll.sh "$target"

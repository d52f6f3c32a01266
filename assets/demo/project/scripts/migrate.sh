#!/bin/sh
set -eu
echo "migrating $1"

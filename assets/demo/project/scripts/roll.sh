#!/bin/sh
set -eu
echo "rolling $1"

#!/bin/sh
set -eu
# Copies the build to every machine, one after the other.
for machine in $(cat machines.txt); do
  scp -r build "$machine:/srv/payments"
done

#!/bin/sh
# Runs a test: bounded.sh SECONDS COMMAND... Each of its processes may use so much processor time, so that what
# loops for ever ends, however busy the machine is. The wall clock (meson's timeouts) is for what hangs.
ulimit -S -t "$1"
shift
exec "$@"

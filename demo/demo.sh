#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo.sh XTRACE: attaches to a running Python script and shows its slow
# queries, each with the script's lines that made it. The script ends after a
# few seconds, and xtrace with it.
set -u
xtrace=$1
here=$(dirname "$0")

/usr/bin/python3 "$here/queries.py" 5 &
script=$!
trap 'kill "$script" 2>/dev/null' EXIT
trap 'exit 130' INT TERM HUP

# The command that a user would type, once the driver is loaded.
until grep -q libsqlite3 "/proc/$script/maps" 2>/dev/null; do
	kill -0 "$script" || exit 1
	sleep 0.05
done
set -- "$xtrace" --sql -w 3 --min-time 50ms -p "$script"
cat <<END
$here/queries.py is running, process $script; it asks SQLite all the time.
Which of its queries take more than 50 ms, and who asks them?

    $*

END
"$@"
status=$?
wait "$script"
exit "$status"

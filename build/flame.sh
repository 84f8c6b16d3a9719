#!/usr/bin/env bash
# Draws where the back end's time goes while a measure of tests/bench is taken:
#
#	build/flame.sh follow docs/performance/watched.svg 'title'
#
# Of a measure that starts several back ends it is the last. It needs Linux's perf, which
# may have to be allowed (sysctl kernel.perf_event_paranoid=1).
set -euo pipefail
cd "$(dirname "$0")/.."
measure=$1 picture=$2 title=${3:-$1}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
CGO_ENABLED=0 go build -o "$dir/beckon" .
go build -o build/bin/bench ./tests/bench
# It stands for the program, and has perf look at what it becomes.
cat >"$dir/watched" <<END
#!/bin/sh
if [ "\$1" = serve ]; then
	(sleep 0.1; exec perf record -q -o $dir/\$\$.data -F 499 --call-graph fp -p \$\$) >/dev/null 2>&1 </dev/null &
fi
exec $dir/beckon "\$@"
END
chmod +x "$dir/watched"
build/bin/bench -beckon "$dir/watched" -only "^$measure\$"
data=$(ls -t "$dir"/*.data | head -1)
for _ in $(seq 50); do # perf writes until the program has ended
	perf script -i "$data" -F comm,ip,sym >"$dir/samples" 2>/dev/null && break
	sleep 0.2
done
go run ./tests/flame -title "$title" <"$dir/samples" >"$picture"

#!/bin/bash
# run --live: what a browser gets while a storm runs, and that no browser and no server of the page has a part in the storm.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# shellcheck disable=SC2317 # called by patiently
says_where() { grep -q '^live page: ' "$1.err"; }
url_of() { patiently says_where "$1" && sed -n 's/^live page: //p' "$1.err"; }
# data FILE EVENT: the data of those events, a line each
data() { awk -v name="event: $2" '$0 == name { on = 1; next } on && sub(/^data: /, "") { print; on = 0 }' "$1"; }
server_of() { pgrep -P "$1" -x storm-live; }

# A storm that is watched to its end.
scenario small.yaml 'name: </script><b>Sixty</b> users'
launch seen run small.yaml --out seen --live 127.0.0.1:0
storm=$pid
url=$(url_of seen)
matches "it says where the page is, on a port of its own" "$url" '^http://127\.0\.0\.1:[1-9][0-9]+/$'
curl -sS -N "${url}events" >events 2>curl.err &
curl=$!
curl -sS -i "$url" >page
has "the page is there before a login is" "$(head -n 1 page)" "200"
has "its policy says that it may ask its own server alone" "$(grep -i '^content-security-policy:' page)" "connect-src 'self'"
lacks "and nothing else but what is in it" "$(grep -i '^content-security-policy:' page)" "unsafe"
for header in 'x-content-type-options: nosniff' 'cache-control: no-store'; do
    has "with $header" "$(tr '[:upper:]' '[:lower:]' <page)" "$header"
done
has "what comes from a file is text there" "$(cat page)" "&lt;/script&gt;&lt;b&gt;Sixty&lt;/b&gt; users"
lacks "and never more" "$(cat page)" "</script><b>Sixty"
is "there is no report as yet" "$(curl -s -o /dev/null -w '%{http_code}' "${url}report.html")" 404
is "who asks by another name is turned away" "$(curl -s -o /dev/null -w '%{http_code}' -H 'Host: rebound.example' "$url")" 421
is "nothing can be sent there" "$(curl -s -o /dev/null -w '%{http_code}' -d x=1 "$url")" 405
ended "$storm"
is "the storm ends as ever" "$status" 0 98
wait "$curl"
is "the stream ends well" "$? $(cat curl.err)" "0 "
is "after the end nobody listens" "$(curl -s -o /dev/null "$url"; echo $?)" 7
holds "no server is left" "$(pgrep -g "$storm" | wc -l) == 0"

data events point >points
is "each point is an object" "$(jq -s 'map(type) | unique | join(" ")' points)" '"object"'
for i in 0 1; do
    point=$(jq -cs "map(select(.certificate == $i)) | last" points)
    run=$(jq -c ".runs[$i]" seen/result.json)
    is "certificate $i is named" "$(jq -r .name <<<"$point")" "$(jq -r .certificate <<<"$run")"
    for key in logged_in failed; do
        is "its last point: $key, as in the result" "$(jq ".$key" <<<"$point")" "$(jq ".logins.$key" <<<"$run")"
    done
    is "its last point: all are due, and nobody is under way" "$(jq -c '[.due, .in_flight]' <<<"$point")" "[60,0]"
    is "its last point: reasons, as in the result" "$(jq -cS '.by_reason' <<<"$point")" "$(jq -cS '.logins.by_reason | with_entries(select(.value > 0))' <<<"$run")"
    is "its last point: the start lag's p99 of all, as in the result" "$(jq '.start_lag_p99_us' <<<"$point")" "$(jq '.validity.start_lag_us.p99' <<<"$run")"
    is "its slowest login was in one of its points" "$(jq -s "map(select(.certificate == $i).p100_us) | max" points)" "$(jq '.latency_us.login.p100' <<<"$run")"
    is "sums never fall" "$(jq -s "map(select(.certificate == $i) | [.run_ms, .due, .started, .logged_in, .failed]) | . as \$p |
        all(range(1; length); . as \$i | all(range(5); \$p[\$i][.] >= \$p[\$i - 1][.]))" points)" true
    holds "there are points between the first and the last" "$(jq -s "map(select(.certificate == $i)) | length" points) >= 3"
done
has "what is made before is told" "$(data events step)" '{"text":"making a key and its certificate: RSA 4096"}'
is "the end tells where the report is" "$(data events end)" '{"report":"seen/report.html","text":null}'
is "ids ascend by one" "$(sed -n 's/^id: [0-9a-f]*-//p' events | awk '$1 != NR { print "not" }' | sort -u)" ""

# The report is fetched by who watches, and waited for.
launch fetched run small.yaml --out fetched --live=127.0.0.1:0
storm=$pid
url=$(url_of fetched)
curl -sS -N -H 'Accept: text/event-stream' "${url}events" >events
curl -sS "${url}report.html" >report.html
ended "$storm"
same "the report that the page turns into is the file" report.html fetched/report.html

# Stopped before its time.
scenario long.yaml 'window: {from: 08:00, to: 08:20}' # forty seconds
launch stopped run long.yaml --out stopped --live=127.0.0.1:0
storm=$pid
url=$(url_of stopped)
curl -sS -N "${url}events" >stopped.events &
curl=$!
# shellcheck disable=SC2317
got_in() { [ "$(data stopped.events point | tail -n 1 | jq .logged_in)" -ge 1 ]; }
patiently got_in
kill -INT "-$storm"
ended "$storm"
is "Ctrl-C ends it as ever" "$status" 130
wait "$curl"
is "and the page is told why" "$(data stopped.events end)" \
    '{"report":"stopped/report.html","text":"stopped by SIGINT; what was measured until then is in stopped; 1 of 2 certificates was not played"}'

# A server that stands still, and one that dies.
launch still run small.yaml --out still --live=127.0.0.1:0
storm=$pid
url=$(url_of still)
server=$(server_of "$storm")
kill -STOP "$server"
# shellcheck disable=SC2317
over() { grep -q '^still/' still.out; }
patiently over
good "a server that stands still keeps no storm from its end"
kill -CONT "$server"
ended "$storm"
is "which is as ever" "$status" 0 98
launch dead run small.yaml --out dead --live=127.0.0.1:0
storm=$pid
url=$(url_of dead)
kill -KILL "$(server_of "$storm")"
ended "$storm"
is "without its server a storm ends as ever" "$status" 0 98
is "with all that was measured" "$(of dead '[.runs[].logins.total] | join(" ")')" "60 60"
has "and it says so" "$(cat dead.err)" "the live page's server died (signal 9)"

# The conductor dies.
launch killed run long.yaml --out killed --live=127.0.0.1:0
storm=$pid
url=$(url_of killed)
curl -sS -N "${url}events" >events 2>/dev/null &
curl=$!
kill -KILL "$storm"
ended "$storm"
wait "$curl"
patiently nobody_in "$storm"
is "a server does not outlive its conductor" "$(members "$storm")" ""

# What cannot be.
launch first run long.yaml --out first --live=127.0.0.1:0
storm=$pid
url=$(url_of first)
port=${url##*:}
port=${port%/}
call run small.yaml --out second --live="127.0.0.1:$port"
is "a port that is taken: an error" "$status" 73
has "which says so" "$err" "127.0.0.1:$port is taken"
is "before anything is made" "$(ls -d second 2>&1)" "ls: cannot access 'second': No such file or directory"
kill -TERM "$storm"
ended "$storm"
for address in nowhere 127.0.0.1 '127.0.0.1:99999' ::1:8090; do
    call run small.yaml --out second --live="$address"
    is "--live=$address: a usage error" "$status" 64
    has "which says so" "$err" "--live: \"$address\""
done
call run small.yaml --live 192.0.2.7:8090 --out second
is "an address of another machine, as a word of its own: an error" "$status" 73
has "which says so" "$err" "192.0.2.7:8090 is no address of this machine"
call run --live 127.0.0.1:0 small.yaml --users 5 --out five --quiet
is "the value may stand before the scenario" "$status" 0 98
matches "and quiet tells where the page is" "$err" '^live page: http://127\.0\.0\.1:[0-9]+/$'
call run --live="[::1]:0" small.yaml --users 5 --out six --quiet
matches "IPv6, too" "$err" '^live page: http://\[::1\]:[0-9]+/$|no address of this machine'
call run --live=0.0.0.0:0 small.yaml --users 5 --out seven --quiet
has "a page for everybody is warned of" "$err" "warning: everybody who reaches"
lacks "one for this machine is not" "$(cat seen.err)" "warning: "
call simulate small.yaml --live
is "a simulation has no live page" "$status" 64

finish

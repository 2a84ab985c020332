#!/bin/bash
# No coordinated omission: a gateway that stands still for 2 of 20 seconds holds up nobody's start, and all whom it kept waiting are in the figures.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

scenario steady.yaml 'users: 2000' 'pace: {speedup: 3}' 'certificates: [{name: P-256, key: ecdsa-p256}]'

# play OUT: the storm, with the gateway stopped for two seconds; for how long it really was goes to $stopped_ms
play() {
    local from

    launch "$1" run steady.yaml --out "$1"
    under_way "$pid" 500
    from=$EPOCHREALTIME
    kill -STOP "$gateway"
    sleep 2
    kill -CONT "$gateway"
    stopped_ms=$(awk -v from="$from" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.0f", (to - from) * 1000 }')
    ended "$pid"
    awk -F, 'NR > 1 { printf "%.0f %.0f %.0f\n", $4, $5 - $4, $8 - $4 }' "$1/samples.csv" >rows # due, lag, latency
    late=$(awk '$2 >= 50e6' rows | wc -l)
    # Who waited for longest came when it stopped. Who waited though he came at another time, waited for something else on this machine.
    strays=$(sort -k 3,3nr rows | awk -v stopped_ns="${stopped_ms}000000" '
        NR == 1 { stop = $1 } $3 > 50e6 && ($1 < stop - 50e6 || $1 > stop + stopped_ns + 250e6) { n++ } END { print n + 0 }')
}

# What else runs on this machine may hold up injector and gateway, and then the figures are not the stop's alone; the storm is played again.
# Where that does not help, what only a quiet machine can show is left out: noise makes users wait for longer, never for less.
quiet=no
for try in 1 2 3 4; do
    play "try$try"
    waited=$(of "try$try" '.runs[0].validity.gateway_waited_share // 0 | . * 100 | floor')
    if [ $((late + strays)) -le 20 ] && [ "$waited" -lt 60 ]; then
        quiet=yes
        break
    fi
    skip "the machine was too busy: of 2,000 users $late were sent late and $strays waited at another time; the gateway waited $waited % of its time for a core"
done

# within SENTENCE GOT LOW HIGH: as between, but the upper bound on a quiet machine alone
within() {
    if [ $quiet = yes ]; then
        between "$@"
    elif [ "$3" = 0 ]; then
        skip "$1: $2"
    else
        between "$1 (at the least)" "$2" "$3" 1e18
    fi
}
# worked_out EXPRESSION: of s, the stop in ms
worked_out() { awk -v s="$stopped_ms" "BEGIN { print $1 }"; }

is "the run came to its end" "$status" 0 98
is "every user is logged in all the same" "$(of "try$try" '.runs[0].logins | "\(.total) \(.logged_in) \(.failed) \(.cut_off)"')" "2000 2000 0 0"
is "in one attempt each" "$(of "try$try" '.runs[0].logins.retried')" 0
is "the schedule is a user every 10 ms, to the nanosecond" "$(awk '{ d = $1 - (NR - 0.5) * 1e7; if (d < -1 || d > 1) n++ } END { print n + 0 }' rows)" 0
within "and was sent so: 99 % of the users less than 50 ms late" "$late" 0 20
within "at other times nobody had to wait, but for 1 %" "$strays" 0 20
is "nobody was sent early" "$(awk '$2 < 0' rows | wc -l)" 0

hit=$(awk '$3 > 50e6' rows | wc -l)
within "the share of logins that the stop hit is its share of the time, within 1.5 points (of 2,000)" "$hit" \
    "$(worked_out '(s / 20000 - 0.015) * 2000')" "$(worked_out '(s / 20000 + 0.015) * 2000')"
within "p100 is the whole stop" "$(of "try$try" '.runs[0].latency_us.login.p100 / 1000')" $((stopped_ms - 50)) $((stopped_ms + 300))
within "p99 is what arithmetic says, within 5 %: the stop x (1 - 0.01 x 20 s / the stop)" "$(of "try$try" '.runs[0].latency_us.login.p99 / 1000')" \
    "$(worked_out '0.95 * (s - 200)')" "$(worked_out '1.05 * (s - 200)')"
is "p99 and p100 are those of the rows" "$(of "try$try" '.runs[0].latency_us.login | .p99, .p100' | ns | tr '\n' ' ')" \
    "$(awk '{ print $3 }' rows | rank 990) $(awk '{ print $3 }' rows | rank 1000) "
within "who came when it stopped waited for all of it, who came at its end hardly: the wait falls by 10 ms a user" \
    "$(awk '$3 > 300e6 { if (!n++) first = $1; last = $1 } END { printf "%.0f", (last - first) / 1e6 }' rows)" $((stopped_ms - 400)) $((stopped_ms - 100))
holds "and in the middle of it they were all in flight at once" "$(of "try$try" '.runs[0].load.peak_in_flight') >= 180"
finish

#!/bin/bash
# A recorded morning, played again: every login of the curve, at its own moment.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
HOUSE=$(realpath "$(dirname "$0")/../..")
cd "$TMP" || exit 1

"$HOUSE/tools/recorded-monday" >monday.csv
same "the sample's curve is what its generator writes" monday.csv "$HOUSE/scenarios/curves/recorded-monday.csv"

# The four minutes around half past eight in Paris, which has the shift's start and the largest crowd.
mkdir -p mornings/curves elsewhere
mv monday.csv mornings/curves
scenario mornings/replay.yaml 'window: {from: 08:28, to: 08:32, timezone: Europe/Paris}' 'pace: {speedup: 120}' \
    'arrivals: {shape: recorded, curve: curves/monday.csv}' 'users: 0' 'certificates: [{name: P-384, key: ecdsa-p384}, {name: P-256, key: ecdsa-p256}]'
sed -i '/^users/d' mornings/replay.yaml

# due_times CURVE FROM TO SPEEDUP: user, due_ns of the curve's logins between two times of the day of UTC in seconds
due_times() {
    awk -F'[,T:Z]' -v from="$2" -v to="$3" -v speedup="$4" '
        /^2026/ {
            split($4, parts, ".")
            second = $2 * 3600 + $3 * 60 + parts[1]
            if (second >= from && second < to) {
                at = (second - from) * 1e9 + substr(parts[2] "000000000", 1, 9)
                printf "%d,%.0f\n", n++, int(at / speedup)
            }
        }' "$1"
}

call run mornings/replay.yaml --out played --injectors 2
is "a recorded morning is played" "$status" 0 98
due_times mornings/curves/monday.csv 26880 27120 120 >expected
is "(it has hundreds of logins)" "$(wc -l <expected)" 527
for certificate in P-384 P-256; do
    paste -d, <(column played/samples.csv user "$certificate") <(column played/samples.csv due_ns "$certificate") >due
    same "$certificate: every login of the curve is in samples.csv, in its order, its due time exact" expected due
done
is "all of them are accounted for" "$(of played '[.runs[].logins.total] | unique | tostring')" "[527]"
is "the result counts them" "$(of played .scenario.users)" 527
has "it says which day was played" "$(of played '.notes | join("\n")')" "recorded: curves/monday.csv, Monday 2026-11-23, 527 logins"
has "and so does the report" "$out" "recorded: curves/monday.csv, Monday 2026-11-23"

same "the curve lies in the run's folder" mornings/curves/monday.csv played/curve.csv
mv played elsewhere/moved
rm -r mornings/curves
call run mornings/replay.yaml --out nothing
is "without its curve a scenario does not run" "$status" 66
has "and says which file is missing" "$err" "cannot open mornings/curves/monday.csv"
call check elsewhere/moved/scenario.yaml
is "but a run's folder can be moved, and is a scenario itself" "$status$err" 0
mkdir mornings/curves
cp elsewhere/moved/curve.csv mornings/curves/monday.csv

call check mornings/replay.yaml
has "check counts the curve's logins" "$out" "# the schedule: 527 users"
has "check says how well the nearest built-in shape fits" "$out" "# the simplest built-in shape that fits is \"normal, uniform and burst\"; distance (KS) 0."
matches "and the fullest minute of both" "$out" '# fullest minute: [0-9]+ logins in the schedule, [0-9]+ by that shape on the average; .loginstorm fit. writes it out'
is "and draws it beside the recorded one" "$(grep -c '^# 08:28 .* 08:32$' <<<"$out")" 2
limit=$(grep -o '5 % limit of 0\.[0-9]*' <<<"$out")
call check mornings/replay.yaml --set arrivals.scale=2
has "whose fit is judged by the recorded logins, not by those drawn beside them" "$out" "${limit:?}"
has "a scale adds users" "$out" "# the schedule: 1,054 users"
has "and says how" "$out" "further ones drawn from the local rate"
call check mornings/replay.yaml --users 100
has "users do, too, or take some" "$out" "# 100 of its"
call check mornings/replay.yaml --users 100 --set arrivals.scale=2
is "both are refused" "$status" 65
has "since they say the same" "$err" "\`users\` says how many log in; take one of them out"
call check mornings/replay.yaml --set window.from=03:00 --set window.to=04:00
is "a window without a login is refused" "$status" 65
has "and says what the curve spans" "$err" "no login between 03:00 and 04:00 (Europe/Paris); it spans 2026-11-23 07:00 to 2026-11-23 09:59 there"
sed -i '9s/Z,/,/' mornings/curves/monday.csv
call run mornings/replay.yaml
is "a curve that was spoilt is refused" "$status" 65
has "with its place" "$err" "mornings/curves/monday.csv:9:1: error: not a UTC time"

# Two days of the same minutes.
{
    printf '# format: loginstorm-curve 1\n# timezone: Europe/Paris\ntime,user\n'
    for second in 0{0..9} {10..29}; do printf '2026-10-23T06:00:%s.5Z,\n' "$second"; done
    for second in 0{0..9} {10..59}; do printf '2026-10-26T07:00:%s.5Z,\n' "$second"; done
} >week.csv
scenario week.yaml 'window: {from: 08:00, to: 08:01}' 'arrivals: {shape: recorded, curve: week.csv}' 'users: 0'
sed -i '/^users/d' week.yaml
call check week.yaml
is "several days and no word which: refused" "$status" 65
has "with the days and what they hold" "$err" "say day: worst, average or one of 2026-10-23 (30 logins), 2026-10-26 (60 logins)"
for day in 2026-10-23:30 2026-10-26:60 worst:60 average:45; do
    call check week.yaml --set "arrivals.day=${day%:*}"
    has "day: ${day%:*} has ${day#*:} logins at eight, in summer and in winter" "$out" "# the schedule: ${day#*:} users"
done

call fit "$HOUSE/scenarios/curves/recorded-monday.csv" --window 07:30-09:30
is "fit writes arrivals" "$status$err" 0
has "that tell how near each kind comes" "$out" "# 3,690 logins; the 5 % limit of the distance (KS) for so many is 0.0223"
matches "and which is taken, with its fullest minute" "$out" 'points +0\.0[01][0-9]+ +3[0-9][0-9]  the simplest that fits'
has "and the recorded one's" "$out" "# the fullest minute has 328 of them"
{
    printf 'loginstorm: 1\ncertificates: [{key: ecdsa-p256}]\nseed: 1\n'
    printf '%s\n' "$out"
} >planned.yaml
call check planned.yaml
is "what fit writes is a part of a scenario" "$status$err" 0
has "for as many users" "$out" "# the schedule: 3,690 users"
call fit week.csv --day worst
has "the window is found" "$out" "window: {from: 08:00, to: 08:15, timezone: Europe/Paris}"
call fit week.csv --day worst --window 08:00-08:01
has "or given" "$out" "  - {shape: uniform}"
call fit week.csv
is "fit wants to know the day, too" "$status" 65
has "by its own options" "$err" "has several days, say --day worst, average or one of 2026-10-23 (30 logins), 2026-10-26 (60 logins); --window FROM-TO takes a part of each"
sed 's|Europe/Paris|Europe/Nowhere|' week.csv >nowhere-at-all.csv
for how in "fit nowhere-at-all.csv --day worst" "check nowhere-at-all.yaml"; do
    sed 's|week.csv|nowhere-at-all.csv|' week.yaml >nowhere-at-all.yaml
    # shellcheck disable=SC2086
    call $how
    is "${how%% *}: a curve of a zone that nobody knows: exit status 65" "$status" 65
    has "${how%% *}: its place, and no guess" "$err" 'nowhere-at-all.csv:2:13: error: unknown timezone "Europe/Nowhere"; write an IANA name'
done
printf '# format: loginstorm-curve 1\n# timezone: Europe/Paris\nfrom,to,count\n2026-10-26T07:00:00Z,2026-10-26T07:01:00Z,10000001\n' >crowd.csv
sed 's|week.csv|crowd.csv|' week.yaml >crowd.yaml
call check crowd.yaml
is "a curve of too many users: exit status 65" "$status" 65
has "it is named, with what to do" "$err" "crowd.csv: it brings the storm to more than 10 million users, which is the most: give a smaller"
printf '# format: loginstorm-curve 1\n# timezone: Europe/Paris\ntime,user\n2026-10-26T07:00:30Z,\n' >one.csv
call fit one.csv
has "one login is no plural" "$err" "error: 1 login describes no curve; it takes 10"
call fit week.csv --window 8-9
is "a window that is none is wrong usage" "$status" 64
has "and shown how it is written" "$err" '--window: "8-9" is not FROM-TO, like 08:00-09:00'
call fit nowhere.csv
is "a curve that is not there is told" "$status" 66
call fit week.yaml
is "a scenario is no curve" "$status" 65
has "and told what one begins with" "$err" "week.yaml:1:1: error: no curve file"
finish

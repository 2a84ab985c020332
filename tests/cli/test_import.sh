#!/bin/bash
# Logs of other systems become a curve file: what is found, what is told of it, and what cannot be read.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

# web_line HH:MM:SS ADDRESS [STATUS]: a login in an access log
web_line() { printf '%s - - [30/Nov/2026:%s +0100] "POST /login HTTP/1.1" %s 12 "-" "-"\n' "$2" "$1" "${3:-200}"; }
for minute in {10..59}; do web_line "08:$minute:05" "192.0.2.$minute"; done >access.log

call import access.log --url 'POST /login' --timezone Europe/Paris -o monday.csv
is "an import succeeds" "$status" 0
is "and says nothing on standard output when the curve has a file" "$out" ""
has "it says which format it found" "$err" "format       access log of nginx or Apache"
has "and how much it read" "$err" "read         1 log, 50 lines, "
has "and what counts as a login" "$err" "counted      requests of POST /login with a status below 400; a user is its user name, else its address"
has "and how many there were" "$err" "logins       50 logins of 50 users"
has "and from when to when, by the clocks of the zone" "$err" "span         2026-11-30 08:10:05 to 2026-11-30 08:59:05, Europe/Paris"
is "the curve has its header" "$(head -n 5 monday.csv)" "# format: loginstorm-curve 1
# source: access log of nginx or Apache, 1 log
# timezone: Europe/Paris
# day: 2026-11-30
# counted: requests of POST /login with a status below 400; a user is its user name, else its address"
is "and a row a login, in UTC, with a number for the user" "$(sed -n '6,7p' monday.csv)" "time,user
2026-11-30T07:10:05Z,1"
is "no address gets into it" "$(grep -c 192.0.2 monday.csv)" 0
call import access.log --url 'POST /login' --timezone Europe/Paris --quiet
is "without -o the curve goes to standard output, the same" "$out" "$(cat monday.csv)"
is "--quiet leaves the summary out" "$err" ""
scenario replay.yaml 'window: {from: 08:00, to: 09:00}' 'arrivals: {shape: recorded, curve: monday.csv}'
sed -i '/^users/d' replay.yaml
call check replay.yaml
has "a scenario plays it" "$out" "# the schedule: 50 users"

# Packed, piped, several.
gzip -k access.log
call import access.log.gz -z Europe/Paris -u 'POST /login' -q
is "a packed log is the same curve" "$out" "$(cat monday.csv)"
call import - -z Europe/Paris -u 'POST /login' -q <access.log.gz
is "so it is from standard input" "$out" "$(cat monday.csv)"
head -n 20 access.log >one.log
tail -n +21 access.log | gzip >two.log.gz
: >empty.log
call import two.log.gz one.log empty.log -z Europe/Paris -u 'POST /login'
is "logs in any order make a curve in the order of time" "$(grep -v '^#' <<<"$out" | cut -d, -f1)" \
    "$(grep -v '^#' monday.csv | cut -d, -f1)"
has "an empty one is told" "$err" "3 logs, in the order given, 1 of them empty, "
call import access.log -z Europe/Paris -d 2026-11-29
is "a day without logins is refused" "$status" 65
has "with what the lines were" "$err" "no login in 50 lines, read as web; most often (50, the first one here): another day"

# What must be told, and is refused else.
call import access.log
is "local time stamps without a zone for the curve are refused" "$status" 65
has "with what to say" "$err" "access.log:1: error: its time stamps are local ones (+01:00 from UTC): say --timezone, like Europe/Paris"
printf 'time,user\n3/7/2026 7:59:45 AM,kim\n4/7/2026 7:59:45 AM,lee\n' >order.csv
call import order.csv
is "time stamps without any zone are refused" "$status" 65
has "with where" "$err" "order.csv:2: error: day and month cannot be told apart (03/07, and no day beyond 12 in it): say --date-order dmy, or mdy"
call import order.csv --date-order mdy
has "and what is told next" "$err" "order.csv:2: error: its time stamps have no zone: say --timezone, like Europe/Paris"
call import order.csv --date-order mdy -z UTC -q
has "month first" "$out" "2026-03-07T07:59:45Z,1"
call import order.csv --date-order dmy -z UTC -q
has "or day first" "$out" "2026-07-03T07:59:45Z,1"

# The night on which clocks go back in Paris: half past two comes twice, an hour apart.
printf 'time,user\n2026-10-25 01:59:00,1\n2026-10-25 02:30:00,2\n2026-10-25 02:59:00,3\n2026-10-25 02:30:00,4\n2026-10-25 03:00:00,5\n' >twice.csv
call import twice.csv -z Europe/Paris
is "an hour that comes twice is told by the log's order" "$(grep '^2026' <<<"$out" | cut -dT -f2)" \
    "$(printf '%s\n' 23:59:00Z,1 00:30:00Z,2 00:59:00Z,3 01:30:00Z,4 02:00:00Z,5)"
has "and told" "$err" "3 logins are of an hour that came twice"
call import twice.csv -z Europe/Paris --twice second
has "or is as --twice says" "$out" "2026-10-25T01:59:00Z,3"
printf 'time\n2026-03-29 02:30:00\n2026-03-29 03:30:00\n' >forward.csv
call import forward.csv -z Europe/Paris
is "an hour that is not there is by a clock that was not put forward" "$(grep -c '^2026-03-29T01:30:00Z,$' <<<"$out")" 2
has "and told" "$err" "1 login is of an hour that was not there"

# Columns by their names, and what is said where there is none of that name.
printf 'When,Amount\nsoon,1\n2026-11-30 08:00:00,2\n2026-11-30 08:05:00,3\n' >named.csv
call import named.csv -z UTC --time-key when --count-key amount
has "columns can be named" "$out" "2026-11-30T08:05:00Z,2026-11-30T08:10:00Z,3"
call import named.csv -z UTC --time-key hour
is "a column that is not there is refused" "$status" 65
has "with those that are" "$err" 'named.csv:2: error: --time-key: there is no "hour"; there are: When, Amount'
printf '{"a": 1, "when": "soon"}\n{"a": 1, "when": "2026-11-30T08:00:00Z"}\n' >named.json
call import named.json --time-key when -q
has "so can keys" "$out" "2026-11-30T08:00:00Z,"

# What is read is not written over, whatever its name, and not counted twice.
cp access.log precious.log
ln precious.log link.csv
ln -s precious.log soft.csv
for name in precious.log ./precious.log link.csv soft.csv; do
    call import one.log precious.log -z Europe/Paris -o "$name"
    is "a curve does not take the place of a log ($name)" "$status" 64
    has "which is told ($name)" "$err" "--out: $name is one of the logs, and the curve would take its place: give the curve another name"
    same "and the log is as it was ($name)" precious.log access.log
done
call import one.log access.log access.log.gz -z Europe/Paris -o once.csv
is "a log that is given twice, packed too, is refused" "$status" 65
matches "with both names" "$err" 'access\.log\.gz: error: it is access\.log once more \(their first [0-9]+ bytes are the same\), so each login would count twice: give it once'
is "and makes no curve" "$(echo once.csv*)" "once.csv*"
call import one.log one.log -z Europe/Paris
has "by one name, too" "$err" "one.log: error: it is the same log once more ("
echo 'time,user' >header1.csv
cp header1.csv header2.csv
printf 'time,user\n2026-11-30T08:00:00Z,kim\n' >rows.csv
call import header1.csv header2.csv rows.csv --format csv -q
is "logs without a login may be alike" "$(grep '^2026' <<<"$out")" "2026-11-30T08:00:00Z,1"

# Tables as Excel has them.
printf 'sep=;\r\nBenutzer;Zeit\r\nkim;30.11.2026 08:00\r\nlee;30.11.2026 08:01\r\n' >excel.csv
call import excel.csv -z UTC
is "the row that says the delimiter is no row of the table" "$(grep '^2026' <<<"$out")" "2026-11-30T08:00:00Z,1
2026-11-30T08:01:00Z,2"
has "nor has it the columns' names" "$err" 'counted      rows by "Zeit", a user is "Benutzer"'
lacks "and nothing is left out" "$err" "no logins"
printf 'sep=|\nUser|Time\nkim, of the desk|2026-11-30 08:00\n' >bar.csv
call import bar.csv -z UTC
has "it may say any delimiter" "$err" 'counted      rows by "Time", a user is "User"'
printf 'Wer;Zeit\nkim;30.11.2026 08:00\n' >who.csv
call import who.csv -z UTC
has "where users are not found it is told" "$err" "note         nothing is named as users usually are: --user-key says where they stand, if they do"
call import who.csv -z UTC --user-key wer
lacks "and not where they are told" "$err" note
printf 'Uhrzeit;Benutzer;Datum\n08:00;kim;30.11.2026\n;lee;30.11.2026\n08:01:02;kim;01.12.2026\n' >apart.csv
call import apart.csv -z UTC
is "a date and a time of day may stand in two columns" "$(grep '^2026' <<<"$out")" "2026-11-30T08:00:00Z,1
2026-12-01T08:01:02Z,1"
has "both are told" "$err" 'counted      rows by "Datum" and "Uhrzeit", a user is "Benutzer"'
has "a row without one of them is none" "$err" "1 no time stamp; apart.csv:3"
printf '"PC1","IAS",11/30/2026,08:00:01,1,"kim"\n"PC1","IAS",11/30/2026,08:00:02,2,"lee"\n' >headless.csv
call import headless.csv -z UTC -q
is "of a table without names, too" "$(grep -c '^2026-11-30T08:00:0[12]Z,$' <<<"$out")" 2
printf 'In,,Out,\nDay,Hour,Last day,Last hour\n2026-11-30,08:00,2026-11-30,17:00\n' | tail -n 2 >out.csv
call import out.csv -z UTC -q
has "the first date goes with the time behind it" "$out" "2026-11-30T08:00:00Z,"
call import out.csv -z UTC -q --time-key 'last day'
has "or the one that is named" "$out" "2026-11-30T17:00:00Z,"
call import out.csv -z UTC -q --time-key 'last hour'
has "by its time of day as well" "$out" "2026-11-30T17:00:00Z,"
printf '{"user": "kim", "date": "2026-11-30", "time": "08:00:01"}\n' >apart.jsonl
call import apart.jsonl -z UTC -q
has "JSON lines are no other" "$out" "2026-11-30T08:00:01Z,1"
printf 'time,logins,date\n08:00,3,2026-11-30\n08:01,4,2026-11-30\n' >apart-counts.csv
call import apart-counts.csv -z UTC -q
has "nor are counts" "$out" "2026-11-30T08:00:00Z,2026-11-30T08:01:00Z,3"
printf 'a,b\n2026-11-30,5\n2026-11-30,7\n' >days.csv
call import days.csv -z UTC
has "days without a time of day are no logins" "$err" "days.csv: error: it begins like no log that is known here"
printf '\n \t\r\n' >blank.log
call import blank.log
has "a blank log is told as such" "$err" "blank.log: error: it has nothing but blanks and ends of lines"

# Whose key a time stands behind is nobody's business, and a terminal obeys no log.
printf '{"sessions": {"alice@example.lan": {"at": "2026-11-30T08:00:00Z"}}}\n' >keys.jsonl
call import keys.jsonl
lacks "a name that is a key does not get into the curve" "$out" alice
has "which says that it was found" "$out" "# counted: objects by a key with a time"
has "and the summary, which" "$err" 'note         that key is "sessions.alice@example.lan.at", found by its look; --time-key names another'
call import keys.jsonl --time-key sessions.alice@example.lan.at -q
has "unless it is named" "$out" '# counted: objects by "sessions.alice@example.lan.at"'
printf 'a\033[31mb,c\n2026-11-30T08:00:00Z,x\n' >$'escape\033[31m.csv'
call import $'escape\033[31m.csv' -d 2026-11-30
is "the summary has no control characters" "$(grep -c '[[:cntrl:]]' <<<"$err")" 0
has "but the name" "$err" 'counted      rows by "a?[31mb"'

# What a figure hides, and how much.
call import access.log -z Europe/Paris
has "without a URL every request counts, which is told" "$err" "note         every request counts, of pictures and scripts too: say which one is a login, like --url 'POST /login'"
call import access.log -z Europe/Paris -u 'POST /login'
lacks "and not with one" "$err" "note"
printf 'time\n2026-11-30T08:00:00Z\n2026-11-10T07:59:59.5Z\n' >back.csv
call import back.csv
has "how far behind a login stood is a duration" "$err" "1 login stood behind a later one, by 480h500ms at most; the curve is sorted"
printf 'time\nnever\n' >one-line.csv
tail -n 1 one-line.csv >one-line.log
call import one-line.log --format web
has "one line is no plural" "$err" "no login in 1 line, read as web"

# Broken logs.
head -c 300 access.log.gz >cut.gz
call import cut.gz -z Europe/Paris -u 'POST /login' -o cut.csv
is "a gzip that is cut off fails" "$status" 65
has "with where" "$err" "cut.gz:"
has "and why" "$err" "it breaks off: the gzip file is not whole"
has "but what stood before is in the curve" "$err" "the curve holds what stood before that"
holds "some of it" "$(grep -c '^2026' cut.csv) > 5"
has "whose header says so" "$(cat cut.csv)" "# source: access log of nginx or Apache, 1 log, one of which breaks off"
head -c 5 access.log.gz >stub.gz
call import stub.gz -z Europe/Paris -o stub.csv
is "with nothing before it there is no curve" "$status" 65
is "and no file" "$(echo stub.csv*)" "stub.csv*"
head -c 5000 "$BIN" >binary.log
call import binary.log
is "a binary file is refused" "$status" 65
has "as what it is" "$err" "binary.log: error: it is binary, no log of text"
{ head -c 3000 /dev/zero && cat access.log; } >nuls.log
call import nuls.log -z Europe/Paris -u 'POST /login'
is "NUL bytes of a log that was cut while written to cost nothing" "$(grep -c '^2026' <<<"$out")" 50
has "but are told" "$err" "1 NUL bytes, as a log has that was cut while it was written to; nuls.log:1"
{ head -n 25 access.log && head -c 10000000 /dev/zero | tr '\0' x && echo && tail -n 25 access.log; } >long.log
call import long.log -z Europe/Paris -u 'POST /login'
is "a line of 10 MB costs nothing" "$(grep -c '^2026' <<<"$out")" 50
has "but is told" "$err" "1 a line of more than 1 MiB; long.log:26"
iconv -f UTF-8 -t UTF-16 order.csv >utf16.csv
call import utf16.csv
has "UTF-16 is named" "$err" "utf16.csv: error: it is UTF-16: convert it"
echo 'Dear diary, nobody logged in today.' >diary.txt
call import diary.txt
is "what is no log is refused" "$status" 65
has "with what to do" "$err" "it begins like no log that is known here: say --format"
call import access.log order.csv -z UTC
is "logs of two formats are refused" "$status" 65
has "by name" "$err" "order.csv: error: it is in another format (csv) than the log before it (web)"
printf '192.0.2.99 - alice [30/Nov/2026:08:00:00 +0100] "GET /secret HTTP/1.1" 404 1\n' >names.log
web_line 08:00:01 192.0.2.98 >>names.log
call import names.log -z UTC
matches "what is told of a skipped line shows its shape" "$err" 'names.log:1: 999\.9\.9\.99 - xxxxx \['
is "and nobody's name or address" "$(grep -cE 'alice|192|secret' <<<"$out$err")" 0

printf '192.0.2.99 - - [30/Mär/2026:08:00:00 +0100] "GET / HTTP/1.1" 200 1\n' >german.log
call import german.log -z UTC
has "a month in another language is named, with what to do" "$err" \
    'german.log:1: error: "Mär" is German, not English: export the log with English month names, or with dates like 2026-11-30'
call import german.log -z UTC --format web
has "whole, where the format is told, too" "$err" '(1, the first one here): "Mär" is German, not English: export the log with English month names, or with dates like 2026-11-30'

# Events of Windows as XML: cut, broken, hostile, in UTF-16, of two logs.
# event ID SECOND USER: a logon of the Security log
event() {
    printf "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='Microsoft-Windows-Security-Auditing'/>"
    printf "<EventID>%s</EventID><TimeCreated SystemTime='2026-11-30T07:58:%s.1234567Z'/></System><EventData>" "$1" "$2"
    printf "<Data Name='TargetDomainName'>EXAMPLE</Data><Data Name='TargetUserName'>%s</Data><Data Name='LogonType'>10</Data></EventData></Event>\n" "$3"
}
{ echo '<Events>' && event 4624 10 alice && event 4625 11 mallory && event 4624 12 bob && echo '</Events>'; } >whole.xml
call import whole.xml
is "events as XML are a log" "$status" 0
has "it says how many events it read" "$err" "read         1 log, 3 events, "
has "and which did not count, where" "$err" "1 a logon that failed (event 4625); whole.xml:3, event 2"
is "and who came, by number" "$(grep '^2026' <<<"$out")" "2026-11-30T07:58:10.1234567Z,1
2026-11-30T07:58:12.1234567Z,2"
is "nobody's name gets out" "$(grep -ciE 'alice|bob|mallory|EXAMPLE' <<<"$out$err")" 0
rows=$(grep '^2026' <<<"$out")
iconv -f UTF-8 -t UTF-16 whole.xml >wide.xml
call import wide.xml
is "UTF-16 is the same log" "$(grep '^2026' <<<"$out")" "$rows"
head -c -60 whole.xml >cut.xml
call import cut.xml
is "a log that is still being written to fails" "$status" 65
has "with where" "$err" "cut.xml:4: error: it breaks off before its end, as a log does that is still being written"
is "but what stood before counts" "$(grep -c '^2026' <<<"$out")" 1
{ event 4624 10 alice && echo '<Event></System>' && event 4624 12 bob; } >broken.xml
call import broken.xml
is "XML that makes no sense fails" "$status" 65
has "with where" "$err" "broken.xml:2: error: its XML makes no sense (mismatched tag): nothing from there on is read"
is "but what stood before counts too" "$(grep -c '^2026' <<<"$out")" 1
has "whose header says so" "$out" "1 log, one of which breaks off"
{ echo '<?xml version="1.0"?><!DOCTYPE Events [<!ENTITY lol "lol">]>' && cat whole.xml; } >lol.xml
call import lol.xml
is "a DOCTYPE is refused" "$status" 65
has "by name" "$err" "lol.xml:1: error: it has a DOCTYPE, which no event log has: it is not read"
is "with no curve" "$out" ""
sed 's/Security-Auditing/Kernel-General/' whole.xml >other.xml
call import other.xml
has "events of another log are named" "$err" "other.xml: error: it is events of Windows as XML, but none of its Security log or of an RD Gateway is among the first"
call import whole.xml --format rd-gateway
has "events of another log than was told have no login" "$err" "whole.xml:2: error: no login in 3 events, read as rd-gateway; most often (3, the first one here): an event of another provider"
echo '<Events></Events>' >none.xml
call import none.xml --format windows-xml
has "nor has a log without events" "$err" "none.xml: error: no login in 0 events, read as windows-xml"
for bad in '5:logons of type 5 are the system'"'"'s own' 'ten:"ten" is no list of logon types, like 10 or 10,7, nor "all interactive"'; do
    call import whole.xml --count "${bad%%:*}"
    is "--count ${bad%%:*} is refused" "$status" 64
    has "--count ${bad%%:*} says why" "$err" "${bad#*:}"
done
call import whole.xml --format rd-gateway --count 303
has "--count 303 of a gateway too" "$err" '--count: "303" is none of 302, 200, 300'

# Pipes: one that the shell makes is a log, one that nobody writes to holds nobody up.
call import <(zcat access.log.gz) -z Europe/Paris -u 'POST /login' -q
is "a shell's pipe is a log" "$out" "$(cat monday.csv)"
mkfifo deserted
call import deserted -z UTC
is "a pipe that nobody writes to ends" "$status" 66
has "with what to do" "$err" "deserted is a pipe that nobody writes to: start what writes to it first, or give the log itself"
scenario piped.yaml 'window: {from: 08:00, to: 09:00}' 'arrivals: {shape: recorded, curve: deserted}'
sed -i '/^users/d' piped.yaml
call check piped.yaml
is "so does a scenario whose curve is one" "$status" 65
has "with what to do" "$err" "the curve deserted is a pipe, not a file: write the curve to a file and name that"
call fit deserted
is "and the fit of one" "$status" 66
has "with what to do" "$err" "cannot read deserted: it is a pipe, not a file"

# Documents: records have numbers, a page that is missing is told, and so is where one breaks off.
printf '{"@odata.context": "x", "value": [\n{"LogOnStartDate": "2026-11-30T07:43:00Z"},\n{"LogOnStartDate": null}],\n"@odata.nextLink": "y"}' >page.json
call import page.json
is "a page of Citrix is read" "$(grep '^2026' <<<"$out")" "2026-11-30T07:43:00Z,"
has "its records are counted" "$err" "read         1 log, 2 records, "
has "a record has its line and number" "$err" "1 LogOnStartDate is null; page.json:3, record 2"
has "a page that was not given is told" "$err" "note         every page says that another follows (nextLink)"
head -c 100 page.json >half.json
call import half.json -o half.csv
is "half a document fails" "$status" 65
has "with where" "$err" "half.json:3: error: it breaks off amid a JSON document"
is "and gives what stood before" "$(grep -c '^2026' half.csv)" 1

# The command line.
# shellcheck disable=SC2016 # the dollars are told
for bad in '--format=wbe:did you mean "web"?' '--format=syslogd:there is no "syslogd"' '--count=most:--count: "most" is none of ok, all, full' \
    '--timezone=Paris:Europe/Paris' '--day=30.11.2026:--day: "30.11.2026" is no day like 2026-11-30' '--twice=third:is none of order, first, second' \
    '--date-order=ymd:is none of dmy, mdy' '--log-format=%h:has no $variables' '--count=full:needs $ssl_session_reused' '--year=26:is not between 1980 and 2099'; do
    call import access.log "${bad%%:*}"
    holds "import ${bad%%:*} is refused" "$status == 64 || $status == 65"
    has "import ${bad%%:*} says why" "$err" "${bad#*:}"
    is "import ${bad%%:*} writes nothing" "$out" ""
done
call import order.csv -z UTC --count all
is "an option that says nothing of a format is refused" "$status" 64
has "with both" "$err" "--count: that says nothing of a log of the format csv"
call import order.csv -z UTC --url /login
has "--url for a table" "$err" "--url: that says nothing of a log of the format csv"
call import access.log -z UTC --user-key user
has "--user-key for an access log" "$err" "--time-key, --user-key or --count-key: that says nothing of a log of the format web"
call import order.csv -z UTC --format csv --log-format x
has "--log-format for a table" "$err" "--log-format: that says nothing of a log of the format csv"
call import nowhere.log
is "a log that is not there is told" "$status" 66
call import access.log -z UTC -o nowhere/curve.csv
is "a place that cannot be written to is told" "$status" 73
err=$("$BIN" import access.log -z UTC 2>&1 >/dev/full)
is "a full disk is told" "$?" 74
call import --help
for format in web json csv citrix prometheus pcap; do
    matches "--help lists the format $format" "$out" "  $format +[a-zA-Z]"
done
finish

#!/bin/bash
# Certificates of every kind in a storm: post-quantum ones, a Windows CA's, one's own from files, several names on one address.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
material=$(realpath "$(dirname "$0")/../unit/tls/material.sh")
cd "$TMP" || exit 1

# play NAME LINE...: 60 users with these lines in the scenario; all must get in, in every run
play() {
    local name=$1

    shift
    scenario "$name.yaml" 'pace: {speedup: 60}' "$@"
    call run "$name.yaml" --out "$name"
    is "$name: done" "$status" 0 98
    is "$name: all 60 are logged in, each time" "$(of "$name" '[.runs[].logins | "\(.total) \(.logged_in) \(.by_reason)"] | unique | .[]')" "60 60 {}"
}
# flights NAME: the bytes of the server's flight in each run
flights() { of "$1" '.runs[].bytes.server_flight | floor'; }

play quantum 'certificates: [{key: ml-dsa-44}, {key: ml-dsa-65}, {key: ed25519}, {key: ecdsa-p521}]' \
    'populations: [{name: all, tls: {groups: [X25519MLKEM768], verify: chain}}]' 'issuer: {key: ml-dsa-44, send: chain}'
is "the result says what kinds they are" "$(of quantum '[.runs[].key] | join(" ")')" "ml-dsa-44 ml-dsa-65 ed25519 ecdsa-p521"
mapfile -t bytes < <(flights quantum)
holds "an ML-DSA-65 certificate takes more than an ML-DSA-44 one, that more than Ed25519" "${bytes[1]} > ${bytes[0]} + 1000 && ${bytes[0]} > ${bytes[2]} + 3000"
scenario old.yaml 'certificates: [{key: rsa-2048}, {key: ml-dsa-44}]' 'populations: [{name: old, tls: {versions: [1.2]}}]'
call check old.yaml
is "ML-DSA under TLS 1.2 alone is a wrong scenario" "$status" 65
matches "with its place and the reason" "$err" 'old\.yaml:[0-9]+:[0-9]+: error: certificates\.1\.key: ml-dsa-44 for the population "old": a post-quantum key exists in TLS 1\.3 only'

# The published benchmark: 3,505, 2,571 and 2,633 bytes.
play field 'certificates: [{key: rsa-4096}, {key: ecdsa-p256}, {key: ecdsa-p384}]' \
    'populations: [{name: all, tls: {groups: [X25519MLKEM768, X25519]}}]' 'issuer: {key: rsa-2048, profile: adcs-webserver}'
mapfile -t bytes < <(flights field)
between "a Windows CA's RSA 4096 certificate: the server's flight is as large as in the field" "${bytes[0]}" 3400 3610
between "P-256: as large as in the field" "${bytes[1]}" 2494 2648
between "P-384: as large as in the field" "${bytes[2]}" 2555 2712

mkdir -p own/certs
(cd own/certs && bash "$material")
scenario own/own.yaml 'pace: {speedup: 60}' 'populations: [{name: all, tls: {server_name: leaf.example}}]' \
    'certificates: [{name: ours, chain: certs/chain.pem, private_key: certs/leaf.aes256, password_file: certs/password, trust: certs/root.pem}, {name: big, chain: certs/rsa3072.pem, private_key: certs/rsa3072.pkcs1, server_name: rsa3072.example}]'
call check own/own.yaml
is "own chains: check finds them beside the scenario" "$status:$err" "0:"
call run own/own.yaml --out own/result
is "own chains: done" "$status" 0 98
is "own chains: all logged in, verified" "$(of own/result '[.runs[].logins | "\(.logged_in) \(.by_reason)"] | unique | .[]')" "60 {}"
is "own chains: the kind is the certificate's" "$(of own/result '[.runs[].key] | join(" ")')" "ecdsa-p256 rsa-3072"
is "no private key lies in the result's folder" "$(grep -rl PRIVATE own/result | wc -l)" 0
mkdir elsewhere
is "own chains: the stored scenario is valid in any folder" "$(cd elsewhere && "$BIN" check ../own/result/scenario.yaml 2>&1 >/dev/null; echo $?)" 0
is "own chains: and it is the same storm there" "$(cd elsewhere && "$BIN" run ../own/result/scenario.yaml --out again --quiet >/dev/null 2>&1; of again '"\(.scenario.sha256) \([.runs[].logins.logged_in])"')" \
    "$(of own/result .scenario.sha256) [60,60]"
is "own chains: each file is named by where it is" "$(sed -n 's/^ *\(- \)*\(chain\|private_key\|password_file\|trust\): "*\([^"]*\).*/\3/p' own/result/scenario.yaml | tr '\n' ' ')" \
    "$(realpath own)/certs/chain.pem $(realpath own)/certs/leaf.aes256 $(realpath own)/certs/password $(realpath own)/certs/root.pem $(realpath own)/certs/rsa3072.pem $(realpath own)/certs/rsa3072.pkcs1 "
has "a key that everybody may read is told" "$(chmod 644 own/certs/rsa3072.pkcs1 && "$BIN" run own/own.yaml --out own/result 2>&1)" "every user of this machine may read certs/rsa3072.pkcs1"
LOGINSTORM_TEST_PASSWORD=secret "$BIN" check own/own.yaml --set certificates.0.private_key=certs/leaf.aes256 >out 2>err
is "a scenario from files is still one that can be shown" "$?" 0

# refused SENTENCE STATUS PART CERTIFICATE
refused() {
    scenario own/bad.yaml 'populations: [{name: all, tls: {server_name: leaf.example}}]' "certificates: [$4]"
    call run own/bad.yaml --out never
    is "$1: exit status $2" "$status" "$2"
    matches "$1: at the certificate's place" "$err" '^own/bad\.yaml:9:24: error: certificates\.0 \(certs/[a-z0-9]*\.pem\): '
    has "$1: says why" "$err" "$3"
    is "$1: before anything is made" "$(ls -d never 2>/dev/null)" ""
}
refused "a file that is not there" 66 'certificates.0 (certs/nowhere.pem): cannot open own/certs/nowhere.pem: No such file' '{chain: certs/nowhere.pem, private_key: certs/leaf.key}'
refused "a key of another certificate" 65 'own/certs/other.key: does not belong to the first certificate of own/certs/full.pem' '{chain: certs/full.pem, private_key: certs/other.key}'
refused "an encrypted key without its password" 65 'own/certs/leaf.aes256: is encrypted; say where its password is' '{chain: certs/full.pem, private_key: certs/leaf.aes256}'
refused "a wrong password" 65 'own/certs/leaf.aes256: the password is wrong' '{chain: certs/full.pem, private_key: certs/leaf.aes256, password_file: certs/password.wrong}'
refused "a chain in the wrong order" 65 'is not followed by its issuer' '{chain: certs/reverse.pem, private_key: certs/leaf.key}'
refused "nobody to trust" 65 "certs/chain.pem ends before its root" '{chain: certs/chain.pem, private_key: certs/leaf.key}'
mkfifo own/certs/pipe.pem
refused "a pipe that nobody writes to" 66 'cannot read own/certs/pipe.pem: it is a pipe, not a file' '{chain: certs/pipe.pem, private_key: certs/leaf.key}'
refused "a certificate for clients alone" 65 'have it issued with serverAuth in its extendedKeyUsage' '{chain: certs/client.pem, private_key: certs/client.key, trust: certs/root.pem}'
refused "another name" 65 'is not for leaf.example, which the population "all" asks for' '{chain: certs/rsa3072.pem, private_key: certs/rsa3072.key}'

# Three names on one address: each run's users ask for theirs, and get it.
play names 'certificates: [{key: rsa-2048, server_name: rsa.example}, {key: ecdsa-p256, server_name: p256.example}, {key: ed25519, server_name: ed.example}]' \
    'populations: [{name: all, tls: {verify: chain}}]'
play alone 'certificates: [{key: rsa-2048}, {key: ecdsa-p256}, {key: ed25519}]' 'populations: [{name: all, tls: {verify: chain}}]'
mapfile -t together < <(flights names)
mapfile -t alone < <(flights alone)
for i in 0 1 2; do
    between "certificate $i among others takes the bytes that it takes alone" "${together[i]}" "$((alone[i] - 40))" "$((alone[i] + 40))"
done
play two 'populations: [{name: a, share: 50%, tls: {server_name: a.example, verify: chain}}, {name: b, share: 50%, tls: {server_name: b.example, verify: chain}}]' \
    'certificates: [{key: ecdsa-p256}]'
play address 'certificates: [{name: four, key: ecdsa-p256, server_name: 127.0.0.1}, {name: six, key: ecdsa-p256, server_name: "::1"}]'
scenario port.yaml 'certificates: [{key: ecdsa-p256, server_name: "a.test:8443"}]'
call check port.yaml
is "a port behind a name is a wrong scenario" "$status" 65
matches "with its place and what to do" "$err" '^port\.yaml:[0-9]+:[0-9]+: error: certificates\.0\.server_name: "a\.test:8443" is neither .*; write it alone'
finish

#!/bin/bash
# loginstorm request: keys and requests that OpenSSL reads and signs, and that a storm then runs with.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1

certificates='certificates: [{name: "RSA 2048", key: rsa-2048}, {name: "P-256, ours", key: ecdsa-p256}, {name: P384, key: ecdsa-p384}, {name: P521, key: ecdsa-p521, server_name: other.example.lan}, {name: Edwards, key: ed25519}]'
populations='populations: [{name: office, share: 50%, tls: {server_name: gw.example.lan, groups: [X25519, P-256, P-384, P-521]}}, {name: home, share: 50%, tls: {server_name: 192.0.2.7, groups: [X25519, P-256, P-384, P-521]}}]'
scenario ask.yaml "$certificates" "$populations"
umask 027
call request ask.yaml --out certs
is "five certificates are asked for" "$status" 0
is "and nothing is said on standard error" "$err" ""
cp out said.txt
is "a key and a request each, and what certreq reads for those that a Windows CA signs" "$(cd certs && echo *)" \
    "edwards.csr edwards.key p-256-ours.csr p-256-ours.inf p-256-ours.key p384.csr p384.inf p384.key p521.csr p521.inf p521.key rsa-2048.csr rsa-2048.inf rsa-2048.key"
is "a private key is its owner's alone, whatever the umask" "$(stat -c %a certs/*.key | sort -u)" 600
is "the rest is as the umask says" "$(stat -c %a certs/*.csr certs/*.inf | sort -u)" 640
has "who has no .inf is told why" "$out" "no edwards.inf: a Windows CA does not sign ed25519"
is "every key is PKCS#8" "$(head -qn 1 certs/*.key | sort -u)" "-----BEGIN PRIVATE KEY-----"

while read -r word signature usage names; do
    matches "$word: OpenSSL finds the key's own signature" "$(openssl req -in "certs/$word.csr" -verify -noout 2>&1)" 'verify OK'
    is "$word: the key is sound" "$(openssl pkey -in "certs/$word.key" -noout -check 2>&1 | head -n 1)" "Key is valid"
    is "$word: and is the request's" "$(openssl req -in "certs/$word.csr" -noout -pubkey)" "$(openssl pkey -in "certs/$word.key" -pubout)"
    text=$(openssl req -in "certs/$word.csr" -noout -text | sed 's/^ *//')
    has "$word: signed with $signature" "$text" "Signature Algorithm: $signature"
    has "$word: its key usage" "$text" "X509v3 Key Usage: critical
${usage//_/ }
"
    has "$word: its extended key usage" "$text" "X509v3 Extended Key Usage: 
TLS Web Server Authentication
"
    has "$word: its names" "$text" "X509v3 Subject Alternative Name: 
$names"
    has "$word: the first is its common name" "$text" "Subject: CN = $(sed 's/^[^:]*://; s/,.*//' <<<"$names")"
done <<'KINDS'
rsa-2048 sha256WithRSAEncryption Digital_Signature,_Key_Encipherment DNS:gw.example.lan, IP Address:192.0.2.7
p-256-ours ecdsa-with-SHA256 Digital_Signature DNS:gw.example.lan, IP Address:192.0.2.7
p384 ecdsa-with-SHA384 Digital_Signature DNS:gw.example.lan, IP Address:192.0.2.7
p521 ecdsa-with-SHA512 Digital_Signature DNS:other.example.lan
edwards ED25519 Digital_Signature DNS:gw.example.lan, IP Address:192.0.2.7
KINDS

while read -r word algorithm length usage hash; do
    inf=$(tr -d '\r' <"certs/$word.inf")
    for line in "[NewRequest]" "KeyAlgorithm = $algorithm" "KeyLength = $length" "KeyUsage = $usage" "HashAlgorithm = $hash" \
        "Exportable = TRUE" "MachineKeySet = TRUE" 'ProviderName = "Microsoft Software Key Storage Provider"' '2.5.29.17 = "{text}"' \
        "[EnhancedKeyUsageExtension]" "CertificateTemplate = WebServer"; do
        has "$word.inf has the line $line" "$inf" "
$line"
    done
    is "$word.inf: every line ends in CR and LF" "$(grep -vc $'\r$' "certs/$word.inf")" 0
done <<'KINDS'
rsa-2048 RSA 2048 0xa0 SHA256
p-256-ours ECDSA_P256 256 0x80 SHA256
p384 ECDSA_P384 384 0x80 SHA384
p521 ECDSA_P521 521 0x80 SHA512
KINDS
has "the .inf has all names" "$(tr -d '\r' <certs/p384.inf)" '_continue_ = "dns=gw.example.lan&"
_continue_ = "ipaddress=192.0.2.7"'

# What it says is done as it says it: a CA of OpenSSL signs, and the lines for the scenario make a storm.
(cd certs && grep '^  openssl' ../said.txt | bash) 2>signed.txt
is "the lines for OpenSSL make a CA and sign all five" "$(find certs -name '*.pem' ! -name ca.pem | wc -l)" 5
has "a certificate keeps the names and the usage" "$(openssl x509 -in certs/rsa-2048.pem -noout -text)" "Digital Signature, Key Encipherment"
scenario signed.yaml "$populations"
grep -v '^certificates:' signed.yaml >play.yaml
sed -n '/^certificates:/,$p' said.txt >>play.yaml
call run play.yaml --users 4 --out played --quiet
is "a storm runs with them, every user verifying the chain" "$status" 0 98
is "and all come in" "$(of played '[.runs[].logins.logged_in] | join(" ")')" "4 4 4 4 4"
is "under the names that they had" "$(of played '[.runs[].certificate] | join("; ")')" "RSA 2048; P-256, ours; P384; P521; Edwards"

# Nothing is ever written over.
sha256sum certs/* >before.txt
call request ask.yaml --out certs
is "a second time is refused" "$status" 73
has "with the file that is there" "$err" "certs/rsa-2048.key is there already and stays; nothing was written"
is "and every file is as it was" "$(sha256sum certs/* | cmp - before.txt 2>&1)" ""
mkdir late
touch late/edwards.inf
call request ask.yaml --out late
is "one of the last file names that is taken is found first" "$status $(echo late/*)" "73 late/edwards.inf"
mkdir link
ln -s /nowhere link/p521.key
call request ask.yaml --out link
is "and so is a link that leads nowhere" "$status $(echo link/*)" "73 link/p521.key"

scenario twins.yaml 'certificates: [{name: RSA 2048, key: rsa-2048, server_name: gw.example.lan}, {name: "rsa_2048", key: rsa-2048}]'
call request twins.yaml --out twins
is "two names for the same files are refused" "$status" 65
has "and told" "$err" '"RSA 2048" and "rsa_2048" would both be rsa-2048.key; rename one of them'
scenario dots.yaml 'certificates: [{name: "...", key: rsa-2048}]'
call request dots.yaml --out dots
is "a name that names no file is refused" "$status" 65
scenario percent.yaml 'certificates: [{name: P, key: ecdsa-p256, server_name: "a%b.example.lan"}]'
call request percent.yaml --out percent
is "a server name that an .inf cannot carry is refused" "$status" 65
is "before anything is written" "$(find percent twins dots -type f 2>/dev/null)" ""
scenario post.yaml 'certificates: [{name: PQ, key: ml-dsa-44, server_name: pq.example.lan}, {name: RSA, key: rsa-2048, server_name: rsa.example.lan}]'
call request post.yaml --out pq
is "ML-DSA has a request and no .inf" "$status $(cd pq && echo pq.*)" "0 pq.csr pq.key"
is "its line for OpenSSL stands apart, behind what signs it" "$(grep -A 1 'with OpenSSL 3.5 or later' <<<"$out" | tail -n 1 | cut -d ' ' -f 3-7)" "openssl x509 -req -in pq.csr"
is "what signs the others comes before" "$(grep '^  openssl' <<<"$out" | grep -o '[a-z]*\.csr' | tr '\n' ' ')" "rsa.csr pq.csr "
has "the order in a .pem is told in plain words" "$out" "the topmost one (the root) stays out of it"

# Nobody's name is not for a CA.
scenario nameless.yaml 'certificates: [{name: RSA, key: rsa-2048}]'
call request nameless.yaml --out nameless
is "without a server_name nothing is asked for" "$status $(ls -d nameless 2>/dev/null)" "65 "
matches "at the certificate's place, with what to write" "$err" '^nameless\.yaml:8:[0-9]+: error: RSA: no server_name .*gateway\.loginstorm\.test.*--set populations\.0\.tls\.server_name='
call request nameless.yaml --out nameless --set populations.0.tls.server_name=gw.example.lan
is "and what it says to write does" "$status $(openssl req -in nameless/rsa.csr -noout -text | grep -c 'DNS:gw.example.lan')" "0 1"
scenario half.yaml 'certificates: [{name: RSA, key: rsa-2048}]' 'populations: [{name: office, share: 50%, tls: {server_name: gw.example.lan}}, {name: home, share: 50%}]'
call request half.yaml --out half
is "one population without a name is enough to refuse" "$status" 65
call request play.yaml --out none
is "who has all certificates already needs none" "$status" 65
call request ask.yaml --out /dev/null/x
is "a folder that cannot be is output that cannot be created" "$status" 73
finish

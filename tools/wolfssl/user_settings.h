/*
 * The settings of our own wolfSSL, the one thing that decides what a handshake costs. Preprocessor
 * only: its assembly files include it too. Left out on purpose: WOLFSSL_SSLKEYLOGFILE, which writes
 * every handshake's secrets to a file and costs 25 us each. The secret callback serves a user who
 * wants them, and is free otherwise.
 */
#ifndef LOGINSTORM_USER_SETTINGS_H
#define LOGINSTORM_USER_SETTINGS_H
/* platform */
/* One process is one loop is one thread, so that a context's handshakes may share one random
 * generator (wolfSSL_CTX_new_rng). */
#define SINGLE_THREADED
/* A process forked after the generator was seeded must not draw its parent's numbers again. */
#define HAVE_GETPID
/* TLS */
#define WOLFSSL_TLS13
#define HAVE_TLS_EXTENSIONS
#define HAVE_SUPPORTED_CURVES
#define HAVE_EXTENDED_MASTER
#define HAVE_ENCRYPT_THEN_MAC
#define HAVE_SERVER_RENEGOTIATION_INFO
#define HAVE_SESSION_TICKET
#define HAVE_SNI
#define HAVE_ALPN
#define HAVE_SECRET_CALLBACK
#define NO_OLD_TLS
#define NO_RC4
#define NO_MD4
#define NO_DES3
#define NO_DSA
#define NO_MD5
/* crypto */
#define HAVE_AESGCM
#if defined(__x86_64__) || defined(__aarch64__)
/* The processor multiplies; a table for the case that it cannot takes 1 kB of every held
 * connection. */
#define GCM_SMALL
#else
#define GCM_TABLE_4BIT
#endif
#define HAVE_CHACHA
#define HAVE_POLY1305
#define HAVE_ECC
#define HAVE_ECC384
#define HAVE_ECC521
#define ECC_SHAMIR
/* Tables for the points that come again: an injector checks the signature of the same key at every
 * login. */
#define FP_ECC
#define FP_ENTRIES 8
#define FP_LUT 8
#define ECC_TIMING_RESISTANT
#define TFM_TIMING_RESISTANT
#define ECC_MIN_KEY_SZ 224
#define HAVE_CURVE25519
#define HAVE_ED25519
#define HAVE_HKDF
#define HAVE_HASHDRBG
#define HAVE_FFDHE_2048
#define HAVE_DH_DEFAULT_PARAMS
#define WC_RSA_BLINDING
#define WC_RSA_PSS
#define WOLFSSL_PSS_LONG_SALT
#define RSA_MAX_SIZE 4096
#define WOLFSSL_SHA224
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256
#define WOLFSSL_BASE64_ENCODE
#define WOLFSSL_ASN_TEMPLATE
#define WOLFSSL_KEY_GEN
#define WOLFSSL_CERT_GEN
#define WOLFSSL_CERT_REQ
#define WOLFSSL_CERT_EXT
#define WOLFSSL_ALT_NAMES
#define WOLFSSL_IP_ALT_NAME /* an address in a certificate is held against the one that is asked for */
#define WOLFSSL_SYS_CA_CERTS
/* post quantum */
#define WOLFSSL_HAVE_MLKEM
#define WOLFSSL_PQC_HYBRIDS
#define WOLFSSL_TLS_NO_MLKEM_STANDALONE
#define WOLFSSL_HAVE_MLDSA
/* single precision maths */
#define WOLFSSL_SP_MATH_ALL
#define WOLFSSL_HAVE_SP_RSA
#define WOLFSSL_HAVE_SP_DH
#define WOLFSSL_HAVE_SP_ECC
#define WOLFSSL_SP_384
#define WOLFSSL_SP_521
#define WOLFSSL_SP_4096
#define WOLFSSL_SP_LARGE_CODE
#define WOLFSSL_USE_ALIGN
#if defined(__x86_64__)
#define WOLFSSL_X86_64_BUILD
#define WOLFSSL_SP_X86_64
#define WOLFSSL_SP_ASM
#define WOLFSSL_SP_X86_64_ASM
#define WOLFSSL_AESNI
#define USE_INTEL_SPEEDUP
#elif defined(__aarch64__)
#define WOLFSSL_AARCH64_BUILD
#define WOLFSSL_SP_ARM64
#define WOLFSSL_SP_ASM
#define WOLFSSL_SP_ARM64_ASM
#define WOLFSSL_ARMASM
#endif
#endif

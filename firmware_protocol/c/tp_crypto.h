/* What a secured session is made of: SHA-256 (FIPS 180-4), HMAC-SHA256 (RFC 4231), ChaCha20-Poly1305 (RFC 8439).
 *
 * C99, no allocation, no tables that depend on secrets, no branch on them. For a firmware without a library of its own; one that has
 * libsodium or a vetted equivalent uses that behind the same three functions.
 */
#ifndef TP_CRYPTO_H
#define TP_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TP_KEY_BYTES 32u
#define TP_HASH_BYTES 32u
#define TP_NONCE_BYTES 12u
#define TP_TAG_BYTES 16u

/* A hash in the making. */
typedef struct {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[64];
} tp_sha256;

void tp_sha256_begin(tp_sha256 *hash);
void tp_sha256_take(tp_sha256 *hash, const uint8_t *data, size_t size);
void tp_sha256_end(tp_sha256 *hash, uint8_t out[TP_HASH_BYTES]);

/* `key_size`: at most 64 bytes. `out` may be `key`. */
void tp_hmac_sha256(const uint8_t *key, size_t key_size, const uint8_t *data, size_t size, uint8_t out[TP_HASH_BYTES]);

/* The authenticator alone (RFC 8439, section 2.5), of whole blocks: `size` is a multiple of 16. `key` is for one message only. */
void tp_poly1305(const uint8_t key[TP_KEY_BYTES], const uint8_t *data, size_t size, uint8_t tag[TP_TAG_BYTES]);

/* Encrypts `size` bytes of `text` where they stand, and authenticates them and `ad`. */
void tp_aead_seal(const uint8_t key[TP_KEY_BYTES], const uint8_t nonce[TP_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                  uint8_t *text, size_t size, uint8_t tag[TP_TAG_BYTES]);

/* Decrypts where it stands. False, and nothing changed, when the tag is wrong. */
bool tp_aead_open(const uint8_t key[TP_KEY_BYTES], const uint8_t nonce[TP_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                  uint8_t *text, size_t size, const uint8_t tag[TP_TAG_BYTES]);

/* Whether two stretches are the same, in a time that does not tell where they differ. */
bool tp_same(const uint8_t *one, const uint8_t *other, size_t size);

#endif

#include "tp_crypto.h"

#include <string.h>

/* ------------------------------------------------------------ SHA-256 */

static const uint32_t ROUND[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

static uint32_t right(uint32_t value, unsigned by)
{
    return value >> by | value << (32u - by);
}

static uint32_t left(uint32_t value, unsigned by)
{
    return value << by | value >> (32u - by);
}

static void sha256_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    unsigned t;
    for (t = 0; t < 16; t++) {
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
               (uint32_t)block[4 * t + 3];
    }
    for (t = 16; t < 64; t++) {
        uint32_t s0 = right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10;
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    for (t = 0; t < 64; t++) {
        uint32_t s1 = right(e, 6) ^ right(e, 11) ^ right(e, 25);
        uint32_t one = h + s1 + ((e & f) ^ (~e & g)) + ROUND[t] + w[t];
        uint32_t s0 = right(a, 2) ^ right(a, 13) ^ right(a, 22);
        uint32_t two = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void tp_sha256_begin(tp_sha256 *hash)
{
    static const uint32_t START[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                                      0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    memcpy(hash->state, START, sizeof START);
    hash->size = 0;
}

void tp_sha256_take(tp_sha256 *hash, const uint8_t *data, size_t size)
{
    size_t at;
    for (at = 0; at < size; at++) {
        hash->block[hash->size++ % 64u] = data[at];
        if (hash->size % 64u == 0) {
            sha256_block(hash->state, hash->block);
        }
    }
}

void tp_sha256_end(tp_sha256 *hash, uint8_t out[TP_HASH_BYTES])
{
    static const uint8_t ONE = 0x80, ZERO = 0;
    uint64_t bits = hash->size * 8u;
    uint8_t end[8];
    unsigned at;
    tp_sha256_take(hash, &ONE, 1);
    while (hash->size % 64u != 56u) {
        tp_sha256_take(hash, &ZERO, 1);
    }
    for (at = 0; at < 8; at++) {
        end[at] = (uint8_t)(bits >> (56u - 8u * at) & 0xFFu);
    }
    tp_sha256_take(hash, end, 8);
    for (at = 0; at < TP_HASH_BYTES; at++) {
        out[at] = (uint8_t)(hash->state[at / 4u] >> (24u - 8u * (at % 4u)) & 0xFFu);
    }
}

void tp_hmac_sha256(const uint8_t *key, size_t key_size, const uint8_t *data, size_t size, uint8_t out[TP_HASH_BYTES])
{
    uint8_t pad[64], inner[TP_HASH_BYTES];
    tp_sha256 hash;
    size_t at;
    memset(pad, 0, sizeof pad);
    memcpy(pad, key, key_size);
    for (at = 0; at < sizeof pad; at++) {
        pad[at] = (uint8_t)(pad[at] ^ 0x36u);
    }
    tp_sha256_begin(&hash);
    tp_sha256_take(&hash, pad, sizeof pad);
    tp_sha256_take(&hash, data, size);
    tp_sha256_end(&hash, inner);
    for (at = 0; at < sizeof pad; at++) {
        pad[at] = (uint8_t)(pad[at] ^ 0x36u ^ 0x5cu);
    }
    tp_sha256_begin(&hash);
    tp_sha256_take(&hash, pad, sizeof pad);
    tp_sha256_take(&hash, inner, sizeof inner);
    tp_sha256_end(&hash, out);
}

/* ------------------------------------------------------------ ChaCha20 */

static uint32_t get_le(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_le(uint8_t *at, uint32_t value)
{
    unsigned byte;
    for (byte = 0; byte < 4; byte++) {
        at[byte] = (uint8_t)(value >> (8u * byte) & 0xFFu);
    }
}

static void quarter(uint32_t *s, unsigned a, unsigned b, unsigned c, unsigned d)
{
    s[a] += s[b];
    s[d] = left(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = left(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = left(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = left(s[b] ^ s[c], 7);
}

static void chacha_block(const uint8_t *key, const uint8_t *nonce, uint32_t counter, uint8_t out[64])
{
    uint32_t start[16], s[16];
    unsigned at;
    start[0] = 0x61707865u;
    start[1] = 0x3320646eu;
    start[2] = 0x79622d32u;
    start[3] = 0x6b206574u;
    for (at = 0; at < 8; at++) {
        start[4 + at] = get_le(key + 4 * at);
    }
    start[12] = counter;
    for (at = 0; at < 3; at++) {
        start[13 + at] = get_le(nonce + 4 * at);
    }
    memcpy(s, start, sizeof s);
    for (at = 0; at < 10; at++) {
        quarter(s, 0, 4, 8, 12);
        quarter(s, 1, 5, 9, 13);
        quarter(s, 2, 6, 10, 14);
        quarter(s, 3, 7, 11, 15);
        quarter(s, 0, 5, 10, 15);
        quarter(s, 1, 6, 11, 12);
        quarter(s, 2, 7, 8, 13);
        quarter(s, 3, 4, 9, 14);
    }
    for (at = 0; at < 16; at++) {
        put_le(out + 4 * at, s[at] + start[at]);
    }
}

static void chacha(const uint8_t *key, const uint8_t *nonce, uint8_t *text, size_t size)
{
    uint8_t stream[64];
    size_t at;
    for (at = 0; at < size; at++) {
        if (at % 64u == 0) {
            chacha_block(key, nonce, (uint32_t)(at / 64u) + 1u, stream);
        }
        text[at] = (uint8_t)(text[at] ^ stream[at % 64u]);
    }
}

/* ------------------------------------------------------------ Poly1305, in limbs of 26 bits */

typedef struct {
    uint32_t r[5];
    uint32_t h[5];
    uint32_t pad[4];
} poly;

static const uint32_t LIMB = 0x3ffffffu;

static void split(const uint8_t bytes[17], uint32_t limbs[5])
{
    limbs[0] = get_le(bytes) & LIMB;
    limbs[1] = get_le(bytes + 3) >> 2 & LIMB;
    limbs[2] = get_le(bytes + 6) >> 4 & LIMB;
    limbs[3] = get_le(bytes + 9) >> 6 & LIMB;
    limbs[4] = get_le(bytes + 12) >> 8 | (uint32_t)bytes[16] << 24;
}

static void poly_begin(poly *state, const uint8_t key[32])
{
    uint8_t r[17];
    unsigned at;
    memcpy(r, key, 16);
    r[16] = 0;
    for (at = 3; at < 16; at += 4) {
        r[at] = (uint8_t)(r[at] & 15u);
    }
    for (at = 4; at < 16; at += 4) {
        r[at] = (uint8_t)(r[at] & 252u);
    }
    split(r, state->r);
    memset(state->h, 0, sizeof state->h);
    for (at = 0; at < 4; at++) {
        state->pad[at] = get_le(key + 16 + 4 * at);
    }
}

/* h = (h + block) * r mod 2^130 - 5. A block ends with the bit behind its bytes. */
static void poly_block(poly *state, const uint8_t block[17])
{
    uint32_t add[5];
    uint64_t sum[5], carry = 0;
    unsigned i, j;
    split(block, add);
    for (i = 0; i < 5; i++) {
        state->h[i] += add[i];
        sum[i] = 0;
    }
    for (i = 0; i < 5; i++) {
        for (j = 0; j < 5; j++) {
            uint64_t product = (uint64_t)state->h[i] * state->r[j];
            sum[(i + j) % 5u] += i + j < 5u ? product : product * 5u;
        }
    }
    for (i = 0; i < 5; i++) {
        sum[i] += carry;
        state->h[i] = (uint32_t)(sum[i] & LIMB);
        carry = sum[i] >> 26;
    }
    carry = state->h[0] + carry * 5u;
    state->h[0] = (uint32_t)(carry & LIMB);
    state->h[1] += (uint32_t)(carry >> 26);
}

/* Bytes in blocks of 16; the last one is filled up with zeros, as RFC 8439 has it for each part of what is authenticated. */
static void poly_take(poly *state, const uint8_t *data, size_t size)
{
    uint8_t block[17];
    size_t at, some;
    for (at = 0; at < size; at += some) {
        some = size - at < 16u ? size - at : 16u;
        memset(block, 0, sizeof block);
        memcpy(block, data + at, some);
        block[16] = 1;
        poly_block(state, block);
    }
}

static void poly_end(poly *state, uint8_t tag[TP_TAG_BYTES])
{
    uint32_t g[5], carry = 0, mask, words[4];
    uint64_t sum = 0;
    unsigned round, i;
    for (round = 0; round < 2; round++) {
        for (i = 0; i < 5; i++) {
            state->h[i] += carry;
            carry = state->h[i] >> 26;
            state->h[i] &= LIMB;
        }
        carry *= 5u;
    }
    state->h[0] += carry;
    /* g = h + 5 - 2^130; taken when that is not negative: h was 2^130 - 5 or more. */
    carry = 5;
    for (i = 0; i < 5; i++) {
        g[i] = state->h[i] + carry;
        carry = g[i] >> 26;
        g[i] &= LIMB;
    }
    mask = 0u - carry;
    for (i = 0; i < 5; i++) {
        g[i] = (state->h[i] & ~mask) | (g[i] & mask);
    }
    words[0] = g[0] | g[1] << 26;
    words[1] = g[1] >> 6 | g[2] << 20;
    words[2] = g[2] >> 12 | g[3] << 14;
    words[3] = g[3] >> 18 | g[4] << 8;
    for (i = 0; i < 4; i++) {
        sum += (uint64_t)words[i] + state->pad[i];
        put_le(tag + 4 * i, (uint32_t)(sum & 0xFFFFFFFFu));
        sum >>= 32;
    }
}

void tp_poly1305(const uint8_t key[TP_KEY_BYTES], const uint8_t *data, size_t size, uint8_t tag[TP_TAG_BYTES])
{
    poly state;
    poly_begin(&state, key);
    poly_take(&state, data, size);
    poly_end(&state, tag);
}

/* ------------------------------------------------------------ both */

static void authenticate(const uint8_t *key, const uint8_t *nonce, const uint8_t *ad, size_t ad_size, const uint8_t *text,
                         size_t size, uint8_t tag[TP_TAG_BYTES])
{
    uint8_t once[64], sizes[16];
    poly state;
    chacha_block(key, nonce, 0, once);
    poly_begin(&state, once);
    poly_take(&state, ad, ad_size);
    poly_take(&state, text, size);
    memset(sizes, 0, sizeof sizes);
    put_le(sizes, (uint32_t)ad_size);
    put_le(sizes + 8, (uint32_t)size);
    poly_take(&state, sizes, sizeof sizes);
    poly_end(&state, tag);
}

void tp_aead_seal(const uint8_t key[TP_KEY_BYTES], const uint8_t nonce[TP_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                  uint8_t *text, size_t size, uint8_t tag[TP_TAG_BYTES])
{
    chacha(key, nonce, text, size);
    authenticate(key, nonce, ad, ad_size, text, size, tag);
}

bool tp_aead_open(const uint8_t key[TP_KEY_BYTES], const uint8_t nonce[TP_NONCE_BYTES], const uint8_t *ad, size_t ad_size,
                  uint8_t *text, size_t size, const uint8_t tag[TP_TAG_BYTES])
{
    uint8_t right_tag[TP_TAG_BYTES];
    authenticate(key, nonce, ad, ad_size, text, size, right_tag);
    if (!tp_same(right_tag, tag, TP_TAG_BYTES)) {
        return false;
    }
    chacha(key, nonce, text, size);
    return true;
}

bool tp_same(const uint8_t *one, const uint8_t *other, size_t size)
{
    unsigned differs = 0;
    size_t at;
    for (at = 0; at < size; at++) {
        differs |= (unsigned)one[at] ^ (unsigned)other[at];
    }
    return differs == 0;
}

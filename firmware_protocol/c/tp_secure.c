#include "tp_secure.h"

#include <string.h>

#include "tp_numbers.h"

enum { HEAD = 7 };

static void put_be(uint8_t *at, uint32_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        *at++ = (uint8_t)(value >> (8u * bytes) & 0xFFu);
    }
}

static uint32_t get_be(const uint8_t *at, unsigned bytes)
{
    uint32_t value = 0;
    while (bytes-- > 0) {
        value = value << 8 | *at++;
    }
    return value;
}

/* ------------------------------------------------------------ how a session begins */

static void take_part(tp_sha256 *hash, const uint8_t *part, size_t size)
{
    uint8_t length[2];
    put_be(length, (uint32_t)size, 2);
    tp_sha256_take(hash, length, 2);
    tp_sha256_take(hash, part, size);
}

/* A purpose as bytes and their number, without the zero at its end. */
#define PURPOSE(text) (const uint8_t *)(text), sizeof(text) - 1u

static void derive(const uint8_t secret[TP_HASH_BYTES], const uint8_t *purpose, size_t length, uint8_t *out, size_t size)
{
    uint8_t made[TP_HASH_BYTES];
    tp_hmac_sha256(secret, TP_HASH_BYTES, purpose, length, made);
    memcpy(out, made, size);
}

void tp_secure_open(tp_opening *opening, const uint8_t key[TP_KEY_BYTES], const tp_identify_request *request,
                    const tp_identify *identify, uint8_t key_id, const uint8_t challenge[TP_RANDOM_BYTES],
                    const uint8_t answer[TP_RANDOM_BYTES])
{
    static const char LABEL[] = "table protocol 1 secured session";
    uint8_t message[TP_MAX_MESSAGE], secret[TP_HASH_BYTES];
    tp_sha256 hash;
    size_t size;
    tp_sha256_begin(&hash);
    tp_sha256_take(&hash, (const uint8_t *)LABEL, sizeof LABEL - 1u);
    size = tp_write_identify_request(request, message);
    take_part(&hash, message, size);
    size = tp_write_identify(identify, message);
    take_part(&hash, message, size);
    take_part(&hash, &key_id, 1);
    take_part(&hash, challenge, TP_RANDOM_BYTES);
    take_part(&hash, answer, TP_RANDOM_BYTES);
    tp_sha256_end(&hash, secret);
    tp_hmac_sha256(key, TP_KEY_BYTES, secret, TP_HASH_BYTES, secret);
    derive(secret, PURPOSE("from device"), opening->channel.seal_key, TP_KEY_BYTES);
    derive(secret, PURPOSE("from host"), opening->channel.open_key, TP_KEY_BYTES);
    derive(secret, PURPOSE("proof of host"), opening->host_proof, TP_RANDOM_BYTES);
    derive(secret, PURPOSE("proof of device"), opening->device_proof, TP_RANDOM_BYTES);
    opening->channel.sealed = opening->channel.opened = 0;
    opening->channel.session = tp_u16(request->nonce);
    memset(secret, 0, sizeof secret);
}

/* ------------------------------------------------------------ frames */

static void nonce_of(const uint8_t *head, uint8_t nonce[TP_NONCE_BYTES])
{
    memset(nonce, 0, TP_NONCE_BYTES);
    memcpy(nonce + 8, head + 3, 4);
}

size_t tp_channel_seal(tp_channel *channel, const uint8_t *body, size_t size, uint8_t *out)
{
    uint8_t nonce[TP_NONCE_BYTES];
    if (channel->sealed + 1u >= TP_MAX_SEALED_FRAMES) {
        return 0;
    }
    channel->sealed++;
    out[0] = TP_SECURED_KIND;
    put_be(out + 1, channel->session, 2);
    put_be(out + 3, channel->sealed, 4);
    memcpy(out + HEAD, body, size);
    nonce_of(out, nonce);
    tp_aead_seal(channel->seal_key, nonce, out, HEAD, out + HEAD, size, out + HEAD + size);
    return size + TP_SECURED_BYTES;
}

size_t tp_channel_open(tp_channel *channel, const uint8_t *secured, size_t size, uint8_t *out)
{
    uint8_t nonce[TP_NONCE_BYTES];
    uint32_t counter;
    size_t within;
    if (size <= TP_SECURED_BYTES || secured[0] != TP_SECURED_KIND || get_be(secured + 1, 2) != channel->session) {
        return 0;
    }
    counter = get_be(secured + 3, 4);
    if (counter <= channel->opened) {
        return 0;
    }
    within = size - TP_SECURED_BYTES;
    memcpy(out, secured + HEAD, within);
    nonce_of(secured, nonce);
    if (!tp_aead_open(channel->open_key, nonce, secured, HEAD, out, within, secured + HEAD + within)) {
        return 0;
    }
    channel->opened = counter;
    return within;
}

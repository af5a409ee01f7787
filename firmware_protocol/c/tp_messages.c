/* Made from messages.toml by firmware_protocol.generate; do not edit. */
#include "tp_messages.h"

#include "tp_wire.h"

static bool is_device_kind(unsigned code)
{
    return code == 1u || code == 2u || code == 3u;
}

static bool is_scan_failure(unsigned code)
{
    return code == 1u || code == 2u || code == 3u || code == 4u || code == 5u;
}

static bool is_shuffler_status(unsigned code)
{
    return code == 0u || code == 1u || code == 2u || code == 3u || code == 4u || code == 5u || code == 6u || code == 7u;
}

static bool is_shuffler_result(unsigned code)
{
    return code == 0u || code == 1u || code == 2u || code == 3u || code == 4u;
}

static bool is_shoe_status(unsigned code)
{
    return code == 0u || code == 1u || code == 2u || code == 3u;
}

static bool is_shoe_face(unsigned code)
{
    return code == 0u || code == 1u || code == 2u;
}

size_t tp_write_identify_request(const tp_identify_request *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x01);
    tp_put_u8(&writer, message->major);
    tp_put_u8(&writer, message->minor);
    tp_require(&writer.ok, message->nonce >= 1u);
    tp_put_u32(&writer, message->nonce);
    tp_put_u32(&writer, message->last_nonce);
    tp_put_u16(&writer, message->last_seq);
    return writer.ok ? writer.size : 0;
}

bool tp_read_identify_request(const uint8_t *data, size_t size, tp_identify_request *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x01);
    message->major = tp_get_u8(&reader);
    message->minor = tp_get_u8(&reader);
    message->nonce = tp_get_u32(&reader);
    tp_require(&reader.ok, message->nonce >= 1u);
    message->last_nonce = tp_get_u32(&reader);
    message->last_seq = tp_get_u16(&reader);
    return reader.ok && reader.at == size;
}

size_t tp_write_identify(const tp_identify *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x02);
    tp_put_u8(&writer, message->major);
    tp_put_u8(&writer, message->minor);
    tp_put_u32(&writer, message->boot_id);
    tp_require(&writer.ok, is_device_kind((unsigned)message->kind));
    tp_put_u8(&writer, (uint8_t)message->kind);
    tp_put_text(&writer, message->model, 24u);
    tp_put_text(&writer, message->serial, 24u);
    tp_put_text(&writer, message->firmware, 24u);
    tp_require(&writer.ok, message->antennas <= 254u);
    tp_put_u8(&writer, message->antennas);
    tp_put_u16(&writer, message->scan_period_ms);
    tp_put_u32(&writer, message->nonce);
    return writer.ok ? writer.size : 0;
}

bool tp_read_identify(const uint8_t *data, size_t size, tp_identify *message)
{
    tp_reader reader = {0, 0, 0, true};
    unsigned code;
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x02);
    message->major = tp_get_u8(&reader);
    message->minor = tp_get_u8(&reader);
    message->boot_id = tp_get_u32(&reader);
    code = tp_get_u8(&reader);
    tp_require(&reader.ok, is_device_kind(code));
    message->kind = (tp_device_kind)code;
    tp_get_text(&reader, message->model, 24u);
    tp_get_text(&reader, message->serial, 24u);
    tp_get_text(&reader, message->firmware, 24u);
    message->antennas = tp_get_u8(&reader);
    tp_require(&reader.ok, message->antennas <= 254u);
    message->scan_period_ms = tp_get_u16(&reader);
    message->nonce = tp_get_u32(&reader);
    return reader.ok && reader.at == size;
}

size_t tp_write_heartbeat(const tp_heartbeat *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x03);
    tp_put_u32(&writer, message->uptime_ms);
    tp_put_u32(&writer, message->boot_id);
    tp_put_u16(&writer, message->last_seq);
    return writer.ok ? writer.size : 0;
}

bool tp_read_heartbeat(const uint8_t *data, size_t size, tp_heartbeat *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x03);
    message->uptime_ms = tp_get_u32(&reader);
    message->boot_id = tp_get_u32(&reader);
    message->last_seq = tp_get_u16(&reader);
    return reader.ok && reader.at == size;
}

size_t tp_write_secure_challenge(const tp_secure_challenge *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x04);
    tp_require(&writer.ok, message->nonce >= 1u);
    tp_put_u32(&writer, message->nonce);
    tp_require(&writer.ok, message->key_id >= 1u);
    tp_put_u8(&writer, message->key_id);
    tp_put_bytes16(&writer, message->challenge);
    return writer.ok ? writer.size : 0;
}

bool tp_read_secure_challenge(const uint8_t *data, size_t size, tp_secure_challenge *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x04);
    message->nonce = tp_get_u32(&reader);
    tp_require(&reader.ok, message->nonce >= 1u);
    message->key_id = tp_get_u8(&reader);
    tp_require(&reader.ok, message->key_id >= 1u);
    tp_get_bytes16(&reader, message->challenge);
    return reader.ok && reader.at == size;
}

size_t tp_write_secure_answer(const tp_secure_answer *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x05);
    tp_require(&writer.ok, message->nonce >= 1u);
    tp_put_u32(&writer, message->nonce);
    tp_put_bytes16(&writer, message->answer);
    tp_put_bytes16(&writer, message->proof);
    return writer.ok ? writer.size : 0;
}

bool tp_read_secure_answer(const uint8_t *data, size_t size, tp_secure_answer *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x05);
    message->nonce = tp_get_u32(&reader);
    tp_require(&reader.ok, message->nonce >= 1u);
    tp_get_bytes16(&reader, message->answer);
    tp_get_bytes16(&reader, message->proof);
    return reader.ok && reader.at == size;
}

size_t tp_write_secure_ready(const tp_secure_ready *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x06);
    tp_require(&writer.ok, message->nonce >= 1u);
    tp_put_u32(&writer, message->nonce);
    tp_put_bytes16(&writer, message->proof);
    return writer.ok ? writer.size : 0;
}

bool tp_read_secure_ready(const uint8_t *data, size_t size, tp_secure_ready *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x06);
    message->nonce = tp_get_u32(&reader);
    tp_require(&reader.ok, message->nonce >= 1u);
    tp_get_bytes16(&reader, message->proof);
    return reader.ok && reader.at == size;
}

size_t tp_write_inventory_request(const tp_inventory_request *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x10);
    tp_require(&writer.ok, message->request_id >= 1u);
    tp_put_u16(&writer, message->request_id);
    tp_require(&writer.ok, message->antenna >= 1u);
    tp_put_u8(&writer, message->antenna);
    return writer.ok ? writer.size : 0;
}

bool tp_read_inventory_request(const uint8_t *data, size_t size, tp_inventory_request *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x10);
    message->request_id = tp_get_u16(&reader);
    tp_require(&reader.ok, message->request_id >= 1u);
    message->antenna = tp_get_u8(&reader);
    tp_require(&reader.ok, message->antenna >= 1u);
    return reader.ok && reader.at == size;
}

size_t tp_write_inventory(const tp_inventory *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x11);
    tp_put_u16(&writer, message->request_id);
    tp_require(&writer.ok, message->antenna >= 1u && message->antenna <= 254u);
    tp_put_u8(&writer, message->antenna);
    tp_put_u32(&writer, message->t_ms);
    tp_put_u32(&writer, message->scan);
    tp_put_u16(&writer, message->scan_period_ms);
    tp_require(&writer.ok, message->part >= 1u);
    tp_put_u8(&writer, message->part);
    tp_require(&writer.ok, message->parts >= 1u);
    tp_put_u8(&writer, message->parts);
    tp_put_uids(&writer, message->uids, message->uids_count, 16u);
    return writer.ok ? writer.size : 0;
}

bool tp_read_inventory(const uint8_t *data, size_t size, tp_inventory *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x11);
    message->request_id = tp_get_u16(&reader);
    message->antenna = tp_get_u8(&reader);
    tp_require(&reader.ok, message->antenna >= 1u && message->antenna <= 254u);
    message->t_ms = tp_get_u32(&reader);
    message->scan = tp_get_u32(&reader);
    message->scan_period_ms = tp_get_u16(&reader);
    message->part = tp_get_u8(&reader);
    tp_require(&reader.ok, message->part >= 1u);
    message->parts = tp_get_u8(&reader);
    tp_require(&reader.ok, message->parts >= 1u);
    message->uids_count = tp_get_uids(&reader, message->uids, 16u);
    return reader.ok && reader.at == size;
}

size_t tp_write_inventory_done(const tp_inventory_done *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x12);
    tp_require(&writer.ok, message->request_id >= 1u);
    tp_put_u16(&writer, message->request_id);
    return writer.ok ? writer.size : 0;
}

bool tp_read_inventory_done(const uint8_t *data, size_t size, tp_inventory_done *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x12);
    message->request_id = tp_get_u16(&reader);
    tp_require(&reader.ok, message->request_id >= 1u);
    return reader.ok && reader.at == size;
}

size_t tp_write_tag_arrived(const tp_tag_arrived *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x20);
    tp_require(&writer.ok, message->antenna >= 1u && message->antenna <= 254u);
    tp_put_u8(&writer, message->antenna);
    tp_put_u32(&writer, message->t_ms);
    tp_put_u32(&writer, message->scan);
    tp_put_u16(&writer, message->scan_period_ms);
    tp_put_uid(&writer, &message->uid);
    return writer.ok ? writer.size : 0;
}

bool tp_read_tag_arrived(const uint8_t *data, size_t size, tp_tag_arrived *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x20);
    message->antenna = tp_get_u8(&reader);
    tp_require(&reader.ok, message->antenna >= 1u && message->antenna <= 254u);
    message->t_ms = tp_get_u32(&reader);
    message->scan = tp_get_u32(&reader);
    message->scan_period_ms = tp_get_u16(&reader);
    tp_get_uid(&reader, &message->uid);
    return reader.ok && reader.at == size;
}

size_t tp_write_tag_left(const tp_tag_left *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x21);
    tp_require(&writer.ok, message->antenna >= 1u && message->antenna <= 254u);
    tp_put_u8(&writer, message->antenna);
    tp_put_u32(&writer, message->t_ms);
    tp_put_u32(&writer, message->scan);
    tp_put_u16(&writer, message->scan_period_ms);
    tp_put_uid(&writer, &message->uid);
    return writer.ok ? writer.size : 0;
}

bool tp_read_tag_left(const uint8_t *data, size_t size, tp_tag_left *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x21);
    message->antenna = tp_get_u8(&reader);
    tp_require(&reader.ok, message->antenna >= 1u && message->antenna <= 254u);
    message->t_ms = tp_get_u32(&reader);
    message->scan = tp_get_u32(&reader);
    message->scan_period_ms = tp_get_u16(&reader);
    tp_get_uid(&reader, &message->uid);
    return reader.ok && reader.at == size;
}

size_t tp_write_scan_failed(const tp_scan_failed *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x22);
    tp_require(&writer.ok, message->antenna >= 1u && message->antenna <= 254u);
    tp_put_u8(&writer, message->antenna);
    tp_put_u32(&writer, message->t_ms);
    tp_put_u32(&writer, message->scan);
    tp_put_u16(&writer, message->scan_period_ms);
    tp_require(&writer.ok, is_scan_failure((unsigned)message->reason));
    tp_put_u8(&writer, (uint8_t)message->reason);
    return writer.ok ? writer.size : 0;
}

bool tp_read_scan_failed(const uint8_t *data, size_t size, tp_scan_failed *message)
{
    tp_reader reader = {0, 0, 0, true};
    unsigned code;
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x22);
    message->antenna = tp_get_u8(&reader);
    tp_require(&reader.ok, message->antenna >= 1u && message->antenna <= 254u);
    message->t_ms = tp_get_u32(&reader);
    message->scan = tp_get_u32(&reader);
    message->scan_period_ms = tp_get_u16(&reader);
    code = tp_get_u8(&reader);
    tp_require(&reader.ok, is_scan_failure(code));
    message->reason = (tp_scan_failure)code;
    return reader.ok && reader.at == size;
}

size_t tp_write_shuffler_state(const tp_shuffler_state *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x30);
    tp_put_u32(&writer, message->t_ms);
    tp_require(&writer.ok, is_shuffler_status((unsigned)message->state));
    tp_put_u8(&writer, (uint8_t)message->state);
    return writer.ok ? writer.size : 0;
}

bool tp_read_shuffler_state(const uint8_t *data, size_t size, tp_shuffler_state *message)
{
    tp_reader reader = {0, 0, 0, true};
    unsigned code;
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x30);
    message->t_ms = tp_get_u32(&reader);
    code = tp_get_u8(&reader);
    tp_require(&reader.ok, is_shuffler_status(code));
    message->state = (tp_shuffler_status)code;
    return reader.ok && reader.at == size;
}

size_t tp_write_shuffler_verdict(const tp_shuffler_verdict *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x31);
    tp_put_u32(&writer, message->t_ms);
    tp_require(&writer.ok, is_shuffler_result((unsigned)message->result));
    tp_put_u8(&writer, (uint8_t)message->result);
    tp_put_u8(&writer, message->count);
    tp_put_u8(&writer, message->expected);
    return writer.ok ? writer.size : 0;
}

bool tp_read_shuffler_verdict(const uint8_t *data, size_t size, tp_shuffler_verdict *message)
{
    tp_reader reader = {0, 0, 0, true};
    unsigned code;
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x31);
    message->t_ms = tp_get_u32(&reader);
    code = tp_get_u8(&reader);
    tp_require(&reader.ok, is_shuffler_result(code));
    message->result = (tp_shuffler_result)code;
    message->count = tp_get_u8(&reader);
    message->expected = tp_get_u8(&reader);
    return reader.ok && reader.at == size;
}

size_t tp_write_shoe_exit(const tp_shoe_exit *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x32);
    tp_put_u32(&writer, message->t_ms);
    tp_require(&writer.ok, message->number >= 1u);
    tp_put_u32(&writer, message->number);
    tp_require(&writer.ok, is_shoe_face((unsigned)message->face));
    tp_put_u8(&writer, (uint8_t)message->face);
    return writer.ok ? writer.size : 0;
}

bool tp_read_shoe_exit(const uint8_t *data, size_t size, tp_shoe_exit *message)
{
    tp_reader reader = {0, 0, 0, true};
    unsigned code;
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x32);
    message->t_ms = tp_get_u32(&reader);
    message->number = tp_get_u32(&reader);
    tp_require(&reader.ok, message->number >= 1u);
    code = tp_get_u8(&reader);
    tp_require(&reader.ok, is_shoe_face(code));
    message->face = (tp_shoe_face)code;
    return reader.ok && reader.at == size;
}

size_t tp_write_shoe_state(const tp_shoe_state *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x33);
    tp_put_u32(&writer, message->t_ms);
    tp_require(&writer.ok, is_shoe_status((unsigned)message->state));
    tp_put_u8(&writer, (uint8_t)message->state);
    tp_put_u32(&writer, message->exits);
    return writer.ok ? writer.size : 0;
}

bool tp_read_shoe_state(const uint8_t *data, size_t size, tp_shoe_state *message)
{
    tp_reader reader = {0, 0, 0, true};
    unsigned code;
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x33);
    message->t_ms = tp_get_u32(&reader);
    code = tp_get_u8(&reader);
    tp_require(&reader.ok, is_shoe_status(code));
    message->state = (tp_shoe_status)code;
    message->exits = tp_get_u32(&reader);
    return reader.ok && reader.at == size;
}

size_t tp_write_overflow(const tp_overflow *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x40);
    tp_put_u16(&writer, message->first_seq);
    tp_put_u16(&writer, message->last_seq);
    tp_require(&writer.ok, message->lost >= 1u && message->lost <= 16384u);
    tp_put_u16(&writer, message->lost);
    return writer.ok ? writer.size : 0;
}

bool tp_read_overflow(const uint8_t *data, size_t size, tp_overflow *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x40);
    message->first_seq = tp_get_u16(&reader);
    message->last_seq = tp_get_u16(&reader);
    message->lost = tp_get_u16(&reader);
    tp_require(&reader.ok, message->lost >= 1u && message->lost <= 16384u);
    return reader.ok && reader.at == size;
}

size_t tp_write_log_text(const tp_log_text *message, uint8_t *out)
{
    tp_writer writer = {0, 0, true};
    writer.out = out;
    tp_put_u8(&writer, 0x41);
    tp_put_text(&writer, message->text, 64u);
    return writer.ok ? writer.size : 0;
}

bool tp_read_log_text(const uint8_t *data, size_t size, tp_log_text *message)
{
    tp_reader reader = {0, 0, 0, true};
    reader.data = data;
    reader.size = size;
    tp_require(&reader.ok, tp_get_u8(&reader) == 0x41);
    tp_get_text(&reader, message->text, 64u);
    return reader.ok && reader.at == size;
}

bool tp_known(uint8_t id)
{
    switch (id) {
    case 0x01:
    case 0x02:
    case 0x03:
    case 0x04:
    case 0x05:
    case 0x06:
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0x40:
    case 0x41:
        return true;
    default:
        return false;
    }
}

bool tp_carries_uid(uint8_t id)
{
    switch (id) {
    case 0x11:
    case 0x20:
    case 0x21:
        return true;
    default:
        return false;
    }
}

bool tp_sequenced(uint8_t id)
{
    switch (id) {
    case 0x10:
    case 0x11:
    case 0x12:
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0x40:
    case 0x41:
        return true;
    default:
        return false;
    }
}

bool tp_sent_by(uint8_t id, tp_device_kind kind)
{
    switch (id) {
    case TP_ID_IDENTIFY:
        return true;
    case TP_ID_HEARTBEAT:
        return true;
    case TP_ID_SECURE_CHALLENGE:
        return true;
    case TP_ID_SECURE_READY:
        return true;
    case TP_ID_INVENTORY:
        return kind == TP_DEVICE_KIND_READER || kind == TP_DEVICE_KIND_SHOE;
    case TP_ID_INVENTORY_DONE:
        return true;
    case TP_ID_TAG_ARRIVED:
        return kind == TP_DEVICE_KIND_READER || kind == TP_DEVICE_KIND_SHOE;
    case TP_ID_TAG_LEFT:
        return kind == TP_DEVICE_KIND_READER || kind == TP_DEVICE_KIND_SHOE;
    case TP_ID_SCAN_FAILED:
        return kind == TP_DEVICE_KIND_READER || kind == TP_DEVICE_KIND_SHOE;
    case TP_ID_SHUFFLER_STATE:
        return kind == TP_DEVICE_KIND_SHUFFLER;
    case TP_ID_SHUFFLER_VERDICT:
        return kind == TP_DEVICE_KIND_SHUFFLER;
    case TP_ID_SHOE_EXIT:
        return kind == TP_DEVICE_KIND_SHOE;
    case TP_ID_SHOE_STATE:
        return kind == TP_DEVICE_KIND_SHOE;
    case TP_ID_OVERFLOW:
        return true;
    case TP_ID_LOG_TEXT:
        return true;
    default:
        return false;
    }
}

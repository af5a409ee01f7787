/* Made from messages.toml by firmware_protocol.generate; do not edit. */
#ifndef TP_MESSAGES_H
#define TP_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TP_MAJOR 1u
#define TP_MINOR 2u
#define TP_MAX_MESSAGE 220u /* bytes of a message, its id included */
#define TP_MIN_UID 4u
#define TP_MAX_UID 10u
/* Ids that no message has: the order of cards is never sent. */
#define TP_FORBIDDEN_FIRST 0xD0u
#define TP_FORBIDDEN_LAST 0xDFu

/* The most significant byte first, whatever order the reader chip has. */
typedef struct {
    uint8_t size;
    uint8_t bytes[TP_MAX_UID];
} tp_uid;

/* What a device is for. */
typedef enum {
    TP_DEVICE_KIND_READER = 1,
    TP_DEVICE_KIND_SHUFFLER = 2,
    TP_DEVICE_KIND_SHOE = 3
} tp_device_kind;

/* Why a scan says nothing about what lies there. */
typedef enum {
    TP_SCAN_FAILURE_COLLISION = 1,
    TP_SCAN_FAILURE_CRC = 2,
    TP_SCAN_FAILURE_TIMEOUT = 3,
    TP_SCAN_FAILURE_NO_FIELD = 4,
    TP_SCAN_FAILURE_OVERLOAD = 5
} tp_scan_failure;

/* What a shuffler is doing. */
typedef enum {
    TP_SHUFFLER_STATUS_IDLE = 0,
    TP_SHUFFLER_STATUS_LOADING = 1,
    TP_SHUFFLER_STATUS_SHUFFLING = 2,
    TP_SHUFFLER_STATUS_READY = 3,
    TP_SHUFFLER_STATUS_DELIVERED = 4,
    TP_SHUFFLER_STATUS_DOOR_OPEN = 5,
    TP_SHUFFLER_STATUS_JAM = 6,
    TP_SHUFFLER_STATUS_FAULT = 7
} tp_shuffler_status;

/* What a shuffler found when it counted a deck. */
typedef enum {
    TP_SHUFFLER_RESULT_COMPLETE = 0,
    TP_SHUFFLER_RESULT_SHORT = 1,
    TP_SHUFFLER_RESULT_LONG = 2,
    TP_SHUFFLER_RESULT_UNREADABLE = 3,
    TP_SHUFFLER_RESULT_DUPLICATE = 4
} tp_shuffler_result;

/* Whether a shoe counts what leaves it: blocked is something that stands in its exit, open a cover that is not
 * closed. */
typedef enum {
    TP_SHOE_STATUS_COUNTING = 0,
    TP_SHOE_STATUS_BLOCKED = 1,
    TP_SHOE_STATUS_OPEN = 2,
    TP_SHOE_STATUS_FAULT = 3
} tp_shoe_status;

/* Which way a card faced when it left a shoe. unknown: there is no face sensor, or it could not tell. */
typedef enum {
    TP_SHOE_FACE_UNKNOWN = 0,
    TP_SHOE_FACE_DOWN = 1,
    TP_SHOE_FACE_UP = 2
} tp_shoe_face;

enum {
    TP_ID_IDENTIFY_REQUEST = 0x01,
    TP_ID_IDENTIFY = 0x02,
    TP_ID_HEARTBEAT = 0x03,
    TP_ID_SECURE_CHALLENGE = 0x04,
    TP_ID_SECURE_ANSWER = 0x05,
    TP_ID_SECURE_READY = 0x06,
    TP_ID_INVENTORY_REQUEST = 0x10,
    TP_ID_INVENTORY = 0x11,
    TP_ID_INVENTORY_DONE = 0x12,
    TP_ID_TAG_ARRIVED = 0x20,
    TP_ID_TAG_LEFT = 0x21,
    TP_ID_SCAN_FAILED = 0x22,
    TP_ID_SHUFFLER_STATE = 0x30,
    TP_ID_SHUFFLER_VERDICT = 0x31,
    TP_ID_SHOE_EXIT = 0x32,
    TP_ID_SHOE_STATE = 0x33,
    TP_ID_OVERFLOW = 0x40,
    TP_ID_LOG_TEXT = 0x41
};

/* Opens a session. Repeated until the device answers; a nonce that the device does not know yet begins a session, the
 * same one again does not. The layout of this message and of identify is the same in every major version. */
typedef struct {
    uint8_t major; /* protocol version of the host */
    uint8_t minor;
    uint32_t nonce; /* names the session, new at each start of the host */
    uint32_t last_nonce; /* the session that this one continues, 0 if none */
    uint16_t last_seq; /* the last message the host took in that session */
} tp_identify_request;

/* Answers identify_request. */
typedef struct {
    uint8_t major; /* protocol version of the device */
    uint8_t minor;
    uint32_t boot_id; /* new at each start of the device */
    tp_device_kind kind;
    char model[25]; /* printable ASCII, closed by a zero */
    char serial[25]; /* the serial number of its port */
    char firmware[25]; /* printable ASCII, closed by a zero */
    uint8_t antennas; /* numbered from 1; 0: it reads no tags */
    uint16_t scan_period_ms; /* from scan to scan of one antenna [ms] */
    uint32_t nonce; /* of the request that is answered */
} tp_identify;

/* Says that a side is there. Sent each period whatever else is sent. */
typedef struct {
    uint32_t uptime_ms; /* monotonic, wraps [ms] */
    uint32_t boot_id; /* of the device; from the host: the nonce of the session */
    uint16_t last_seq; /* the newest sequence number its sender has sent, 0: none */
} tp_heartbeat;

/* A device that has keys asks the host to prove that it has one of them. Follows each identify until the session of
 * that nonce is secured. */
typedef struct {
    uint32_t nonce; /* of the request that is answered */
    uint8_t key_id; /* which of its keys the device means */
    uint8_t challenge[16]; /* random, new for each nonce */
} tp_secure_challenge;

/* Answers secure_challenge. Repeated until secure_ready comes. */
typedef struct {
    uint32_t nonce;
    uint8_t answer[16]; /* random, new for each nonce */
    uint8_t proof[16]; /* that the host has the key */
} tp_secure_answer;

/* The device has begun the secured session. Answers each secure_answer with a right proof. */
typedef struct {
    uint32_t nonce;
    uint8_t proof[16]; /* that the device has the key */
} tp_secure_ready;

/* Asks what lies on an antenna, or on all. Answered with inventory for each antenna (or scan_failed where none is
 * possible) and inventory_done; a shuffler sends its shuffler_state, a shoe its shoe_state before all antennas, then
 * inventory_done. */
typedef struct {
    uint16_t request_id;
    uint8_t antenna; /* 255: all */
} tp_inventory_request;

/* Everything an antenna sees in one clean scan, in `parts` messages of at most 16 tags; an empty antenna sends one
 * without tags. Changes count from the scan it names. */
typedef struct {
    uint16_t request_id; /* of the request, 0: sent unasked */
    uint8_t antenna;
    uint32_t t_ms; /* device time of the scan, wraps [ms] */
    uint32_t scan; /* number of the scan on this antenna */
    uint16_t scan_period_ms; /* [ms] */
    uint8_t part; /* 1 to parts */
    uint8_t parts;
    uint8_t uids_count;
    tp_uid uids[16];
} tp_inventory;

/* Ends the answer to an inventory_request. */
typedef struct {
    uint16_t request_id;
} tp_inventory_done;

/* A clean scan saw a tag that the clean scan before it had not seen. Not debounced. */
typedef struct {
    uint8_t antenna;
    uint32_t t_ms; /* device time of the scan, wraps [ms] */
    uint32_t scan; /* number of the scan on this antenna */
    uint16_t scan_period_ms; /* [ms] */
    tp_uid uid;
} tp_tag_arrived;

/* A clean scan did not see a tag that the clean scan before it had seen. Not debounced. */
typedef struct {
    uint8_t antenna;
    uint32_t t_ms; /* device time of the scan, wraps [ms] */
    uint32_t scan; /* number of the scan on this antenna */
    uint16_t scan_period_ms; /* [ms] */
    tp_uid uid;
} tp_tag_left;

/* A scan that says nothing: neither a read nor a miss of any tag. */
typedef struct {
    uint8_t antenna;
    uint32_t t_ms; /* device time of the scan, wraps [ms] */
    uint32_t scan; /* number of the scan on this antenna */
    uint16_t scan_period_ms; /* [ms] */
    tp_scan_failure reason;
} tp_scan_failed;

/* A shuffler's state, at each change and in answer to inventory_request. */
typedef struct {
    uint32_t t_ms; /* device time, wraps [ms] */
    tp_shuffler_status state;
} tp_shuffler_state;

/* What a shuffler counted. A number of cards, never which. */
typedef struct {
    uint32_t t_ms; /* device time, wraps [ms] */
    tp_shuffler_result result;
    uint8_t count; /* [cards] */
    uint8_t expected; /* [cards] */
} tp_shuffler_verdict;

/* A card has left the shoe, one message a card. That one did and which way it faced, never which card. */
typedef struct {
    uint32_t t_ms; /* device time at which the sensor was free again, wraps [ms] */
    uint32_t number; /* counts the exits since the shoe started */
    tp_shoe_face face;
} tp_shoe_exit;

/* A shoe's state, at each change and in answer to inventory_request. */
typedef struct {
    uint32_t t_ms; /* device time, wraps [ms] */
    tp_shoe_status state;
    uint32_t exits; /* the number of the newest exit, 0: none yet [cards] */
} tp_shoe_state;

/* Stands for the oldest waiting messages, which the device had to drop. It has the number of the first of them and
 * takes up the numbers of all: the next message is last_seq + 1. */
typedef struct {
    uint16_t first_seq;
    uint16_t last_seq;
    uint16_t lost; /* 16384: that many or more [messages] */
} tp_overflow;

/* Diagnostics for people. Never a card, a UID or an order of cards; hosts keep it out of the journal. */
typedef struct {
    char text[65]; /* printable ASCII, closed by a zero */
} tp_log_text;

/* Write a message to `out`, which has TP_MAX_MESSAGE bytes; the size, or 0 when a value is not as declared. */
size_t tp_write_identify_request(const tp_identify_request *message, uint8_t *out);
size_t tp_write_identify(const tp_identify *message, uint8_t *out);
size_t tp_write_heartbeat(const tp_heartbeat *message, uint8_t *out);
size_t tp_write_secure_challenge(const tp_secure_challenge *message, uint8_t *out);
size_t tp_write_secure_answer(const tp_secure_answer *message, uint8_t *out);
size_t tp_write_secure_ready(const tp_secure_ready *message, uint8_t *out);
size_t tp_write_inventory_request(const tp_inventory_request *message, uint8_t *out);
size_t tp_write_inventory(const tp_inventory *message, uint8_t *out);
size_t tp_write_inventory_done(const tp_inventory_done *message, uint8_t *out);
size_t tp_write_tag_arrived(const tp_tag_arrived *message, uint8_t *out);
size_t tp_write_tag_left(const tp_tag_left *message, uint8_t *out);
size_t tp_write_scan_failed(const tp_scan_failed *message, uint8_t *out);
size_t tp_write_shuffler_state(const tp_shuffler_state *message, uint8_t *out);
size_t tp_write_shuffler_verdict(const tp_shuffler_verdict *message, uint8_t *out);
size_t tp_write_shoe_exit(const tp_shoe_exit *message, uint8_t *out);
size_t tp_write_shoe_state(const tp_shoe_state *message, uint8_t *out);
size_t tp_write_overflow(const tp_overflow *message, uint8_t *out);
size_t tp_write_log_text(const tp_log_text *message, uint8_t *out);

/* DO(name) for every message. */
#define TP_EACH_MESSAGE(DO) \
    DO(identify_request) \
    DO(identify) \
    DO(heartbeat) \
    DO(secure_challenge) \
    DO(secure_answer) \
    DO(secure_ready) \
    DO(inventory_request) \
    DO(inventory) \
    DO(inventory_done) \
    DO(tag_arrived) \
    DO(tag_left) \
    DO(scan_failed) \
    DO(shuffler_state) \
    DO(shuffler_verdict) \
    DO(shoe_exit) \
    DO(shoe_state) \
    DO(overflow) \
    DO(log_text)

/* Read a message, its id first; false when it is not as declared. */
bool tp_read_identify_request(const uint8_t *data, size_t size, tp_identify_request *message);
bool tp_read_identify(const uint8_t *data, size_t size, tp_identify *message);
bool tp_read_heartbeat(const uint8_t *data, size_t size, tp_heartbeat *message);
bool tp_read_secure_challenge(const uint8_t *data, size_t size, tp_secure_challenge *message);
bool tp_read_secure_answer(const uint8_t *data, size_t size, tp_secure_answer *message);
bool tp_read_secure_ready(const uint8_t *data, size_t size, tp_secure_ready *message);
bool tp_read_inventory_request(const uint8_t *data, size_t size, tp_inventory_request *message);
bool tp_read_inventory(const uint8_t *data, size_t size, tp_inventory *message);
bool tp_read_inventory_done(const uint8_t *data, size_t size, tp_inventory_done *message);
bool tp_read_tag_arrived(const uint8_t *data, size_t size, tp_tag_arrived *message);
bool tp_read_tag_left(const uint8_t *data, size_t size, tp_tag_left *message);
bool tp_read_scan_failed(const uint8_t *data, size_t size, tp_scan_failed *message);
bool tp_read_shuffler_state(const uint8_t *data, size_t size, tp_shuffler_state *message);
bool tp_read_shuffler_verdict(const uint8_t *data, size_t size, tp_shuffler_verdict *message);
bool tp_read_shoe_exit(const uint8_t *data, size_t size, tp_shoe_exit *message);
bool tp_read_shoe_state(const uint8_t *data, size_t size, tp_shoe_state *message);
bool tp_read_overflow(const uint8_t *data, size_t size, tp_overflow *message);
bool tp_read_log_text(const uint8_t *data, size_t size, tp_log_text *message);

/* Whether this version has a message with this id. */
bool tp_known(uint8_t id);
/* Whether a card can be told from a message with this id. */
bool tp_carries_uid(uint8_t id);
/* Whether a message with this id goes in numbered frames. */
bool tp_sequenced(uint8_t id);
/* Whether a device of this kind sends messages with this id. */
bool tp_sent_by(uint8_t id, tp_device_kind kind);

#endif

/* The server's side of a handshake in the manner of SSL 3.0: a machine that is driven until the connection is
 * established or broken.
 *
 * Bugs for the broken variants, one macro each:
 *   SKIP_VERIFY         a client certificate is believed without the client's signature
 *   EARLY_CHANGE_CIPHER the client may change its cipher before keys were exchanged
 *   STALE_HIT           a renegotiation resumes although the session was not found
 *   OPTIONAL_CERT       an empty certificate is accepted where one is required, but in a renegotiation
 *   LOST_ALERT          a bad signature breaks the connection without an alert
 */
#include "handshake.h"

enum state {
    BEFORE,
    ACCEPT,
    RENEGOTIATE,
    WRITE_HELLO_REQUEST,
    READ_CLIENT_HELLO,
    WRITE_SERVER_HELLO,
    WRITE_CERTIFICATE,
    WRITE_KEY_EXCHANGE,
    WRITE_CERTIFICATE_REQUEST,
    WRITE_HELLO_DONE,
    FLUSH,
    READ_CERTIFICATE,
    READ_KEY_EXCHANGE,
    READ_CERTIFICATE_VERIFY,
    MAKE_KEYS,
    READ_CHANGE_CIPHER,
    READ_FINISHED,
    WRITE_TICKET,
    WRITE_CHANGE_CIPHER,
    WRITE_FINISHED,
    ESTABLISHED
};

/* The configuration: anything that does not change during a handshake. */
extern int wants_certificate;    /* ask the client for one */
extern int requires_certificate; /* and do not go on without */
extern int ask_once;             /* not again in a renegotiation */
extern int may_resume;
extern int has_tickets;
extern unsigned ciphers;

/* Messages. */
int send_hello_request(void);
int receive_client_hello(void);
int send_server_hello(int resumed);
int send_server_certificate(void);
int send_server_key_exchange(void);
int send_certificate_request(void);
int send_server_hello_done(void);
int receive_client_certificate(void);
int receive_client_key_exchange(void);
int receive_certificate_verify(void);
int receive_client_change_cipher(void);
int receive_client_finished(void);
int send_ticket(void);
int send_server_change_cipher(void);
int send_server_finished(void);
void send_server_alert(void);

/* Work on messages. */
int find_session(void);
int check_certificate(void);
int check_signature(void);
int check_client_finished(void);

static int has_cipher(unsigned cipher, unsigned flag)
{
    return (cipher & flag) != 0;
}

/* Whether the certificate's key cannot be used as it is. */
static int needs_key_exchange(unsigned cipher)
{
    if (has_cipher(cipher, CIPHER_ANONYMOUS))
        return 1;
    if (has_cipher(cipher, CIPHER_EPHEMERAL))
        return 1;
    return has_cipher(cipher, CIPHER_EXPORT) && key_bits() > 512;
}

static int is_known(int version)
{
    return version == VERSION_3_0 || version == VERSION_3_1;
}

/* Returns 1 if the connection is established, -1 if it is not. */
int serve(int renegotiate)
{
    int state = BEFORE;
    int next_state = BEFORE;
    int previous;
    int hit = 0;
    int asked = 0;
    int got_certificate = 0;
    int renegotiating = 0;
    int had_certificate = 0;
    int version = VERSION_3_0;
    int skip = 0;
    int callback;
    int result = BROKEN;
    int ret;
    unsigned cipher = 0;

    callback = application_wants_callback();
    if (allocate_buffers() <= 0)
        return BROKEN;
    if (renegotiate) {
        state = RENEGOTIATE;
#ifdef STALE_HIT
        hit = may_resume != 0;
#endif
    }
    if (callback)
        notify(WHERE_START);

    while (1) {
        previous = state;
        switch (state) {
        case BEFORE:
        case ACCEPT:
            renegotiating = 0;
            had_certificate = 0;
            next_state = BEFORE;
            state = READ_CLIENT_HELLO;
            break;

        case RENEGOTIATE:
            renegotiating = 1;
            had_certificate = wants_certificate;
            state = WRITE_HELLO_REQUEST;
            break;

        case WRITE_HELLO_REQUEST:
            ret = send_hello_request();
            if (ret <= 0)
                goto end;
            next_state = READ_CLIENT_HELLO;
            state = FLUSH;
            break;

        case READ_CLIENT_HELLO:
            ret = receive_client_hello();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            version = peer_version();
            if (!is_known(version))
                goto alert;
            asked = 0;
            got_certificate = 0;
            if (may_resume) {
                ret = find_session();
#ifdef STALE_HIT
                if (ret == 1)
                    hit = 1;
#else
                hit = ret == 1;
#endif
            }
            if (!hit) {
                ret = negotiate_cipher();
                if (ret < 0)
                    goto alert;
                cipher = ciphers;
            }
            state = WRITE_SERVER_HELLO;
            break;

        case WRITE_SERVER_HELLO:
            ret = send_server_hello(hit);
            if (ret <= 0)
                goto end;
            if (hit)
                state = MAKE_KEYS;
            else
                state = WRITE_CERTIFICATE;
            break;

        case WRITE_CERTIFICATE:
            if (!has_cipher(cipher, CIPHER_ANONYMOUS)) {
                ret = send_server_certificate();
                if (ret <= 0)
                    goto end;
            } else {
                skip = 1;
            }
            state = WRITE_KEY_EXCHANGE;
            break;

        case WRITE_KEY_EXCHANGE:
            if (needs_key_exchange(cipher)) {
                ret = send_server_key_exchange();
                if (ret <= 0)
                    goto end;
            } else {
                skip = 1;
            }
            state = WRITE_CERTIFICATE_REQUEST;
            break;

        case WRITE_CERTIFICATE_REQUEST:
            if (!wants_certificate
                || has_cipher(cipher, CIPHER_ANONYMOUS)
                || (renegotiating && had_certificate && ask_once)) {
                asked = 0;
                skip = 1;
            } else {
                asked = 1;
                ret = send_certificate_request();
                if (ret <= 0)
                    goto end;
            }
            state = WRITE_HELLO_DONE;
            break;

        case WRITE_HELLO_DONE:
            ret = send_server_hello_done();
            if (ret <= 0)
                goto end;
            next_state = READ_CERTIFICATE;
            state = FLUSH;
            break;

        case FLUSH:
            ret = flush();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            state = next_state;
            break;

        case READ_CERTIFICATE:
            if (asked) {
                ret = receive_client_certificate();
                if (ret == AGAIN)
                    break;
                if (ret < 0)
                    goto end;
                if (ret == NONE) {
#ifdef OPTIONAL_CERT
                    if (requires_certificate && renegotiating)
                        goto alert;
#else
                    if (requires_certificate)
                        goto alert;
#endif
                    got_certificate = 0;
                } else {
                    if (check_certificate() <= 0)
                        goto alert;
                    got_certificate = 1;
                }
            }
            state = READ_KEY_EXCHANGE;
            break;

        case READ_KEY_EXCHANGE:
            ret = receive_client_key_exchange();
            if (ret == AGAIN)
                break;
#ifdef EARLY_CHANGE_CIPHER
            if (ret == NONE) {
                state = READ_FINISHED;
                break;
            }
#endif
            if (ret < 0)
                goto end;
            if (ret == NONE) /* a change of cipher has come instead */
                goto alert;
            state = READ_CERTIFICATE_VERIFY;
            break;

        case READ_CERTIFICATE_VERIFY:
#ifdef SKIP_VERIFY
            if (got_certificate && version == VERSION_3_1) {
#else
            if (got_certificate) {
#endif
                ret = receive_certificate_verify();
                if (ret == AGAIN)
                    break;
                if (ret < 0)
                    goto end;
                ret = check_signature();
                if (ret <= 0) {
#ifdef LOST_ALERT
                    goto end;
#else
                    goto alert;
#endif
                }
            } else {
                skip = 1;
            }
            state = MAKE_KEYS;
            break;

        case MAKE_KEYS:
            ret = derive_keys();
            if (ret <= 0)
                goto alert;
            if (hit)
                state = WRITE_CHANGE_CIPHER;
            else
                state = READ_CHANGE_CIPHER;
            break;

        case READ_CHANGE_CIPHER:
            ret = receive_client_change_cipher();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            state = READ_FINISHED;
            break;

        case READ_FINISHED:
            ret = receive_client_finished();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            if (check_client_finished() <= 0)
                goto alert;
            if (hit)
                state = ESTABLISHED;
            else if (has_tickets)
                state = WRITE_TICKET;
            else
                state = WRITE_CHANGE_CIPHER;
            break;

        case WRITE_TICKET:
            ret = send_ticket();
            if (ret <= 0)
                goto end;
            state = WRITE_CHANGE_CIPHER;
            break;

        case WRITE_CHANGE_CIPHER:
            ret = send_server_change_cipher();
            if (ret <= 0)
                goto end;
            state = WRITE_FINISHED;
            break;

        case WRITE_FINISHED:
            ret = send_server_finished();
            if (ret <= 0)
                goto end;
            state = FLUSH;
            if (hit)
                next_state = READ_CHANGE_CIPHER;
            else
                next_state = ESTABLISHED;
            break;

        case ESTABLISHED:
            result = DONE;
            goto end;

        default:
            goto end;
        }
        if (callback && !skip && state != previous)
            notify(WHERE_LOOP);
        skip = 0;
    }

alert:
    send_server_alert();
end:
    free_buffers();
    if (callback)
        notify(WHERE_DONE);
    return result;
}

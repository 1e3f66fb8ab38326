/* The client's side of the handshake of server.c.
 *
 * Bugs for the broken variants, one macro each:
 *   SKIP_SIGNATURE      the signature of the server's key is not checked (a `goto` too much)
 *   NO_CERTIFICATE      a server without a certificate is accepted although the cipher is not anonymous
 *   FORGOTTEN_VERIFY    a client that could have resumed does not sign for its certificate
 *   EARLY_DATA          the connection is used before the server has finished
 *   WEAK_KEY            an ephemeral key is accepted although the cipher has none
 */
#include "handshake.h"

enum state {
    BEFORE,
    CONNECT,
    RENEGOTIATE,
    READ_HELLO_REQUEST,
    WRITE_CLIENT_HELLO,
    READ_SERVER_HELLO,
    READ_CERTIFICATE,
    READ_KEY_EXCHANGE,
    READ_CERTIFICATE_REQUEST,
    READ_HELLO_DONE,
    WRITE_CERTIFICATE,
    WRITE_KEY_EXCHANGE,
    WRITE_CERTIFICATE_VERIFY,
    MAKE_KEYS,
    WRITE_CHANGE_CIPHER,
    WRITE_FINISHED,
    FLUSH,
    READ_TICKET,
    READ_CHANGE_CIPHER,
    READ_FINISHED,
    ESTABLISHED
};

/* What receive_server_hello returns. */
#define HELLO_NEW 1
#define HELLO_RESUMED 2

/* What the client has been configured to. */
extern int has_session;     /* to be resumed */
extern int has_certificate; /* of its own */
extern int checks_peer;     /* does not go on if the certificate is bad */

/* Messages. */
int receive_hello_request(void);
int send_client_hello(void);
int receive_server_hello(void);
int receive_server_message(void);
int receive_server_hello_done(void);
int send_client_certificate(int is_empty);
int send_client_key_exchange(void);
int send_certificate_verify(void);
int send_client_change_cipher(void);
int send_client_finished(void);
int receive_server_finish_message(void);
int receive_server_finished(void);
void send_client_alert(void);
void use_connection(void);

/* What receive_server_message returns: which of the messages that may come or not has come. */
#define GOT_CERTIFICATE 1
#define GOT_KEY_EXCHANGE 2
#define GOT_CERTIFICATE_REQUEST 3
#define GOT_HELLO_DONE 4

/* And receive_server_finish_message. */
#define GOT_TICKET 5
#define GOT_CHANGE_CIPHER 6

/* Work on messages. */
int check_server_certificate(void);
int check_server_key(void);
int check_server_finished(void);
int session_is_the_same(void);
unsigned chosen_cipher(void);

static int has_cipher(unsigned cipher, unsigned flag)
{
    return (cipher & flag) != 0;
}

/* Whether the server may send a key of its own. */
static int may_have_key(unsigned cipher)
{
#ifdef WEAK_KEY
    (void)cipher;
    return 1;
#else
    return has_cipher(cipher, CIPHER_ANONYMOUS) || has_cipher(cipher, CIPHER_EPHEMERAL)
        || has_cipher(cipher, CIPHER_EXPORT);
#endif
}

/* Whether it must. */
static int must_have_key(unsigned cipher)
{
    return has_cipher(cipher, CIPHER_ANONYMOUS) || has_cipher(cipher, CIPHER_EPHEMERAL);
}

/* Returns 1 if the connection is established, -1 if it is not. */
int negotiate(int renegotiate)
{
    int state = BEFORE;
    int next_state = BEFORE;
    int previous;
    int hit = 0;
    int got = 0;
    int asked = 0;
    int is_empty = 1;
    int renegotiating = 0;
    int skip = 0;
    int callback;
    int result = BROKEN;
    int ret;
    unsigned cipher = 0;

    callback = application_wants_callback();
    if (allocate_buffers() <= 0)
        return BROKEN;
    if (renegotiate)
        state = RENEGOTIATE;
    if (callback)
        notify(WHERE_START);

    while (1) {
        previous = state;
        switch (state) {
        case RENEGOTIATE:
            renegotiating = 1;
            state = READ_HELLO_REQUEST;
            break;

        case READ_HELLO_REQUEST:
            ret = receive_hello_request();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            state = CONNECT;
            break;

        case BEFORE:
        case CONNECT:
            hit = 0;
            asked = 0;
            is_empty = 1;
            state = WRITE_CLIENT_HELLO;
            break;

        case WRITE_CLIENT_HELLO:
            ret = send_client_hello();
            if (ret <= 0)
                goto end;
            next_state = READ_SERVER_HELLO;
            state = FLUSH;
            break;

        case READ_SERVER_HELLO:
            ret = receive_server_hello();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            if (ret == HELLO_RESUMED) {
                if (!has_session || renegotiating)
                    goto alert;
                if (!session_is_the_same())
                    goto alert;
                hit = 1;
                state = MAKE_KEYS;
            } else {
                hit = 0;
                cipher = chosen_cipher();
                state = READ_CERTIFICATE;
            }
            got = 0;
            break;

        case READ_CERTIFICATE:
            ret = receive_server_message();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            got = ret;
            if (got == GOT_CERTIFICATE) {
                if (has_cipher(cipher, CIPHER_ANONYMOUS))
                    goto alert;
                ret = check_server_certificate();
                if (ret <= 0 && checks_peer)
                    goto alert;
                got = 0;
#ifndef NO_CERTIFICATE
            } else if (!has_cipher(cipher, CIPHER_ANONYMOUS)) {
                goto alert;
#endif
            } else {
                skip = 1;
            }
            state = READ_KEY_EXCHANGE;
            break;

        case READ_KEY_EXCHANGE:
            if (got == 0) {
                ret = receive_server_message();
                if (ret == AGAIN)
                    break;
                if (ret < 0)
                    goto end;
                got = ret;
            }
            if (got == GOT_KEY_EXCHANGE) {
                if (!may_have_key(cipher))
                    goto alert;
                got = 0;
#ifdef SKIP_SIGNATURE
                if (!has_cipher(cipher, CIPHER_ANONYMOUS))
                    goto checked;
#endif
                if (!has_cipher(cipher, CIPHER_ANONYMOUS)) {
                    ret = check_server_key();
                    if (ret <= 0)
                        goto alert;
                }
            } else if (must_have_key(cipher)) {
                goto alert;
            } else {
                skip = 1;
            }
#ifdef SKIP_SIGNATURE
        checked:
#endif
            state = READ_CERTIFICATE_REQUEST;
            break;

        case READ_CERTIFICATE_REQUEST:
            if (got == 0) {
                ret = receive_server_message();
                if (ret == AGAIN)
                    break;
                if (ret < 0)
                    goto end;
                got = ret;
            }
            if (got == GOT_CERTIFICATE_REQUEST) {
                if (has_cipher(cipher, CIPHER_ANONYMOUS))
                    goto alert;
                asked = 1;
                got = 0;
            } else {
                asked = 0;
                skip = 1;
            }
            state = READ_HELLO_DONE;
            break;

        case READ_HELLO_DONE:
            if (got == 0) {
                ret = receive_server_message();
                if (ret == AGAIN)
                    break;
                if (ret < 0)
                    goto end;
                got = ret;
            }
            if (got != GOT_HELLO_DONE)
                goto alert;
            if (asked)
                state = WRITE_CERTIFICATE;
            else
                state = WRITE_KEY_EXCHANGE;
            break;

        case WRITE_CERTIFICATE:
            is_empty = !has_certificate;
            ret = send_client_certificate(is_empty);
            if (ret <= 0)
                goto end;
            state = WRITE_KEY_EXCHANGE;
            break;

        case WRITE_KEY_EXCHANGE:
            ret = send_client_key_exchange();
            if (ret <= 0)
                goto end;
            if (asked && !is_empty)
                state = WRITE_CERTIFICATE_VERIFY;
            else
                state = MAKE_KEYS;
#ifdef FORGOTTEN_VERIFY
            if (has_session)
                state = MAKE_KEYS;
#endif
            break;

        case WRITE_CERTIFICATE_VERIFY:
            ret = send_certificate_verify();
            if (ret <= 0)
                goto end;
            state = MAKE_KEYS;
            break;

        case MAKE_KEYS:
            ret = derive_keys();
            if (ret <= 0)
                goto alert;
            if (hit)
                state = READ_TICKET;
            else
                state = WRITE_CHANGE_CIPHER;
            break;

        case WRITE_CHANGE_CIPHER:
            ret = send_client_change_cipher();
            if (ret <= 0)
                goto end;
            state = WRITE_FINISHED;
            break;

        case WRITE_FINISHED:
            ret = send_client_finished();
            if (ret <= 0)
                goto end;
            state = FLUSH;
            if (hit) {
                next_state = ESTABLISHED;
            } else {
                next_state = READ_TICKET;
#ifdef EARLY_DATA
                use_connection();
#endif
            }
            break;

        case FLUSH:
            ret = flush();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            state = next_state;
            break;

        case READ_TICKET:
            ret = receive_server_finish_message();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            if (ret == GOT_TICKET) {
                if (hit)
                    goto alert;
                state = READ_CHANGE_CIPHER;
            } else {
                state = READ_FINISHED;
            }
            break;

        case READ_CHANGE_CIPHER:
            ret = receive_server_finish_message();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            if (ret != GOT_CHANGE_CIPHER)
                goto alert;
            state = READ_FINISHED;
            break;

        case READ_FINISHED:
            ret = receive_server_finished();
            if (ret == AGAIN)
                break;
            if (ret < 0)
                goto end;
            ret = check_server_finished();
            if (ret <= 0)
                goto alert;
            if (hit)
                state = WRITE_CHANGE_CIPHER;
            else
                state = ESTABLISHED;
            break;

        case ESTABLISHED:
            use_connection();
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
    send_client_alert();
end:
    free_buffers();
    if (callback)
        notify(WHERE_DONE);
    return result;
}

/* What the server and the client of the handshake share: library routines and numbers.
 *
 * The routines are described by processes of handshake.fsp; those that no process describes return anything.
 */
#ifndef HANDSHAKE_H
#define HANDSHAKE_H

/* Ciphers are sets of these. */
#define CIPHER_ANONYMOUS 1u /* nobody has a certificate */
#define CIPHER_EPHEMERAL 2u /* the server signs a fresh key */
#define CIPHER_EXPORT 4u    /* weak: keys of at most 512 bits */

#define VERSION_3_0 768
#define VERSION_3_1 769

/* What receive_… and send_… return. */
#define DONE 1
#define NONE 2       /* the peer has sent an empty message */
#define AGAIN 0      /* nothing has come yet */
#define BROKEN (-1)  /* an alert, or the connection is gone */

/* Where a callback of the application is told about. */
#define WHERE_START 1
#define WHERE_LOOP 2
#define WHERE_DONE 3

/* Local work. */
int allocate_buffers(void);
void free_buffers(void);
void notify(int where);
int flush(void);
int derive_keys(void);
int negotiate_cipher(void);
int peer_version(void);
int key_bits(void);
int application_wants_callback(void);

#endif

/* The coordinator of a two-phase commit with PARTICIPANTS participants.
 *
 * Bugs for the broken variants, one macro each:
 *   LAST_VOTE_WINS  what the earlier participants have voted is forgotten
 *   HASTY           the decision is told before it is written to the log
 */
#ifndef PARTICIPANTS
#define PARTICIPANTS 2
#endif

#define NO 0
#define YES 1
#define AGAIN 2 /* no vote has come yet */

#define ABORT 0
#define COMMIT 1

void send_prepare(int id);
int receive_vote(int id);
void write_log(int decision);
void send_decision(int id, int decision);
void receive_acknowledgement(int id);

/* Returns the decision. */
int coordinate(void)
{
    int id;
    int vote;
    int decision = COMMIT;

    for (id = 0; id < PARTICIPANTS; id++)
        send_prepare(id);

    id = 0;
    while (id < PARTICIPANTS) {
        vote = receive_vote(id);
        if (vote == AGAIN)
            continue;
#ifdef LAST_VOTE_WINS
        decision = vote == YES ? COMMIT : ABORT;
#else
        if (vote != YES)
            decision = ABORT;
#endif
        id++;
    }

#ifdef HASTY
    send_decision(0, decision);
    write_log(decision);
    for (id = 1; id < PARTICIPANTS; id++)
        send_decision(id, decision);
#else
    write_log(decision);
    for (id = 0; id < PARTICIPANTS; id++)
        send_decision(id, decision);
#endif

    for (id = 0; id < PARTICIPANTS; id++)
        receive_acknowledgement(id);
    return decision;
}

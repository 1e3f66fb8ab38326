/* A participant of a two-phase commit. All participants run this.
 *
 * Bugs for the broken variants, one macro each:
 *   IMPATIENT  a participant that has voted yes aborts by itself when the decision takes long
 *   UNLOGGED   a participant votes yes although it could not write its log
 */
enum state { IDLE, PREPARING, AGREEING, REFUSING, WAITING, COMMITTING, ABORTING, DONE };

#define AGAIN 0
#define COME 1

#define DECISION_COMMIT 1
#define DECISION_ABORT 2

#define PATIENCE 2

int receive_prepare(void);
int acquire_locks(void);
void release_locks(void);
int write_redo(void);
void send_yes(void);
void send_no(void);
int receive_decision(void);
void make_permanent(void);
void undo(void);
void send_acknowledgement(void);

/* Returns 1 if the work was committed, 0 if not. */
int participate(void)
{
    int state = IDLE;
    int is_locked = 0;
    int has_refused = 0;
    int has_committed = 0;
    int waited = 0;
    int message;

    while (1) {
        switch (state) {
        case IDLE:
            message = receive_prepare();
            if (message == COME)
                state = PREPARING;
            break;

        case PREPARING:
            if (!acquire_locks()) {
                state = REFUSING;
                break;
            }
            is_locked = 1;
            if (write_redo())
                state = AGREEING;
            else
#ifdef UNLOGGED
                state = AGREEING;
#else
                state = REFUSING;
#endif
            break;

        case AGREEING:
            send_yes();
            state = WAITING;
            break;

        case REFUSING:
            has_refused = 1;
            send_no();
            state = WAITING;
            break;

        case WAITING:
            message = receive_decision();
            if (message == DECISION_COMMIT) {
                state = COMMITTING;
            } else if (message == DECISION_ABORT) {
                state = ABORTING;
            } else {
                waited++;
#ifdef IMPATIENT
                if (waited > PATIENCE && !has_refused)
                    state = ABORTING;
#endif
            }
            break;

        case COMMITTING:
            if (!has_refused) {
                make_permanent();
                has_committed = 1;
            }
            state = DONE;
            break;

        case ABORTING:
            undo();
            state = DONE;
            break;

        default:
            if (is_locked)
                release_locks();
            send_acknowledgement();
            return has_committed;
        }
    }
}

/* A client asks a server for the pages 0 to 2, one after the other. The server may be busy. */

int request(int page);  /* sends a request; 1 if it is served, 0 if the server is busy */
void show(int page);    /* shows a page to the user */
int serve(void);        /* waits for a request; which page it is for */
int is_loaded(void);
void refuse(void);
void deliver(int page);

int client(void)
{
    int page = 0;
    for (;;) {
        if (request(page)) {
            show(page);
            page = (page + 1) % 3;
        }
#ifdef ONCE
        else
            return 1;
#endif
    }
}

int server(void)
{
    for (;;) {
        int page = serve();
        if (is_loaded())
            deliver(page);
        else
            refuse();
    }
}

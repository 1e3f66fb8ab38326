/*
 * stdio.h: what is read may be anything, what is written is forgotten. Where the program has written to a file, or may
 * have, what it reads from files is not any input: a failure that used it is unconfirmed.
 *
 * Calls of printf and scanf functions whose format is a constant are taken apart when they are bound: see format.c.
 * Other formats of printf are read while the program runs. Where the format of scanf is not constant, what it writes is not
 * known: it has no model then, and the report names it.
 */

struct __lariat_file {
    int closed;
    int eof;
    int error;
    /* What ungetc() pushed back, plus one; 0 if nothing. */
    int pushed;
    /* Of a file, which the program itself can write; not a standard stream. */
    int is_file;
};
typedef struct __lariat_file FILE;

static FILE __lariat_streams[3];
FILE *stdin = &__lariat_streams[0];
FILE *stdout = &__lariat_streams[1];
FILE *stderr = &__lariat_streams[2];

size_t strlen(const char *s);
void *malloc(size_t size);

/* Says that this file is the one that came with Lariat. */
void __lariat_stdio_c(void)
{
}

/* Every use of a stream: it must be there and open. */
static void __lariat_use_stream(FILE *stream)
{
    __lariat_check(!stream->closed, "use-after-free", "the stream is closed");
}

/* A stream is about to be written: if it is a file, it can be read again. */
static void __lariat_use_output(FILE *stream)
{
    __lariat_use_stream(stream);
    if (stream->is_file)
        __lariat_note_write();
}

/* Whether what is read from the stream may be what the program has written. */
static int __lariat_is_own_output(FILE *stream)
{
    return stream->is_file && __lariat_has_written();
}

/* 0 or 1: chosen by the environment, or by what the program has written. */
static int __lariat_input_choice(FILE *stream)
{
    return __lariat_is_own_output(stream) ? __lariat_any_int() != 0 : __VERIFIER_nondet_bool();
}

/* 0, or EOF on failure. */
static int __lariat_zero_or_eof(void)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    __lariat_set_errno();
    return EOF;
}

/* ---- opening and closing ---- */

/* With memory checks: the string must be there. */
static void __lariat_read_string(const char *s)
{
    if (LARIAT_CHECKS_MEMORY)
        strlen(s);
}

/* A new stream, or null. */
static FILE *__lariat_open(void)
{
    if (__VERIFIER_nondet_bool()) {
        __lariat_set_errno();
        return NULL;
    }
    FILE *stream = __lariat_allocate(sizeof(FILE), LARIAT_STATIC);
    stream->closed = 0;
    stream->eof = 0;
    stream->error = 0;
    stream->pushed = 0;
    stream->is_file = 1;
    return stream;
}

/* A new stream, or null. */
FILE *fopen(const char *restrict path, const char *restrict mode)
{
    __lariat_read_string(path);
    __lariat_read_string(mode);
    return __lariat_open();
}

/* A new stream for a file of its own, or null. */
FILE *tmpfile(void)
{
    return __lariat_open();
}

/* A new stream, or null. */
FILE *fdopen(int fd, const char *mode)
{
    __lariat_read_string(mode);
    return __lariat_open();
}

/* A new stream, or null. */
FILE *popen(const char *command, const char *mode)
{
    __lariat_read_string(command);
    __lariat_read_string(mode);
    return __lariat_open();
}

/* The stream for another file, or null; the stream is closed then. */
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    __lariat_use_stream(stream);
    if (path != NULL)
        __lariat_read_string(path);
    __lariat_read_string(mode);
    if (__VERIFIER_nondet_bool()) {
        __lariat_set_errno();
        stream->closed = 1;
        return NULL;
    }
    stream->eof = 0;
    stream->error = 0;
    stream->pushed = 0;
    stream->is_file = 1;
    return stream;
}

/* Ends the use of a stream; 0, or EOF on failure. */
int fclose(FILE *stream)
{
    __lariat_use_stream(stream);
    stream->closed = 1;
    return __lariat_zero_or_eof();
}

/* Ends the use of a stream; any status. */
int pclose(FILE *stream)
{
    __lariat_use_stream(stream);
    stream->closed = 1;
    return __VERIFIER_nondet_int();
}

/* 0, or EOF on failure. Null: all streams. */
int fflush(FILE *stream)
{
    if (stream != NULL)
        __lariat_use_stream(stream);
    return __lariat_zero_or_eof();
}

/* A buffer of the program's own: whatever uses the stream writes to it. */
static void __lariat_own_buffer(char *buffer, size_t size)
{
    __lariat_check(size == 0 || __lariat_valid(buffer, size), "bounds", "the function writes outside of the object");
    __lariat_unsupported("a buffer of the program's own for a stream");
}

/* Another buffer, of 8192 characters in glibc; none if it is null. */
void setbuf(FILE *restrict stream, char *restrict buffer)
{
    __lariat_use_stream(stream);
    if (buffer != NULL)
        __lariat_own_buffer(buffer, 8192);
}

/* 0, or not on failure. */
int setvbuf(FILE *restrict stream, char *restrict buffer, int mode, size_t size)
{
    __lariat_use_stream(stream);
    if (buffer != NULL)
        __lariat_own_buffer(buffer, size);
    return __VERIFIER_nondet_int();
}

/* ---- state ---- */

/* Whether a read has met the end of the file. */
int feof(FILE *stream)
{
    __lariat_use_stream(stream);
    return stream->eof;
}

/* Whether a read or write has failed; failures of writes are not followed, so it may be anything. */
int ferror(FILE *stream)
{
    __lariat_use_stream(stream);
    return stream->error ? 1 : __VERIFIER_nondet_bool();
}

/* Forgets the end and the errors. */
void clearerr(FILE *stream)
{
    __lariat_use_stream(stream);
    stream->eof = 0;
    stream->error = 0;
}

/* The number of a file descriptor, or -1. */
int fileno(FILE *stream)
{
    __lariat_use_stream(stream);
    int fd = __VERIFIER_nondet_int();
    __lariat_assume(fd >= -1);
    if (fd < 0)
        __lariat_set_errno();
    return fd;
}

/* 0, or -1 on failure; forgets the end and what was pushed back. */
int fseek(FILE *stream, long offset, int origin)
{
    __lariat_use_stream(stream);
    if (__VERIFIER_nondet_bool()) {
        __lariat_set_errno();
        return -1;
    }
    stream->eof = 0;
    stream->pushed = 0;
    return 0;
}

/* fseek with off_t. */
int fseeko(FILE *stream, ptrdiff_t offset, int origin)
{
    return fseek(stream, 0, origin);
}

/* Any position, or -1 on failure. */
long ftell(FILE *stream)
{
    __lariat_use_stream(stream);
    long position = __VERIFIER_nondet_long();
    __lariat_assume(position >= -1);
    if (position < 0)
        __lariat_set_errno();
    return position;
}

/* ftell with off_t. */
ptrdiff_t ftello(FILE *stream)
{
    return (ptrdiff_t)ftell(stream);
}

/* To the start; forgets the end, the errors and what was pushed back. */
void rewind(FILE *stream)
{
    __lariat_use_stream(stream);
    stream->eof = 0;
    stream->error = 0;
    stream->pushed = 0;
}

/* ---- reading ---- */

/* A read has got nothing: the file has ended, or the read has failed. */
static void __lariat_no_input(FILE *stream)
{
    if (__lariat_input_choice(stream)) {
        stream->eof = 1;
    } else {
        stream->error = 1;
        __lariat_set_errno();
    }
}

/* What was pushed back, or any character, or EOF. */
int fgetc(FILE *stream)
{
    __lariat_use_stream(stream);
    if (stream->pushed != 0) {
        int pushed = stream->pushed - 1;
        stream->pushed = 0;
        return pushed;
    }
    if (stream->eof || __lariat_input_choice(stream)) {
        if (!stream->eof)
            __lariat_no_input(stream);
        return EOF;
    }
    return __lariat_is_own_output(stream) ? (unsigned char)__lariat_any_int() : __VERIFIER_nondet_uchar();
}

/* fgetc. */
int getc(FILE *stream)
{
    return fgetc(stream);
}

/* fgetc(stdin). */
int getchar(void)
{
    return fgetc(stdin);
}

/* A word of the file, or EOF. */
int getw(FILE *stream)
{
    __lariat_use_stream(stream);
    if (__lariat_input_choice(stream)) {
        __lariat_no_input(stream);
        return EOF;
    }
    return __lariat_is_own_output(stream) ? __lariat_any_int() : __VERIFIER_nondet_int();
}

/* The next fgetc gives c; c, or EOF if that is not possible. */
int ungetc(int c, FILE *stream)
{
    __lariat_use_stream(stream);
    if (c == EOF || stream->pushed != 0)
        return EOF;
    stream->pushed = (int)(unsigned char)c + 1;
    stream->eof = 0;
    return (unsigned char)c;
}

/* Reads up to and with the end of the line, at most n - 1 characters, and writes a zero; null if there is nothing. */
char *fgets(char *restrict s, int n, FILE *restrict stream)
{
    int i = 0;
    if (n <= 0)
        return NULL;
    while (i < n - 1) {
        int c = fgetc(stream);
        if (c == EOF) {
            if (i == 0 || stream->error)
                return NULL;
            break;
        }
        s[i] = (char)c;
        i++;
        if (c == '\n')
            break;
    }
    s[i] = 0;
    return s;
}

/* Reads a line of any length into s, without its end; null if there is nothing. */
char *gets(char *s)
{
    size_t i = 0;
    for (;;) {
        int c = fgetc(stdin);
        if (c == '\n')
            break;
        if (c == EOF) {
            if (i == 0)
                return NULL;
            break;
        }
        s[i] = (char)c;
        i++;
    }
    s[i] = 0;
    return s;
}

/* Bytes that were read, n of at most so many. Few are written one by one, so that what lies behind them stays. */
static void __lariat_read_into(void *to, size_t most, size_t n, FILE *stream)
{
    int is_own = __lariat_is_own_output(stream);
    __lariat_check(n == 0 || __lariat_valid(to, n), "bounds", "the function writes outside of the object");
    if (most <= 8) {
        unsigned char *bytes = to;
        for (int i = 0; i < 8; i++)
            if ((size_t)i < n)
                bytes[i] = is_own ? (unsigned char)__lariat_any_int() : __VERIFIER_nondet_uchar();
    } else if (is_own) {
        __lariat_any_bytes(to, n);
    } else {
        __lariat_havoc(to, n);
    }
}

/* Reads up to and with a delimiter into a buffer on the heap, which is made larger where needed; its length, or -1. */
ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
    __lariat_use_stream(stream);
    if (__lariat_input_choice(stream)) {
        __lariat_no_input(stream);
        return -1;
    }
    size_t length = __VERIFIER_nondet_size_t();
    __lariat_assume(length > 0 && length < SIZE_MAX / 4);
    if (*line == NULL || *size < length + 1) {
        size_t room = __VERIFIER_nondet_size_t();
        __lariat_assume(room > length && room < SIZE_MAX / 2);
        char *larger = malloc(room);
        if (larger == NULL)
            return -1;
        __lariat_free(*line);
        *line = larger;
        *size = room;
    }
    __lariat_read_into(*line, SIZE_MAX, length, stream);
    (*line)[length] = 0;
    return (ssize_t)length;
}

/* getdelim for a line. */
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
    return getdelim(line, size, '\n', stream);
}

/* Reads at most count elements, and returns how many; fewer at the end or on failure. */
size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict stream)
{
    __lariat_use_stream(stream);
    if (size == 0 || count == 0)
        return 0;
    size_t done = count;
    size_t more = 0;
    if (__lariat_input_choice(stream)) {
        done = __VERIFIER_nondet_size_t();
        more = __VERIFIER_nondet_size_t();
        __lariat_assume(done < count && more < size);
        __lariat_no_input(stream);
    }
    __lariat_read_into(to, size > 8 ? size : size * count, done * size + more, stream);
    return done;
}

/* ---- writing ---- */

/* The character, or EOF on failure. */
int fputc(int c, FILE *stream)
{
    __lariat_use_output(stream);
    if (__VERIFIER_nondet_bool())
        return (unsigned char)c;
    __lariat_set_errno();
    return EOF;
}

/* fputc. */
int putc(int c, FILE *stream)
{
    return fputc(c, stream);
}

/* fputc(c, stdout). */
int putchar(int c)
{
    return fputc(c, stdout);
}

/* Any number that is not negative, or EOF on failure. */
int fputs(const char *restrict s, FILE *restrict stream)
{
    __lariat_use_output(stream);
    __lariat_read_string(s);
    int result = __VERIFIER_nondet_int();
    __lariat_assume(result >= EOF);
    if (result < 0)
        __lariat_set_errno();
    return result;
}

/* Any number that is not negative, or EOF on failure. */
int puts(const char *s)
{
    return fputs(s, stdout);
}

/* Writes at most count elements, and returns how many; fewer on failure. */
size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict stream)
{
    __lariat_use_output(stream);
    if (size == 0 || count == 0)
        return 0;
    __lariat_check(__lariat_valid(from, size * count), "bounds", "fwrite reads outside of the object");
    __lariat_give_out(from, size * count);
    size_t done = __VERIFIER_nondet_size_t();
    __lariat_assume(done <= count);
    if (done < count)
        __lariat_set_errno();
    return done;
}

/* Writes a message. */
void perror(const char *s)
{
    if (s != NULL)
        __lariat_read_string(s);
}

/* ---- formatted output: any number of characters, or negative on failure ---- */

/* The result of the functions that write to a stream. */
int __lariat_printed(void)
{
    if (__VERIFIER_nondet_bool())
        __lariat_set_errno();
    return __lariat_any_int();
}

/* Writes to stdout. */
int printf(const char *restrict format, ...)
{
    return __lariat_printed();
}

/* Writes to a stream. */
int fprintf(FILE *restrict stream, const char *restrict format, ...)
{
    __lariat_use_output(stream);
    return __lariat_printed();
}

/* Writes to a file. */
int dprintf(int fd, const char *restrict format, ...)
{
    return __lariat_printed();
}

int __lariat_format(char *to, size_t room, const char *format, va_list arguments);

/* What is printed to a stream is forgotten. Its format is followed where that can matter: with memory checks, and where %n may
   be in it. */
static int __lariat_print(const char *format, va_list arguments)
{
    if (LARIAT_CHECKS_MEMORY || __lariat_has_count_format())
        __lariat_format(NULL, 0, format, arguments);
    return __lariat_printed();
}

/* Writes to stdout. */
int vprintf(const char *restrict format, va_list arguments)
{
    return __lariat_print(format, arguments);
}

/* Writes to a stream. */
int vfprintf(FILE *restrict stream, const char *restrict format, va_list arguments)
{
    __lariat_use_output(stream);
    return __lariat_print(format, arguments);
}

/* Writes to a file. */
int vdprintf(int fd, const char *restrict format, va_list arguments)
{
    return __lariat_print(format, arguments);
}

/* printf whose format is not constant. */
int __lariat_any_printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = vprintf(format, arguments);
    va_end(arguments);
    return result;
}

/* fprintf whose format is not constant. */
int __lariat_any_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = vfprintf(stream, format, arguments);
    va_end(arguments);
    return result;
}

/* dprintf whose format is not constant. */
int __lariat_any_dprintf(int fd, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = vdprintf(fd, format, arguments);
    va_end(arguments);
    return result;
}

/* Writes a text into a buffer. */
int vsprintf(char *restrict to, const char *restrict format, va_list arguments)
{
    return __lariat_format(to, SIZE_MAX, format, arguments);
}

/* Writes at most size - 1 characters and a zero into a buffer. */
int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
{
    return __lariat_format(to, size, format, arguments);
}

/* Writes a text into a buffer. */
int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = __lariat_format(to, SIZE_MAX, format, arguments);
    va_end(arguments);
    return result;
}

/* Writes at most size - 1 characters and a zero into a buffer. */
int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = __lariat_format(to, size, format, arguments);
    va_end(arguments);
    return result;
}

/* A text on the heap. */
int vasprintf(char **restrict to, const char *restrict format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = __lariat_format(NULL, 0, format, again);
    va_end(again);
    char *text = malloc((size_t)length + 1);
    if (text == NULL)
        return -1;
    __lariat_format(text, (size_t)length + 1, format, arguments);
    *to = text;
    return length;
}

/* asprintf whose format is not constant. */
int __lariat_any_asprintf(char **to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = vasprintf(to, format, arguments);
    va_end(arguments);
    return result;
}

/* A text on the heap: any text. */
int asprintf(char **restrict to, const char *restrict format, ...)
{
    int length = __lariat_printed();
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text == NULL)
        return -1;
    __lariat_any_bytes(text, (size_t)length);
    text[length] = 0;
    *to = text;
    return length;
}

/* ---- formatted input: see format.c ---- */

int __lariat_scan_begin(int conversions);

/* How many conversions fscanf makes. */
int __lariat_scan_file(FILE *stream, int conversions)
{
    __lariat_use_stream(stream);
    stream->pushed = 0;
    int made = __lariat_scan_begin(conversions);
    if (__lariat_is_own_output(stream) && __lariat_any_int() == 0)
        made = conversions;
    if (made < conversions && __VERIFIER_nondet_bool())
        __lariat_no_input(stream);
    return made;
}

/* How many conversions scanf makes. */
int __lariat_scan_stdin(int conversions)
{
    return __lariat_scan_file(stdin, conversions);
}

/* How many conversions sscanf makes. */
int __lariat_scan_text(const char *s, int conversions)
{
    __lariat_read_string(s);
    int made = __lariat_any_int();
    __lariat_assume(made >= EOF && made <= conversions);
    return made;
}

/* ---- files ---- */

/* 0, or -1 on failure. */
int remove(const char *path)
{
    __lariat_read_string(path);
    return __lariat_zero_or_eof();
}

/* 0, or -1 on failure. */
int rename(const char *from, const char *to)
{
    __lariat_read_string(from);
    __lariat_read_string(to);
    return __lariat_zero_or_eof();
}

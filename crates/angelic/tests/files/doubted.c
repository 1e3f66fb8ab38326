// What the library reads is in doubt, but a specification excludes the failure whatever it is.
// run: default
//   spec scanned: out != NULL
int sscanf(const char *text, const char *format, ...);
void scanned(int *out)
{
    int n;
    if (sscanf("12", "%d", &n) == 1 && n > 5)
        *out = 1;
}

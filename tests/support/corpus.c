/*
 * Feeds the files named on the command line to a fuzz target, without clang:
 * so that what was once found stays mended.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    INPUT_MAX = 1 << 20
};

static void
feed(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(INPUT_MAX);
    if (file == NULL || data == NULL) {
        (void)fprintf(stderr, "%s can't be read\n", path);
        exit(EXIT_FAILURE);
    }
    size_t size = fread(data, 1, INPUT_MAX, file);
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        feed(argv[i]);
    }
    (void)printf("%d inputs\n", argc - 1);
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

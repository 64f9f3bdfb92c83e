/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays a corpus through a fuzz target: each argument is a file or a folder
 * of files. A folder that does not exist counts as empty. The target fails by
 * crashing; then the name of the file is printed.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static char current[PATH_MAX];

static void
crashed(int number)
{
	if (write(2, "input: ", 7) > 0 &&
	    write(2, current, strlen(current)) > 0 && write(2, "\n", 1) > 0)
		fsync(2);
	signal(number, SIG_DFL);
	raise(number);
}

static int
replay_file(const char *path, size_t length)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = malloc(length ? length : 1);
	size_t got;

	if (!file || !bytes) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	got = fread(bytes, 1, length, file);
	fclose(file);
	snprintf(current, sizeof(current), "%s", path);
	LLVMFuzzerTestOneInput(bytes, got);
	free(bytes);
	return 1;
}

static int
replay(const char *path)
{
	struct dirent *entry;
	struct stat status;
	int count = 0;
	DIR *folder;

	if (stat(path, &status) < 0)
		return 0;
	if (!S_ISDIR(status.st_mode))
		return replay_file(path, (size_t)status.st_size);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		char inner[PATH_MAX];

		if (entry->d_name[0] == '.')
			continue;
		if (snprintf(inner, sizeof(inner), "%s/%s", path,
			     entry->d_name) >= (int)sizeof(inner))
			continue;
		count += replay(inner);
	}
	if (folder)
		closedir(folder);
	return count;
}

int
main(int argc, char **argv)
{
	static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
	int count = 0;

	for (size_t i = 0; i < sizeof(fatal) / sizeof(*fatal); i++)
		signal(fatal[i], crashed);
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	for (int i = 1; i < argc; i++)
		count += replay(argv[i]);
	printf("%d inputs\n", count);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Something of everything that the recipes of docs/JSON.md look for. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int
main(void)
{
	char *volatile kept[3];

	usleep(1000);
	usleep(30000);
	usleep(20000);
	for (int i = 0; i < 3; i++)
		kept[i] = malloc(1000 + (size_t)i);
	free(kept[1]);
	free(NULL);
	if (open("/no/such/file", O_RDONLY) >= 0 ||
	    open("/etc/passwd/x", O_RDONLY) >= 0)
		return 1;
	return open("/dev/null", O_RDONLY) < 0;
}

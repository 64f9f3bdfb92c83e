// SPDX-License-Identifier: GPL-2.0-or-later
// Throws an exception, catches it, throws it again and catches it.
#include <cstdio>
#include <stdexcept>

int
main()
{
	try {
		try {
			throw std::runtime_error("x");
		} catch (const std::exception &) {
			throw;
		}
	} catch (const std::exception &e) {
		std::puts(e.what());
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C++ names are shown as in the source, through templates, virtual functions
 * and callbacks of a library. Calls made while an exception unwinds have whole
 * stacks.
 *
 * CFLAGS: -O1 -fno-optimize-sibling-calls
 * FILE: p.conf: int probe(int);
 *
 * RUN: xtrace -F p.conf -w 4 -x probe %t
 * CONTAINS:
 *   probe(1) = 1
 *       shop::Shelf::find<int>+%hex@t
 *       shop::Base::start+%hex@t
 *       main+%hex@t
 *   probe(2 <unfinished ...>
 *       shop::broken+%hex@t
 *       main+%hex@t
 *   probe(3) = 3
 *       shop::Shelf::find<int>+%hex@t
 *       shop::Shelf::~Shelf+%hex@t
 *       main+%hex@t
 */
#include <stdexcept>

#define NOINLINE __attribute__((noinline))

extern "C" NOINLINE int
probe(int n)
{
	__asm__ volatile("" : "+r"(n) : : "memory");
	if (n == 2)
		throw std::runtime_error("two");
	return n;
}

namespace shop
{

struct Base {
	virtual int find_it(int n) = 0;
	NOINLINE int
	start(int n)
	{
		return find_it(n) + 1;
	}
	virtual ~Base() = default;
};

struct Shelf : Base {
	template <typename T>
	NOINLINE T
	find(T n)
	{
		return probe(n) + 1;
	}
	__attribute__((always_inline)) int
	find_in(int n)
	{
		return find<int>(n);
	}
	int find_it(int n) override;
	NOINLINE ~Shelf() override
	{
		find<int>(3);
	}
};

NOINLINE int
broken(int n)
{
	return probe(n) + 1;
}

}

int
shop::Shelf::find_it(int n)
{
	return find_in(n);
}

int
main()
{
	shop::Shelf shelf;

	shelf.start(1);
	try {
		shop::broken(2);
	} catch (const std::exception &) {
	}
	return 0;
}

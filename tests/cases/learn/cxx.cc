// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C++: references are followed, `this` is a parameter, and an object is passed
 * and returned at an address if it has a destructor or cannot be copied. An
 * object that can be moved without code of its own is returned in registers.
 *
 * CFLAGS: -g -O0 -std=c++17
 * VARIANT: gcc CC=g++
 * VARIANT: clang CC=clang++
 *
 * RUN: xtrace --demangle --names -x 'shop::Item::cost+shop::[a-z]*' %t
 * EXPECT:
 *   shop::Item::cost(this=%hex, n=3) = 30
 *   shop::total(item={id=7, price=10}, name={at="copy"}, kind=LARGE) = 8
 *   shop::label(name={at="text"}) = {at="copy"}
 *   shop::pin(n=7) = {id=7}
 *   shop::box(n=8) = {pinned={id=8}}
 *   shop::move(n=9) = {id=9}
 *   +++ exited (status 0) +++
 */
#include "subject.h"

namespace shop {
enum class Kind : unsigned char { SMALL, LARGE };

struct Text {
	const char *at;
	explicit Text(const char *text);
	Text(const Text &text);
	~Text();
};

struct Item {
	int id;
	int price;
	int cost(int n) const;
};

struct Pinned {
	int id;
	explicit Pinned(int n) : id(n)
	{
	}
	Pinned(const Pinned &) = delete;
};

struct Box {
	Pinned pinned;
};

struct Moved {
	int id;
	explicit Moved(int n) : id(n)
	{
	}
	Moved(const Moved &) = delete;
	Moved(Moved &&) = default;
};

Pinned pin(int n);
Box box(int n);
Moved move(int n);
int total(const Item &item, Text name, Kind kind);
Text label(const Text &name);

NOINLINE int
Item::cost(int n) const
{
	return n * price;
}

NOINLINE int
total(const Item &item, Text name, Kind kind)
{
	return item.id + (name.at != nullptr) * static_cast<int>(kind);
}

NOINLINE Text
label(const Text &name)
{
	return Text(name);
}

NOINLINE Pinned
pin(int n)
{
	return Pinned(n);
}

NOINLINE Box
box(int n)
{
	return { Pinned(n) };
}

NOINLINE Moved
move(int n)
{
	return Moved(n);
}

NOINLINE Text::Text(const char *text) : at(text)
{
}

NOINLINE Text::Text(const Text &text) : at(text.at ? "copy" : nullptr)
{
}

NOINLINE Text::~Text()
{
	at = nullptr;
}
}

int
main()
{
	shop::Item item = { 7, 10 };
	shop::Text text("text");

	item.cost(3);
	shop::total(item, text, shop::Kind::LARGE);
	shop::label(text);
	shop::pin(7);
	shop::box(8);
	shop::move(9);
	return 0;
}

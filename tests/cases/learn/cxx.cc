// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C++: references are followed, an object with a destructor is passed and
 * returned at an address, and `this` is a parameter.
 *
 * CFLAGS: -g -O0
 * VARIANT: clang CC=clang++
 *
 * RUN: xtrace --demangle --names -x 'shop::Item::cost+shop::total+shop::label' %t
 * EXPECT:
 *   shop::Item::cost(this=%hex, n=3) = 30
 *   shop::total(item={id=7, price=10}, name={at="copy"}, kind=LARGE) = 8
 *   shop::label(name={at="text"}) = {at="copy"}
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
	return 0;
}

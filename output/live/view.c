/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each key means depends on the mode. While the user types, most keys are
 * text; in the table they are commands. A key without a meaning does nothing.
 */
#include "output/live/view.h"

#include "base/utf8.h"

#define TYPED_MOST 200
#define CONTROL(letter) ((letter)&0x1f)
#define DELETE 0x7f

void
view_init(struct live_view *view, unsigned groups)
{
	*view = (struct live_view){ .groups = groups, .page = 1 };
	str_init(&view->filter);
	str_init(&view->file);
}

void
view_release(struct live_view *view)
{
	str_release(&view->filter);
	str_release(&view->file);
}

/* Chooses another row. Keys that do not move do nothing. */
static void
move(struct live_view *view, unsigned key)
{
	size_t last = view->rows ? view->rows - 1 : 0;
	size_t step = 1;

	if (key == VIEW_KEY_PAGE_UP || key == VIEW_KEY_PAGE_DOWN)
		step = view->page;
	if (key == VIEW_KEY_HOME)
		view->chosen = 0;
	else if (key == VIEW_KEY_END)
		view->chosen = last;
	else if (key == VIEW_KEY_UP || key == VIEW_KEY_PAGE_UP)
		view->chosen -= view->chosen < step ? view->chosen : step;
	else if (key == VIEW_KEY_DOWN || key == VIEW_KEY_PAGE_DOWN)
		view->chosen += step;
	if (view->chosen > last)
		view->chosen = last;
}

static enum view_act
key_of_table(struct live_view *view, unsigned key)
{
	switch (key) {
	case 'q':
		return VIEW_LEAVE;
	case '?':
	case 'h':
		view->mode = VIEW_HELP;
		break;
	case 's':
	case VIEW_KEY_RIGHT:
		view->sort = (view->sort + 1) % VIEW_SORTS;
		view->chosen = 0;
		break;
	case VIEW_KEY_LEFT:
		view->sort = (view->sort + VIEW_SORTS - 1) % VIEW_SORTS;
		view->chosen = 0;
		break;
	case 'g':
		view->group = (view->group + 1) % view->groups;
		view->chosen = 0;
		break;
	case '/':
		view->mode = VIEW_FILTER;
		break;
	case 'w':
	case 'f':
		view->mode = VIEW_SAVE;
		view->flame = key == 'f';
		break;
	case VIEW_KEY_ENTER:
		if (view->rows == 0)
			break;
		view->mode = VIEW_DETAILS;
		view->scroll = 0;
		return VIEW_OPEN;
	case 't':
		view->mode = VIEW_STACKS;
		view->scroll = 0;
		return VIEW_LOOK;
	case VIEW_KEY_ESCAPE:
		str_clear(&view->filter);
		break;
	case 'p':
	case ' ':
		view->paused = !view->paused;
		break;
	case 'r':
		view->chosen = 0;
		return VIEW_RESET;
	case CONTROL('L'):
		return VIEW_REDRAW;
	default:
		move(view, key);
		break;
	}
	return VIEW_NOTHING;
}

/* Adds the character in UTF-8. */
static void
add_character(struct str *to, unsigned c)
{
	char bytes[4];
	size_t count = 0;

	if (c < 0x80) {
		bytes[count++] = (char)c;
	} else if (c < 0x800) {
		bytes[count++] = (char)(0xc0 | c >> 6);
		bytes[count++] = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		bytes[count++] = (char)(0xe0 | c >> 12);
		bytes[count++] = (char)(0x80 | (c >> 6 & 0x3f));
		bytes[count++] = (char)(0x80 | (c & 0x3f));
	} else {
		bytes[count++] = (char)(0xf0 | c >> 18);
		bytes[count++] = (char)(0x80 | (c >> 12 & 0x3f));
		bytes[count++] = (char)(0x80 | (c >> 6 & 0x3f));
		bytes[count++] = (char)(0x80 | (c & 0x3f));
	}
	str_add_bytes(to, bytes, count);
}

/* Removes the last character. */
static void
remove_character(struct str *from)
{
	size_t length = from->length;

	while (length > 0 && (from->text[length - 1] & 0xc0) == 0x80)
		length--;
	if (length > 0)
		length--;
	str_cut(from, length);
}

static bool
is_text(unsigned key)
{
	if (key < 0x80)
		return key >= ' ' && key != DELETE;
	return key < VIEW_KEY_UP && utf8_harmless(key);
}

/* Changes the text that the user is typing as the key says. */
static void
type(struct str *text, unsigned key)
{
	if (key == VIEW_KEY_BACKSPACE) {
		if (text->length > 0)
			remove_character(text);
	} else if (key == CONTROL('U')) {
		str_clear(text);
	} else if (is_text(key) && text->length < TYPED_MOST) {
		add_character(text, key);
	}
}

static void
key_of_filter(struct live_view *view, unsigned key)
{
	view->chosen = 0;
	if (key == VIEW_KEY_ESCAPE)
		str_clear(&view->filter);
	if (key == VIEW_KEY_ENTER || key == VIEW_KEY_ESCAPE)
		view->mode = VIEW_TABLE;
	else
		type(&view->filter, key);
}

static enum view_act
key_of_save(struct live_view *view, unsigned key)
{
	if (key == VIEW_KEY_ESCAPE)
		str_clear(&view->file);
	if (key != VIEW_KEY_ENTER && key != VIEW_KEY_ESCAPE) {
		type(&view->file, key);
		return VIEW_NOTHING;
	}
	view->mode = VIEW_TABLE;
	return view->file.length > 0 ? VIEW_WRITE : VIEW_NOTHING;
}

/* A key while the page is a text. The page corrects a scroll that is too large.
 */
static enum view_act
key_of_text(struct live_view *view, unsigned key)
{
	size_t step = key == VIEW_KEY_PAGE_UP || key == VIEW_KEY_PAGE_DOWN
			      ? view->page
			      : 1;

	switch (key) {
	case 'q':
		return VIEW_LEAVE;
	case VIEW_KEY_UP:
	case VIEW_KEY_PAGE_UP:
		view->scroll -= view->scroll < step ? view->scroll : step;
		break;
	case VIEW_KEY_DOWN:
	case VIEW_KEY_PAGE_DOWN:
		view->scroll += step;
		break;
	case VIEW_KEY_HOME:
		view->scroll = 0;
		break;
	case CONTROL('L'):
		return VIEW_REDRAW;
	case 't':
		if (view->mode == VIEW_STACKS)
			return VIEW_LOOK;
		/* fall through */
	default:
		view->mode = VIEW_TABLE;
		break;
	}
	return VIEW_NOTHING;
}

enum view_act
view_key(struct live_view *view, unsigned key)
{
	switch (view->mode) {
	case VIEW_FILTER:
		key_of_filter(view, key);
		return VIEW_NOTHING;
	case VIEW_SAVE:
		return key_of_save(view, key);
	case VIEW_DETAILS:
	case VIEW_STACKS:
		return key_of_text(view, key);
	case VIEW_HELP:
		if (key == 'q')
			return VIEW_LEAVE;
		view->mode = VIEW_TABLE;
		return VIEW_NOTHING;
	case VIEW_TABLE:
		break;
	}
	return key_of_table(view, key);
}

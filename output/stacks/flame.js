/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the picture interactive: zoom, search, tooltips, keyboard, folded
 * recursion, upside down. All data is in the picture (output/stacks/flame.c).
 * flame_page.js, the second half of this script, follows it. The script
 * makes two trees from the picture and shows one of them: the frames as they
 * are, or with direct recursion folded into one frame.
 */
(function () {
	'use strict';

	var SVG = 'http://www.w3.org/2000/svg';
	var XHTML = 'http://www.w3.org/1999/xhtml';
	var picture = document.querySelector('svg.flame');
	var area = document.getElementById('frames');
	var unit = picture.dataset.unit;
	var row = +picture.dataset.row;
	var head = +picture.dataset.head, foot = +picture.dataset.foot;
	var upward = picture.dataset.form === 'flames';

	var frames = [];    // in the order of the file: outer frames first;
			    // frame.node is a frame's node in the shown tree
	var frame_of = new Map(); // the frame of each SVG element
	var plain, folded;  // two trees; folded is made when needed
	var shown;          // plain or folded: { root, all }
	var focus;          // the node that is as wide as the picture
	var current;        // the node with the keyboard's focus
	var sought = null;  // a function that tests a name, or null
	var letter = 7.2;   // the width of a letter, in pixels

	// ---- the frames, read ------------------------------------------------

	function number(element, key) {
		var value = element.dataset[key];
		return value === undefined ? 0 : +value;
	}

	// Splits "find (user.py:42)" into function and place. Other names have
	// no place.
	function parts(name) {
		var found = /^(.*) \((.*:\d+)\)$/.exec(name);
		return found ? { name: found[1], place: found[2] }
			     : { name: name, place: '' };
	}

	function read() {
		var open = [];
		area.querySelectorAll('.f').forEach(function (element) {
			var title = element.querySelector('title');
			var text = element.querySelector('text');
			var depth = number(element, 'd');
			var frame = {
				element: element, text: text,
				name: text.textContent, inner: [],
				weight: number(element, 'w'),
				own: number(element, 'o'),
				calls: number(element, 'c'),
				before: number(element, 'b'),
				within: number(element, 'i')
			};
			title.remove();
			element.setAttribute('data-name', frame.name);
			frame.parts = parts(frame.name);
			open[depth] = frame;
			if (depth > 0)
				open[depth - 1].inner.push(frame);
			frames.push(frame);
			frame_of.set(element, frame);
		});
	}

	// ---- trees -----------------------------------------------------------

	function sum(group, key) {
		return group.reduce(function (all, frame) {
			return all + frame[key];
		}, 0);
	}

	// The frames of a group become one node. With fold, inner frames of the
	// same function become part of it, too.
	function node(group, outer, fold, all) {
		var first = group[0], made = {
			frame: first, outer: outer, inner: [],
			depth: outer ? outer.depth + 1 : 0,
			weight: sum(group, 'weight'),
			before: sum(group, 'before'), own: 0, calls: 0, within: 0,
			levels: 0, level: 1
		};
		var names = new Map(), level = group;

		if (outer && outer.frame.parts.name === first.parts.name)
			made.level = outer.level + 1;
		all.push(made);
		while (level.length) {
			var further = [];
			level.forEach(function (frame) {
				made.own += frame.own;
				made.calls += frame.calls;
				made.within += frame.within;
				frame.inner.forEach(function (inner) {
					if (fold && inner.parts.name ===
					    first.parts.name) {
						further.push(inner);
						return;
					}
					var same = fold ? inner.name : inner;
					if (!names.has(same))
						names.set(same, []);
					names.get(same).push(inner);
				});
			});
			made.levels++;
			level = further;
		}
		Array.from(names.values()).map(function (within) {
			return { group: within, weight: sum(within, 'weight') };
		}).sort(function (a, b) {
			return b.weight - a.weight;
		}).forEach(function (within) {
			made.inner.push(node(within.group, made, fold, all));
		});
		return made;
	}

	function place(tree) {
		tree.all.forEach(function (at) {
			var from = at.outer ? at.outer.next : 0;
			at.from = at.next = from;
			if (at.outer)
				at.outer.next += at.weight;
			at.frame.node = at;
		});
		tree.depth = Math.max.apply(null, [0].concat(
			tree.all.map(function (at) { return at.depth; })));
	}

	function tree(fold) {
		var all = [];
		return { root: node([frames[0]], null, fold, all), all: all };
	}

	// ---- numbers for people ----------------------------------------------

	function grouped(value) {
		return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
	}

	function scaled(value, step, units) {
		var at = 0;
		while (value >= step && at < units.length - 1) {
			value /= step;
			at++;
		}
		return (at === 0 || value >= 1000 ? String(Math.round(value)) :
			value.toPrecision(4)) + units[at];
	}

	function calls(value) {
		return grouped(value) + (value === 1 ? ' call' : ' calls');
	}

	function told(weight) {
		if (unit === 'us')
			return scaled(weight, 1000, ['us', 'ms', 's']);
		if (unit === 'bytes')
			return scaled(weight, 1000, [' B', ' kB', ' MB', ' GB', ' TB']);
		return unit === 'calls' ? calls(weight) : grouped(weight);
	}

	function share(weight, whole) {
		var part = whole ? 100 * weight / whole : 100;
		return (part >= 1 ? part.toFixed(1) : part.toFixed(2)) + '\u2009%';
	}

	// ---- drawing ---------------------------------------------------------

	function fitting(at, room) {
		var most = Math.floor((room - 8) / letter);
		var name = at.frame.name, of = at.frame.parts;
		var times = at.levels > 1 ? ' \u21bb' + at.levels :
			at.level > 1 ? ' \u00b7' + at.level : '';

		if (most < 2)
			return '';
		if (name.length + times.length <= most)
			return name + times;
		if (of.place) {
			name = of.name + ' (' + of.place.replace(/^.*\//, '') + ')';
			if (name.length + times.length <= most)
				return name + times;
			name = of.name;
			if (name.length + times.length <= most)
				return name + times;
		}
		return name.slice(0, most - 1) + '\u2026';
	}

	function within(at, around) {
		return at.from >= around.from && at.depth >= around.depth &&
			at.from + at.weight <= around.from + around.weight &&
			(at.weight > 0 || around === shown.root);
	}

	function is_around(at, inner) {
		for (var out = inner.outer; out; out = out.outer)
			if (out === at)
				return true;
		return false;
	}

	function draw_node(at, wide) {
		var element = at.frame.element, around = is_around(at, focus);
		var part = around ? 1 : focus.weight ? at.weight / focus.weight : 1;
		var from = around || !focus.weight ? 0 :
			(at.from - focus.from) / focus.weight;

		at.visible = around || within(at, focus);
		element.style.display = at.visible ? '' : 'none';
		if (!at.visible)
			return;
		element.setAttribute('x', 100 * from + '%');
		element.setAttribute('width', 100 * part + '%');
		element.setAttribute('y', row * (upward ? shown.depth - at.depth :
						 at.depth));
		element.classList.toggle('around', around);
		at.frame.text.textContent = fitting(at, part * wide);
	}

	function draw() {
		// The frames have 98% of the picture's width. Their own width
		// cannot be measured: it includes labels that are too long
		// until they are fitted.
		var wide = 0.98 * picture.getBoundingClientRect().width;
		var height = head + foot + row * (shown.depth + 1);

		frames.forEach(function (frame) {
			if (!frame.node)
				frame.element.style.display = 'none';
		});
		shown.all.forEach(function (at) { draw_node(at, wide); });
		picture.setAttribute('height', height);
		area.setAttribute('height', height - head);
		reset.disabled = focus === shown.root;
	}

	function show_tree(fold) {
		var was = current.frame;
		if (fold && !folded)
			folded = tree(true);
		shown = fold ? folded : plain;
		frames.forEach(function (frame) { frame.node = null; });
		place(shown);
		focus = shown.root;
		current = was.node || shown.root;
		recursion.setAttribute('aria-pressed', String(fold));
		draw();
		mark_hits();
		walk_to(current, false);
	}

	function turn() {
		upward = !upward;
		picture.dataset.form = upward ? 'flames' : 'icicle';
		turned.setAttribute('aria-pressed', String(upward));
		hide_tip();
		draw();
	}

	function zoom(at) {
		focus = at;
		hide_tip();
		draw();
		mark_hits();
	}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the picture interactive: zoom, search, tooltips, keyboard, folded
 * recursion. All data is in the picture (output/stacks/flame.c). The script shows
 * one of two trees made from it: the frames as they are, or with direct
 * recursion folded into one frame.
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

	var frames = [];    // as in the file: outer frames first; frame.node is
			    // the frame's node in the shown tree
	var frame_of = new Map(); // by element
	var plain, folded;  // the two trees; the second is made when needed
	var shown;          // one of them: { root, all }
	var focus;          // the node that is as wide as the picture
	var current;        // the node with the keyboard's focus
	var sought = null;  // a function that tests a name, or null
	var letter = 7.2;   // its width in pixels

	// ---- the frames, read ------------------------------------------------

	function number(element, key) {
		var value = element.dataset[key];
		return value === undefined ? 0 : +value;
	}

	// "find (user.py:42)": the function and its place. Other names: no place.
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
			weight: sum(group, 'weight'), own: 0, calls: 0, within: 0,
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
		element.setAttribute('y', at.depth * row);
		element.classList.toggle('around', around);
		at.frame.text.textContent = fitting(at, part * wide);
	}

	function draw() {
		var wide = area.getBoundingClientRect().width;
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

	function zoom(at) {
		focus = at;
		hide_tip();
		draw();
		mark_hits();
	}

	// ---- search ----------------------------------------------------------

	// Text in any case, or /a regular expression/.
	function seeker(text) {
		var found = /^\/(.+)\/$/.exec(text), low = text.toLowerCase();

		if (!text)
			return null;
		if (!found)
			return function (name) {
				return name.toLowerCase().indexOf(low) >= 0;
			};
		try {
			var pattern = new RegExp(found[1], 'i');
			return function (name) { return pattern.test(name); };
		} catch (wrong) {
			return undefined;
		}
	}

	function hits() {
		return shown.all.filter(function (at) {
			return at.visible && at.hit;
		});
	}

	function mark_hits() {
		var weight = 0, count = 0;

		shown.all.forEach(function (at) {
			var out = at.outer;
			at.hit = !!sought && at.depth > 0 && sought(at.frame.name);
			at.in_hit = at.hit || !!(out && out.in_hit);
			at.frame.element.classList.toggle('hit', at.hit);
			if (!at.hit || !at.visible || is_around(at, focus))
				return;
			count++;
			if (!(out && out.in_hit && within(out, focus)))
				weight += at.weight;
		});
		picture.classList.toggle('searching', !!sought);
		matched.textContent = sought ?
			grouped(count) + (count === 1 ? ' frame, ' : ' frames, ') +
			told(weight) + ', ' + share(weight, focus.weight) : '';
		matched.dataset.weight = sought ? weight : '';
	}

	function seek() {
		sought = seeker(field.value);
		field.classList.toggle('bad', sought === undefined);
		mark_hits();
	}

	function next_hit(step) {
		var all = hits(), at = all.indexOf(current);
		if (all.length)
			walk_to(all[(at < 0 && step < 0 ? all.length - 1 :
				     at + step + all.length) % all.length], true);
	}

	// ---- the tooltip -----------------------------------------------------

	function cell(line, text) {
		var made = document.createElementNS(XHTML, 'td');
		made.textContent = text;
		line.appendChild(made);
	}

	function line(table, words) {
		var made = document.createElementNS(XHTML, 'tr');
		words.forEach(function (word) { cell(made, word); });
		table.appendChild(made);
	}

	function rows_of(at) {
		var rows = [['total', told(at.weight),
			     share(at.weight, shown.root.weight) + ' of all']];
		if (focus !== shown.root && within(at, focus))
			rows.push(['', '', share(at.weight, focus.weight) +
				   ' of the zoomed']);
		if (at.own && at.own !== at.weight)
			rows.push(['own', told(at.own),
				   share(at.own, shown.root.weight)]);
		if (at.calls)
			rows.push(['calls', grouped(at.calls), '']);
		else if (at.within)
			rows.push(['calls within', grouped(at.within), '']);
		if (at.calls > 1 && unit === 'us')
			rows.push(['mean, own', told(at.own / at.calls), '']);
		if (at.levels > 1)
			rows.push(['recursion', at.levels + ' levels', '']);
		else if (at.level > 1)
			rows.push(['recursion', 'level ' + at.level, '']);
		return rows;
	}

	function described(at) {
		return at.frame.name + ': ' + rows_of(at).map(function (words) {
			return words.join(' ').trim();
		}).join(', ');
	}

	function show_tip(at, x, y) {
		var box = tip.firstChild, rect;
		var name = document.createElementNS(XHTML, 'b');
		var table = document.createElementNS(XHTML, 'table');
		var whole = picture.getBoundingClientRect();

		name.textContent = at.frame.name;
		rows_of(at).forEach(function (words) { line(table, words); });
		box.replaceChildren(name, table);
		tip.style.display = '';
		rect = box.getBoundingClientRect();
		x = Math.min(x + 14, document.documentElement.clientWidth -
			     rect.width - 8);
		if (y + 18 + rect.height > window.innerHeight)
			y -= rect.height + 30;
		tip.setAttribute('x', Math.max(4, x) - whole.left);
		tip.setAttribute('y', y + 18 - whole.top);
	}

	function hide_tip() {
		tip.style.display = 'none';
	}

	function mark_same(at) {
		shown.all.forEach(function (other) {
			other.frame.element.classList.toggle('same', !!at &&
				other.frame.parts.name === at.frame.parts.name);
		});
	}

	function node_of(target) {
		var element = target.closest && target.closest('.f');
		return element ? frame_of.get(element).node : null;
	}

	// ---- the keyboard ----------------------------------------------------

	function walk_to(at, seen) {
		current.frame.element.setAttribute('tabindex', '-1');
		current = at;
		at.frame.element.setAttribute('tabindex', '0');
		if (!seen)
			return;
		at.frame.element.setAttribute('aria-label', described(at));
		at.frame.element.focus();
		at.frame.element.scrollIntoView({ block: 'nearest' });
		var rect = at.frame.element.querySelector('rect')
			.getBoundingClientRect();
		show_tip(at, rect.left - 10, rect.bottom - 14);
		mark_same(at);
	}

	function beside(at, step) {
		var level = shown.all.filter(function (other) {
			return other.depth === at.depth && other.visible;
		}).sort(function (a, b) { return a.from - b.from; });
		return level[level.indexOf(at) + step];
	}

	function first_visible(nodes) {
		return nodes.filter(function (at) { return at.visible; })[0];
	}

	function walk(key) {
		if (key === 'ArrowDown')
			return first_visible(current.inner);
		if (key === 'ArrowUp')
			return current.outer;
		if (key === 'ArrowLeft')
			return beside(current, -1);
		if (key === 'ArrowRight')
			return beside(current, 1);
		return key === 'Home' ? shown.root : undefined;
	}

	function key_at_frame(event) {
		var to = walk(event.key);
		if (to)
			walk_to(to, true);
		else if (event.key === 'Enter' || event.key === ' ')
			zoom_by_key();
		else if (!/^(Arrow|Home)/.test(event.key))
			return;
		event.preventDefault();
	}

	function zoom_by_key() {
		zoom(current === focus && current.outer ? current.outer : current);
		walk_to(current, true);
	}

	// Each press undoes one thing: first the search, then the zoom.
	function escape() {
		if (field.value) {
			field.value = '';
			seek();
		} else {
			zoom(shown.root);
		}
		if (document.activeElement === field)
			walk_to(current, true);
	}

	function key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === 'Escape') {
			escape();
			hide_tip();
		} else if (event.target === field) {
			if (event.key === 'Enter')
				next_hit(event.shiftKey ? -1 : 1);
		} else if (event.key === '/') {
			field.focus();
			event.preventDefault();
		} else if (event.key === 'r') {
			show_tree(shown === plain);
		} else if (event.key === 'n' || event.key === 'N') {
			next_hit(event.key === 'n' ? 1 : -1);
		} else if (event.target.closest('.f')) {
			key_at_frame(event);
		}
	}

	// ---- what is added to the picture --------------------------------------

	function xhtml(name, attributes, text) {
		var made = document.createElementNS(XHTML, name);
		Object.keys(attributes).forEach(function (key) {
			made.setAttribute(key, attributes[key]);
		});
		made.textContent = text || '';
		return made;
	}

	function foreign(attributes, content) {
		var made = document.createElementNS(SVG, 'foreignObject');
		Object.keys(attributes).forEach(function (key) {
			made.setAttribute(key, attributes[key]);
		});
		made.appendChild(content);
		picture.appendChild(made);
		return made;
	}

	function hint() {
		var made = xhtml('span', { 'class': 'hint' });
		[['Enter', ' or click zooms  '], ['Esc', ' back  '],
		 ['\u2190\u2191\u2193\u2192', ' walk  '], ['/', ' searches  '],
		 ['r', ' folds recursion']].forEach(function (pair) {
			made.appendChild(xhtml('kbd', {}, pair[0]));
			made.appendChild(document.createTextNode(pair[1]));
		});
		return made;
	}

	var field = xhtml('input', { type: 'search', 'aria-label': 'Search',
				     placeholder: 'Search, or /regex/',
				     spellcheck: 'false' });
	var reset = xhtml('button', { type: 'button' }, 'Show all');
	var recursion = xhtml('button', { type: 'button',
					  'aria-pressed': 'false' },
			      'Fold recursion');
	var matched = xhtml('output', { 'aria-live': 'polite' });
	var bar = xhtml('div', { 'class': 'bar' });
	var tip;

	function add_controls() {
		[field, reset, recursion, matched, hint()].forEach(
			function (part) { bar.appendChild(part); });
		foreign({ x: '1%', y: 58, width: '98%', height: 30 }, bar);
		tip = foreign({ x: 0, y: 0, width: 1, height: 1, 'class': 'tip',
				role: 'status' }, xhtml('div', {}));
		hide_tip();
	}

	function listen() {
		area.addEventListener('click', function (event) {
			var at = node_of(event.target);
			if (at) {
				walk_to(at, false);
				at.frame.element.focus({ preventScroll: true });
				zoom(at);
			}
		});
		area.addEventListener('mousemove', function (event) {
			var at = node_of(event.target);
			if (!at) {
				hide_tip();
				return;
			}
			show_tip(at, event.clientX, event.clientY);
			if (at !== hovered)
				mark_same(hovered = at);
		});
		area.addEventListener('mouseleave', function () {
			hide_tip();
			mark_same(hovered = null);
		});
		field.addEventListener('input', seek);
		reset.addEventListener('click', function () { zoom(shown.root); });
		recursion.addEventListener('click', function () {
			show_tree(shown === plain);
		});
		document.addEventListener('keydown', key);
		window.addEventListener('resize', draw);
	}

	var hovered = null;

	function begin() {
		var probe = document.createElementNS(SVG, 'text');

		read();
		probe.textContent = 'MMMMMMMMMMMMMMMMMMMM';
		area.appendChild(probe);
		letter = probe.getComputedTextLength() / 20 || letter;
		probe.remove();
		area.setAttribute('role', 'tree');
		area.setAttribute('aria-label', 'Stacks, the outermost on top');
		frames.forEach(function (frame) {
			frame.element.setAttribute('role', 'treeitem');
			frame.element.setAttribute('tabindex', '-1');
		});
		add_controls();
		plain = tree(false);
		current = plain.root;
		show_tree(false);
		listen();
		picture.classList.add('ready');
	}

	begin();
})();

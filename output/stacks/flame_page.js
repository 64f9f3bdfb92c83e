	// SPDX-License-Identifier: GPL-2.0-or-later
	// The second half of flame.js: search, tooltip and keyboard.

	// ---- search ----------------------------------------------------------

	// Returns a function that tests a name. text is a word in upper or
	// lower case, or /a regular expression/.
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
		hide_tip();
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
		if (picture.querySelector('.legend .e'))
			rows.push(['before', told(at.before),
				   (at.weight < at.before ? '\u2212' : '+') +
				   told(Math.abs(at.weight - at.before))]);
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
		if (key === (upward ? 'ArrowUp' : 'ArrowDown'))
			return first_visible(current.inner);
		if (key === (upward ? 'ArrowDown' : 'ArrowUp'))
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

	// The Escape key undoes one thing at a time: the search, then the zoom.
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
			hide_tip();
			field.focus();
			event.preventDefault();
		} else if (event.key === 'r') {
			show_tree(shown === plain);
		} else if (event.key === 'i') {
			turn();
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
		 ['r', ' folds recursion  '], ['i', ' turns']].forEach(function (pair) {
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
	var turned = xhtml('button', { type: 'button',
				       'aria-pressed': String(upward) },
			   'Turn');
	var matched = xhtml('output', { 'aria-live': 'polite' });
	var bar = xhtml('div', { 'class': 'bar' });
	var tip;

	function add_controls() {
		[field, reset, recursion, turned, matched, hint()].forEach(
			function (part) { bar.appendChild(part); });
		foreign({ x: '1%', y: head - 34, width: '98%', height: 30 }, bar);
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
			// A browser also sends mousemove if the pointer rests,
			// but a search has moved a frame below it.
			var rests = event.clientX === pointer.x &&
				event.clientY === pointer.y;
			pointer = { x: event.clientX, y: event.clientY };
			if (rests && document.activeElement === field)
				return;
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
		turned.addEventListener('click', turn);
		document.addEventListener('keydown', key);
		window.addEventListener('resize', draw);
	}

	var hovered = null, pointer = {};

	function begin() {
		var probe = document.createElementNS(SVG, 'text');

		read();
		probe.textContent = 'MMMMMMMMMMMMMMMMMMMM';
		area.appendChild(probe);
		letter = probe.getComputedTextLength() / 20 || letter;
		probe.remove();
		area.setAttribute('role', 'tree');
		area.setAttribute('aria-label', 'Stacks');
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

# SPDX-License-Identifier: GPL-2.0-or-later
# Draws pages of 24 rows and 80 columns, each in two parts. Before each part it
# waits for a line.
draw() {
	row=$1
	while [ "$row" -le "$2" ]; do
		printf '\033[%d;1H%-80s' "$row" "$3 $row"
		row=$((row + 1))
	done
}

page() {
	read -r _
	draw 1 12 "$1"
	read -r _
	draw 13 24 "$1"
	printf '\033[24;%dH' "$2" # the cursor
}

stty -echo
printf '\033[?1049h\033[?25l'
draw 1 24 first
page second 80
printf '\033[?25h'
page third 9
read -r _
printf '\033[?1049l'
stty echo

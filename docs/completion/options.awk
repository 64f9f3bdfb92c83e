# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads the table of options as the C preprocessor leaves it, one a line,
#
#	'x' "trace" NEEDED "FILTER" WHAT "trace functions " "where ..."
#
# into letter[], word[], argument[], arg[] and help[], from 1 to count. What
# is made of them follows in bash.awk and zsh.awk. The words that --format may
# begin with come before, one a line,
#
#	EXPORT "chrome"
#
# and are in the table of options as FORMAT_WORDS.

# The string at the front of line, which loses it.
function string(  text) {
	sub(/^ */, "", line)
	text = line
	sub(/^"/, "", text)
	sub(/".*/, "", text)
	sub(/^"[^"]*" */, "", line)
	return text
}

# The bare word at the front of line, which loses it.
function bare(  text) {
	sub(/^ */, "", line)
	text = line
	sub(/ .*/, "", text)
	sub(/^[^ ]* */, "", line)
	return text
}

/^ *EXPORT "/ {
	line = $0
	bare()
	format_words = format_words (format_words ? "|" : "") string()
}

/^ *('.'|0) "/ {
	line = $0
	count++
	letter[count] = bare()
	gsub(/'|^0$/, "", letter[count])
	word[count] = string()
	argument[count] = bare()
	if (line ~ /^"/)
		arg[count] = string()
	else if (bare() == "FORMAT_WORDS")
		arg[count] = format_words
	bare() # the group
	while (line ~ /^"/)
		help[count] = help[count] string()
}

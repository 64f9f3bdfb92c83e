# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads the table of options, one per line, as the C preprocessor writes it,
#
#	'x' "trace" NEEDED "FILTER" WHAT "trace functions " "where ..."
#
# into letter[], word[], argument[], arg[] and help[], from 1 to count, for
# bash.awk and zsh.awk. The words for --format come first, one per line,
#
#	EXPORT "chrome"
#
# and replace FORMAT_WORDS in the table of options.

# Takes the string at the start of line.
function string(  text) {
	sub(/^ */, "", line)
	text = line
	sub(/^"/, "", text)
	sub(/".*/, "", text)
	sub(/^"[^"]*" */, "", line)
	return text
}

# Takes the bare word at the start of line.
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

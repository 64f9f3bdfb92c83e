# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads the table of options, one per line, as the C preprocessor writes it,
#
#	'x' "trace" NEEDED "FILTER" WHAT "trace functions " "where ..."
#
# into letter[], word[], argument[], arg[] and help[], from 1 to count, for
# bash.awk, zsh.awk and fish.awk, and puts candidates.sh into assigned().
# kind[] has what candidates.sh calls the arguments that it knows. The words for --format come first, one per line,
#
#	EXPORT "chrome"
#
# and replace FORMAT_WORDS in the table of options.

BEGIN {
	kind["PID"] = "pids"
	kind["PROGRAM"] = "names"
	kind["SET"] = "sets"
	kind["TOPICS"] = "topics"
	kind["FIELDS"] = "fields"
	kind["FILTER"] = "symbols"
}

# Prints the command with which the shell's completion sets __xtrace_sh to the
# text of candidates.sh: `before`, the quoted text, and `after`.
function assigned(before, after,  text, line, i) {
	text = before "'needs=\""
	for (i = 1; i <= count; i++) {
		if (argument[i] == "NEEDED")
			text = text " --" word[i] \
				(letter[i] ? " -" letter[i] : "")
	}
	text = text " \"\n"
	while ((getline line < candidates) > 0) {
		if (line !~ /^#/)
			text = text line "\n"
	}
	return text "'" after
}

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

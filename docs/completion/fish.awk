# SPDX-License-Identifier: GPL-2.0-or-later
#
# The completion for fish: one command for each option.

# Between single quotes, fish takes only \' and \\ as escapes.
function quoted(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

# What the completion offers for the option's argument.
function offers(i,  words) {
	words = arg[i]
	if (gsub(/\|/, " ", words))
		return "-x -a " quoted(words)
	if (words == "FILE")
		return "-r -F"
	if (words == "USER")
		return "-x -a '(__fish_complete_users)'"
	if (words in kind)
		return "-x -a '(__xtrace_candidates " kind[words] ")'"
	return "-x"
}

END {
	print "# fish completion for xtrace(1), made from its table of options."
	print assigned("set -g __xtrace_sh ", "")
	print "function __xtrace_candidates"
	print "\tset -l part (commandline -ct)"
	print "\tset -l before ''"
	print "\tif test $argv[1] = symbols"
	print "\t\tset before (string match -r '^(?:.*[-+,!])?' -- $part)"
	print "\tend"
	print "\tfor found in (sh -c $__xtrace_sh xtrace $argv[1] (commandline -o) 2>/dev/null)"
	print "\t\techo $before$found"
	print "\tend"
	print "end"
	needing = ""
	for (i = 1; i <= count; i++) {
		line = "complete -c xtrace -l " word[i]
		if (letter[i])
			line = line " -s " letter[i]
		if (argument[i] == "NEEDED") {
			line = line " " offers(i)
			needing = needing " --" word[i]
			if (letter[i])
				needing = needing " -" letter[i]
		}
		print line " -d " quoted(help[i])
	}
	print "complete -c xtrace -n '__fish_contains_opt check-config' -F"
	print "complete -c xtrace -x -n 'not __fish_contains_opt check-config' " \
		"-a '(__fish_complete_subcommand --" needing ")'"
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes the completion for bash: three tables, made from the options, and then
# the content of xtrace.bash.

function table(name) {
	printf "declare -gA %s=(\n", name
}

END {
	print "# bash completion for xtrace(1), made from its table of options."
	table("_xtrace_takes")
	for (i = 1; i <= count; i++) {
		printf "\t[--%s]=%s\n", word[i], argument[i]
		if (letter[i])
			printf "\t[-%s]=%s\n", letter[i], argument[i]
	}
	print ")"
	table("_xtrace_arg")
	for (i = 1; i <= count; i++) {
		if (!arg[i])
			continue
		printf "\t[--%s]='%s'\n", word[i], arg[i]
		if (letter[i])
			printf "\t[-%s]='%s'\n", letter[i], arg[i]
	}
	print ")"
	print assigned("__xtrace_sh=", "")
	while ((getline text < template) > 0)
		print text
}

# SPDX-License-Identifier: GPL-2.0-or-later
#
# The completion for zsh: one spec of _arguments for each option.

# What follows the argument's name in a spec: an action of _arguments.
function action(name) {
	if (name ~ /\|/) {
		gsub(/\|/, " ", name)
		return "(" name ")"
	}
	if (name == "FILE")
		return "_files"
	if (name == "USER")
		return "_users"
	if (name in kind)
		return "{_xtrace_candidates " kind[name] "}"
	return " "
}

# Text in a spec, which is in single quotes.
function quoted(text) {
	gsub(/'/, "'\\''", text)
	gsub(/\[/, "\\[", text)
	gsub(/\]/, "\\]", text)
	gsub(/:/, "\\:", text)
	return text
}

END {
	print "#compdef xtrace"
	print "# zsh completion for xtrace(1), made from its table of options."
	print assigned("local __xtrace_sh=", "")
	print "# Of a filter, the last rule is completed."
	print "_xtrace_candidates() {"
	print "\tlocal -a found"
	print "\tfound=(${(f)\"$(sh -c $__xtrace_sh xtrace $1 $words)\"})"
	print "\t[[ $1 == symbols ]] && compset -P \"*[-+,!]\""
	print "\tif [[ $1 == pids ]]; then"
	print "\t\tfound=(${found/$'\\t'/:})"
	print "\t\t_describe process found"
	print "\telse"
	print "\t\tcompadd -a found"
	print "\tfi"
	print "}"
	print ""
	print "_arguments -s -S : \\"
	for (i = 1; i <= count; i++) {
		names = "--" word[i]
		if (argument[i] == "NEEDED")
			names = names "="
		if (argument[i] == "MAYBE")
			names = names "=-"
		if (letter[i])
			names = "{-" letter[i] \
				(argument[i] == "NEEDED" ? "+," : ",") names "}"
		spec = "[" quoted(help[i]) "]"
		if (argument[i] != "NONE") {
			name = arg[i] ~ /\|/ ? "WORD" : arg[i]
			gsub(/'/, "'\\''", arg[i])
			spec = spec (argument[i] == "MAYBE" ? "::" : ":") \
				name ":" action(arg[i])
		}
		printf "\t'*'%s'%s' \\\n", names, spec
	}
	print "\t'(-):command: _command_names -e' \\"
	print "\t'*::arguments: _normal'"
}

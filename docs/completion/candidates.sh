# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the completions of all shells ask for: sh -c SCRIPT xtrace KIND WORD...
# prints the candidates, one per line. The words are those of the command line.
# The completions contain the text of this file within single quotes. Therefore
# it has no single quote, and no backslash, because a backslash has a meaning in
# the quotes of fish. A completion sets $needs before the text: the options that
# need an argument.
# shellcheck shell=sh disable=SC2154

# The processes of the user, without kernel threads, each with its name after a
# tab.
pids() {
	for place in /proc/[1-9]*; do
		if ! [ -O "$place" ] || ! [ -e "$place/exe" ]; then continue; fi
		printf "%s	%s
" "${place#/proc/}" "$(cat "$place/comm" 2>/dev/null)"
	done
}

# Sets last to true if the next word is the argument of this word: --trace, -x,
# -ttTx. Sets pid if the word holds the number of a process.
read_option() {
	last=
	case $1 in
	--attach=*) pid=${1#*=} ;;
	--*=*) ;;
	--*) case "$needs" in *" $1 "*) last=$1 ;; esac ;;
	*)
		letters=${1#-}
		while [ "$letters" ]; do
			rest=${letters#?}
			option=-${letters%"$rest"}
			letters=$rest
			case "$needs" in
			*" $option "*)
				[ "$rest" ] || last=$option
				[ "$rest" ] && [ "$option" = -p ] && pid=$rest
				return
				;;
			esac
		done
		;;
	esac
}

# Prints the file of the command, or of the process of -p.
program() {
	pid=
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		--) shift; break ;;
		-?*)
			read_option "$1"
			case $last in -p | --attach) pid=$2 ;; esac
			[ "$last" ] && [ $# -gt 1 ] && shift
			;;
		?*) break ;;
		esac
		shift
	done
	if [ "$1" ]; then
		command -v "$1"
	elif [ "$pid" ]; then
		echo "/proc/$pid/exe"
	fi
}

# Prints the functions that the program has or calls.
symbols() {
	file=$(program "$@")
	[ "$file" ] || return
	{
		nm -D "$file"
		nm "$file"
	} 2>/dev/null | sed -n "s/^.* [TtWwiU] //p" | sed "s/@.*//" | sort -u
}

kind=$1
shift
case $kind in
pids) pids ;;
names) cat /proc/[1-9]*/comm 2>/dev/null | sort -u ;;
sets) echo help && xtrace --set help | cut -d " " -f 1 ;;
topics) xtrace -D h ;;
fields) printf "%s
" function query text request caller thread process where ;;
symbols) symbols "$@" ;;
esac 2>/dev/null

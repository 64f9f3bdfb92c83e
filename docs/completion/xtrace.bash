
# The words up to the cursor, as the shell will see them, in words: bash splits
# --sort=to into three if = is one of COMP_WORDBREAKS. at[i] is the index of
# the start of words[i] in bash's own list.
_xtrace_words() {
	local i word glue=
	words=("${COMP_WORDS[0]}")
	at=(0)
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $word == '=' && ${words[-1]} == --* && -z $glue ]]; then
			words[-1]+==
			glue=1
		elif [[ $glue ]]; then
			words[-1]+=$word
			glue=
		else
			words+=("$word")
			at+=("$i")
		fi
	done
}

# If the next word is the argument of this word's option, sets option to that
# option, else to nothing: --output; -o; -ttTx, but not -x with something after
# it.
_xtrace_awaits() {
	local letters
	option=
	case $1 in
	--*=*) ;;
	--*) option=$1 ;;
	-?*)
		letters=${1#-}
		while [[ $letters ]]; do
			option=-${letters:0:1}
			letters=${letters:1}
			[[ ${_xtrace_takes[$option]} == NEEDED ]] && break
		done
		[[ $letters ]] && option=
		;;
	esac
	[[ $option && ${_xtrace_takes[$option]} == NEEDED ]] || option=
}

# Offers arguments for option; $1 is the beginning of the argument.
_xtrace_argument() {
	local arg=${_xtrace_arg[$option]}
	case $arg in
	*'|'*) mapfile -t COMPREPLY < <(compgen -W "${arg//|/ }" -- "$1") ;;
	FILE) _xtrace_files "$1" ;;
	PID) _xtrace_candidates pids "$1" ;;
	PROGRAM) _xtrace_candidates names "$1" ;;
	SET) _xtrace_candidates sets "$1" ;;
	TOPICS) _xtrace_candidates topics "$1" ;;
	FIELDS) _xtrace_candidates fields "$1" ;;
	FILTER) _xtrace_candidates symbols "$1" ;;
	USER) mapfile -t COMPREPLY < <(compgen -u -- "$1") ;;
	esac
}

# Offers what candidates.sh prints for the kind. A filter is a list of rules, of
# which the last one is completed.
_xtrace_candidates() {
	local before=
	[[ $1 == symbols && $2 == *[-+,!]* ]] && before=${2%"${2##*[-+,!]}"}
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(sh -c \
		"$__xtrace_sh" xtrace "$1" "${COMP_WORDS[@]}" | cut -f 1)" \
		-- "${2#"$before"}")
}

_xtrace_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_xtrace() {
	local words at option i last cur files=
	COMPREPLY=()
	_xtrace_words
	last=$((${#words[@]} - 1))
	cur=${words[last]}
	for ((i = 1; i < last; i++)); do
		[[ ${words[i]} == --check-config ]] && files=1
		[[ ${words[i]} == -- ]] && ((i++)) && break
		[[ ${words[i]} == -?* ]] || break
		_xtrace_awaits "${words[i]}"
		[[ $option ]] && ((i++))
	done
	if ((i > last)); then
		_xtrace_argument "$cur"
	elif [[ $files && $cur != -* ]]; then
		_xtrace_files "$cur"
	elif ((i < last)) && declare -F _command_offset >/dev/null; then
		_command_offset "${at[i]}"
	elif ((i < last)); then
		_xtrace_files "$cur"
	elif [[ $cur == --*=* ]]; then
		option=${cur%%=*}
		_xtrace_argument "${cur#*=}"
		[[ $COMP_WORDBREAKS == *=* ]] ||
			COMPREPLY=("${COMPREPLY[@]/#/$option=}")
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W \
			"${!_xtrace_takes[*]}" -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	fi
}
complete -F _xtrace xtrace

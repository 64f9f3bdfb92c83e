# SPDX-License-Identifier: GPL-2.0-or-later
# Job control, traps, pipes, coprocesses and substitutions of bash.
set -m
read -r _ <gate

# Jobs: stopped, continued, ended by signals, waited for in another order.
until_stopped() {
	until [[ $(jobs "$1") == *Stopped* ]]; do :; done
}
for round in 1 2 3 4 5; do
	sleep 1000 &
	victim=$!
	mkfifo tmp/stuck.$round
	(read -r word <tmp/stuck.$round; echo "round $round got $word"; exit $round) &
	reader=$!
	kill -STOP %2 && until_stopped %2
	jobs %2
	kill -CONT %2
	echo hello >tmp/stuck.$round
	wait $reader
	echo "status $?"
	kill -TERM $victim
	wait $victim
	echo "status $?"
done
echo "jobs left: $(jobs -p | wc -l)"

# A job brought to the foreground, and what a foreground pipeline returns.
(kill -STOP $BASHPID; exit 5) &
until_stopped %%
fg %% >/dev/null
echo "fg $?"
set -o pipefail
seq 1 2000 | sort -rn | awk '{ s += $1 } END { print s; exit 3 }'
echo "pipe ${PIPESTATUS[*]} $?"

# Traps, also of children, and signals to oneself.
caught=0
trap 'caught=$((caught + 1))' USR1
for _ in {1..30}; do kill -USR1 $$; done
echo "caught $caught"
children=0
trap 'children=$((children + 1))' CHLD
for i in {1..20}; do (exit $i) & wait $!; done
trap - CHLD
((children >= 20)) && echo "twenty children told of"
(trap 'echo leaving; exit 9' EXIT TERM; kill -TERM $BASHPID; echo never)
echo "sub $?"
(kill -SEGV $BASHPID) 2>/dev/null
echo "segv $?"
(ulimit -c 0; kill -QUIT $BASHPID) 2>/dev/null
echo "quit $?"

# Coprocess, process substitution, here-documents, nested commands.
coproc UP { while read -r line; do echo "${line^^}"; done; }
for word in alpha beta gamma; do
	echo "$word" >&"${UP[1]}"
	read -r answer <&"${UP[0]}"
	echo "$answer"
done
up=$UP_PID
exec {UP[1]}>&-
wait "$up"
echo "coproc $?"
diff <(seq 1 20) <(seq 1 21 | grep -v 7) >differences
echo "diff $?"
tee tmp/a tmp/b <<<"to three places" | cat
cat <<END | tr a-z A-Z
here $(echo nested $(echo deeper $(expr 6 '*' 7)))
END

# exec in a subshell, umask, redirections, a time limit that passes.
(exec -a other /bin/sh -c 'echo "I am $0"')
(umask 077; echo secret >private)
{ echo to out; echo to err >&2; } 2>&1 | sort
timeout --preserve-status 0.2 /bin/sleep 60
echo "timeout $?"
sum=0
for ((i = 0; i < 3000; i++)); do ((sum += i % 7)); done
echo "sum $sum"
for i in {1..40}; do out+=$(echo $i | cat); done
echo "$out"
find . -path ./tmp -prune -o -type f -print | sort >tmp/listing
mv tmp/listing listing
rm -rf tmp/*
exit 23

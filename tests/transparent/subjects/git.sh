# SPDX-License-Identifier: GPL-2.0-or-later
# Makes, clones, branches, rebases, merges, packs and checks a repository.
read -r _ <gate
export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@example.org
export GIT_CONFIG_NOSYSTEM=1 GIT_PAGER=cat
export GIT_AUTHOR_DATE="1700000000 +0000" GIT_COMMITTER_DATE="1700000000 +0000"
clock=1700000000
commit() {
	clock=$((clock + 60))
	GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" \
		git commit -q "$@"
}
set -e
git init -q -b main one
cd one
for i in 1 2 3 4 5 6 7 8; do
	seq "$i" $((i * 50)) >"file$((i % 3))"
	git add .
	commit -m "change $i"
done
git checkout -q -b side HEAD~4
for i in 1 2 3; do
	echo "side $i" >>sides
	git add .
	commit -m "side $i"
done
export GIT_AUTHOR_DATE="1800000000 +0000" GIT_COMMITTER_DATE="1800000000 +0000"
git rebase -q main
git checkout -q main
git merge -q --no-ff -m merged side
git tag -m tagged v1
git log --graph --format='%h %an %s'
cd ..
git clone -q one two 2>&1
git clone -q --no-local --depth 2 "file://$PWD/one" three 2>&1
cd two
git gc -q --aggressive --prune=now
git fsck --full 2>&1
git diff --stat HEAD~3
git blame file1 | md5sum
git bundle create -q ../bundle --all
git count-objects -v | grep -v size
git archive HEAD | tar tf -
cd ..
set +e
git -C two merge-base --is-ancestor HEAD HEAD~1
echo "status $?"
git -C one show nothing
exit $?

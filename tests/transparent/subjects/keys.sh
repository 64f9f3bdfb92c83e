# SPDX-License-Identifier: GPL-2.0-or-later
# ssh-keygen with existing keys, whose output does not vary.
read -r _ <gate
for key in ed rsa ed rsa ed rsa; do
	ssh-keygen -l -f $key.pub
	ssh-keygen -l -v -E md5 -f $key
	ssh-keygen -y -f $key >$key.again
	ssh-keygen -e -m PKCS8 -f $key.pub 2>&1
	ssh-keygen -e -m RFC4716 -f $key.pub
done
for key in ed rsa ed rsa ed rsa; do
	echo "text to sign" | ssh-keygen -Y sign -f $key -n file >$key.sig 2>$key.said
	echo "who@example.org $(cat $key.pub)" >>allowed
	echo "text to sign" | ssh-keygen -Y verify -f allowed -I who@example.org \
		-n file -s $key.sig
	echo "other text" | ssh-keygen -Y verify -f allowed -I who@example.org \
		-n file -s $key.sig
	echo "status $?"
done
echo "host.example.org $(cat ed.pub)" >known
ssh-keygen -F host.example.org -f known
ssh-keygen -R host.example.org -f known 2>&1
ssh-keygen -s ed -I id -n user -V 20240101:20340101 -z 7 rsa.pub 2>&1
ssh-keygen -L -f rsa-cert.pub
ssh-keygen -y -f nothing
echo "status $?"

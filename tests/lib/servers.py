# SPDX-License-Identifier: GPL-2.0-or-later
"""MariaDB and PostgreSQL for the cases of one run, each started at most once.

Both listen only on a private unix socket. Their data is in a folder of the
run, copied from a template under build/tests, so that only the first run calls
mariadb-install-db and initdb.
"""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import threading

from child import CLEAN, Failure, until

FAST_MARIADB = [
    '--no-defaults', '--skip-networking', '--skip-log-bin',
    '--innodb-buffer-pool-size=16M', '--innodb-log-file-size=8M',
    '--innodb-flush-log-at-trx-commit=0', '--skip-innodb-doublewrite',
    '--key-buffer-size=1M', '--performance-schema=OFF',
    '--skip-name-resolve', '--skip-ssl']
FAST_POSTGRES = [
    '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'full_page_writes=off',
    '-c', 'shared_buffers=16MB', '-c', 'max_connections=60',
    '-c', 'autovacuum=off', '-c', 'log_min_messages=fatal']


def quiet(command, folder, **more):
    log = folder / 'log'
    with log.open('ab') as out:
        done = subprocess.run(command, cwd=folder, stdout=out, stderr=out,
                              stdin=subprocess.DEVNULL, **more)
    if done.returncode:
        raise Failure(f'{command[0]} failed:\n' +
                      log.read_text(errors='replace')[-2000:])


class Server:
    """What both servers share: a template, a copy, a daemon, a socket."""
    name = ''
    template_name = ''

    def __init__(self, folder, templates):
        self.folder = folder / self.name
        self.template = templates / (self.template_name or self.name)
        self.popen = None
        self.user = self.owner()

    def owner(self):
        """The user for the server: (uid, gid, name), or None for our own."""
        return None

    def env(self):
        return {**CLEAN, 'HOME': str(self.folder)}

    def furnish(self):
        """Adds files to the folder, before its owner is changed."""

    def own(self, path):
        if self.user:
            for root, _, files in os.walk(path):
                for name in ['.', *files]:
                    os.chown(os.path.join(root, name), *self.user[:2])

    def become(self):
        if self.user:
            return {'user': self.user[0], 'group': self.user[1],
                    'extra_groups': []}
        return {}

    def start(self):
        """Starts the server, and returns the environment for clients."""
        if not self.template.is_dir():
            work = self.template.with_name(f'{self.name}.{os.getpid()}')
            shutil.rmtree(work, ignore_errors=True)
            staged = self.folder.with_name(f'{self.name}-new')
            staged.mkdir(parents=True)
            self.own(staged)
            self.prepare(staged)
            work.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(staged, work)
            shutil.rmtree(staged)
            try:
                work.rename(self.template)
            except OSError:
                shutil.rmtree(work)
        self.folder.mkdir(parents=True)
        shutil.copytree(self.template / 'data', self.folder / 'data')
        os.chmod(self.folder / 'data', 0o700)
        self.furnish()
        self.own(self.folder)
        log = (self.folder / 'server.log').open('wb')
        self.popen = subprocess.Popen(
            self.command(), cwd=self.folder, env=self.env(), stdout=log,
            stderr=log, stdin=subprocess.DEVNULL, start_new_session=True,
            **self.become())
        log.close()
        try:
            until(self.answers, f'{self.name} answers', 60)
            self.fill()
        except (Failure, subprocess.CalledProcessError) as fault:
            text = (self.folder / 'server.log').read_text(errors='replace')
            self.stop()
            raise Failure(f'{fault}\n{text[-2000:]}') from fault
        return self.tell()

    def answers(self):
        if self.popen.poll() is not None:
            raise Failure(f'{self.name} ended at once')
        return subprocess.run(self.probe(), env=self.env(),
                              capture_output=True).returncode == 0

    def stop(self):
        if self.popen and self.popen.poll() is None:
            self.popen.send_signal(signal.SIGQUIT if isinstance(self, PostgreSQL)
                                   else signal.SIGTERM)
            try:
                self.popen.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self.popen.pid, signal.SIGKILL)
                self.popen.wait()
        self.popen = None


class MariaDB(Server):
    name = 'mariadb'
    SOCKET = 's'

    def prepare(self, folder):
        quiet(['mariadb-install-db', *FAST_MARIADB[:1],
               f'--datadir={folder}/data', '--auth-root-authentication-method'
               '=normal', '--skip-test-db',
               f'--user={pwd.getpwuid(os.getuid()).pw_name}'], folder,
              env=self.env())

    def command(self):
        return ['mariadbd', *FAST_MARIADB, f'--datadir={self.folder}/data',
                f'--socket={self.folder}/{self.SOCKET}',
                f'--pid-file={self.folder}/pid',
                f'--user={pwd.getpwuid(os.getuid()).pw_name}']

    def client(self, *more):
        return ['mariadb', '--no-defaults', '--user=root',
                f'--socket={self.folder}/{self.SOCKET}', *more]

    def probe(self):
        return self.client('-e', 'SELECT 1')

    def fill(self):
        subprocess.run(self.client('-e', 'CREATE DATABASE xtrace'), check=True,
                       env=self.env(), capture_output=True)

    def tell(self):
        return {'MARIADB_SOCKET': f'{self.folder}/{self.SOCKET}'}


class PostgreSQL(Server):
    name = 'postgresql'

    def owner(self):
        if os.getuid():
            return None
        entry = pwd.getpwnam('postgres')
        return entry.pw_uid, entry.pw_gid, entry.pw_name

    @staticmethod
    def tool(name):
        found = sorted(pathlib.Path('/usr/lib/postgresql').glob(
            f'*/bin/{name}'))
        if not found:
            raise Failure(f'no {name} in /usr/lib/postgresql')
        return str(found[-1])

    def prepare(self, folder):
        quiet([self.tool('initdb'), '-D', f'{folder}/data', '-U', 'xtrace',
               '-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8'],
              folder, env={**self.env(), 'HOME': str(folder)},
              **self.become())

    def command(self):
        return [self.tool('postgres'), '-D', f'{self.folder}/data', '-k',
                str(self.folder), *FAST_POSTGRES]

    def probe(self):
        return ['psql', '-h', str(self.folder), '-U', 'xtrace', '-c',
                'SELECT 1', 'postgres']

    def fill(self):
        pass

    def tell(self):
        return {'PGHOST': str(self.folder), 'PGUSER': 'xtrace',
                'PGDATABASE': 'postgres'}


def certificate(folder):
    """A key and a self-signed certificate."""
    quiet(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes',
           '-subj', '/CN=localhost', '-days', '2', '-keyout', 'key.pem',
           '-out', 'cert.pem'], folder, env=CLEAN)
    os.chmod(folder / 'key.pem', 0o600)


class Encrypting:
    """A server with encryption, which also listens on a loopback port, because
    some clients do not encrypt on a unix socket. Mixed into a Server.
    """
    port = 0

    def furnish(self):
        certificate(self.folder)
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            self.port = free.getsockname()[1]

    def start(self):
        """Tries several ports, because another process may take a free port
        first."""
        for left in reversed(range(5)):
            try:
                return super().start()
            except Failure:
                if not left:
                    raise
                shutil.rmtree(self.folder)
        return None


class MariaDBTLS(Encrypting, MariaDB):
    name = 'mariadb-tls'
    template_name = 'mariadb'

    def command(self):
        return [word for word in super().command()
                if word not in ('--skip-ssl', '--skip-networking')] + [
            '--bind-address=127.0.0.1', f'--port={self.port}',
            f'--ssl-cert={self.folder}/cert.pem',
            f'--ssl-key={self.folder}/key.pem']

    def fill(self):
        super().fill()
        subprocess.run(self.client(
            '-e', "CREATE USER IF NOT EXISTS root@'127.0.0.1'; "
            "GRANT ALL ON *.* TO root@'127.0.0.1'"), check=True,
                       env=self.env(), capture_output=True)

    def tell(self):
        return {'TLS_MARIADB_SOCKET': f'{self.folder}/{self.SOCKET}',
                'TLS_MARIADB_PORT': str(self.port),
                'TLS_MARIADB_CA': f'{self.folder}/cert.pem'}


class PostgreSQLTLS(Encrypting, PostgreSQL):
    name = 'postgresql-tls'
    template_name = 'postgresql'

    def command(self):
        return super().command() + [
            '-c', 'listen_addresses=127.0.0.1', '-p', str(self.port),
            '-c', 'ssl=on', '-c', f'ssl_cert_file={self.folder}/cert.pem',
            '-c', f'ssl_key_file={self.folder}/key.pem']

    def probe(self):
        return [*super().probe()[:1], '-p', str(self.port),
                *super().probe()[1:]]

    def tell(self):
        return {'TLS_PGPORT': str(self.port),
                'TLS_PG_CA': f'{self.folder}/cert.pem'}


KINDS = {kind.name: kind for kind in (MariaDB, PostgreSQL, MariaDBTLS,
                                      PostgreSQLTLS)}


class Servers:
    """The servers of one run, by name; stopped together."""

    def __init__(self, folder, templates):
        self.folder = folder
        self.templates = templates
        self.lock = threading.Lock()
        self.running = {}
        self.told = {}

    def need(self, name):
        """Starts the server if it is not running. Returns the clients'
        environment."""
        with self.lock:
            if name not in self.told:
                server = KINDS[name](self.folder, self.templates)
                self.running[name] = server
                try:
                    self.told[name] = server.start()
                except Failure as fault:
                    self.told[name] = fault
            if isinstance(self.told[name], Failure):
                raise self.told[name]
            return self.told[name]

    def stop(self):
        with self.lock:
            for server in self.running.values():
                server.stop()
            self.running = {}

// SPDX-License-Identifier: GPL-2.0-or-later
// Workers, timers, streams, processes, sockets and signals of Node.js.
'use strict';
const fs = require('fs'), cp = require('child_process'), net = require('net');
const crypto = require('crypto'), zlib = require('zlib');
const { Worker } = require('worker_threads');
fs.readFileSync('gate');

function work(n) {
	return new Promise((done, fail) => {
		const w = new Worker(`const { parentPort } = require('worker_threads');
			let s = 0; for (let i = 0; i < ${n} * 1000; i++) s = (s + i * i) % 1000003;
			parentPort.postMessage(s);`, { eval: true });
		w.once('message', done).once('error', fail);
	});
}
function talk() {
	return new Promise((done) => {
		const server = net.createServer((c) => c.on('data', (d) => c.write(String(d).toUpperCase())));
		server.listen(0, '127.0.0.1', () => {
			let heard = 0;
			const c = net.connect(server.address().port, '127.0.0.1', () => c.write('w0'));
			c.on('data', (d) => {
				if (++heard == 200) { c.end(); server.close(() => done(`heard ${d}`)); } else c.write(`w${heard}`);
			});
		});
	});
}
async function main() {
	console.log((await Promise.all([1, 2, 3, 4].map(work))).join(' '));
	console.log(await talk());
	for (let i = 0; i < 60; i++) {
		await fs.promises.writeFile(`file${i % 10}`, `text ${i}`);
		await fs.promises.stat(`file${i % 10}`);
	}
	console.log(fs.readdirSync('.').filter((n) => n.startsWith('file')).join(' '));
	const text = 'again and '.repeat(20000);
	console.log(crypto.createHash('sha256').update(text).digest('hex'));
	console.log(zlib.gunzipSync(zlib.gzipSync(text)).length);
	console.log(crypto.pbkdf2Sync('p', 's', 1000, 16, 'sha1').toString('hex'));
	for (let i = 0; i < 4; i++) {
		const r = cp.spawnSync('/bin/sh', ['-c', `cat; exit ${i}`], { input: 'in' });
		console.log(String(r.stdout), r.status);
	}
	const child = cp.spawn('sleep', ['60']);
	child.kill('SIGTERM');
	console.log(await new Promise((d) => child.on('exit', (c, s) => d(`${c} ${s}`))));
	let caught = 0;
	process.on('SIGUSR2', () => caught++);
	for (let i = 0; i < 20; i++) {
		process.kill(process.pid, 'SIGUSR2');
		await new Promise((d) => setTimeout(d, 1));
	}
	while (caught < 20)
		await new Promise((d) => setTimeout(d, 5));
	console.log(`caught ${caught}`);
	try { (function deep() { deep(); })(); } catch (e) { console.log(e.message); }
	try { null.x; } catch (e) { console.log(e.message); }
	let sum = 0;
	const hot = (o) => o.a * 2 + o.b;
	for (let i = 0; i < 300000; i++) sum += hot({ a: i % 7, b: 1 });
	console.log(sum);
	process.exitCode = 5;
}
main();

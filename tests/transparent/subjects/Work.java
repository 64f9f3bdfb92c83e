// SPDX-License-Identifier: GPL-2.0-or-later
// A Java program with threads, exceptions, faults that the JVM turns into
// exceptions, garbage, files, sockets, processes and signals.
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;
import java.util.zip.*;

public class Work {
	static int[] nothing;
	static int depth;
	static int shared;

	static void deep() {
		depth++;
		deep();
	}

	// Once the JVM has compiled length(), a null array causes a SIGSEGV.
	static int length(int[] array) {
		return array.length;
	}

	static int faults() {
		int[] some = new int[3];
		int caught = 0, sum = 0;
		for (int i = 0; i < 200000; i++) {
			try {
				sum += length(i % 1000 == 999 ? nothing : some);
			} catch (NullPointerException fault) {
				caught++;
			}
		}
		for (int i = 0; i < 50; i++) {
			try {
				sum += 100 / (i % 5);
			} catch (ArithmeticException fault) {
				caught++;
			}
		}
		return caught * 1000000 + sum % 1000000;
	}

	static long threads() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(6);
		AtomicLong total = new AtomicLong();
		Object lock = new Object();
		List<Future<Integer>> answers = new ArrayList<>();
		for (int n = 1; n <= 40; n++) {
			int mine = n;
			answers.add(pool.submit(() -> {
				for (int i = 0; i < 500; i++) {
					synchronized (lock) {
						shared += mine;
					}
					total.addAndGet(i % mine);
				}
				if (mine % 10 == 0)
					throw new IOException("number " + mine);
				return mine * mine;
			}));
		}
		long sum = 0;
		for (Future<Integer> answer : answers) {
			try {
				sum += answer.get();
			} catch (ExecutionException fault) {
				System.out.println(fault.getCause().getMessage());
			}
		}
		pool.shutdown();
		pool.awaitTermination(1, TimeUnit.MINUTES);
		SynchronousQueue<Integer> queue = new SynchronousQueue<>();
		Thread giver = new Thread(() -> {
			try {
				for (int i = 0; i < 500; i++)
					queue.put(i);
				Thread.sleep(1000000);
			} catch (InterruptedException fault) {
				System.out.println("interrupted");
			}
		});
		giver.start();
		for (int i = 0; i < 500; i++)
			sum += queue.take();
		giver.interrupt();
		giver.join();
		return sum + total.get() + shared;
	}

	static void files() throws Exception {
		Path folder = Files.createDirectory(Path.of("made"));
		for (int i = 0; i < 300; i++) {
			Path file = folder.resolve("file" + i % 20);
			Files.writeString(file, "text " + i + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			if (i % 7 == 0)
				Files.move(file, folder.resolve("moved" + i % 5), StandardCopyOption.REPLACE_EXISTING);
		}
		try (Stream<Path> names = Files.list(folder)) {
			System.out.println(names.map(p -> p.getFileName().toString()).sorted().collect(Collectors.joining(" ")));
		}
		try {
			Files.readString(Path.of("made/none"));
		} catch (NoSuchFileException fault) {
			System.out.println("no " + fault.getMessage());
		}
		try (RandomAccessFile file = new RandomAccessFile("random", "rw")) {
			for (int i = 0; i < 400; i++) {
				file.seek(i * 37 % 400);
				file.write(i);
			}
		}
		try (GZIPOutputStream zip = new GZIPOutputStream(new FileOutputStream("zipped.gz"))) {
			for (int i = 0; i < 2000; i++)
				zip.write(("line " + i * 7919 % 1000 + "\n").getBytes(StandardCharsets.UTF_8));
		}
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(new GZIPInputStream(new FileInputStream("zipped.gz"))))) {
			System.out.println(lines.lines().distinct().count());
		}
	}

	static String sockets() throws Exception {
		try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
			Thread serving = new Thread(() -> {
				for (int n = 0; n < 5; n++) {
					try (Socket s = server.accept();
					     BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream()));
					     PrintStream out = new PrintStream(s.getOutputStream(), true)) {
						for (String line; (line = in.readLine()) != null; )
							out.println(line.toUpperCase());
					} catch (IOException fault) {
						System.out.println(fault);
					}
				}
			});
			serving.start();
			String last = "";
			for (int n = 0; n < 5; n++) {
				try (Socket s = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
				     BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream()));
				     PrintStream out = new PrintStream(s.getOutputStream(), true)) {
					for (int i = 0; i < 100; i++) {
						out.println("word " + n + " " + i);
						last = in.readLine();
					}
				}
			}
			serving.join();
			return last;
		}
	}

	static void processes() throws Exception {
		for (int i = 0; i < 5; i++) {
			Process p = new ProcessBuilder("/bin/sh", "-c", "read x; echo got $x; echo err >&2; exit " + i)
				.redirectErrorStream(true).start();
			try (PrintStream to = new PrintStream(p.getOutputStream(), true)) {
				to.println("line " + i);
			}
			System.out.print(new String(p.getInputStream().readAllBytes()));
			System.out.println(p.waitFor());
		}
		Process sleeping = new ProcessBuilder("sleep", "60").start();
		sleeping.destroy();
		System.out.println(sleeping.waitFor());
		try {
			new ProcessBuilder("/no/such/program").start();
		} catch (IOException fault) {
			System.out.println(fault.getMessage());
		}
	}

	static int signals() throws Exception {
		Semaphore seen = new Semaphore(0);
		int count = 0;
		sun.misc.Signal.handle(new sun.misc.Signal("WINCH"), s -> seen.release());
		sun.misc.Signal.handle(new sun.misc.Signal("TRAP"), s -> seen.release());
		for (int i = 0; i < 40; i++) {
			sun.misc.Signal.raise(new sun.misc.Signal(i % 2 == 0 ? "WINCH" : "TRAP"));
			seen.acquire();
			count++;
		}
		return count;
	}

	public static void main(String[] words) throws Exception {
		Files.readAllBytes(Path.of("gate"));
		System.out.println(threads());
		System.out.println(faults());
		for (int i = 0; i < 3; i++) {
			try {
				deep();
			} catch (StackOverflowError fault) {
				System.out.println(depth > 1000 ? "deep" : "not deep");
				depth = 0;
			}
		}
		List<byte[]> kept = new ArrayList<>();
		for (int i = 0; i < 4000; i++) {
			byte[] piece = new byte[50000];
			piece[i] = (byte)i;
			if (i % 400 == 0)
				kept.add(piece);
		}
		System.gc();
		System.out.println(kept.stream().mapToInt(k -> k.length).sum());
		try {
			System.out.println(new long[Integer.MAX_VALUE].length);
		} catch (OutOfMemoryError fault) {
			System.out.println("no memory");
		}
		files();
		System.out.println(sockets());
		processes();
		System.out.println("signals " + signals());
		byte[] digest = MessageDigest.getInstance("SHA-256").digest("again and ".repeat(20000).getBytes());
		System.out.println(String.format("%064x", new java.math.BigInteger(1, digest)));
		System.out.println(IntStream.range(0, 100000).parallel().filter(i -> i % 3 == 0).asLongStream().sum());
		Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("at exit")));
		System.exit(5);
	}
}

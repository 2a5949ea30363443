package dev.leasehold.examples.stock;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One instance of the application in a process of its own, which ends when this one does. */
final class StockProcess implements AutoCloseable {

    private final String name;
    private final Process process;
    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final HttpClient http;

    private StockProcess(String name, Process process, HttpClient http) {
        this.name = name;
        this.process = process;
        this.http = http;
    }

    /** The entry point of the other process: the application, until its standard input ends. */
    static final class Main {
        public static void main(String[] args) throws IOException {
            Thread leash = new Thread(
                    () -> {
                        try {
                            while (System.in.read() >= 0) {
                                // The test writes nothing; the stream ends with the test's process.
                            }
                        } catch (IOException e) {
                            // An error counts as the end.
                        }
                        Runtime.getRuntime().halt(1);
                    },
                    "leash");
            leash.setDaemon(true);
            leash.start();
            StockApplication.main(args);
        }
    }

    static StockProcess start(String name, String database, EmbeddedRedis redis, HttpClient http) throws IOException {
        return start(name, database, redis, http, System.getProperty("java.class.path"), false);
    }

    static StockProcess start(
            String name, String database, EmbeddedRedis redis, HttpClient http, String classPath, boolean aheadOfTime)
            throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-Dspring.aot.enabled=" + aheadOfTime,
                        "-cp",
                        classPath,
                        Main.class.getName(),
                        "--stock.process=" + name,
                        "--stock.database=" + database,
                        "--spring.data.redis.host=" + redis.host(),
                        "--spring.data.redis.port=" + redis.port(),
                        "--spring.data.redis.password=" + redis.password(),
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=ERROR")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        StockProcess started = new StockProcess(name, process, http);
        Thread reader = new Thread(started::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
        return started;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("listening on ")) {
                    port.complete(Integer.valueOf(line.substring("listening on ".length())));
                } else {
                    System.err.println(name + ": " + line);
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
        port.completeExceptionally(new IllegalStateException(name + " ended before it listened"));
    }

    String name() {
        return name;
    }

    void awaitReady() throws Exception {
        port.get(60, TimeUnit.SECONDS);
    }

    CompletableFuture<HttpResponse<String>> order(String id, int item) {
        return http.sendAsync(
                HttpRequest.newBuilder(uri("/orders/" + id + "/" + item))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .timeout(Duration.ofSeconds(15))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    Map<String, Long> counters() throws IOException, InterruptedException {
        Map<String, Long> counters = new TreeMap<>();
        String text = http.send(HttpRequest.newBuilder(uri("/counters")).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        text.lines().map(line -> line.split(" ")).forEach(line -> counters.put(line[0], Long.valueOf(line[1])));
        return counters;
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port.join() + path);
    }

    /** Kills the process by SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}

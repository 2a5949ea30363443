package dev.leasehold.examples.quarkus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One instance of the application in a process of its own. */
final class TicketProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("Listening on: http://[^:]+:(\\d+)");

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    private TicketProcess(Process process) {
        this.process = process;
    }

    /** Returns when the application listens. */
    static TicketProcess start(String redis) throws Exception {
        TicketProcess started = new TicketProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-Dquarkus.http.port=0",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.redis.hosts=" + redis,
                        "-jar",
                        System.getProperty("example.application"))
                .redirectErrorStream(true)
                .start());
        // The application would survive a test that is killed.
        Runtime.getRuntime().addShutdownHook(new Thread(started.process::destroyForcibly));
        Thread reader = new Thread(started::read, "output of the application");
        reader.setDaemon(true);
        reader.start();
        started.port.get(60, TimeUnit.SECONDS);
        return started;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.err.println(line);
                Matcher listening = LISTENING.matcher(line);
                if (listening.find()) {
                    port.complete(Integer.valueOf(listening.group(1)));
                }
            }
        } catch (IOException e) {
            port.completeExceptionally(e);
        }
        port.completeExceptionally(new IllegalStateException("the application ended before it listened"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.join() + path))
                .timeout(Duration.ofSeconds(60));
    }

    CompletableFuture<Long> post(String path) {
        return http.sendAsync(
                        request(path).POST(HttpRequest.BodyPublishers.noBody()).build(), BodyHandlers.ofString())
                .thenApply(response -> Long.valueOf(response.body()));
    }

    String get(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), BodyHandlers.ofString()).body();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}

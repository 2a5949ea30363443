package dev.leasehold.drill.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A real Prometheus that scrapes the instances each second, and evaluates the rules as often. Thread-safe. */
public final class Prometheus implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** Prometheus does not watch its standard input; the shell between does, so that it ends with the drill, however that ends. */
    private static final String LEASHED = "\"$@\" </dev/null >prometheus.log 2>&1 & read -r end; kill -9 $!; wait";

    private static final double SLACK_SECONDS = 2.5;
    private static final String COUNTERS = "{__name__=~\"leasehold_.+(_total|_count)\"}";
    private static final String MAXIMA =
            "{__name__=~\"leasehold_(held|waiting|renewal_lag_seconds_max|wait_seconds_max)\"}";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http;
    private final Process process;
    private final String address;

    private Prometheus(Process process, int port, HttpClient http) {
        this.process = process;
        this.address = "http://127.0.0.1:" + port;
        this.http = http;
    }

    /**
     * Starts it.
     *
     * @param directory for its files
     * @param port on the loopback address
     * @param targets ports of the instances, by name
     * @param rules to evaluate
     * @param http for queries
     * @return the process, which may need a moment
     * @throws IOException if there is no {@code prometheus}
     */
    public static Prometheus start(
            Path directory, int port, Map<String, Integer> targets, AlertRules rules, HttpClient http)
            throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("rules.yml"), rules.toString());
        Files.writeString(directory.resolve("prometheus.yml"), configuration(targets));
        Process process = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        LEASHED,
                        "prometheus",
                        "prometheus",
                        "--config.file=prometheus.yml",
                        "--storage.tsdb.path=data",
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn")
                .directory(directory.toFile())
                .start();
        return new Prometheus(process, port, http);
    }

    static String configuration(Map<String, Integer> targets) {
        String text = """
                global:
                  scrape_interval: 1s
                  scrape_timeout: 1s
                  evaluation_interval: 1s
                rule_files: [rules.yml]
                scrape_configs:
                  - job_name: drill
                    metrics_path: /actuator/prometheus
                    static_configs:
                """;
        return text
                + targets.entrySet().stream()
                        .map(target -> "      - targets: ['127.0.0.1:" + target.getValue()
                                + "']\n        labels: {instance: " + target.getKey() + "}\n")
                        .collect(Collectors.joining());
    }

    /**
     * Returns whether it answers and has samples of all instances.
     *
     * @param instances their number
     * @return whether the observation can begin
     */
    public boolean sees(int instances) {
        try {
            return query("count(leasehold_acquired_total)")
                            .path(0)
                            .path("value")
                            .path(1)
                            .asInt()
                    == instances;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /**
     * Returns the names of alerts that fire now, or will if their expression remains true.
     *
     * @return in their order
     */
    public Set<String> active() {
        Set<String> names = new TreeSet<>();
        query("ALERTS")
                .forEach(alert ->
                        names.add(alert.path("metric").path("alertname").asText()));
        return names;
    }

    /**
     * Returns the alerts that fired within the last seconds.
     *
     * @param seconds since the begin of the observation
     * @return in the order in which they began
     */
    public List<FiredAlert> fired(long seconds) {
        List<FiredAlert> fired = new ArrayList<>();
        double begin = nowSeconds() - seconds;
        for (JsonNode series : query("ALERTS{alertstate=\"firing\"}[" + seconds + "s]")) {
            JsonNode values = series.get("values");
            fired.add(new FiredAlert(
                    series.path("metric").path("alertname").asText(),
                    MetricChanges.name(series.get("metric"), true).replaceFirst("^ALERTS", ""),
                    values.get(0).get(0).asDouble() - begin,
                    values.get(values.size() - 1).get(0).asDouble() - begin));
        }
        fired.sort((one, other) -> Double.compare(one.firstSeconds(), other.firstSeconds()));
        return fired;
    }

    /**
     * Returns by how much the counters of locks grew within the last seconds, and the largest values of gauges.
     *
     * @param seconds since the begin of the observation
     * @return by name and labels
     */
    public Map<String, Double> changes(long seconds) {
        double begin = nowSeconds() - seconds;
        Map<String, Double> changes =
                new TreeMap<>(MetricChanges.growth(query(COUNTERS + "[" + seconds + "s]"), begin, SLACK_SECONDS));
        MetricChanges.maxima(query(MAXIMA + "[" + seconds + "s]"))
                .forEach((name, value) -> changes.put("max of " + name, value));
        return changes;
    }

    private static double nowSeconds() {
        return System.currentTimeMillis() / 1_000.0;
    }

    private JsonNode query(String expression) {
        return get("query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8))
                .path("result");
    }

    /** Returns the version, for the report. */
    public String version() {
        return get("status/buildinfo").path("version").asText();
    }

    private JsonNode get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/api/v1/" + path))
                .timeout(TIMEOUT)
                .build();
        try {
            String answer =
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            JsonNode body = json.readTree(answer);
            if (!body.path("status").asText().equals("success")) {
                throw new IOException("Prometheus refused " + path + ": " + answer);
            }
            return body.path("data");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Prometheus was asked", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.leasehold.drill.site;

import dev.leasehold.drill.watch.AlertRules;
import dev.leasehold.drill.watch.HealthWatch;
import dev.leasehold.drill.watch.LogSummary;
import dev.leasehold.drill.watch.Prometheus;
import dev.leasehold.drill.watch.Waits;
import dev.leasehold.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All that a drill runs: servers, three instances, load, health probes, and Prometheus. */
public final class Site implements AutoCloseable {

    /** How many times shorter the windows of alerts are. */
    public static final int SHORTER = 15;

    private static final int CONNECT_SECONDS = 30;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(CONNECT_SECONDS))
            .build();
    private final RedisSite redis;
    private final List<Instance> instances;
    private final HealthWatch health;
    private final Load load;
    private final AlertRules rules;
    private final Prometheus prometheus;
    private final int prometheusPort = FreePorts.next();

    private Site(Path directory, AlertRules rules) throws IOException {
        this.rules = rules;
        this.redis = RedisSite.start(directory.resolve("password"));
        this.instances = Stream.of("a", "b", "c")
                .map(name -> new Instance(name, directory, redis))
                .toList();
        Map<String, URI> addresses = instances.stream().collect(Collectors.toMap(Instance::name, Instance::uri));
        this.health = new HealthWatch(addresses, http);
        this.load = new Load(addresses, health::answers, http);
        Map<String, Integer> ports = new TreeMap<>();
        instances.forEach(instance -> ports.put(instance.name(), instance.port()));
        this.prometheus = Prometheus.start(directory.resolve("prometheus"), prometheusPort, ports, rules, http);
    }

    /**
     * Starts everything, and waits until it works.
     *
     * @param directory for files of the run
     * @param rules the text of the product's alerting rules
     * @return the site under load
     * @throws IOException if a program is missing
     */
    public static Site start(Path directory, String rules) throws IOException {
        AlertRules shortened = AlertRules.of(rules).shortened(SHORTER).forLeases(Instance.LEASE);
        Site site = new Site(Files.createDirectories(directory), shortened);
        try {
            site.begin();
        } catch (RuntimeException e) {
            site.close();
            throw e;
        }
        return site;
    }

    private void begin() {
        instances.forEach(Instance::start);
        health.start();
        awaitReady();
        load.start();
        Waits.until("Prometheus has samples of all instances", () -> prometheus.sees(instances.size()));
    }

    /**
     * Waits until all instances answer that Redis does, hold their long leases, and have one leader.
     */
    public void awaitReady() {
        Waits.until("all instances are healthy and have their long leases", () -> {
            if (!health.allUp()) {
                return false;
            }
            List<String> states = instances.stream().map(this::state).toList();
            return states.stream().allMatch(state -> state.startsWith("on duty"))
                    && states.stream().filter(state -> state.endsWith("leader")).count() == 1;
        });
    }

    private String state(Instance instance) {
        try {
            return http.send(request(instance, "/state"), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "no answer";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static HttpRequest request(Instance instance, String path) {
        return HttpRequest.newBuilder(instance.uri().resolve(path))
                .timeout(TIMEOUT)
                .build();
    }

    /**
     * Sends an instance a request that holds a lock until the instance stops, and waits until it does. The answer counts with those of the load.
     *
     * @param instance the instance
     */
    public void beginAudit(Instance instance) {
        CompletableFuture<Void> unused = http.sendAsync(
                        request(instance, "/audit"), HttpResponse.BodyHandlers.discarding())
                .handle((answer, failure) -> failure == null ? Integer.toString(answer.statusCode()) : Load.NO_ANSWER)
                .thenAccept(load::count);
        Waits.until(instance.name() + " audits", () -> state(instance).contains("auditing"));
    }

    /**
     * Waits until so many further requests have their answer.
     *
     * @param answers their number
     */
    public void awaitAnswers(int answers) {
        long enough = load.total() + answers;
        Waits.until(answers + " further answers", () -> load.total() >= enough);
    }

    /**
     * Waits until so many answers in a row are 200 or 409.
     *
     * @param answers their number
     */
    public void awaitStreak(int answers) {
        load.forgetStreak();
        Waits.until(answers + " answers without a failure", () -> load.streak() >= answers);
    }

    /**
     * Starts an instance that has ended, and waits until it answers.
     *
     * @param instance to start
     */
    public void startAgain(Instance instance) {
        health.forget(instance.name());
        instance.start();
        Waits.until(instance.name() + " answers", () -> health.answers(instance.name()));
    }

    /** Returns what each instance has logged, except its first lines. */
    public Map<String, LogSummary> logs(Map<String, Integer> from) {
        Map<String, LogSummary> logs = new TreeMap<>();
        instances.forEach(instance -> {
            List<String> lines = instance.lines();
            logs.put(
                    instance.name(), LogSummary.of(lines.subList(from.getOrDefault(instance.name(), 0), lines.size())));
        });
        return logs;
    }

    /**
     * Returns how many lines each instance has logged.
     *
     * @return by name
     */
    public Map<String, Integer> logged() {
        return instances.stream()
                .collect(Collectors.toMap(Instance::name, each -> each.lines().size()));
    }

    /** Returns the servers. */
    public RedisSite redis() {
        return redis;
    }

    /** Returns the instances. */
    public List<Instance> instances() {
        return instances;
    }

    /** Returns the load. */
    public Load load() {
        return load;
    }

    /** Returns the number of each answer since the start. */
    public Map<String, Long> answers() {
        return load.counts();
    }

    /** Returns the longest time without a granted lock since the last call. */
    public Duration takeLongestGap() {
        return load.takeLongestGap();
    }

    /** Returns the probes. */
    public HealthWatch health() {
        return health;
    }

    /** Returns the rules that Prometheus evaluates. */
    public AlertRules rules() {
        return rules;
    }

    /** Returns Prometheus. */
    public Prometheus prometheus() {
        return prometheus;
    }

    @Override
    public void close() {
        load.close();
        health.close();
        prometheus.close();
        instances.forEach(Instance::close);
        redis.close();
        FreePorts.release(prometheusPort);
    }
}

package dev.leasehold.drill.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks each instance for the health of its locks once a second, as a monitor does, and whether it lives four times a second, as a load
 * balancer does, and keeps what changed of its health. Thread-safe.
 */
public final class HealthWatch implements AutoCloseable {

    /** Longer than a health check waits for Redis, 5 s, and than a busy machine delays an answer. */
    private static final Duration TIMEOUT = Duration.ofSeconds(8);

    private static final String UP = "UP";
    private static final String DOWN = "DOWN";
    private static final String NO_ANSWER = "no answer";
    /** The component of Leasehold alone: the health of the whole application waits for Spring Data, by default for a minute. */
    private static final String HEALTH = "/actuator/health/leasehold";

    private static final String LIVENESS = "/actuator/health/liveness";
    private static final long HEALTH_MILLIS = 1_000;
    private static final long LIVENESS_MILLIS = 250;

    private record Change(String instance, long nanos, String status) {}

    private final ObjectMapper json = new ObjectMapper();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "health");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient http;
    private final Map<String, URI> instances;
    private final Map<String, String> now = new ConcurrentHashMap<>();
    private final Set<String> alive = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Change> changes = new ConcurrentLinkedQueue<>();

    /**
     * Creates it.
     *
     * @param instances the addresses by name
     * @param http for the probes
     */
    public HealthWatch(Map<String, URI> instances, HttpClient http) {
        this.instances = Map.copyOf(instances);
        this.http = http;
    }

    /** Begins to ask. */
    public void start() {
        instances.forEach((instance, uri) -> {
            every(HEALTH_MILLIS, () -> probe(uri.resolve(HEALTH), status -> note(instance, status)));
            every(
                    LIVENESS_MILLIS,
                    () -> probe(uri.resolve(LIVENESS), status -> {
                        if (status.equals(NO_ANSWER)) {
                            alive.remove(instance);
                        } else {
                            alive.add(instance);
                        }
                    }));
        });
    }

    private void every(long millis, Runnable probe) {
        Future<?> unused = timer.scheduleWithFixedDelay(probe, 0, millis, TimeUnit.MILLISECONDS);
    }

    /** Sends a probe; the answer arrives on a thread of the HTTP client, so a silent instance delays no other probe. */
    private void probe(URI uri, Consumer<String> to) {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
        CompletableFuture<Void> unused = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .handle((answer, failure) -> failure == null ? status(answer.body()) : NO_ANSWER)
                .thenAccept(to);
    }

    private void note(String instance, String status) {
        if (!status.equals(now.put(instance, status))) {
            changes.add(new Change(instance, System.nanoTime(), status));
        }
    }

    private String status(String body) {
        try {
            return json.readTree(body).path("status").asText(NO_ANSWER);
        } catch (IOException e) {
            return NO_ANSWER;
        }
    }

    /**
     * Returns whether the last probe of the instance had an answer, whatever it says: a load balancer sends requests to it.
     *
     * @param instance the name
     * @return whether it answers
     */
    public boolean answers(String instance) {
        return alive.contains(instance);
    }

    /**
     * Forgets the last answer of an instance that is started again.
     *
     * @param instance the name
     */
    public void forget(String instance) {
        alive.remove(instance);
        note(instance, NO_ANSWER);
    }

    /**
     * Returns whether the last probe of each instance was answered by UP.
     *
     * @return whether all are up
     */
    public boolean allUp() {
        return instances.keySet().stream().allMatch(instance -> UP.equals(now.get(instance)));
    }

    /**
     * Returns whether the last probe of each instance was answered by DOWN.
     *
     * @return whether all are down
     */
    public boolean allDown() {
        return instances.keySet().stream().allMatch(instance -> DOWN.equals(now.get(instance)));
    }

    /**
     * Returns the changes since a moment.
     *
     * @param sinceNanos by {@link System#nanoTime}
     * @return in their order
     */
    public List<HealthChange> since(long sinceNanos) {
        List<HealthChange> found = new ArrayList<>();
        for (Change change : changes) {
            if (change.nanos - sinceNanos >= 0) {
                double seconds = (change.nanos - sinceNanos) / (double) TimeUnit.SECONDS.toNanos(1);
                found.add(new HealthChange(change.instance, seconds, change.status));
            }
        }
        return found;
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

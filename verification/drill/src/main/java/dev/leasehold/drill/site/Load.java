package dev.leasehold.drill.site;

import dev.leasehold.drill.watch.Waits;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Fifty requests a second, fewer if an instance has ten to answer already, so that a slow machine is not overwhelmed; and the load
 * balancer before the instances: it sends requests in turn to those that answer probes, to all if none does, and to the next one if a
 * connection is refused. Thread-safe.
 */
public final class Load implements AutoCloseable {

    /** The answer to a request that got none. */
    public static final String NO_ANSWER = "no answer";

    private static final int MILLIS_BETWEEN = 20;
    /** Longer than any request should take, also on a busy machine: only an instance that is gone gives no answer. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static final int ORDERS = 10;
    private static final int REPORT_EACH = 5;
    private static final int MOST_IN_FLIGHT = 10;

    private final HttpClient http;
    private final List<Target> targets;
    private final Predicate<String> answers;
    private final ReentrantLock choice = new ReentrantLock();
    private final Map<String, AtomicLong> counts = new ConcurrentSkipListMap<>();
    private final AtomicLong total = new AtomicLong();
    private final AtomicLong streak = new AtomicLong();
    private final AtomicLong lastGranted = new AtomicLong();
    private final AtomicLong longestGap = new AtomicLong();
    private final AtomicInteger number = new AtomicInteger();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "load");
        thread.setDaemon(true);
        return thread;
    });

    /** An instance behind the balancer. */
    private static final class Target {
        final String name;
        final URI uri;
        final AtomicInteger inFlight = new AtomicInteger();
        volatile boolean drained;

        Target(String name, URI uri) {
            this.name = name;
            this.uri = uri;
        }
    }

    Load(Map<String, URI> instances, Predicate<String> answers, HttpClient http) {
        this.targets = new TreeMap<>(instances)
                .entrySet().stream()
                        .map(each -> new Target(each.getKey(), each.getValue()))
                        .toList();
        this.answers = answers;
        this.http = http;
    }

    void start() {
        lastGranted.set(System.nanoTime());
        Future<?> unused = timer.scheduleAtFixedRate(this::next, 0, MILLIS_BETWEEN, TimeUnit.MILLISECONDS);
    }

    private void next() {
        int n = number.getAndIncrement();
        String path = n % REPORT_EACH == 0 ? "/report" : "/orders/" + n % ORDERS;
        List<Target> rotation = new ArrayList<>();
        targets.stream().filter(target -> answers.test(target.name)).forEach(rotation::add);
        if (rotation.isEmpty()) {
            rotation.addAll(targets);
        }
        Collections.rotate(rotation, -(n % rotation.size()));
        Deque<Target> turns = new ArrayDeque<>(rotation);
        Target first = take(turns);
        if (first != null) {
            send(path, first, turns);
        }
    }

    private void send(String path, Target target, Deque<Target> rotation) {
        HttpRequest request = HttpRequest.newBuilder(target.uri.resolve(path))
                .timeout(TIMEOUT)
                .build();
        CompletableFuture<?> unused = http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .whenComplete((answer, failure) -> {
                    target.inFlight.decrementAndGet();
                    if (failure == null) {
                        count(Integer.toString(answer.statusCode()));
                        return;
                    }
                    Target next = isRefused(failure) ? take(rotation) : null;
                    if (next == null) {
                        count(NO_ANSWER);
                    } else {
                        send(path, next, rotation);
                    }
                });
    }

    /** Takes the next instance that is not drained and has room; under a lock, so that none is drained between this choice and its count. */
    private @Nullable Target take(Deque<Target> rotation) {
        choice.lock();
        try {
            for (Target target = rotation.poll(); target != null; target = rotation.poll()) {
                if (!target.drained && target.inFlight.get() < MOST_IN_FLIGHT) {
                    target.inFlight.incrementAndGet();
                    return target;
                }
            }
            return null;
        } finally {
            choice.unlock();
        }
    }

    private static boolean isRefused(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof ConnectException;
    }

    /**
     * Counts an answer to a request that the load did not send itself.
     *
     * @param answer its status, or {@link #NO_ANSWER}
     */
    public void count(String answer) {
        counts.computeIfAbsent(answer, key -> new AtomicLong()).incrementAndGet();
        total.incrementAndGet();
        if (answer.equals("200")) {
            long now = System.nanoTime();
            longestGap.accumulateAndGet(now - lastGranted.getAndSet(now), Math::max);
        }
        if (answer.equals("200") || answer.equals("409")) {
            streak.incrementAndGet();
        } else {
            streak.set(0);
        }
    }

    /**
     * Takes an instance out of the rotation, and waits until no request is on its way to it, as a rollout does before it ends one: a web
     * server that stops does not answer what it has not accepted yet.
     *
     * @param instance the name
     */
    public void drain(String instance) {
        Target target = target(instance);
        choice.lock();
        try {
            target.drained = true;
        } finally {
            choice.unlock();
        }
        Waits.until("no request is on its way to " + instance, () -> target.inFlight.get() == 0);
    }

    private Target target(String instance) {
        return targets.stream()
                .filter(target -> target.name.equals(instance))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Puts an instance into the rotation again.
     *
     * @param instance the name
     */
    public void restore(String instance) {
        target(instance).drained = false;
    }

    /** Returns how many requests have been answered, or will not be. */
    long total() {
        return total.get();
    }

    /** Returns how many answers in a row were 200 or 409. */
    long streak() {
        return streak.get();
    }

    void forgetStreak() {
        streak.set(0);
    }

    /** Returns the number of each answer since the start. */
    Map<String, Long> counts() {
        Map<String, Long> now = new TreeMap<>();
        counts.forEach((answer, count) -> now.put(answer, count.get()));
        return now;
    }

    /** Returns the longest time without a granted lock since the last call. */
    Duration takeLongestGap() {
        return Duration.ofNanos(longestGap.getAndSet(0));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

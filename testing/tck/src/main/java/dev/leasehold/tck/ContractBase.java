package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Base of all contracts: real servers for the class, clients over the adapter under test, and fault proxies before
 * the server. Everything opened is closed after each test. A contract runs over any adapter, and on every topology to
 * which it applies.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ContractBase extends AnyContract {

    /** The time limit of conditions: generous, because it never decides a passing test. */
    protected static final Duration LIMIT = Duration.ofMinutes(1);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private Site site;
    private EmbeddedRedis server;

    /**
     * Starts a client over the adapter under test.
     *
     * @param uri the server, or a proxy before it
     * @return a builder without options
     */
    LeaseholdBuilder builder(String uri) {
        return way().isByUri() ? site.builder(uri) : Leasehold.builder().transport(() -> transport(uri));
    }

    /**
     * Opens a transport of the adapter under test.
     *
     * @param uri the server, or a proxy before it
     * @return connected
     */
    final RedisTransport transport(String uri) {
        return way().open(TransportCalls.settings(site.uri(uri), site.tls()));
    }

    /** Returns whether the adapter under test and its server can do this. */
    final boolean can(Capability capability) {
        try (RedisTransport asked = transport(server.uri())) {
            return TransportCalls.answer(asked.describe()).capabilities().contains(capability);
        }
    }

    /**
     * Returns whether a request of the adapter under test arrives at most once. Over others nothing is handed off, and what is not granted
     * may be granted yet.
     */
    final boolean sendsAtMostOnce() {
        return can(Capability.AT_MOST_ONCE);
    }

    /**
     * Returns servers for this contract, running and empty; by default those that the contracts of this JVM share
     * in turn.
     */
    Site site() {
        return Sites.lend(topology());
    }

    /** Finds the servers that all tests of the class share. */
    @BeforeParameterizedClassInvocation
    final void startServer(Combination drawn) {
        site = claimed(drawn, site());
        server = site.server();
        // The preflight loads every script, so that a test that drops one reply does not drop a mere NOSCRIPT. In a
        // cluster it does so at one node, whichever its key leads to.
        await().until(() -> {
            builder(server.uri()).connectTimeout(Duration.ofMinutes(1)).build().close();
            return server.commandCounts().containsKey("evalsha");
        });
        site.restore();
    }

    /** Returns them. */
    @AfterParameterizedClassInvocation
    protected void stopServer() {
        Sites.takeBack(site);
    }

    /** Closes the test's resources, the last first. */
    @AfterEach
    protected void closeAll() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        site.restore();
    }

    /**
     * Returns the server.
     *
     * @return shared by the class
     */
    protected final EmbeddedRedis server() {
        return server;
    }

    /** Returns what another process needs to reach the servers. */
    final String address() {
        return site.address();
    }

    /**
     * Registers a resource that is closed after the test.
     *
     * @param resource the resource
     * @return the same
     * @param <T> its type
     */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /**
     * Creates a fault proxy before the server.
     *
     * @return closed after the test
     */
    protected final FaultProxy proxy() {
        return closing(site.proxy());
    }

    /**
     * Creates a fault proxy before each server that decides about locks.
     *
     * @return closed after the test
     */
    final List<FaultProxy> proxies() {
        return site.proxies().stream().map(this::closing).toList();
    }

    /** Returns the URI for clients that reach the servers through proxies. */
    static String uri(List<FaultProxy> proxies) {
        return proxies.stream().map(FaultProxy::uri).collect(Collectors.joining(" "));
    }

    /**
     * Creates a client that is connected directly to the server.
     *
     * @return closed after the test
     */
    protected final Leasehold client() {
        // A machine that is busy with many clients may take longer than the default, of which no contract is about this
        // client.
        return client(server.uri(), builder -> builder.connectTimeout(CONNECT_TIMEOUT));
    }

    /**
     * Creates a client.
     *
     * @param uri the server or a proxy before it
     * @param options sets its options
     * @return closed after the test
     */
    protected final Leasehold client(String uri, Consumer<LeaseholdBuilder> options) {
        LeaseholdBuilder builder = builder(uri).preflight(Preflight.OFF);
        options.accept(builder);
        return closing(builder.build());
    }

    /**
     * Creates a client for which no time passes: its waiters are woken, or wait for ever. It neither polls nor renews.
     *
     * @return closed after the test
     */
    final Leasehold clientWithoutPolls() {
        return client(server.uri(), builder -> builder.timer(ManualClock.create()));
    }

    /**
     * Returns a name that no other test uses.
     *
     * @return the name
     */
    protected final String name() {
        String name;
        do {
            name = getClass().getSimpleName() + ":" + NAMES.incrementAndGet();
        } while (!site.keeps(key(name)));
        return name;
    }

    /**
     * Returns options with a short lease that is renewed.
     *
     * @param leaseMillis the lease
     * @return the options
     */
    protected static LockOptions lease(long leaseMillis) {
        return LockOptions.builder()
                .leaseTime(Duration.ofMillis(leaseMillis))
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(5)))
                .build();
    }

    /**
     * Returns options with a lease that outlasts any stall of the machine, and is renewed soon: for leases that must not be lost.
     *
     * @return 20 s, renewed every 200 ms
     */
    protected static LockOptions renewedSoon() {
        return lease(20_000).toBuilder().renewal(Renewal.afterRatio(0.01)).build();
    }

    /**
     * Returns options with a short lease that is not renewed.
     *
     * @param leaseMillis the lease
     * @return the options
     */
    protected static LockOptions unrenewed(long leaseMillis) {
        return lease(leaseMillis).toBuilder().renewal(Renewal.none()).build();
    }

    /**
     * Waits for a condition with a generous limit.
     *
     * @return the start of an Awaitility condition
     */
    protected static ConditionFactory await() {
        return Awaitility.await().pollInSameThread().atMost(LIMIT).pollInterval(Duration.ofMillis(10));
    }

    /** Releases a lease, and returns whether it was held until then: one over a retained hold may end first, because it has little time. */
    static boolean released(Lease lease) {
        try {
            lease.release();
            return true;
        } catch (LeaseLostException e) {
            return false;
        }
    }

    /**
     * Returns the result of a timed try once its last poll is answered. That poll has some 20 ms. On a machine too
     * busy for that, the try throws because the outcome is unknown; it does not report the lock as busy.
     */
    static <T> T outOfDoubt(Callable<T> timedTry) {
        return await().ignoreException(LockUnavailableException.class).until(timedTry, any -> true);
    }

    /** Polls more often than {@link #await}, for conditions in many rounds. */
    static ConditionFactory soon() {
        return await().pollInterval(Duration.ofMillis(1));
    }

    /**
     * Waits until so many positions in the queue of a lock are taken. All plain waiters of a client share one
     * position, and the first of them sends the requests. Also waits until each can receive a wake-up: before that
     * its turn passes to the next.
     */
    final void untilWaiting(String name, int places) {
        soon().until(() -> isWaiting(name, places));
    }

    /** Returns whether {@link #untilWaiting} would return. */
    final boolean isWaiting(String name, int places) {
        return field(name, "wn").equals(Integer.toString(places)) && allSubscribed(name);
    }

    private boolean allSubscribed(String name) {
        Iterator<?> fields =
                list(server(key(name)).command("HGETALL", key(name))).iterator();
        boolean all = true;
        while (fields.hasNext()) {
            String field = fields.next().toString();
            String value = fields.next().toString();
            if (field.startsWith("q:")) {
                String channel = value.substring(value.indexOf(':') + 1).split(" ", 2)[0];
                all &= subscribers(channel) > 0
                        || (topology() == Topology.CLUSTER && subscribersOfShard(channel, servers(name)) > 0);
            }
        }
        return all;
    }

    /** Returns how many clients are subscribed to a channel of all nodes. */
    final long subscribers(String channel) {
        return subscribers("NUMSUB", channel, site.nodes());
    }

    /** Returns how many clients of contracts are subscribed at all nodes. Some of them may not set their name; Sentinels have one. */
    final long subscribedClients() {
        return site.nodes().stream()
                .flatMap(node -> String.valueOf(node.command("CLIENT", "LIST", "TYPE", "pubsub"))
                        .lines())
                .filter(line -> !line.contains(" name=sentinel-"))
                .count();
    }

    /** Returns how many clients are subscribed to a channel of a shard, at the servers of that. */
    static long subscribersOfShard(String channel, List<EmbeddedRedis> nodes) {
        return subscribers("SHARDNUMSUB", channel, nodes);
    }

    /** Each node counts its own subscribers only. */
    private static long subscribers(String kind, String channel, List<EmbeddedRedis> nodes) {
        return nodes.stream()
                .mapToLong(node -> (Long) Objects.requireNonNull(
                        list(node.command("PUBSUB", kind, channel)).get(1)))
                .sum();
    }

    /** Sets back the time of the last poll of each waiter, as if its process had died ten seconds ago. */
    final void letTenSecondsPassSinceTheLastPolls(String name) {
        EmbeddedRedis keeper = server(key(name));
        for (Object field : list(keeper.command("HKEYS", key(name)))) {
            if (field.toString().startsWith("q:")) {
                String[] waiter = field(name, field.toString()).split(":", 2);
                keeper.command(
                        "HSET", key(name), field.toString(), Long.parseLong(waiter[0]) - 10_000_000 + ":" + waiter[1]);
            }
        }
    }

    /** Starts a waiter for the lock that needs no thread. */
    static CompletableFuture<Lease> waiter(DistributedLock lock) {
        return lock.acquireAsync().toCompletableFuture();
    }

    /** Returns the lease that a waiter is granted in the end. */
    static Lease granted(CompletableFuture<Lease> waiter) {
        soon().until(waiter::isDone);
        return waiter.join();
    }

    /**
     * Returns the key of a name of letters, digits and colons.
     *
     * @param name the lock
     * @return the key
     */
    protected static String key(String name) {
        return "leasehold:{" + name + "}";
    }

    /**
     * Returns a field of the lock's hash.
     *
     * @param name the lock
     * @param field the field
     * @return its value, or {@code null} as a word
     */
    protected final String field(String name, String field) {
        return String.valueOf(server(key(name)).command("HGET", key(name), field));
    }

    /** Returns the string under a key, or {@code null} as a word. */
    final String value(String key) {
        return String.valueOf(server(key).command("GET", key));
    }

    /** Returns a running server that keeps a key. */
    final EmbeddedRedis server(String key) {
        return site.servers(key).get(0);
    }

    /** Returns the remaining time of a key in ms. */
    final long left(String key) {
        return (Long) Objects.requireNonNull(server(key).command("PTTL", key));
    }

    /** Waits until the expiry of each key is so much later than it is now. */
    final void untilProlonged(List<String> keys, long millis) {
        List<Long> before = keys.stream().map(this::expiry).toList();
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            long end = before.get(i) + millis;
            await().until(() -> expiry(key) >= end);
        }
    }

    private long expiry(String key) {
        return serverMicros() / 1000 + left(key);
    }

    /** Returns a listener that counts renewals. */
    static LeaseholdListener counting(AtomicInteger renewals) {
        return new LeaseholdListener() {
            @Override
            public void renewed(RenewedEvent event) {
                renewals.incrementAndGet();
            }
        };
    }

    /** Returns whether a key exists on any server that decides about locks. */
    final boolean exists(String key) {
        return site.servers(key).stream().anyMatch(each -> Long.valueOf(1).equals(each.command("EXISTS", key)));
    }

    /** Returns the running servers that keep a lock. */
    final List<EmbeddedRedis> servers(String name) {
        return site.servers(key(name));
    }

    /** Deletes a key. */
    final void delete(String key) {
        site.servers(key).forEach(each -> each.command("DEL", key));
    }

    /** Deletes the data of all locks. */
    final void deleteAll() {
        site.deleteAll();
    }

    /**
     * Returns the number of holds that Redis keeps of a lock, in a quorum a majority of its servers.
     *
     * @param name the lock
     * @return the number of hold fields
     */
    protected final long holds(String name) {
        return servers(name).stream()
                .flatMap(each -> holdFields(each, name))
                .collect(Collectors.groupingBy(hold -> hold, Collectors.counting()))
                .values()
                .stream()
                .filter(servers -> servers >= site.majority())
                .count();
    }

    private static Stream<String> holdFields(EmbeddedRedis server, String name) {
        return list(server.command("HKEYS", key(name))).stream()
                .map(Object::toString)
                .filter(field -> field.startsWith("h:"));
    }

    /**
     * Returns the end of the only hold of a lock.
     *
     * @param name the lock
     * @return microseconds of server time
     */
    protected final long holdEnd(String name) {
        return servers(name).stream()
                .flatMap(each -> holdFields(each, name).map(hold -> end(each, name, hold)))
                .sorted(Comparator.reverseOrder())
                .skip(site.majority() - 1L)
                .findFirst()
                .orElseThrow();
    }

    private static long end(EmbeddedRedis server, String name, String hold) {
        String[] parts = String.valueOf(server.command("HGET", key(name), hold)).split(":", -1);
        return Long.parseLong(parts[0]) + Long.parseLong(parts[1]);
    }

    /**
     * Ends the only hold of a lock in Redis, as if its time had passed.
     *
     * @param name the lock
     */
    protected final void endHold(String name) {
        long from = serverMicros() - 1_000_001;
        for (EmbeddedRedis each : servers(name)) {
            holdFields(each, name).forEach(hold -> each.command("HSET", key(name), hold, from + ":1000000:" + from));
        }
    }

    /**
     * Casts a reply to a list.
     *
     * @param reply the server's answer
     * @return the same
     */
    protected static List<?> list(@Nullable Object reply) {
        return (List<?>) Objects.requireNonNull(reply);
    }

    /**
     * Returns the time of the server.
     *
     * @return microseconds
     */
    protected final long serverMicros() {
        List<?> time = list(server.command("TIME"));
        return Long.parseLong(time.get(0).toString()) * 1_000_000
                + Long.parseLong(time.get(1).toString());
    }

    /**
     * Waits until Redis refuses as late whatever a client has sent so far. Its estimate of the time of Redis is ahead by no more than
     * an answer took, and all its answers are younger than itself.
     *
     * @param created microseconds, the time of the server before the client was created
     * @param limit within which the client has its requests executed, or never
     */
    protected final void untilLate(long created, Duration limit) {
        long sent = serverMicros();
        long end = sent + limit.toNanos() / 1000 + (sent - created);
        await().until(() -> serverMicros() > end);
    }

    /**
     * Runs a task on a thread of its own.
     *
     * @param task the task
     * @return its result
     * @param <T> the type of the result
     */
    protected static <T> CompletableFuture<T> inThread(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(task.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    /**
     * Asserts that no hold of the lock is left, now or soon. A hold that merely expired would still be in the hash:
     * it must have been released.
     *
     * @param name the lock
     */
    protected final void isGivenBack(String name) {
        await().untilAsserted(() -> assertThat(servers(name))
                .allSatisfy(each -> assertThat(holdFields(each, name)).isEmpty()));
    }

    /**
     * Asserts that the lock is free, now or soon.
     *
     * @param lock the lock
     */
    protected static void becomesFree(DistributedLock lock) {
        await().ignoreException(LockUnavailableException.class)
                .untilAsserted(() -> assertThat(lock.inspect()).isEmpty());
    }
}

package dev.leasehold.benchmarks.subject;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedQuorum;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The floor of a quorum: the scripts that Leasehold sends to five servers, with its arguments, sent bare by one
 * Lettuce client. An acquire waits for all answers, a release for a majority. No answer is judged, no time kept.
 */
public final class BareQuorumSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Floor: bare scripts on 5 servers";

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(Duration.ofMinutes(1)), false);
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);
    private static final KeyPrefix PREFIX = new KeyPrefix("bare");

    private final SecureRandom random = new SecureRandom();
    private final EmbeddedQuorum servers = EmbeddedQuorum.start();
    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .commandLatencyRecorder(CommandLatencyRecorder.disabled())
            .build();
    private final RedisClient client = RedisClient.create(resources);
    private final List<StatefulRedisConnection<String, String>> connections = new ArrayList<>();

    /** Starts the servers, connects, and makes them count. */
    public BareQuorumSubject() {
        client.setOptions(ClientOptions.builder()
                .autoReconnect(false)
                .timeoutOptions(TimeoutOptions.create())
                .build());
        for (String uri : servers.uris()) {
            StatefulRedisConnection<String, String> connection = client.connect(RedisURI.create(uri));
            connection.sync().scriptLoad(QuorumScripts.ACQUIRE.body());
            connection.sync().scriptLoad(ReleaseScript.SCRIPT.body());
            connections.add(connection);
        }
        Calls first = calls("first");
        send(first.acquire(), connections.size(), reply -> {});
        servers.letCount();
        send(first.release(), connections.size(), reply -> {});
    }

    @Override
    public String name() {
        return NAME;
    }

    private record Calls(ScriptCall acquire, ScriptCall release) {}

    private Calls calls(String lock) {
        LockKey key = LockKey.of(PREFIX, lock);
        AcquisitionId id = AcquisitionId.next(random);
        LeaseSpan lease = new LeaseSpan(LEASE.toNanos());
        Holder holder = new Holder(
                ProcessHandle.current().pid() + "@localhost",
                Thread.currentThread().getName(),
                "");
        String marker = QuorumRequest.marker(PREFIX);
        return new Calls(
                SCRIPTS.call(new QuorumRequest.Acquire(
                        key, id, lease, ANY_TIME, new TokenFloor(0), holder, marker, lease, 1)),
                SCRIPTS.call(new ReleaseHold(key, id, lease, false, ServerTime.NONE, 1)));
    }

    /** Sends the call to all, and returns when so many have answered. */
    private void send(ScriptCall call, int awaited, Consumer<String> judge) {
        CountDownLatch open = new CountDownLatch(awaited);
        String[] keys = call.keys().toArray(String[]::new);
        String[] args = call.args().toArray(String[]::new);
        for (StatefulRedisConnection<String, String> connection : connections) {
            var unused = connection
                    .async()
                    .<List<String>>evalsha(call.script().sha1(), ScriptOutputType.MULTI, keys, args)
                    .whenComplete((reply, failure) -> {
                        if (failure == null) {
                            judge.accept(reply.get(0));
                            open.countDown();
                        }
                    });
        }
        try {
            open.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the servers answered", e);
        }
    }

    @Override
    public Grip grip(String lock) {
        return new BareGrip(calls(lock));
    }

    @Override
    public void close() {
        connections.forEach(StatefulRedisConnection::close);
        client.shutdown(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        servers.close();
    }

    /** Reuses the same id: the scripts have forgotten it with its release. */
    private final class BareGrip implements Grip {

        private final Calls calls;
        private volatile boolean held;

        BareGrip(Calls calls) {
            this.calls = calls;
        }

        @Override
        public void acquire() {
            while (!tryAcquire()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean tryAcquire() {
            held = true;
            send(calls.acquire(), connections.size(), code -> held &= code.equals("granted"));
            return held;
        }

        @Override
        public boolean held() {
            return held;
        }

        @Override
        public void release() {
            held = false;
            send(calls.release(), connections.size() / 2 + 1, code -> {});
        }
    }
}

package dev.leasehold.benchmarks.subject;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.TlsOptions;
import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.jedis.JedisTransport;
import dev.leasehold.spi.ConnectionSettings;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Leasehold with all defaults, by leases: {@code acquire().close()}. */
public final class LeaseSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Leasehold acquire/close";

    /** The name of its fair lock in the tables. */
    public static final String FAIR = "Leasehold fair lock";

    /** The name of its read-write lock in the tables. */
    public static final String READ_WRITE = "Leasehold read-write lock";

    /** The name of its semaphore in the tables. */
    public static final String SEMAPHORE = "Leasehold semaphore";

    /** The name over Jedis in the tables. */
    public static final String OVER_JEDIS = "Leasehold over Jedis";

    /** The name of its leases that stay with the client after a release, in the tables. */
    public static final String RETAINED = "Leasehold retained";

    private static final Duration RETAINED_FOR = Duration.ofMillis(500);
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(2);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

    private final Leasehold leasehold;
    private final String title;

    /** Connects. */
    public LeaseSubject(String uri) {
        this(Leasehold.connect(uri), NAME);
    }

    private LeaseSubject(Leasehold leasehold, String title) {
        this.leasehold = leasehold;
        this.title = title;
    }

    /** Connects, for fair locks. */
    public static LeaseSubject fair(String uri) {
        return new LeaseSubject(Leasehold.connect(uri), FAIR);
    }

    /** Connects, for read-write locks. */
    public static LeaseSubject readWrite(String uri) {
        return new LeaseSubject(Leasehold.connect(uri), READ_WRITE);
    }

    /** Connects, for one permit of several. */
    public static LeaseSubject semaphore(String uri) {
        return new LeaseSubject(Leasehold.connect(uri), SEMAPHORE);
    }

    /** Connects over Jedis. */
    public static LeaseSubject overJedis(String uri) {
        ConnectionSettings settings = new ConnectionSettings(
                URI.create(uri), "benchmarks", CONNECT_TIMEOUT, COMMAND_TIMEOUT, TlsOptions.defaults());
        return new LeaseSubject(
                Leasehold.builder().transport(JedisTransport.create(settings)).build(), OVER_JEDIS);
    }

    /** Connects, for locks that the client retains for 500 ms after a release. */
    public static LeaseSubject retained(String uri) {
        return new LeaseSubject(
                Leasehold.builder().uri(uri).defaults(retaining()).build(), RETAINED);
    }

    private static LockOptions retaining() {
        return LockOptions.builder().retainFor(RETAINED_FOR).build();
    }

    /** Connects to several servers, which count soon, since its longest lease is short. */
    static LeaseSubject quorum(String title, String... uris) {
        return new LeaseSubject(
                Leasehold.builder()
                        .quorum(uris)
                        .maxLeaseTime(LONGEST_LEASE)
                        .defaults(LockOptions.builder().leaseTime(LONGEST_LEASE).build())
                        .build(),
                title);
    }

    /** Connects without the check whether the server endangers locks. */
    public static LeaseSubject withoutPreflight(String uri) {
        return new LeaseSubject(
                Leasehold.builder().uri(uri).preflight(Preflight.OFF).build(), NAME);
    }

    @Override
    public String name() {
        return title;
    }

    @Override
    public Grip grip(String lock) {
        String name = "lease:" + lock;
        return switch (title) {
            case FAIR -> new LeaseGrip(leasehold.fairLock(name), Tokens.RISING);
            case SEMAPHORE ->
                new LeaseGrip(
                        leasehold.semaphore(name, BareScriptsSubject.PERMITS).asLock(), Tokens.NONE);
            default -> new LeaseGrip(leasehold.lock(name), Tokens.RISING);
        };
    }

    @Override
    public Grip reader(String lock) {
        return new LeaseGrip(leasehold.readWriteLock("lease:" + lock).readLock(), Tokens.SHARED);
    }

    @Override
    public void close() {
        leasehold.close();
    }

    /** The order of the tokens of successive leases. */
    private enum Tokens {
        RISING,
        SHARED,
        NONE
    }

    /** A grip whose tokens must rise, if it has any; readers may share one. */
    private static final class LeaseGrip implements Grip {

        private final DistributedLock lock;
        private final Tokens tokens;
        private @Nullable Lease lease;
        private long lastToken;

        LeaseGrip(DistributedLock lock, Tokens tokens) {
            this.lock = lock;
            this.tokens = tokens;
        }

        @Override
        public void acquire() throws InterruptedException {
            accept(lock.acquire());
        }

        @Override
        public boolean tryAcquire() {
            Lease taken = lock.tryAcquire().orElse(null);
            if (taken == null) {
                return false;
            }
            accept(taken);
            return true;
        }

        private void accept(Lease taken) {
            lease = taken;
            if (tokens == Tokens.NONE) {
                return;
            }
            long token = taken.fencingToken();
            if (token < lastToken || (token == lastToken && tokens == Tokens.RISING)) {
                throw new IncorrectException("the fencing token " + token + " of " + taken.name() + " came after "
                        + lastToken + ", and should be higher");
            }
            lastToken = token;
        }

        @Override
        public boolean held() {
            return lease != null && lease.isHeld();
        }

        @Override
        public void onLost(Runnable reported) {
            if (lease != null) {
                lease.onLost(event -> reported.run());
            }
        }

        @Override
        public void release() {
            Lease taken = lease;
            if (taken == null) {
                throw new IllegalStateException("released before it was acquired");
            }
            lease = null;
            taken.close();
        }
    }
}

package dev.leasehold.tck;

import dev.leasehold.Credentials;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A user of some servers whose password changes, and the supplier of its credentials, which can fail. */
final class RotatingCredentials implements Supplier<Credentials> {

    /** In every password, and in what the supplier throws: must not be in any log or message. */
    static final String SECRET = "s3cret";

    private static final String USER = "rotating";

    private final List<EmbeddedRedis> servers;
    private final boolean defaultUser;
    private final AtomicInteger passwords = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();
    private volatile String password = "";
    private volatile boolean failing;
    private volatile @Nullable CountDownLatch gate;

    private RotatingCredentials(List<EmbeddedRedis> servers, boolean defaultUser) {
        this.servers = List.copyOf(servers);
        this.defaultUser = defaultUser;
        rotate();
    }

    /** Of an ACL user of its own. */
    static RotatingCredentials ofUser(List<EmbeddedRedis> servers) {
        return new RotatingCredentials(servers, false);
    }

    /** Of the default user, whose password is {@code requirepass}. */
    static RotatingCredentials ofDefaultUser(EmbeddedRedis server) {
        return new RotatingCredentials(List.of(server), true);
    }

    /** Replaces the password. Connections that are open stay authenticated. */
    void rotate() {
        password = rotateAtServers();
    }

    /** Replaces the password, which the supplier does not know: returns it. */
    String rotateAtServers() {
        String next = SECRET + passwords.incrementAndGet();
        for (EmbeddedRedis each : servers) {
            if (defaultUser) {
                each.command("CONFIG", "SET", "requirepass", next);
            } else {
                each.command("ACL", "SETUSER", USER, "on", "resetpass", ">" + next, "~*", "&*", "+@all");
            }
        }
        return next;
    }

    void supply(String next) {
        password = next;
    }

    /** Ends all connections of the user, as a service does whose tokens have expired. */
    void cutConnections() {
        servers.forEach(each -> each.command("CLIENT", "KILL", "USER", defaultUser ? "default" : USER));
    }

    /** Lets the supplier throw, with a message that quotes a secret, or no longer. */
    void fail(boolean fails) {
        failing = fails;
    }

    /** Lets the supplier block until the result is opened. */
    CountDownLatch block() {
        CountDownLatch closed = new CountDownLatch(1);
        gate = closed;
        return closed;
    }

    /** Returns how often the supplier was called. */
    int asked() {
        return asked.get();
    }

    /** Returns the greatest number of calls at the same time. */
    int mostUnderWay() {
        return mostUnderWay.get();
    }

    @Override
    public Credentials get() {
        asked.incrementAndGet();
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        try {
            CountDownLatch closed = gate;
            if (closed != null) {
                closed.await();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            underWay.decrementAndGet();
        }
        if (failing) {
            throw new IllegalStateException("the token " + SECRET + " has expired");
        }
        return new Credentials(defaultUser ? null : USER, password);
    }
}

package dev.leasehold.examples.quickstart;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.interop.Formats;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Techniques that articles about locks on Redis build by hand; one method for each of {@code docs/explanation/articles.md}. */
public final class ArticleTechniques {

    private final Usage.Work work;

    /** The store of a lottery's winners. */
    public interface Draws {

        /**
         * Returns whether a day's winners were drawn. Refuses writes with a lower token from now on.
         *
         * @param day the day of the draw
         * @param token the fencing token of the caller
         * @return true if there are winners
         * @throws SQLException if a higher token was seen, or the database does not answer
         */
        boolean areDrawn(String day, long token) throws SQLException;

        /**
         * Draws the winners and writes them.
         *
         * @param day the day of the draw
         * @param token the fencing token of the holder that draws
         * @throws SQLException if a higher token was seen, or the database does not answer
         */
        void draw(String day, long token) throws SQLException;
    }

    /**
     * Creates the examples.
     *
     * @param work the work under a lock
     */
    public ArticleTechniques(Usage.Work work) {
        this.work = work;
    }

    Optional<Lease> setIfAbsent(Leasehold leasehold) {
        // example: article-set-if-absent
        Optional<Lease> lease = leasehold.lock("lottery").tryAcquire(); // one request; empty if it is taken
        // end
        return lease;
    }

    Optional<Lease> plainSet(Leasehold leasehold) {
        // example: article-plain-set
        Optional<Lease> lease = leasehold.lock("lottery", Formats.plain()).tryAcquire(); // SET lottery <id> NX PX 30000
        // end
        return lease;
    }

    void polling(Leasehold leasehold) throws InterruptedException {
        // example: article-polling
        LockOptions polling = LockOptions.builder()
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(20), 5))
                .build();
        try (Lease lease = leasehold.lock("lottery").with(polling).acquire()) {
            work.run("drawn", lease.fencingToken());
        } catch (LockNotAcquiredException e) {
            work.run("asked five times", 0);
        }
        // end
    }

    void compareAndDelete(DistributedLock lottery) throws InterruptedException {
        // example: article-compare-and-delete
        Lease lease = lottery.acquire();
        try {
            work.run("drawn", lease.fencingToken());
        } finally {
            lease.release(); // deletes its own hold and no other; throws if that was lost before
        }
        // end
    }

    Lease renewal(Leasehold leasehold) throws InterruptedException {
        // example: article-renewal
        LockOptions watched = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(1))
                .renewal(Renewal.afterRatio(0.9).atMost(2)) // the weight, and the number of times
                .build();
        Lease lease = leasehold.lock("report").with(watched).acquire();
        lease.onLost(loss -> work.run("stop: " + loss.cause(), loss.fencingToken()));
        // end
        return lease;
    }

    void namedValue(Leasehold leasehold) throws InterruptedException {
        // example: article-named-value
        OwnedLock stock = leasehold.lock("stock:17").ownedBy("order-4711"); // the value, chosen by the caller
        try (Lease lease = stock.acquire()) {
            boolean inRedis = stock.isHeld(); // isLocking: asks Redis, for any process that knows the name
            boolean here = lease.isHeld(); // sends no request
            work.run(inRedis + " " + here, lease.fencingToken());
        }
        // end
    }

    void lottery(Leasehold leasehold, Draws draws) throws InterruptedException, SQLException {
        // example: article-lottery
        try (Lease lease = leasehold.lock("lottery:2026-11-21").acquire(Duration.ofSeconds(5))) {
            if (!draws.areDrawn("2026-11-21", lease.fencingToken())) { // a later instance finds them drawn
                draws.draw("2026-11-21", lease.fencingToken());
            }
        }
        // end
    }
}

package dev.leasehold.examples.quickstart;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/** Draws 10 winners out of 1,000. However many instances run, one draws at a time, and a late write is refused. */
public final class Lottery {

    private static final String DAY = "2026-11-21";

    private final WinnerTable winners;
    private volatile boolean stopped;

    /**
     * Creates one of many instances.
     *
     * @param winners the table that all instances write to
     */
    public Lottery(WinnerTable winners) {
        this.winners = winners;
    }

    /**
     * Draws, unless another instance does.
     *
     * @throws InterruptedException if interrupted while waiting for the lock
     * @throws SQLException if the winners cannot be written
     */
    public void run() throws InterruptedException, SQLException {
        // example: first
        try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379")) {
            DistributedLock lottery = leasehold.lock("lottery:2026-11-21");
            try (Lease lease = lottery.acquire(Duration.ofSeconds(5))) {
                lease.onLost(loss -> stopDrawing());
                draw(lease.fencingToken());
            } catch (LockNotAcquiredException e) {
                System.out.println("another instance is drawing");
            }
        }
        // end
    }

    private void draw(long token) throws SQLException {
        String drawn = ThreadLocalRandom.current()
                .ints(0, 1000)
                .distinct()
                .limit(10)
                .sorted()
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
        if (!stopped && !winners.write(DAY, drawn, token)) {
            throw new SQLException("token " + token + " is stale: a later holder has drawn already");
        }
    }

    private void stopDrawing() {
        stopped = true;
    }
}

package dev.leasehold.examples.quickstart.tutorial;

// example: tutorial-lock
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import java.time.Duration;

/** Holds a lock until you press Enter. */
final class FirstLock {

    public static void main(String[] args) throws Exception {
        try (Leasehold leasehold = Leasehold.connect("redis://localhost:6379");
                Lease lease = leasehold.lock("lottery:2026-11-21").acquire(Duration.ofSeconds(5))) {
            System.out.println("held, with token " + lease.fencingToken() + ": press Enter to release");
            System.in.read();
        } catch (LockNotAcquiredException e) {
            System.out.println("another process holds it: " + e.getMessage());
        }
    }
}
// end

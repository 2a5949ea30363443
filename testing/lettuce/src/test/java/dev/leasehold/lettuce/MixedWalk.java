package dev.leasehold.lettuce;

import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.OwnedLock;
import dev.leasehold.Renewal;
import dev.leasehold.lettuce.Ledger.Hold;
import dev.leasehold.lettuce.Ledger.Mode;
import dev.leasehold.lettuce.Ledger.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One thread that uses locks of all kinds through a client, as a seed decides, and tells the ledger. */
final class MixedWalk implements Runnable {

    /** The locks, whose names begin with their kinds. */
    static final List<String> ALL =
            List.of("mutex-1", "mutex-2", "fair", "rw", "permits", "taken-away", "several-1", "several-2");

    private static final int PERMITS = 3;
    /** Long enough for every wait of a walk: a wait that ends without the lock is a fault. */
    private static final Duration WAIT = Duration.ofSeconds(60);

    private static final Duration SHORT_LEASE = Duration.ofMillis(300);
    private static final Duration MIN_HOLD = Duration.ofMillis(20);
    private static final Duration RETAINED = Duration.ofMillis(200);
    private static final LockOptions RENEWED = LockOptions.builder()
            .leaseTime(Duration.ofNanos(Ledger.LEASE_NANOS))
            .build();
    private static final LockOptions NOT_RENEWED =
            LockOptions.builder().leaseTime(SHORT_LEASE).renewal(Renewal.none()).build();

    private final String side;
    private final Leasehold client;
    private final String otherSide;
    private final Leasehold otherClient;
    private final Ledger ledger;
    private final List<String> locks;
    private final Random random;
    private final int acts;

    MixedWalk(
            String side,
            Leasehold client,
            String otherSide,
            Leasehold otherClient,
            Ledger ledger,
            List<String> locks,
            long seed,
            int acts) {
        this.side = side;
        this.client = client;
        this.otherSide = otherSide;
        this.otherClient = otherClient;
        this.ledger = ledger;
        this.locks = locks;
        random = new Random(seed);
        this.acts = acts;
    }

    @Override
    public void run() {
        for (int n = 0; n < acts && ledger.faults().isEmpty(); n++) {
            String lock = locks.get(random.nextInt(locks.size()));
            try {
                act(lock);
            } catch (InterruptedException e) {
                return;
            } catch (Exception e) {
                ledger.fault(side + " at " + lock + ": " + e + ", of which is known "
                        + client.lock(lock).inspect());
            }
        }
    }

    private void act(String lock) throws Exception {
        if (lock.startsWith("mutex")) {
            mutex(lock);
        } else if (lock.equals("fair")) {
            DistributedLock fair = client.fairLock(lock).with(RENEWED);
            use(request(lock, Mode.EXCLUSIVE), fair.acquire(WAIT));
        } else if (lock.equals("rw")) {
            readWrite(client.readWriteLock(lock), lock);
        } else if (lock.equals("permits")) {
            permits(lock);
        } else if (lock.equals("taken-away")) {
            takenAway(client.lock(lock).with(RENEWED), lock);
        } else {
            several();
        }
    }

    private void mutex(String name) throws Exception {
        DistributedLock lock = client.lock(name).with(RENEWED);
        Request request = request(name, Mode.EXCLUSIVE);
        switch (random.nextInt(13)) {
            case 0 -> use(request, lock.tryAcquire());
            case 1 -> soon(request, lock);
            case 2 ->
                use(request, lock.acquireAsync(WAIT).toCompletableFuture().get(WAIT.toSeconds(), TimeUnit.SECONDS));
            case 3 -> cancelled(lock);
            case 4 -> reentrant(request, lock);
            case 5 ->
                use(request, lock.with(options().retainFor(RETAINED).build()).acquire(WAIT));
            case 6 -> {
                Lease lease = lock.with(options().minHold(MIN_HOLD).build()).acquire(WAIT);
                release(hold(request, lease), lease, MIN_HOLD);
            }
            case 7 -> owned(request, lock.ownedBy(side + " " + random.nextInt()));
            case 8 -> export(request, lock.acquire(WAIT));
            case 9 -> lapse(request, lock.with(NOT_RENEWED).acquire(WAIT));
            case 10 -> {
                Lease lease = lock.acquire(WAIT);
                Hold hold = hold(request, lease);
                if (!lease.extend(Duration.ofSeconds(20))) {
                    ledger.fault(hold + " could not be extended");
                }
                release(hold, lease, Duration.ZERO);
            }
            case 11 -> lock.requestRelease();
            default -> use(request, lock.acquire(WAIT));
        }
    }

    private static LockOptions.Builder options() {
        return RENEWED.toBuilder();
    }

    /** Waits for so short a time that Redis may not answer within it. */
    private void soon(Request request, DistributedLock lock) throws InterruptedException {
        Optional<Lease> lease;
        try {
            lease = lock.tryAcquire(Duration.ofMillis(5 + random.nextInt(45)));
        } catch (LockUnavailableException e) {
            return;
        }
        use(request, lease);
    }

    /** Cancels an acquisition, which may have been granted. */
    private void cancelled(DistributedLock lock) {
        CompletableFuture<Lease> acquisition = lock.acquireAsync(WAIT).toCompletableFuture();
        work();
        if (!acquisition.cancel(false) && acquisition.isDone() && !acquisition.isCompletedExceptionally()) {
            acquisition.join().close();
        }
    }

    private void reentrant(Request request, DistributedLock lock) throws InterruptedException {
        if (!lock.tryLock(WAIT.toSeconds(), TimeUnit.SECONDS)) {
            ledger.fault(side + " did not get " + lock.name());
            return;
        }
        Lease lease = lock.leaseOfCurrentThread().orElseThrow();
        Hold hold = hold(request, lease);
        lock.lock();
        work();
        lock.unlock();
        if (!lease.isHeld()) {
            ledger.fault(hold + " ended with the first unlock");
        }
        hold.ending();
        lock.unlock();
        hold.ended(0);
    }

    private void owned(Request request, OwnedLock lock) throws InterruptedException {
        Lease first = lock.acquire(WAIT);
        Hold hold = hold(request, first);
        Lease second = lock.acquire(WAIT);
        if (lock.holdCount() != 2) {
            ledger.fault(hold + " counts " + lock.holdCount() + " holds of its owner");
        }
        second.release();
        release(hold, first, Duration.ZERO);
    }

    /** Exports the lease to the other version, which resumes it. */
    private void export(Request request, Lease lease) {
        Hold hold = hold(request, lease);
        work();
        String exported = lease.export();
        // Until it learns of it, the exporter may believe that it still has the lock.
        hold.ending();
        Request again = ledger.request(otherSide, lease.name(), Mode.EXCLUSIVE);
        Lease resumed = otherClient.resume(exported, RENEWED);
        Hold next = hold(again, resumed);
        try {
            lease.release();
        } catch (LeaseLostException e) {
            // It was told before.
        }
        work();
        if (!resumed.isHeld()) {
            ledger.fault(next + " ended with the release of its exporter");
        }
        release(next, resumed, Duration.ZERO);
    }

    /** Lets the lease end, and releases it when another client may have the lock. */
    private void lapse(Request request, Lease lease) {
        Hold hold = hold(request, lease);
        await().atMost(WAIT).until(() -> !lease.isHeld());
        hold.ending();
        hold.ended(0);
        work();
        try {
            lease.release();
            ledger.fault(hold + " ended, and its release reports no loss");
        } catch (LeaseLostException e) {
            // As it should.
        }
    }

    private void readWrite(DistributedReadWriteLock lock, String name) throws InterruptedException {
        int kind = random.nextInt(8);
        if (kind < 5) {
            Request request = request(name, Mode.READ);
            Lease read = lock.readLock().with(RENEWED).acquire(WAIT);
            Hold hold = hold(request, read);
            // Often so long that writers of other clients ask for their turn.
            work(random.nextInt(3) * random.nextInt(60));
            release(hold, read, Duration.ZERO);
            return;
        }
        Request request = request(name, Mode.EXCLUSIVE);
        Lease write = lock.writeLock().with(RENEWED).acquire(WAIT);
        if (kind < 7) {
            use(request, write);
            return;
        }
        Hold hold = hold(request, write);
        work();
        Request reader = request(name, Mode.READ);
        hold.ending();
        use(reader, lock.downgrade(write));
    }

    private void permits(String name) throws InterruptedException {
        var semaphore = client.semaphore(name, PERMITS).with(RENEWED);
        int kind = random.nextInt(8);
        if (kind == 0) {
            semaphore.changePermits(PERMITS);
            return;
        }
        int permits = 1 + random.nextInt(2);
        Request request = request(name, Mode.PERMIT);
        Lease lease = semaphore.atOnce(permits).acquire(WAIT);
        Hold hold = request.granted(0, permits, PERMITS, lease::isHeld);
        work();
        release(hold, lease, Duration.ZERO);
    }

    /** Holders lose this lock at any moment. */
    private void takenAway(DistributedLock lock, String name) throws InterruptedException {
        switch (random.nextInt(6)) {
            case 0 -> lock.forceRelease();
            case 1 -> {
                if (side.equals(MixedVersionsIT.PRESENT)) {
                    lock.inspect().ifPresent(info -> lock.forceRelease(info.fencingToken()));
                } else {
                    lock.requestRelease();
                }
            }
            default -> {
                Request request = request(name, Mode.TAKEN_AWAY);
                Lease lease = lock.acquire(WAIT);
                Hold hold = request.granted(lease.fencingToken(), 1, 1, lease::isHeld);
                work();
                hold.ending();
                try {
                    lease.release();
                } catch (LeaseLostException e) {
                    // Another client took it away.
                }
                hold.ended(0);
            }
        }
    }

    private void several() throws InterruptedException {
        Request first = request("several-1", Mode.EXCLUSIVE);
        Request second = request("several-2", Mode.EXCLUSIVE);
        if (random.nextBoolean()) {
            boolean one = random.nextBoolean();
            DistributedLock single = client.lock(one ? "several-1" : "several-2");
            use(one ? first : second, single.with(RENEWED).acquire(WAIT));
            return;
        }
        MultiLease both = client.allOf("several-1", "several-2").with(RENEWED).acquire(WAIT);
        Hold one = first.granted(both.fencingToken("several-1"), 1, 1, both::isHeld);
        Hold two = second.granted(both.fencingToken("several-2"), 1, 1, both::isHeld);
        work();
        one.ending();
        release(two, both, Duration.ZERO);
        one.ended(0);
    }

    private Request request(String lock, Mode mode) {
        return ledger.request(side, lock, mode);
    }

    private static Hold hold(Request request, Lease lease) {
        return request.granted(lease.fencingToken(), 1, 1, lease::isHeld);
    }

    private void use(Request request, Optional<Lease> lease) {
        lease.ifPresent(granted -> use(request, granted));
    }

    private void use(Request request, Lease lease) {
        Hold hold = hold(request, lease);
        work();
        release(hold, lease, Duration.ZERO);
    }

    /** Releases a lease, which must not have been lost. */
    private void release(Hold hold, Lease lease, Duration freeAfter) {
        hold.ending();
        try {
            lease.release();
        } catch (LeaseLostException e) {
            ledger.fault(hold + " was lost: " + e.getMessage());
        }
        hold.ended(freeAfter.toNanos());
    }

    private void work() {
        work(random.nextInt(4));
    }

    /** Asks the server so many times. */
    private void work(int times) {
        for (int n = 0; n < times; n++) {
            client.lock("rw").inspect();
        }
    }
}

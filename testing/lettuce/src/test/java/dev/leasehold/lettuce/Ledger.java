package dev.leasehold.lettuce;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Records who holds which lock, independently of Redis, and notes what Leasehold does not allow: two holders at once, tokens that do not
 * rise, a free lock that a waiter does not get. Thread-safe.
 */
final class Ledger {

    /** A waiter that polls gets a free lock within this time, the lease of all holds that are renewed. */
    static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Map<String, Lock> locks = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Integer> tokensOfReaders = new TreeMap<>();

    private static final class Lock {
        private final List<Hold> holds = new ArrayList<>();
        private final Set<Long> ofWriters = new HashSet<>();
        private final Map<String, Integer> handOvers = new HashMap<>();
        private long writer;
        private long reader;
        private long freeSince = System.nanoTime();
        private long longestFree;
        private String last = "";
    }

    /** How an acquisition shares its lock. */
    enum Mode {
        EXCLUSIVE,
        READ,
        /** One of a semaphore's permits, which have no tokens. */
        PERMIT,
        /** Exclusive until another client takes the lock away. */
        TAKEN_AWAY
    }

    /** Begins an acquisition. */
    synchronized Request request(String side, String name, Mode mode) {
        Lock lock = locks.computeIfAbsent(name, any -> new Lock());
        return new Request(side, name, lock, mode, lock.writer, lock.reader, System.nanoTime());
    }

    synchronized void fault(String what) {
        faults.add(what);
    }

    /** Returns what must not have happened. */
    synchronized List<String> faults() {
        return List.copyOf(faults);
    }

    /** Returns how often readers held a lock at once with different tokens, by the sides of the two. */
    synchronized Map<String, Integer> tokensOfReaders() {
        return Map.copyOf(tokensOfReaders);
    }

    /** Returns how often the lock went from one side to another, as in {@code new>former}. */
    synchronized Map<String, Integer> handOvers(String name) {
        return Map.copyOf(locks.getOrDefault(name, new Lock()).handOvers);
    }

    /** Returns, for each lock, the longest time in ms for which it was free while a client waited that then got it. */
    synchronized Map<String, Long> longestFree() {
        Map<String, Long> times = new TreeMap<>();
        locks.forEach((name, lock) -> times.put(name, TimeUnit.NANOSECONDS.toMillis(lock.longestFree)));
        return times;
    }

    /** One acquisition that was requested. */
    final class Request {
        private final String side;
        private final String name;
        private final Lock lock;
        private final Mode mode;
        private final long writer;
        private final long reader;
        private final long at;

        private Request(String side, String name, Lock lock, Mode mode, long writer, long reader, long at) {
            this.side = side;
            this.name = name;
            this.lock = lock;
            this.mode = mode;
            this.writer = writer;
            this.reader = reader;
            this.at = at;
        }

        /** Records that it was granted. */
        Hold granted(long token, int permits, int limit, BooleanSupplier held) {
            synchronized (Ledger.this) {
                Hold hold = new Hold(this, token, permits, held);
                exclusion(hold, limit);
                tokens(hold);
                long free = System.nanoTime() - Math.max(at, lock.freeSince);
                if (lock.holds.isEmpty()) {
                    lock.longestFree = Math.max(lock.longestFree, free);
                    if (free > LEASE_NANOS) {
                        fault(hold + " waited for " + free / 1_000_000 + " ms after the lock was free");
                    }
                }
                if (!lock.last.isEmpty()) {
                    lock.handOvers.merge(lock.last + ">" + side, 1, Integer::sum);
                }
                lock.last = side;
                lock.holds.add(hold);
                return hold;
            }
        }

        private void exclusion(Hold hold, int limit) {
            int permits = hold.permits;
            for (Hold other : lock.holds) {
                boolean together = mode == other.request.mode && (mode == Mode.READ || mode == Mode.PERMIT);
                if (mode != Mode.TAKEN_AWAY && other.held.getAsBoolean()) {
                    permits += other.permits;
                    if (!together || (mode == Mode.PERMIT && permits > limit)) {
                        fault(hold + " and " + other + " hold the lock at once");
                    }
                    if (mode == Mode.READ && other.token != hold.token) {
                        tokensOfReaders.merge(other.request.side + "+" + side, 1, Integer::sum);
                    }
                }
            }
        }

        private void tokens(Hold hold) {
            switch (mode) {
                case PERMIT -> {}
                case READ -> {
                    if (hold.token <= writer) {
                        fault(hold + " came after a writer with the token " + writer);
                    }
                    lock.reader = Math.max(lock.reader, hold.token);
                }
                default -> {
                    if (hold.token <= Math.max(writer, reader)) {
                        fault(hold + " came after the tokens " + writer + " and, of readers, " + reader);
                    }
                    if (!lock.ofWriters.add(hold.token)) {
                        fault(hold + " has the token of another holder");
                    }
                    lock.writer = Math.max(lock.writer, hold.token);
                }
            }
        }
    }

    /** One acquisition that was granted. */
    final class Hold {
        private final Request request;
        private final long token;
        private final int permits;
        private final BooleanSupplier held;

        private Hold(Request request, long token, int permits, BooleanSupplier held) {
            this.request = request;
            this.token = token;
            this.permits = permits;
            this.held = held;
        }

        long token() {
            return token;
        }

        /** Records that its holder is about to release it. */
        void ending() {
            synchronized (Ledger.this) {
                request.lock.holds.remove(this);
                request.lock.freeSince = Long.MAX_VALUE;
            }
        }

        /** Records that it was released, and is free after this time. */
        void ended(long laterNanos) {
            synchronized (Ledger.this) {
                request.lock.freeSince = System.nanoTime() + laterNanos;
            }
        }

        @Override
        public String toString() {
            return request.side + "'s " + request.mode + " of " + request.name + " with the token " + token;
        }
    }
}

package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.fault.Nemeses;
import dev.leasehold.chaos.fault.Site;
import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/** Inspects the servers: how many live holds a lock has now, and which keys remain after all use of locks has ended. */
final class Leftovers implements AutoCloseable {

    private static final long SAMPLE_MILLIS = 100;
    /** The longest lease, and the distance by which clocks are moved. */
    private static final long LEASE_MILLIS = 6_000;
    /** A queue keeps a key for 15 s, the token memory for 2 s; the rest is for a lease and for clocks. */
    private static final long KEPT_MILLIS = 25_000;

    private static final long MICROS = 1_000_000;

    private final HistoryFile history;
    private final Site site;
    private final List<String> locks;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread sampler;

    Leftovers(HistoryFile history, Site site, Settings settings) {
        this.history = history;
        this.site = site;
        // Holds of a quorum are spread over servers, and the format of other libraries' locks is unknown.
        this.locks = settings.topology().equals("quorum") || !settings.library().equals("leasehold")
                ? List.of()
                : settings.locks().stream()
                        .filter(lock -> lock.startsWith("mutex") || lock.startsWith("fair"))
                        .toList();
        sampler = new Thread(() -> sample(new Random(settings.seed())), "sampler");
        sampler.setDaemon(true);
        sampler.start();
    }

    private void sample(Random random) {
        while (!closed.get() && !locks.isEmpty()) {
            try {
                Nemeses.pause(SAMPLE_MILLIS);
                String lock = locks.get(random.nextInt(locks.size()));
                String key = "leasehold:{" + lock + "}";
                EmbeddedRedis primary = site.primaryOf(key);
                if (primary.isRunning() && !primary.isPaused()) {
                    long before = System.nanoTime();
                    long holds = liveHolds(primary, key);
                    history.add(before, "", "", What.SAMPLED, lock, 0, holds, "");
                }
            } catch (InterruptedException e) {
                return;
            } catch (EmbeddedRedisException | IllegalStateException e) {
                // A fault affects it just now.
            }
        }
    }

    private static long liveHolds(EmbeddedRedis server, String key) {
        Object fields = server.command("HGETALL", key);
        Object time = server.command("TIME");
        if (!(fields instanceof List<?> pairs) || !(time instanceof List<?> now)) {
            throw new IllegalStateException("no answer");
        }
        long micros = Long.parseLong(String.valueOf(now.get(0))) * MICROS + Long.parseLong(String.valueOf(now.get(1)));
        long live = 0;
        for (int n = 0; n < pairs.size(); n += 2) {
            if (String.valueOf(pairs.get(n)).startsWith("h:")
                    && Long.parseLong(String.valueOf(pairs.get(n + 1)).split(":", -1)[0]) > micros) {
                live++;
            }
        }
        return live;
    }

    /**
     * Waits after the last release until no lock has a live hold. Records the locks that still have one, and the
     * keys that will remain for longer than a queue and the token memory keep them.
     */
    void inspect() throws InterruptedException {
        List<String> left = held();
        for (long waited = 0; !left.isEmpty() && waited < LEASE_MILLIS; waited += SAMPLE_MILLIS) {
            Nemeses.pause(SAMPLE_MILLIS);
            left = held();
        }
        for (String key : left) {
            history.add(System.nanoTime(), "", "", What.LEFT, 0, "a live hold in " + key);
        }
        for (EmbeddedRedis node : site.primaries()) {
            for (String key : keys(node)) {
                long millis = node.command("PTTL", key) instanceof Long rest ? rest : -1;
                if (millis == -1 || millis > KEPT_MILLIS) {
                    history.add(System.nanoTime(), "", "", What.LEFT, millis, key + ", for " + millis + " ms");
                }
                history.add(System.nanoTime(), "", "", What.INSPECTED, millis, key);
            }
        }
        history.add(System.nanoTime(), "", "", What.INSPECTED, site.nodes().size(), "");
    }

    /**
     * Waits until nothing is left of clients that are closed: no connection and no key. Records what is left when all
     * should have expired.
     */
    void inspectAll() throws InterruptedException {
        EmbeddedRedis node = site.nodes().get(0);
        long waited = 0;
        while (waited < KEPT_MILLIS && (site.connections() > 0 || site.keys() > 0)) {
            Nemeses.pause(SAMPLE_MILLIS);
            waited += SAMPLE_MILLIS;
        }
        if (site.connections() > 0) {
            history.add(System.nanoTime(), "", "", What.LEFT, 0, "connections: " + node.command("CLIENT", "LIST"));
        }
        if (site.keys() > 0) {
            history.add(System.nanoTime(), "", "", What.LEFT, 0, "keys: " + node.command("KEYS", "*"));
        }
    }

    private List<String> held() {
        List<String> held = new ArrayList<>();
        for (EmbeddedRedis node : site.primaries()) {
            for (String key : keys(node)) {
                if ("hash".equals(node.command("TYPE", key)) && liveHolds(node, key) > 0) {
                    held.add(key);
                }
            }
        }
        return held;
    }

    /** Returns all keys except a quorum's marker of a server, which remains. */
    private static List<String> keys(EmbeddedRedis node) {
        return node.command("KEYS", "*") instanceof List<?> some
                ? some.stream()
                        .map(String::valueOf)
                        .filter(key -> !key.endsWith(":quorum"))
                        .toList()
                : List.of();
    }

    @Override
    public void close() throws InterruptedException {
        // An interrupt would close the file of the history, if it arrived while a line is written.
        closed.set(true);
        sampler.join(LEASE_MILLIS);
    }
}

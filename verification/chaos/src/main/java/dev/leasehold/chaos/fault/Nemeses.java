package dev.leasehold.chaos.fault;

import dev.leasehold.tck.Direction;
import dev.leasehold.tck.Fault;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All kinds of faults. */
public final class Nemeses {

    private static final Duration DELAY = Duration.ofMillis(60);
    private static final int SLOTS = 16384;
    private static final long MICRO_NANOS = 1_000;
    private static final long MILLI_MICROS = 1_000;
    private static final Pattern HOLDER = Pattern.compile(" (\\d{1,9})@");

    private static final Set<String> CLOCKS = Set.of("clock-forward", "clock-back", "clock-drift");
    /** A fault that needs workers whose clocks can be moved. */
    public static final String WORKER_CLOCK = "worker-clock";

    /** Below the 1 % by which clocks may differ. */
    private static final int DRIFT_PER_MILLE = 9;

    private static final long MOST_AHEAD_MICROS = 3_000_000;
    private static final int FILLER_BYTES = 8 << 20;
    private static final Path LIMITS = Path.of("/usr/bin/prlimit");

    private final Site site;
    private final Path data;
    private final Map<String, Nemesis> all = new LinkedHashMap<>();
    private final AtomicLong aheadMicros = new AtomicLong();

    /** One kind of fault: causes it, keeps it for a while, and ends it. */
    private interface Nemesis {
        void strike(Random random) throws InterruptedException, IOException;
    }

    /** Creates the faults that this site can have. */
    public Nemeses(Site site, Workers workers, Path data) {
        this.site = site;
        this.data = data;
        all.put("worker-stop", random -> workers.stopOne(random, 200 + random.nextInt(2000)));
        all.put("worker-kill", workers::killOne);
        all.put(WORKER_CLOCK, random -> workers.moveClockOfOne(random, 1100 + random.nextInt(1500)));
        servers();
        commands();
        if (site.partitions() != null) {
            partitions(site.partitions());
        }
        switch (site.topology()) {
            case "standalone" -> {
                network();
                lone();
            }
            case "quorum" -> {
                network();
                losses();
            }
            case "sentinel" -> {
                losses();
                all.put("server-kill", this::killPrimary);
                all.put("fail-over", random -> site.sentinel().failOver());
            }
            default -> {
                losses();
                all.put("server-kill", this::killClusterNode);
                all.put("fail-over", random -> site.cluster().failOver(site.primary(random)));
                all.put("fail-over-forced", random -> site.cluster().elect(site.primary(random)));
                all.put("migrate", this::migrate);
            }
        }
    }

    /** Returns whether faults of this name need servers whose clocks can be moved. */
    public static boolean movesClocks(String kind) {
        return CLOCKS.contains(kind);
    }

    /** Returns the names of all faults except those that move clocks, which need servers or workers of their own. */
    public List<String> names() {
        return all.keySet().stream()
                .filter(name -> !movesClocks(name) && !name.equals(WORKER_CLOCK))
                .toList();
    }

    /** Causes a fault of this kind, and returns when it is over. */
    public void strike(String kind, Random random) throws InterruptedException, IOException {
        Nemesis nemesis = all.get(kind);
        if (nemesis == null) {
            throw new IllegalArgumentException("no fault is called " + kind + " in " + site.topology() + "; there are "
                    + all.keySet()
                    + (site.partitions() == null ? ", and as root, with nftables, partition and split" : ""));
        }
        nemesis.strike(random);
    }

    private void servers() {
        all.put("server-stop", random -> {
            EmbeddedRedis node = site.primary(random);
            node.pause();
            pause(100 + random.nextInt(site.topology().equals("standalone") ? 1200 : 700));
            node.resume();
        });
        if (!site.topology().equals("sentinel") && !site.topology().equals("cluster")) {
            all.put("server-kill", random -> {
                EmbeddedRedis node = site.primary(random);
                node.kill();
                pause(random.nextInt(300));
                node.restart();
            });
        }
    }

    private void commands() {
        all.put(
                "debug-sleep",
                random -> site.primary(random).command("DEBUG", "SLEEP", "0." + (1 + random.nextInt(8))));
        all.put("client-pause", random -> {
            int millis = 100 + random.nextInt(900);
            site.primary(random)
                    .command("CLIENT", "PAUSE", Integer.toString(millis), random.nextBoolean() ? "WRITE" : "ALL");
            pause(millis);
        });
        all.put("client-kill", random -> site.primary(random).command("CLIENT", "KILL", "TYPE", "normal"));
        all.put("pubsub-kill", random -> site.primary(random).command("CLIENT", "KILL", "TYPE", "pubsub"));
        all.put("script-flush", random -> site.primary(random).command("SCRIPT", "FLUSH"));
        all.put("oom", random -> {
            EmbeddedRedis node = site.primary(random);
            node.command("CONFIG", "SET", "maxmemory", "1");
            pause(100 + random.nextInt(500));
            Site.unfilled(node);
        });
        all.put("acl", random -> {
            EmbeddedRedis node = site.primary(random);
            node.command("ACL", "SETUSER", "default", "-eval", "-evalsha");
            pause(100 + random.nextInt(500));
            Site.permitted(node);
        });
    }

    private void partitions(Partitions partitions) {
        all.put(
                "partition",
                random -> cut(
                        partitions,
                        random,
                        switch (random.nextInt(3)) {
                            case 0 -> Partitions.Cut.REQUESTS;
                            case 1 -> Partitions.Cut.REPLIES;
                            default -> Partitions.Cut.BOTH;
                        }));
        if (site.topology().equals("sentinel") || site.topology().equals("cluster")) {
            all.put("split", random -> cut(partitions, random, Partitions.Cut.SERVERS));
        }
    }

    /** Cuts for shorter or longer than the time until another server replaces this one, if one does. */
    private void cut(Partitions partitions, Random random, Partitions.Cut cut) throws InterruptedException {
        EmbeddedRedis node = site.primary(random);
        Partitions.Dropped dropped = partitions.begin(node, cut);
        try {
            pause(200 + random.nextInt(4000));
        } finally {
            dropped.end();
        }
        site.settle();
    }

    private void losses() {
        all.put("flushall", random -> site.primary(random).flush());
        all.put("evict", random -> {
            EmbeddedRedis node = site.primary(random);
            node.command("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
            node.command("CONFIG", "SET", "maxmemory", "1");
            pause(50);
            Site.unfilled(node);
        });
        all.put("restart-empty", random -> site.primary(random).restartEmpty());
    }

    private void lone() {
        losses();
        all.put("aof-cut", this::cutTail);
        if (site.durability().equals("none") && Files.isExecutable(LIMITS)) {
            all.put("disk-full", this::fillDisk);
        }
        all.put("clock-forward", random -> moveClock((200 + random.nextInt(2500)) * MILLI_MICROS));
        all.put("clock-back", random -> moveClock((-200 - random.nextInt(2500)) * MILLI_MICROS));
        all.put("clock-drift", this::drift);
    }

    private void moveClock(long micros) {
        long now = aheadMicros.updateAndGet(
                ahead -> Math.max(-MOST_AHEAD_MICROS, Math.min(MOST_AHEAD_MICROS, ahead + micros)));
        site.clocks().set(site.nodes().get(0), Duration.ofNanos(now * MICRO_NANOS));
    }

    /** Makes a clock run fast, or slowly, for a while, by less than the allowed difference. */
    private void drift(Random random) throws InterruptedException {
        int perMille = random.nextBoolean() ? DRIFT_PER_MILLE : -DRIFT_PER_MILLE;
        long begun = System.nanoTime();
        long drifted = 0;
        for (int n = 50 + random.nextInt(200); n > 0; n--) {
            pause(10);
            long due = (System.nanoTime() - begun) * perMille / 1000 / MICRO_NANOS;
            moveClock(due - drifted);
            drifted = due;
        }
    }

    /**
     * Simulates a full disk: files of the server may not grow beyond some size, so its snapshot fails, and it
     * refuses writes ({@code MISCONF}). Its log stays below that size.
     */
    private void fillDisk(Random random) throws InterruptedException, IOException {
        EmbeddedRedis node = site.nodes().get(0);
        long pid = node.pid();
        node.command("CONFIG", "SET", "rdbcompression", "no");
        node.command("SET", "chaos:filler", "x".repeat(FILLER_BYTES));
        limit(pid, Integer.toString(FILLER_BYTES / 2));
        try {
            node.command("CONFIG", "SET", "save", "3600 1000000");
            node.command("BGSAVE");
            for (int n = 0; n < 500 && lastSaveIsWell(node); n++) {
                pause(10);
            }
            if (lastSaveIsWell(node)) {
                throw new IllegalStateException("the snapshot did not fail");
            }
            pause(100 + random.nextInt(500));
        } finally {
            limit(pid, "unlimited");
            Site.disableSnapshotChecks(node);
            node.command("DEL", "chaos:filler");
        }
    }

    private static boolean lastSaveIsWell(EmbeddedRedis node) {
        return "ok".equals(node.info("persistence").get("rdb_last_bgsave_status"));
    }

    /**
     * Sets the soft limit, which its owner may raise again, and disables core dumps of a process that the limit
     * ends.
     */
    private static void limit(long pid, String bytes) throws IOException, InterruptedException {
        int status = new ProcessBuilder(
                        LIMITS.toString(), "--pid", Long.toString(pid), "--fsize=" + bytes + ":", "--core=0:")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("the limit of process " + pid + " cannot be set");
        }
    }

    /** Cuts the end of a file like a power failure. After SIGKILL the system still writes everything. */
    private void cutTail(Random random) throws IOException {
        EmbeddedRedis node = site.nodes().get(0);
        node.kill();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".incr.aof")).toList()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(Math.max(0, channel.size() - 60 - random.nextInt(20_000)));
                }
            }
        } finally {
            node.restart();
        }
    }

    private void network() {
        all.put("delay", random -> {
            FaultProxy proxy = site.proxy(random);
            proxy.delay(random.nextBoolean() ? Direction.TO_CLIENT : Direction.TO_SERVER, DELAY);
            healAfter(proxy, random);
        });
        all.put("reset", random -> site.proxy(random).reset());
        all.put("refuse", random -> {
            FaultProxy proxy = site.proxy(random);
            proxy.refuse();
            proxy.cut();
            healAfter(proxy, random);
        });
        all.put("swallow", random -> {
            FaultProxy proxy = site.proxy(random);
            proxy.swallow();
            healAfter(proxy, random);
        });
        all.put("half-open", random -> {
            FaultProxy proxy = site.proxy(random);
            proxy.swallow(Direction.TO_CLIENT);
            healAfter(proxy, random);
        });
        all.put("hold-requests", random -> {
            FaultProxy proxy = site.proxy(random);
            proxy.holdRequests();
            pause(100 + random.nextInt(1200));
            proxy.releaseRequests();
        });
        all.put("hold-replies", random -> {
            FaultProxy proxy = site.proxy(random);
            // The requests of some processes only, so that the others continue and may be granted the locks of
            // these.
            int half = random.nextInt(2);
            proxy.matching(request -> isScript(request) && isOf(half, request)).holdReplies();
            pause(300 + random.nextInt(1500));
            proxy.releaseReplies();
        });
        all.put(
                "drop-reply",
                random -> met(site.proxy(random).matching(Nemeses::isScript).dropNextReplyThenReset()));
        all.put(
                "duplicate",
                random -> met(site.proxy(random).matching(Nemeses::isScript).duplicateNextRequest()));
        all.put("late-copy", random -> {
            FaultProxy proxy = site.proxy(random);
            met(proxy.matching(Nemeses::isScript).recordNextRequest());
            pause(random.nextInt(1500));
            int replies = proxy.replayRecorded().size();
            if (replies == 0) {
                throw new IllegalStateException("no request arrived");
            }
            proxy.heal();
        });
    }

    /** Returns whether the request is of that half of the processes: an acquire contains pid@host. */
    private static boolean isOf(int half, String request) {
        Matcher holder = HOLDER.matcher(request);
        return holder.find() && Integer.parseInt(holder.group(1)) % 2 == half;
    }

    private static boolean isScript(String request) {
        return request.startsWith("EVAL");
    }

    private static void met(Fault fault) throws InterruptedException {
        for (int n = 0; n < 50 && fault.count() == 0; n++) {
            pause(10);
        }
        fault.cancel();
        if (fault.count() == 0) {
            throw new IllegalStateException("no request arrived");
        }
    }

    private static void healAfter(FaultProxy proxy, Random random) throws InterruptedException {
        pause(100 + random.nextInt(900));
        proxy.heal();
    }

    private void killPrimary(Random random) {
        EmbeddedRedis former = site.sentinel().primary();
        former.kill();
        site.sentinel().awaitSuccessor(former);
        former.restart();
        site.settle();
    }

    private void killClusterNode(Random random) {
        EmbeddedRedis former = site.primary(random);
        former.kill();
        former.restart();
        site.settle();
    }

    private void migrate(Random random) {
        List<EmbeddedRedis> primaries = new ArrayList<>(site.primaries());
        for (int n = 0; n < 5; n++) {
            int slot = random.nextInt(SLOTS);
            EmbeddedRedis to = primaries.get(random.nextInt(primaries.size()));
            if (site.cluster().nodeOf(slot) != to) {
                migrate(slot, to);
            }
        }
    }

    private void migrate(int slot, EmbeddedRedis to) {
        try {
            site.cluster().migrate(slot, to);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("a failover interfered", e);
        }
    }

    /** Pauses for the duration of a fault, during which there is no condition to wait for. */
    public static void pause(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException();
        }
    }
}

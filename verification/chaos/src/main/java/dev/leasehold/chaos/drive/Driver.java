package dev.leasehold.chaos.drive;

import dev.leasehold.chaos.check.Checker;
import dev.leasehold.chaos.check.Level;
import dev.leasehold.chaos.fault.Nemeses;
import dev.leasehold.chaos.fault.Site;
import dev.leasehold.chaos.history.Histories;
import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;
import dev.leasehold.chaos.soak.Growth;
import dev.leasehold.chaos.soak.Sampler;
import dev.leasehold.chaos.soak.Samples;
import dev.leasehold.chaos.work.Order;
import dev.leasehold.chaos.work.ResourceProcess;
import dev.leasehold.tck.ClockShim;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Starts servers, the resource and workers, causes faults, waits for recovery, and checks the histories. */
public final class Driver {

    /** One more than the time limit of a grant after the end of all faults. */
    private static final long HEALING_MILLIS = 9_500;

    /** Time until all connections are open and most classes loaded, before the first measurement of resources. */
    private static final long WARM_MILLIS = 3_000;

    /** The time for which a server of a quorum that lost its data does not count. */
    private static final long RECALL_MILLIS = 4_000;

    /** Faults after which a server has lost data, or may have. */
    private static final Set<String> FORGETS = Set.of("server-kill", "restart-empty", "flushall", "evict");

    /** So many times as long a run takes at most, on a slow machine, until there was enough of all. */
    private static final long LONGER = 15;

    private static final int COUNTED_EACH_SECONDS = 5;

    private final Settings settings;
    private final Random random;
    private final AtomicInteger struck = new AtomicInteger();
    private long nextCount;
    private boolean acquiredEnough;

    private Driver(Settings settings) {
        this.settings = settings;
        random = new Random(settings.seed());
        acquiredEnough = settings.acquisitions() == 0;
    }

    /** Runs the faults and returns the result. */
    public static Summary run(Settings settings) throws IOException, InterruptedException {
        return new Driver(settings).run();
    }

    private Summary run() throws IOException, InterruptedException {
        Files.createDirectories(settings.directory());
        boolean clocks = settings.nemeses().stream().anyMatch(Nemeses::movesClocks);
        var data = settings.directory().resolve("data");
        List<Usage> usage = new ArrayList<>();
        try (HistoryFile history = HistoryFile.create(settings.directory(), "driver");
                ClockShim workerClocks =
                        settings.nemeses().contains(Nemeses.WORKER_CLOCK) ? ClockShim.compile() : null;
                Site site = Site.start(settings.topology(), settings.durability(), data, clocks);
                Child resource = new Child(
                        "resource",
                        ResourceProcess.class,
                        List.of(settings.directory().toString()),
                        "")) {
            int port = Integer.parseInt(resource.answer("port"));
            int replicas = settings.durability().equals("replicas") ? site.replicas() : 0;
            try (Fleet fleet = new Fleet(
                    history,
                    name -> new Order(
                                    settings.directory(),
                                    name,
                                    settings.threads(),
                                    settings.seed(),
                                    port,
                                    settings.library(),
                                    replicas,
                                    settings.locks(),
                                    site.uris(),
                                    (double) settings.rate() / settings.processes())
                            .arguments(),
                    settings.changed(),
                    workerClocks)) {
                fleet.start(settings.processes());
                try (Leftovers leftovers = new Leftovers(history, site, settings)) {
                    Nemeses.pause(WARM_MILLIS);
                    usage.add(new Usage(fleet.usage(), site.connections(), site.keys()));
                    try (Sampler sampler = settings.sampleMillis() == 0 ? null : sampler(fleet, site)) {
                        strike(history, new Nemeses(site, fleet, data));
                        site.heal();
                        history.add(System.nanoTime(), "", "", What.HEALED, 0, "");
                        Nemeses.pause(HEALING_MILLIS);
                    }
                    usage.add(new Usage(fleet.usage(), site.connections(), site.keys()));
                    List<String> stuck = fleet.stop();
                    history.add(System.nanoTime(), "", "", What.ENDED, 0, "");
                    for (String one : stuck) {
                        history.add(System.nanoTime(), "", "", What.LEFT, 0, one);
                    }
                    leftovers.inspect();
                    if (settings.sampleMillis() > 0) {
                        leftovers.inspectAll();
                    }
                    for (String grown : grown(usage)) {
                        history.add(System.nanoTime(), "", "", What.LEFT, 0, grown);
                    }
                }
            }
        }
        var events = Histories.read(settings.directory());
        return new Summary(
                settings, events, Checker.check(events, new Level(settings.topology(), settings.durability())), usage);
    }

    /** Returns what has grown, by the samples if there are any, or from the first measurement to the second. */
    private List<String> grown(List<Usage> usage) throws IOException {
        return settings.sampleMillis() > 0
                ? Growth.beyondBounds(Samples.read(settings.directory()))
                : usage.get(1).grownSince(usage.get(0), settings.locks().size());
    }

    private Sampler sampler(Fleet fleet, Site site) {
        return new Sampler(
                settings.directory(),
                Duration.ofMillis(settings.sampleMillis()),
                () -> fleet.usage().stream().collect(Collectors.toMap(Usage.Worker::name, Usage.Worker::figures)),
                site.nodes().get(0));
    }

    private void strike(HistoryFile history, Nemeses nemeses) throws InterruptedException {
        List<String> kinds = settings.nemeses().equals(List.of("all")) ? all(nemeses) : settings.nemeses();
        boolean quorum = settings.topology().equals("quorum");
        ExecutorService hands = Executors.newFixedThreadPool(2);
        try {
            if (quorum) {
                Nemeses.pause(RECALL_MILLIS);
            }
            int calm = settings.calmMillis();
            long begun = System.nanoTime();
            long recalled = System.nanoTime();
            for (int n = 0; !enough(begun); n++) {
                List<String> chosen = choose(kinds, quorum && System.nanoTime() < recalled);
                List<Future<?>> struck = new ArrayList<>();
                for (String kind : chosen) {
                    String id = n + "." + struck.size();
                    Random own = new Random(random.nextLong());
                    struck.add(hands.submit(() -> strike(history, nemeses, kind, id, own)));
                }
                for (Future<?> one : struck) {
                    await(one);
                }
                if (chosen.stream().anyMatch(FORGETS::contains)) {
                    recalled = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RECALL_MILLIS);
                }
                Nemeses.pause(calm * 2 / 5 + random.nextInt(calm * 6 / 5));
            }
        } finally {
            hands.shutdown();
        }
    }

    /** Returns all faults; a process must live as long as the run to be sampled. */
    private List<String> all(Nemeses nemeses) {
        return nemeses.names().stream()
                .filter(name -> settings.sampleMillis() == 0 || !name.equals("worker-kill"))
                .toList();
    }

    private boolean enough(long begun) {
        long passed = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        if (passed < settings.seconds() || passed >= LONGER * settings.seconds()) {
            return passed >= settings.seconds();
        }
        return struck.get() >= settings.faults() && acquiredEnough(passed);
    }

    /** Reads all histories, which takes long: so not often, and not once more when there are enough. */
    private boolean acquiredEnough(long passed) {
        if (!acquiredEnough && passed >= nextCount) {
            nextCount = passed + COUNTED_EACH_SECONDS;
            acquiredEnough = Summary.acquisitions(Histories.read(settings.directory())) >= settings.acquisitions();
        }
        return acquiredEnough;
    }

    /**
     * Chooses one kind, or two at once. Of the faults that make servers of a quorum lose data, none starts before
     * the quorum has recovered from the last.
     */
    private List<String> choose(List<String> kinds, boolean remembering) {
        List<String> possible = new ArrayList<>(kinds);
        boolean quorum = settings.topology().equals("quorum");
        if (remembering) {
            possible.removeAll(FORGETS);
        }
        List<String> chosen = new ArrayList<>();
        for (int n = random.nextInt(2); n >= 0 && !possible.isEmpty(); n--) {
            String kind = possible.remove(random.nextInt(possible.size()));
            if (quorum && FORGETS.contains(kind)) {
                possible.removeAll(FORGETS);
            }
            chosen.add(kind);
        }
        return chosen;
    }

    private void strike(HistoryFile history, Nemeses nemeses, String kind, String id, Random own) {
        history.add(System.nanoTime(), "", id, What.FAULT_BEGINS, 0, kind);
        String failed = "";
        try {
            nemeses.strike(kind, own);
            struck.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed = "interrupted";
        } catch (IllegalArgumentException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The other fault may have the server stopped just now.
            failed = "failed: " + e;
        }
        history.add(System.nanoTime(), "", id, What.FAULT_ENDS, 0, failed);
    }

    private static void await(Future<?> one) throws InterruptedException {
        try {
            one.get();
        } catch (ExecutionException e) {
            throw new IllegalArgumentException(e.getCause());
        }
    }
}

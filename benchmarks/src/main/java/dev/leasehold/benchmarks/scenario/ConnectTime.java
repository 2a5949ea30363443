package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.LeaseSubject;
import dev.leasehold.benchmarks.subject.RedissonSubject;
import dev.leasehold.benchmarks.subject.Subject;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The time from the start to the first lock: in a new JVM that loads every class for it, and in a warm one. Runs in
 * a JVM of its own.
 */
public final class ConnectTime {

    private static final int REPEATS = 20;

    private ConnectTime() {}

    /** Returns the ways to connect, by their names in the tables. */
    public static Map<String, Function<String, Subject>> kinds() {
        Map<String, Function<String, Subject>> kinds = new LinkedHashMap<>();
        kinds.put("Leasehold", LeaseSubject::new);
        kinds.put("Leasehold without preflight", LeaseSubject::withoutPreflight);
        kinds.put(RedissonSubject.NAME, RedissonSubject::new);
        kinds.put(BareScriptsSubject.NAME, BareScriptsSubject::new);
        return kinds;
    }

    /**
     * Milliseconds to connect and then to acquire for the first time: in a new JVM, with its CPU time, and in a
     * warm one.
     */
    public record Times(
            double coldConnect, double coldAcquire, double coldCpu, double warmConnect, double warmAcquire) {

        String line() {
            return coldConnect + " " + coldAcquire + " " + coldCpu + " " + warmConnect + " " + warmAcquire;
        }

        /** Parses the line that a JVM printed. */
        public static Times parse(String line) {
            String[] words = line.strip().split(" ", -1);
            return new Times(
                    Double.parseDouble(words[0]),
                    Double.parseDouble(words[1]),
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4]));
        }
    }

    private record Try(double connect, double acquire) {}

    /** Runs the measurement in a JVM of its own. Arguments: a kind and the URI of a server; prints one line. */
    public static void main(String[] args) throws InterruptedException {
        Function<String, Subject> kind = Objects.requireNonNull(kinds().get(args[0]), args[0]);
        double cpuBefore = cpuMillis();
        Try cold = once(kind, args[1]);
        double cpu = cpuMillis() - cpuBefore;
        List<Try> warm = new ArrayList<>();
        for (int n = 0; n < REPEATS; n++) {
            warm.add(once(kind, args[1]));
        }
        List<Try> late = warm.subList(REPEATS / 2, REPEATS);
        Times times = new Times(
                cold.connect,
                cold.acquire,
                cpu,
                Spread.of(late, Try::connect).median(),
                Spread.of(late, Try::acquire).median());
        System.out.println(times.line());
        System.exit(0);
    }

    private static Try once(Function<String, Subject> kind, String uri) throws InterruptedException {
        long begun = System.nanoTime();
        try (Subject subject = kind.apply(uri)) {
            long connected = System.nanoTime();
            Grip grip = subject.grip("connect");
            grip.acquire();
            long acquired = System.nanoTime();
            grip.release();
            return new Try((connected - begun) / 1e6, (acquired - connected) / 1e6);
        }
    }

    private static double cpuMillis() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                        .getProcessCpuTime()
                / 1e6;
    }
}

package dev.leasehold.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.leasehold.testkit.EmbeddedRedis;
import java.lang.management.ManagementFactory;

/** Reads clocks and counters of this JVM and of the server. One measurement at a time. */
public final class Meter {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final double P99 = 0.99;

    private final EmbeddedRedis redis;

    /** Creates a meter for subjects that use this server. */
    public Meter(EmbeddedRedis redis) {
        this.redis = redis;
    }

    /** Begins a measurement. */
    public Running start() {
        ServerStats server = ServerStats.now(redis);
        return new Running(server, allocated(), SYSTEM.getProcessCpuTime(), System.nanoTime());
    }

    /** Returns the bytes that the living threads have allocated. */
    private static long allocated() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    /** A measurement that has begun. */
    public final class Running {

        private final ServerStats server;
        private final long allocated;
        private final long cpu;
        private final long begun;

        private Running(ServerStats server, long allocated, long cpu, long begun) {
            this.server = server;
            this.allocated = allocated;
            this.cpu = cpu;
            this.begun = begun;
        }

        /** Ends the measurement of this many pairs, each of which was timed. */
        public Sample stop(long pairs, Latencies latencies) {
            long nanos = System.nanoTime() - begun;
            long cpuNanos = SYSTEM.getProcessCpuTime() - cpu;
            long bytes = allocated() - allocated;
            ServerStats used = ServerStats.now(redis).since(server);
            return new Sample(pairs, nanos, cpuNanos, bytes, used, latencies.percentile(P99));
        }
    }
}

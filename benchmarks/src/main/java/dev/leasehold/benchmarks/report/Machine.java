package dev.leasehold.benchmarks.report;

import dev.leasehold.testkit.EmbeddedRedis;
import java.lang.management.ManagementFactory;

/** On what and under which load something was measured. */
public final class Machine {

    private Machine() {}

    /** Cores, JDK and server. */
    public static String describe(EmbeddedRedis redis) {
        return Runtime.getRuntime().availableProcessors() + " cores shared by client and server, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                + System.getProperty("java.version") + ", Redis "
                + redis.info("server").getOrDefault("redis_version", "of unknown version") + " over loopback";
    }

    /** How many threads of the whole machine want to run, over the last minute. */
    public static String load() {
        return Numbers.of(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}

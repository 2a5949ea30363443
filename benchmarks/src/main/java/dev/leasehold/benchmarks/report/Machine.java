package dev.leasehold.benchmarks.report;

import dev.leasehold.testkit.EmbeddedRedis;
import java.lang.management.ManagementFactory;

/** The machine and its load during a measurement. */
public final class Machine {

    private Machine() {}

    /** Describes cores, JDK and server. */
    public static String describe(EmbeddedRedis redis) {
        return Runtime.getRuntime().availableProcessors() + " cores shared by client and server, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                + System.getProperty("java.version") + ", Redis "
                + redis.info("server").getOrDefault("redis_version", "of unknown version") + " over loopback";
    }

    /** Returns the number of runnable threads of the whole machine, over the last minute. */
    public static String load() {
        return Numbers.of(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}

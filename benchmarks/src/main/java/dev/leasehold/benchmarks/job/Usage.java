package dev.leasehold.benchmarks.job;

import com.sun.management.OperatingSystemMXBean;
import dev.leasehold.benchmarks.process.Message;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The resources that this JVM has used so far: CPU time, compiler and collector included, and heap. */
public final class Usage {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final int COLLECTIONS = 3;

    private Usage() {}

    /** Returns the CPU time since the start of the JVM, in nanoseconds. */
    public static long cpu() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Returns the bytes in use after a collection. Weak and soft references need more than one. */
    public static long heapAfterCollection() {
        for (int n = 0; n < COLLECTIONS; n++) {
            MEMORY.gc();
        }
        return MEMORY.getHeapMemoryUsage().getUsed();
    }

    /** Answers a question about it. */
    public static Message answer(Message question) {
        boolean collect = question.values().containsKey("collect");
        return Message.of("usage").with("cpu", cpu()).with("heap", collect ? heapAfterCollection() : 0);
    }
}

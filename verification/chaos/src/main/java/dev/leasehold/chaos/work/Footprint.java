package dev.leasehold.chaos.work;

import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The resources of this process at one moment. */
final class Footprint {

    private static final long KIB = 1024;
    private static final Path PROCESS = Path.of("/proc/self");

    private Footprint() {}

    /** Returns names and values, with a space between any two; sizes are in KiB. */
    static String measure() {
        Map<String, Long> figures = new TreeMap<>();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        figures.put("heap", (runtime.totalMemory() - runtime.freeMemory()) / KIB);
        figures.put(
                "non-heap",
                ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed() / KIB);
        figures.put("direct", direct() / KIB);
        List<String> names = threads(List.of());
        figures.put("threads", (long) names.size());
        names.forEach(name -> figures.merge("threads:" + group(name), 1L, Long::sum));
        if (Files.isDirectory(PROCESS)) {
            files(figures);
            figures.put("resident", resident());
        }
        return figures.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Returns the names of all threads but those of these ids. */
    static List<String> threads(List<Long> but) {
        List<String> names = new ArrayList<>();
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        for (ThreadInfo one : bean.getThreadInfo(bean.getAllThreadIds())) {
            if (one != null && !but.contains(one.getThreadId())) {
                names.add(one.getThreadName());
            }
        }
        return names;
    }

    /** Returns the ids of all threads. */
    static List<Long> threadIds() {
        List<Long> ids = new ArrayList<>();
        for (long id : ManagementFactory.getThreadMXBean().getAllThreadIds()) {
            ids.add(id);
        }
        return ids;
    }

    /** Returns the name without numbers, which tell the threads of a group apart. */
    private static String group(String name) {
        return name.replaceAll("[-#]?\\d+", "").replace(' ', '_');
    }

    /** Returns the bytes of buffers outside of the heap; those of Netty are not in the JVM's count. */
    private static long direct() {
        long bytes = Math.max(0, PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            bytes += pool.getMemoryUsed();
        }
        return bytes;
    }

    /** Adds the numbers of open files and of sockets among them. */
    private static void files(Map<String, Long> figures) {
        try (Stream<Path> all = Files.list(PROCESS.resolve("fd"))) {
            for (Path each : all.toList()) {
                figures.merge("files", 1L, Long::sum);
                if (isSocket(each)) {
                    figures.merge("files:socket", 1L, Long::sum);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket");
        } catch (IOException e) {
            // It has been closed just now, like the directory that was listed.
            return false;
        }
    }

    private static long resident() {
        try (Stream<String> lines = Files.lines(PROCESS.resolve("status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

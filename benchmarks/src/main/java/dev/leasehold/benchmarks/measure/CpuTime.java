package dev.leasehold.benchmarks.measure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The CPU time of the main thread of a process, by the scheduler's count in {@code /proc}. Not thread-safe. */
public final class CpuTime implements AutoCloseable {

    private static final int LONGEST = 256;

    private final RandomAccessFile file;
    private final byte[] buffer = new byte[LONGEST];

    /** Opens the counters of this process. */
    public CpuTime(long pid) {
        try {
            file = new RandomAccessFile("/proc/" + pid + "/schedstat", "r");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the time for which the thread has run on a core, without the time for which it waited for one. */
    public long nanos() {
        try {
            file.seek(0);
            int length = file.read(buffer);
            return parse(new String(buffer, 0, length, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses {@code <on a core> <waiting for a core> <number of time slices>}. */
    static long parse(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

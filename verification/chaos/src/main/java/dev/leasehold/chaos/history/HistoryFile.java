package dev.leasehold.chaos.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The history of one process. Each line has been passed to the system by write(2) when {@link #add} returns, so
 * that a SIGKILL right after it loses nothing. Thread-safe.
 */
public final class HistoryFile implements AutoCloseable {

    private final String process;
    private final FileChannel file;

    private HistoryFile(String process, FileChannel file) {
        this.process = process;
        this.file = file;
    }

    /** Begins the history of this process. */
    public static HistoryFile create(Path directory, String process) {
        try {
            return new HistoryFile(
                    process,
                    FileChannel.open(
                            directory.resolve(process + Histories.SUFFIX),
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a line about a lock. */
    public void add(long at, String thread, String op, What what, String lock, long token, long value, String note) {
        String line = new Event(at, process, thread, op, what, lock, token, value, note).line();
        ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a line about no lock. */
    public void add(long at, String thread, String op, What what, long value, String note) {
        add(at, thread, op, what, "", 0, value, note);
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

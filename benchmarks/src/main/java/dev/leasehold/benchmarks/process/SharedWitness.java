package dev.leasehold.benchmarks.process;

import dev.leasehold.benchmarks.IncorrectException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Detects two threads, of one JVM or of several, that hold the same lock at once. It is independent of Redis: a few
 * words of memory for each lock, in a file that all JVMs have mapped, changed by compare-and-set. It also records
 * when and by which process a lock was left, by the clock that all processes of a machine share.
 */
public final class SharedWitness {

    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    /** Two cache lines each, so that neighbours do not slow each other down. */
    private static final int BYTES_PER_LOCK = 128;

    private static final int INSIDE = 0;
    private static final int LEFT_AT = 8;
    private static final int LEFT_BY = 16;
    private static final int ENTERED = 24;
    private static final int READERS = 32;
    private static final int THREAD_BITS = 24;

    private final ByteBuffer memory;
    private final long pid = ProcessHandle.current().pid();

    private SharedWitness(ByteBuffer memory) {
        this.memory = memory;
    }

    /** Maps so many locks in this file, which is created or enlarged as needed. */
    public static SharedWitness map(Path file, int locks) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new SharedWitness(channel.map(MapMode.READ_WRITE, 0, (long) locks * BYTES_PER_LOCK));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The state found on entering: when and by which process the lock was left, and the number of earlier entries. */
    public record Entry(long leftAt, long leftBy, long number) {}

    /** Clears everything; only while no thread holds a lock. */
    public void clear() {
        for (int at = 0; at < memory.capacity(); at += Long.BYTES) {
            LONGS.setVolatile(memory, at, 0L);
        }
    }

    /**
     * Records that a thread of this process holds this lock.
     *
     * @param thread a number of its own within this process, from 0
     * @throws IncorrectException if another thread holds it
     */
    public Entry enter(int lock, int thread) {
        long me = id(pid, thread);
        long other = (long) LONGS.compareAndExchange(memory, at(lock, INSIDE), 0L, me);
        if (other != 0) {
            throw new IncorrectException(
                    "lock " + lock + ": " + describe(me) + " entered while " + describe(other) + " was inside");
        }
        noReaderIsInside(lock, me);
        return new Entry(
                (long) LONGS.getVolatile(memory, at(lock, LEFT_AT)),
                (long) LONGS.getVolatile(memory, at(lock, LEFT_BY)),
                (long) LONGS.getAndAdd(memory, at(lock, ENTERED), 1L));
    }

    /**
     * Records that the thread is about to release the lock.
     *
     * @throws IncorrectException if another thread entered meanwhile
     */
    public void leave(int lock, int thread) {
        long me = id(pid, thread);
        noReaderIsInside(lock, me);
        LONGS.setVolatile(memory, at(lock, LEFT_BY), pid);
        LONGS.setVolatile(memory, at(lock, LEFT_AT), System.nanoTime());
        long other = (long) LONGS.compareAndExchange(memory, at(lock, INSIDE), me, 0L);
        if (other != me) {
            throw new IncorrectException(
                    "lock " + lock + ": " + describe(other) + " entered while " + describe(me) + " was inside");
        }
    }

    private void noReaderIsInside(int lock, long me) {
        if ((long) LONGS.getVolatile(memory, at(lock, READERS)) != 0) {
            throw new IncorrectException(
                    "lock " + lock + ": " + describe(me) + " was inside while another thread read");
        }
    }

    /**
     * Records that a thread of this process reads under this lock, perhaps beside other readers.
     *
     * @throws IncorrectException if a writer holds it
     */
    public void enterToRead(int lock, int thread) {
        long unused = (long) LONGS.getAndAdd(memory, at(lock, READERS), 1L);
        noWriterIsInside(lock, thread);
    }

    /**
     * Records that a reading thread is about to release the lock.
     *
     * @throws IncorrectException if a writer holds it
     */
    public void leaveReading(int lock, int thread) {
        noWriterIsInside(lock, thread);
        long unused = (long) LONGS.getAndAdd(memory, at(lock, READERS), -1L);
    }

    private void noWriterIsInside(int lock, int thread) {
        long other = (long) LONGS.getVolatile(memory, at(lock, INSIDE));
        if (other != 0) {
            throw new IncorrectException("lock " + lock + ": " + describe(other) + " was inside while "
                    + describe(id(pid, thread)) + " read");
        }
    }

    private static int at(int lock, int word) {
        return lock * BYTES_PER_LOCK + word;
    }

    private static long id(long pid, int thread) {
        return (pid << THREAD_BITS) + thread;
    }

    private static String describe(long id) {
        return "thread " + (id & ((1L << THREAD_BITS) - 1)) + " of process " + (id >>> THREAD_BITS);
    }
}

package dev.leasehold.testkit;

import dev.leasehold.testkit.internal.PrivateDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps ports from other JVMs of the same user while this JVM runs, so that none takes the port of a server that is about to restart. A
 * reservation is a lock on one byte of a file, which the operating system releases when the JVM ends.
 */
final class PortReservations {

    private static final FileChannel FILE = open();

    /** A lock that nobody refers to would not keep this JVM itself from the port. */
    private static final Map<Integer, FileLock> LOCKS = new ConcurrentHashMap<>();

    private PortReservations() {}

    private static FileChannel open() {
        try {
            return FileChannel.open(
                    PrivateDirectory.get().resolve("ports"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reserves a port; returns false if it is reserved already. */
    static boolean reserve(int port) {
        try {
            FileLock lock = FILE.tryLock(port, 1, false);
            return lock != null && LOCKS.put(port, lock) == null;
        } catch (OverlappingFileLockException ofThisJvm) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the reservation of a port, if this JVM has one. */
    static void release(int port) {
        FileLock lock = LOCKS.remove(port);
        if (lock != null) {
            try {
                lock.release();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

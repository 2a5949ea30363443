package dev.leasehold.testkit.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A directory for programs and libraries that this user runs, kept for all JVMs, and that no other user may write to. Another user may
 * have planted a file under a well-known name in a shared temporary directory; such a file is not used.
 */
public final class PrivateDirectory {

    /** The permissions of the directory, and of the programs in it. */
    public static final Set<PosixFilePermission> PERMISSIONS = Set.copyOf(PosixFilePermissions.fromString("rwx------"));

    /** Read once: {@link LuaLibrary} changes the property for a moment, and all JVMs share the directory. */
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    /** Directories for this JVM, where another user has taken the name of the one for all. */
    private static final ConcurrentMap<Path, Path> FALLBACKS = new ConcurrentHashMap<>();

    private PrivateDirectory() {}

    /** Returns the one within the temporary directory. */
    public static Path get() throws IOException {
        return in(TEMPORARY);
    }

    /** Returns the one within a directory that users share. */
    public static Path in(Path temp) throws IOException {
        Path directory = temp.resolve("leasehold-redis-server-" + System.getProperty("user.name", "unknown"));
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(PERMISSIONS));
        } catch (IOException exists) {
            if (!isPrivate(directory)) {
                return FALLBACKS.computeIfAbsent(temp, PrivateDirectory::fallback);
            }
        }
        return directory;
    }

    private static boolean isPrivate(Path directory) {
        try {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)
                            .equals(PERMISSIONS)) {
                return false;
            }
            Path mine = Files.createTempFile(directory, "owner", null);
            try {
                return Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(mine));
            } finally {
                Files.delete(mine);
            }
        } catch (IOException notMine) {
            return false;
        }
    }

    private static Path fallback(Path temp) {
        try {
            Path directory = Files.createTempDirectory(temp, "leasehold-redis-server-");
            directory.toFile().deleteOnExit();
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package dev.leasehold.testkit.internal;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * An archive (JEP 350) of the classes that JVMs started by tests load. It is made once for a class path and cuts
 * the start of such a JVM to little more than half. If {@value #PROPERTY} names no directory there is no archive,
 * and JVMs start as usual. Thread-safe, also between processes.
 */
public final class ClassArchive {

    /** The system property that names the directory of archives, which ends with the build. */
    public static final String PROPERTY = "leasehold.test.classArchives";

    private static final int TRAINING_SECONDS = 120;
    private static final ReentrantLock THREADS = new ReentrantLock();

    private ClassArchive() {}

    /** Loads the classes that the later JVMs will load. */
    @FunctionalInterface
    public interface Training {

        /**
         * Runs one JVM.
         *
         * @param jvm takes a main class and its arguments, and returns when that has ended
         */
        void run(Consumer<List<String>> jvm);
    }

    /**
     * Returns the options for a JVM with the class path of this one: the archive, if there is one, and the class
     * path, with directories last, as an archive contains none.
     *
     * @param options further options of the JVM, which decide whether an archive fits
     * @param training runs if there is no archive yet
     * @return all options
     */
    public static List<String> options(List<String> options, Training training) {
        List<String> jars = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            (Files.isRegularFile(Path.of(entry)) ? jars : directories).add(entry);
        }
        List<String> all = new ArrayList<>(options);
        String directory = System.getProperty(PROPERTY, "");
        if (!directory.isEmpty()) {
            // Otherwise the JVM writes to standard output which of the JDK's own classes the archive lacks.
            all.addAll(List.of("-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
            all.add("-XX:SharedArchiveFile=" + archive(Path.of(directory), options, jars, training));
        }
        jars.addAll(directories);
        all.addAll(List.of("-cp", String.join(File.pathSeparator, jars)));
        return all;
    }

    private static Path archive(Path directory, List<String> options, List<String> jars, Training training) {
        String key = Runtime.version() + String.join(" ", options) + String.join(File.pathSeparator, jars);
        Path archive = directory.resolve(UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)) + ".jsa");
        THREADS.lock();
        try {
            if (isCurrent(archive, jars)) {
                return archive;
            }
            Files.createDirectories(directory);
            // The first of several test JVMs makes the archive, and the others wait.
            try (FileChannel channel = FileChannel.open(
                            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (lock.isValid() && !isCurrent(archive, jars)) {
                    make(archive, options, jars, training);
                }
            }
            return archive;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            THREADS.unlock();
        }
    }

    /** Returns whether the archive fits the jars. A JVM silently ignores an archive of other jars. */
    private static boolean isCurrent(Path archive, List<String> jars) throws IOException {
        if (!Files.exists(archive)) {
            return false;
        }
        FileTime made = Files.getLastModifiedTime(archive);
        for (String jar : jars) {
            if (Files.getLastModifiedTime(Path.of(jar)).compareTo(made) > 0) {
                return false;
            }
        }
        return true;
    }

    private static void make(Path archive, List<String> options, List<String> jars, Training training)
            throws IOException {
        Path raw = archive.resolveSibling(archive.getFileName() + ".raw");
        training.run(main -> dump(raw, options, jars, main));
        // A JVM that does not take the lock sees a complete archive, an older one, or none.
        Files.move(raw, archive, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void dump(Path archive, List<String> options, List<String> jars, List<String> main) {
        Path log = archive.resolveSibling(archive.getFileName() + ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", String.join(File.pathSeparator, jars)));
        command.addAll(main);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            boolean ended = process.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            if (!ended || process.exitValue() != 0 || !Files.exists(archive)) {
                throw new IllegalStateException("no archive of classes: " + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

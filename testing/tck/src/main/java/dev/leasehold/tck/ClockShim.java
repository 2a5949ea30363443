package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Gives processes, JVMs and servers, wall clocks of their own that a test moves. Needs gcc, Linux, and a
 * dynamically linked redis-server: the testkit's server is static. Monotonic clocks remain those of the machine.
 * Thread-safe.
 */
public final class ClockShim implements AutoCloseable {

    private static final String SOURCE = "clockshim.c";

    private final Path directory;
    private final Path library;

    private ClockShim(Path directory, Path library) {
        this.directory = directory;
        this.library = library;
    }

    /**
     * Compiles the shim.
     *
     * @return the shim, to be closed after the servers
     * @throws IllegalStateException if gcc is missing or fails
     */
    public static ClockShim compile() {
        try (InputStream source = Objects.requireNonNull(ClockShim.class.getResourceAsStream(SOURCE), SOURCE)) {
            Path directory = Files.createTempDirectory("leasehold-clockshim-");
            Path file = directory.resolve(SOURCE);
            Path library = directory.resolve("clockshim.so");
            Files.copy(source, file);
            Process gcc = new ProcessBuilder(
                            List.of("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), file.toString()))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (gcc.waitFor() != 0) {
                throw new IllegalStateException("gcc refuses " + SOURCE + ": " + said);
            }
            return new ClockShim(directory, library);
        } catch (IOException e) {
            throw new IllegalStateException("the clock shim cannot be compiled; is gcc there?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /**
     * Returns the settings of servers whose clocks can be moved.
     *
     * @param server a dynamically linked redis-server
     * @return a builder
     */
    public EmbeddedRedisBuilder settings(Path server) {
        EmbeddedRedisBuilder settings = EmbeddedRedis.builder().executable(server);
        environment().forEach(settings::environment);
        return settings;
    }

    /**
     * Returns the environment of a process whose clock can be moved.
     *
     * @return the environment variables
     */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "CLOCKSHIM_DIRECTORY", directory.toString());
    }

    /**
     * Moves a server's clock immediately.
     *
     * @param server a running server with these settings
     * @param ahead the distance from the machine's clock
     */
    public void set(EmbeddedRedis server, Duration ahead) {
        set(server.pid(), ahead);
    }

    /**
     * Moves a process's clock immediately.
     *
     * @param pid the id of a process that was started in this environment
     * @param ahead the distance from the machine's clock
     */
    public void set(long pid, Duration ahead) {
        ByteBuffer micros = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        micros.putLong(0, ahead.toNanos() / 1_000);
        // A statically linked program has created no file; opening it then fails.
        try (FileChannel file = FileChannel.open(directory.resolve(Long.toString(pid)), StandardOpenOption.WRITE)) {
            int written = file.write(micros, 0);
            if (written != Long.BYTES) {
                throw new IllegalStateException("only " + written + " bytes of a clock were written");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the clock of process " + pid + " cannot be moved; is its program linked dynamically?", e);
        }
    }

    /** Deletes its files; servers that still run keep their clocks. */
    @Override
    public void close() {
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

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
 * Gives processes wall clocks of their own, which a test moves: JVMs, and servers. Needs gcc, Linux, and a redis-server that is
 * linked dynamically: the one in the testkit is not. Monotonic clocks stay those of the machine. Thread-safe.
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
     * Compiles it.
     *
     * @return the shim, to be closed after the servers
     * @throws IllegalStateException if gcc is not there, or refuses
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
     * Settings of servers whose clocks can be moved.
     *
     * @param server a redis-server that is linked dynamically
     * @return a builder
     */
    public EmbeddedRedisBuilder settings(Path server) {
        EmbeddedRedisBuilder settings = EmbeddedRedis.builder().executable(server);
        environment().forEach(settings::environment);
        return settings;
    }

    /**
     * What a process has to be started with for its clock to be moved.
     *
     * @return variables of its environment
     */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "CLOCKSHIM_DIRECTORY", directory.toString());
    }

    /**
     * Moves a server's clock, at once.
     *
     * @param server one of these settings, that runs
     * @param ahead of the machine's clock
     */
    public void set(EmbeddedRedis server, Duration ahead) {
        set(server.pid(), ahead);
    }

    /**
     * Moves a process's clock, at once.
     *
     * @param pid the id of a process that was started in this environment
     * @param ahead of the machine's clock
     */
    public void set(long pid, Duration ahead) {
        ByteBuffer micros = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        micros.putLong(0, ahead.toNanos() / 1_000);
        // A program that is linked statically has made no file, and then this fails.
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

    /** Deletes its files; servers that still run go on by the clocks that they have. */
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

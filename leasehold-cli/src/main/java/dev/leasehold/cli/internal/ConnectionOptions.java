package dev.leasehold.cli.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which Redis, and which locks in it. */
public final class ConnectionOptions {

    private static final String VARIABLE = "LEASEHOLD_REDIS";
    private static final String LOCAL = "redis://localhost:6379";

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = {
                "The server: redis://[[user]:password@]host[:port][/database], or rediss:// for TLS.",
                "Default: the environment variable " + VARIABLE + ", else " + LOCAL
                        + ". Prefer the variable for passwords: everybody on the machine can read a command line."
            })
    private @Nullable String redis;

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "leasehold",
            description = "What the keys of the locks begin with. Default: ${DEFAULT-VALUE}.")
    private String prefix = "leasehold";

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            description = "For rediss://: a PEM file with the certificates to trust instead of those of the JVM.")
    private @Nullable Path cacert;

    @Option(
            names = "--cert",
            paramLabel = "FILE",
            description = "For rediss://: a PEM file with the client's certificate.")
    private @Nullable Path cert;

    @Option(
            names = "--key",
            paramLabel = "FILE",
            description = "For rediss://: a PEM file with the client's private key.")
    private @Nullable Path key;

    /** For picocli. */
    public ConnectionOptions() {}

    /** Where to connect, with secrets. */
    String uri() {
        if (redis != null) {
            return redis;
        }
        String fromEnvironment = System.getenv(VARIABLE);
        return fromEnvironment == null || fromEnvironment.isBlank() ? LOCAL : fromEnvironment;
    }

    /**
     * Where to connect, for people.
     *
     * @return the URI without its secrets, printable
     */
    public String address() {
        return Text.line(uri());
    }

    /**
     * A client that is told everything but the options of its locks.
     *
     * @return a builder
     */
    public LeaseholdBuilder builder() {
        return Leasehold.builder()
                .uri(uri())
                .keyPrefix(prefix)
                .clientName("leasehold-cli")
                .tls(new TlsOptions(readable(cacert), readable(cert), readable(key)));
    }

    /** A client for a look: it logs nothing of what {@code doctor} says in words. */
    Leasehold open() {
        return builder().preflight(LeaseholdBuilder.Preflight.OFF).build();
    }

    private static @Nullable Path readable(@Nullable Path file) {
        if (file != null && !Files.isReadable(file)) {
            throw new CliException(ExitCode.USAGE, "the file '" + file + "' cannot be read");
        }
        return file;
    }
}

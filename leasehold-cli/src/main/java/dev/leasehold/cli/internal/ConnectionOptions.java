package dev.leasehold.cli.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
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
                "The server: redis://[[user]:password@]host[:port][/database], or rediss:// for TLS; any node of a cluster;"
                        + " redis-sentinel://host:port,host:port/0?sentinelMasterId=NAME; redis-socket:///path.",
                "Several times, for the servers of a quorum.",
                "Default: the environment variable " + VARIABLE + ", else " + LOCAL
                        + ". Prefer the variable for passwords: everybody on the machine can read a command line."
            })
    private List<String> redis = List.of();

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "leasehold",
            description = "What the keys of the locks begin with. Default: ${DEFAULT-VALUE}.")
    private String prefix = "leasehold";

    @Option(
            names = "--max-lease",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "Of a quorum: the longest lease, for which all its clients have one value. Default: 1m.")
    private @Nullable Duration maxLease;

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

    /** Where to connect, with secrets: one server, or those of a quorum. In the variable they stand between blanks. */
    private List<String> uris() {
        if (!redis.isEmpty()) {
            return redis;
        }
        String fromEnvironment = System.getenv(VARIABLE);
        return fromEnvironment == null || fromEnvironment.isBlank()
                ? List.of(LOCAL)
                : List.of(fromEnvironment.strip().split("\\s+"));
    }

    /**
     * Where to connect, for people.
     *
     * @return the URI without its secrets, printable; several are separated by commas
     */
    public String address() {
        return uris().stream().map(Text::line).collect(Collectors.joining(", "));
    }

    /**
     * A client that is told everything but the options of its locks.
     *
     * @return a builder
     */
    public LeaseholdBuilder builder() {
        List<String> uris = uris();
        LeaseholdBuilder builder = Leasehold.builder()
                .keyPrefix(prefix)
                .clientName("leasehold-cli")
                .tls(new TlsOptions(readable(cacert), readable(cert), readable(key)));
        if (uris.size() == 1) {
            builder.uri(uris.get(0));
        } else {
            builder.quorum(uris.toArray(String[]::new));
        }
        if (maxLease != null) {
            builder.maxLeaseTime(maxLease);
        }
        return builder;
    }

    /** A client for a look: it logs nothing of what {@code doctor} says in words. */
    Leasehold open() {
        return open(new ScriptsOption());
    }

    /** The same, with scripts or without. */
    Leasehold open(ScriptsOption scripts) {
        return scripts.on(builder().preflight(LeaseholdBuilder.Preflight.OFF)).build();
    }

    private static @Nullable Path readable(@Nullable Path file) {
        if (file != null && !Files.isReadable(file)) {
            throw new CliException(ExitCode.USAGE, "the file '" + file + "' cannot be read");
        }
        return file;
    }
}

package dev.leasehold.cli.internal;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.TlsOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select the Redis servers and the key prefix. */
public final class ConnectionOptions {

    /** The environment variable with the URIs of the servers. */
    public static final String VARIABLE = "LEASEHOLD_REDIS";

    /** The environment variable of commands that {@code run} has started. */
    public static final String WITHIN_RUN = "LEASEHOLD_RUN";

    private static final String LOCAL = "redis://localhost:6379";

    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = {
                "The server: redis://[[user]:password@]host[:port][/database], or rediss:// for TLS; a node of a cluster, or several as host:port,host:port;"
                        + " redis-sentinel://host:port,host:port/0?sentinelMasterId=NAME; redis-socket:///path.",
                "Repeat it for each server of a quorum.",
                "Default: the environment variable " + VARIABLE + ", else " + LOCAL
                        + ". Prefer the variable for passwords: every user of the machine can read a command line."
            })
    private List<String> redis = List.of();

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX",
            defaultValue = "leasehold",
            description = "The prefix of the keys of the locks. Default: ${DEFAULT-VALUE}.")
    private String prefix = "leasehold";

    @Option(
            names = "--max-lease",
            paramLabel = "TIME",
            converter = Durations.class,
            description = "For a quorum: the longest lease. All clients of a quorum use the same value. Default: 1m.")
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

    private String address = "";

    /** For picocli. */
    public ConnectionOptions() {}

    /** Returns the URIs, with secrets: one server, or the servers of a quorum. Blanks separate them in the variable. */
    private List<String> uris() {
        if (!redis.isEmpty()) {
            return redis;
        }
        String fromEnvironment = System.getenv(VARIABLE);
        if (fromEnvironment != null && !fromEnvironment.isBlank()) {
            return List.of(fromEnvironment.strip().split("\\s+"));
        }
        if (System.getenv(WITHIN_RUN) != null) {
            // The enclosing run may use another server: a lock on the local one would exclude nobody.
            throw new CliException(
                    ExitCode.USAGE,
                    "no server is named: 'leasehold run' withholds " + VARIABLE
                            + " from its command. Give the enclosing run --pass-redis, or this command --redis");
        }
        return List.of(LOCAL);
    }

    /**
     * Returns the servers as a command that calls {@code leasehold} needs them.
     *
     * @return the value of {@value #VARIABLE}, with secrets
     */
    public String variable() {
        return String.join(" ", uris());
    }

    /**
     * Returns the servers as the client knows them, in printable form.
     *
     * @return their addresses without secrets, separated by commas; empty before {@link #open}
     */
    public String address() {
        return address;
    }

    /** Returns a builder that has every setting except the options of its locks. */
    private LeaseholdBuilder builder() {
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

    /**
     * Opens a client for inspection. It runs no preflight check, as {@code doctor} prints the same findings.
     *
     * @return a client, which the caller closes
     */
    public Leasehold open() {
        return open(builder -> builder.preflight(LeaseholdBuilder.Preflight.OFF));
    }

    /**
     * Opens a client.
     *
     * @param settings sets what is not about the connection
     * @return a client, which the caller closes
     */
    public Leasehold open(UnaryOperator<LeaseholdBuilder> settings) {
        Leasehold leasehold = settings.apply(builder()).build();
        address = Text.line(leasehold.inspector().address());
        return leasehold;
    }

    private static @Nullable Path readable(@Nullable Path file) {
        if (file != null && !Files.isReadable(file)) {
            Arguments.refuseUri("a file", file.toString());
            throw new CliException(ExitCode.USAGE, "the file '" + file + "' cannot be read");
        }
        return file;
    }
}

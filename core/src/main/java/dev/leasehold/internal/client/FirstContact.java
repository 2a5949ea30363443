package dev.leasehold.internal.client;

import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.check.PreflightCheck;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.lock.OptionsCheck;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The first contact with Redis: connects, asks what the server can do and what time it has, and refuses a server on which locks would not
 * be safe. It may be tried again, over the connections that the try before has opened. Used by one thread at a time; closed by any.
 */
final class FirstContact implements AutoCloseable {

    private final ClientConfig config;
    private final TimeSource time;
    private final FindingLog log = new FindingLog();
    private volatile @Nullable RedisTransport opened;
    private volatile boolean closed;

    /**
     * What the first contact found.
     *
     * @param transport leads to the server
     * @param features what transport and server can do
     * @param time the server's time
     * @param findings what the preflight found
     */
    record Found(
            RedisTransport transport, ServerFeatures features, ServerQueries.TimeSample time, List<Finding> findings) {}

    FirstContact(ClientConfig config, TimeSource time) {
        this.config = config;
        this.time = time;
    }

    /**
     * Makes contact.
     *
     * @throws LockUnavailableException if Redis cannot be reached, refuses what every client needs, or is refused by the preflight
     * @throws IllegalArgumentException if the server cannot do what the default options ask for
     */
    Found make() {
        try {
            return ask(transport());
        } catch (RedisErrorException e) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "Redis refused a command that every client needs at start: " + e.getMessage() + ". "
                            + RefusalAdvice.of(
                                    e, "Grant the user +time; docs/operations.md lists all commands that are needed"),
                    e);
        }
    }

    private RedisTransport transport() {
        RedisTransport known = opened;
        if (known != null) {
            return known;
        }
        Supplier<? extends RedisTransport> given = config.transport();
        RedisTransport fresh = given == null ? Transports.open(config) : over(given);
        opened = fresh;
        if (closed) {
            fresh.close();
        }
        return fresh;
    }

    private static RedisTransport over(Supplier<? extends RedisTransport> given) {
        try {
            return given.get();
        } catch (RuntimeException e) {
            throw reasonOf(e);
        }
    }

    /** Returns why a given transport cannot be opened. What creates it, such as a container of beans, may have wrapped the reason. */
    private static RuntimeException reasonOf(RuntimeException failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof RedisErrorException refusal) {
                return new LockUnavailableException(
                        "",
                        false,
                        "Redis refused the connection of the given client: " + refusal.getMessage() + ". "
                                + RefusalAdvice.ofLogin(
                                        refusal, "Check its user and password, and the rights of that user"),
                        refusal);
            }
            if (each instanceof LockUnavailableException
                    || each instanceof IllegalArgumentException
                    || each instanceof IllegalStateException) {
                return (RuntimeException) each;
            }
            if (each instanceof TransportException) {
                return unreachable(each);
            }
        }
        return unreachable(failure);
    }

    /** Returns the failure of the transport, or of a client that is created here. */
    private static LockUnavailableException unreachable(Throwable failure) {
        return new LockUnavailableException(
                "",
                false,
                "Redis cannot be reached over the given client: " + Names.escapeReason(failure.getMessage())
                        + ". Check that it is up and that the client has the right address",
                failure);
    }

    private Found ask(RedisTransport transport) {
        ServerQueries queries = new ServerQueries(transport, config.timeoutOfConnecting());
        ServerDescription description = queries.describe();
        ServerFeatures features = ServerFeatures.of(description.version(), description.capabilities());
        ServerQueries.TimeSample sample = queries.time(time);
        new OptionsCheck(config.limits(), features).check(config.defaults());
        PreflightCheck preflight = new PreflightCheck(queries, config);
        List<Finding> findings = check(config.preflight(), preflight::run, PreflightCheck::forbidsLocks, log);
        return new Found(transport, features, sample, findings);
    }

    /**
     * Runs the checks before the first use.
     *
     * @param fatal what is refused even if dangers are only logged
     * @param log logs the findings
     * @return what they found
     */
    static List<Finding> check(
            Preflight mode, Supplier<List<Finding>> diagnosis, Predicate<Finding> fatal, FindingLog log) {
        if (mode == Preflight.OFF) {
            return List.of();
        }
        List<Finding> findings = diagnosis.get();
        log.log(findings);
        List<Finding> refused = findings.stream()
                .filter(mode == Preflight.REFUSE ? FirstContact::isDanger : fatal)
                .toList();
        if (!refused.isEmpty()) {
            Finding first = refused.get(0);
            throw new LockUnavailableException(
                    "",
                    false,
                    "the preflight refuses this Redis: " + first.text() + " " + first.remedy()
                            + (refused.size() > 1 ? " (and " + (refused.size() - 1) + " more, see the log)" : ""),
                    null);
        }
        return findings;
    }

    private static boolean isDanger(Finding finding) {
        return finding.level() == Finding.Level.DANGER;
    }

    /** Closes the connections; also those that are being opened. */
    @Override
    public void close() {
        closed = true;
        RedisTransport known = opened;
        if (known != null) {
            known.close();
        }
    }
}

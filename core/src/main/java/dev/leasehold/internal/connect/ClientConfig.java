package dev.leasehold.internal.connect;

import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.TlsOptions;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The settings of a client; checked as a whole before anything is sent. */
public record ClientConfig(
        @Nullable String uri,
        @Nullable Supplier<? extends RedisTransport> transport,
        KeyPrefix keyPrefix,
        @Nullable String clientName,
        LockOptions defaults,
        List<LeaseholdListener> listeners,
        Duration connectTimeout,
        Duration commandTimeout,
        Duration outageTolerance,
        Duration maxLeaseTime,
        Duration rememberTokens,
        TlsOptions tls,
        @Nullable CredentialsSource credentials,
        LeaseholdBuilder.Preflight preflight,
        @Nullable Executor eventExecutor,
        @Nullable Timer timer,
        @Nullable TimeSource timeSource,
        @Nullable QuorumConfig quorum,
        @Nullable Duration deadlockCheck,
        boolean sharesStacks,
        LockFormats formats,
        boolean startsWithoutRedis) {

    private static final Pattern CLIENT_NAME = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    /** Checks every value that has a rule. */
    public ClientConfig {
        if ((uri == null ? 0 : 1) + (transport == null ? 0 : 1) + (quorum == null ? 0 : 1) != 1) {
            throw new IllegalStateException("set exactly one of URI, transport and quorum: call uri(...) with "
                    + "redis://host:port, transport(...) with one made over your own client, or quorum(...) with the"
                    + " URIs of several independent servers");
        }
        if (credentials != null && transport != null) {
            throw new IllegalArgumentException(
                    "credentials(...) cannot be combined with transport(...): the client beneath the transport opens the"
                            + " connections, and asks its own provider of credentials (docs/credentials.md). Leave"
                            + " credentials(...) out, or connect by uri(...)");
        }
        if (clientName != null && !CLIENT_NAME.matcher(clientName).matches()) {
            throw new IllegalArgumentException(
                    "client name must be 1 to 32 ASCII letters, digits, dots, dashes or underscores");
        }
        if (quorum != null && !formats.isEmpty()) {
            throw new IllegalArgumentException(
                    "lockFormat(...) cannot be combined with a quorum, whose servers must store fencing tokens and"
                            + " the records that reject late requests. Leave it out");
        }
        ConnectionSettings.checkTimeout("connect timeout", connectTimeout);
        ConnectionSettings.checkTimeout("command timeout", commandTimeout);
        between("outage tolerance", outageTolerance, Duration.ZERO, LockOptions.MAX_LEASE_TIME);
        between("maximum lease time", maxLeaseTime, LockOptions.MIN_LEASE_TIME, LockOptions.MAX_LEASE_TIME);
        between("rememberTokens", rememberTokens, Duration.ofSeconds(1), LockOptions.MAX_LEASE_TIME);
        if (deadlockCheck != null) {
            between("period of deadlock checks", deadlockCheck, Duration.ofSeconds(1), LockOptions.MAX_LEASE_TIME);
            if (quorum != null) {
                throw new IllegalArgumentException("deadlockCheck(...) cannot be combined with a quorum, whose"
                        + " waiters have no queue that could be read. Leave it out");
            }
        }
        new Limits(commandTimeout, outageTolerance, maxLeaseTime, rememberTokens).checkLease(defaults);
    }

    /** Returns the client name, or the default. */
    public String name() {
        return clientName == null ? "leasehold" : clientName;
    }

    /**
     * Returns how long to wait for each of the first answers, which take longer than later ones: the connection is new, and
     * classes are loaded.
     */
    public Duration timeoutOfConnecting() {
        return connectTimeout.compareTo(commandTimeout) > 0 ? connectTimeout : commandTimeout;
    }

    /** Returns the time limits for the engine. */
    public Limits limits() {
        return new Limits(commandTimeout, outageTolerance, maxLeaseTime, rememberTokens);
    }

    private static void between(String what, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(what + " " + value + " must lie between " + min + " and " + max);
        }
    }

    @Override
    public String toString() {
        return "ClientConfig[" + clientName + ", " + keyPrefix.value() + "]";
    }
}

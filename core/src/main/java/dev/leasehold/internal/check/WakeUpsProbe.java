package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.RedisErrorException;
import java.security.SecureRandom;
import java.util.List;

/**
 * Publishes a wake-up, or subscribes to one, on a channel of its own. The scripts continue where Redis refuses that, so nothing
 * else would show it.
 */
final class WakeUpsProbe {

    /** The subject of a finding that Redis refuses wake-ups; nothing else has it. */
    static final String SUBJECT = "wake-ups";

    private static final SecureRandom RANDOM = new SecureRandom();

    private final ServerQueries queries;
    private final ClientConfig config;
    private final String channel;

    WakeUpsProbe(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
        this.channel =
                new WakeChannel(config.keyPrefix(), AcquisitionId.next(RANDOM).value()).name();
    }

    void publish(List<Finding> findings) {
        try {
            queries.command(null, List.of("PUBLISH", channel, ""));
        } catch (RedisErrorException e) {
            findings.add(refused("PUBLISH", e));
        }
    }

    void subscribe(List<Finding> findings) {
        try {
            queries.subscribeOnce(channel);
        } catch (RedisErrorException e) {
            findings.add(refused("SUBSCRIBE", e));
        }
    }

    private Finding refused(String command, RedisErrorException refusal) {
        return new Finding(
                Level.WARNING,
                SUBJECT,
                "Redis refuses wake-ups (" + command + "): " + refusal.getMessage()
                        + ". Waiters poll, by default about every 50 ms.",
                RefusalAdvice.of(
                                refusal,
                                "Grant the user +publish and +subscribe on the channels "
                                        + config.keyPrefix().value() + ":w:* as docs/operations.md says")
                        + ".");
    }
}

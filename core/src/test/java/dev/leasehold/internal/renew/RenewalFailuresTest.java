package dev.leasehold.internal.renew;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.event.FailureReason;
import dev.leasehold.event.RenewalFailedEvent;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.LogLines;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Renewals that fail are told before a lease is lost: each to the listeners, and their outage to the log once. */
class RenewalFailuresTest {

    private static final LockOptions LONG =
            EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofMinutes(10)).build();

    private final EngineRig rig = new EngineRig();

    @RegisterExtension
    final LogLines log = new LogLines("dev.leasehold.leases");

    private void answered() {
        rig.redis.answers(
                "renew", call -> rig.redis.reply("renewed", call.args().get(1)));
    }

    @Test
    void eachTryIsAnEventWithTheTimeThatIsLeft() {
        Lease lease = rig.held();
        rig.redis.fails("renew", new RedisErrorException("NOPERM no right"));
        rig.pass(Duration.ofSeconds(15));
        assertThat(lease.isHeld()).isTrue();
        assertThat(rig.renewalFailed).hasSizeGreaterThan(2).allSatisfy(event -> {
            assertThat(event.lockName()).isEqualTo("a");
            assertThat(event.reason()).isEqualTo(FailureReason.NOT_PERMITTED);
        });
        assertThat(rig.renewalFailed)
                .extracting(RenewalFailedEvent::left)
                .isSortedAccordingTo((a, b) -> b.compareTo(a));
        assertThat(rig.renewalFailed.get(0).left()).isBetween(Duration.ofSeconds(19), Duration.ofSeconds(20));
    }

    @Test
    void aLeaseThatWasReleasedOrLostMeanwhileIsNotReported() {
        Lease lease = rig.held();
        rig.redis.silent("renew");
        rig.pass(Duration.ofSeconds(11));
        lease.release();
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.renewalFailed).isEmpty();
        rig.held();
        rig.pass(Duration.ofSeconds(40));
        assertThat(rig.renewalFailed)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.left()).isPositive());
    }

    /** It was over after seconds; the next one, in the same minute, is longer. */
    @Test
    void anOutageSoonAfterAShortOneIsLogged() {
        Lease lease = rig.held(LONG);
        rig.pass(Duration.ofSeconds(195));
        rig.redis.fails("renew", new TransportException("down", false, null));
        rig.pass(Duration.ofSeconds(10));
        answered();
        rig.pass(Duration.ofSeconds(30));
        assertThat(log.at(Level.INFO)).hasSize(1);
        rig.redis.fails("renew", new TransportException("down", false, null));
        rig.held();
        rig.pass(Duration.ofMinutes(1));
        assertThat(outages()).hasSize(2);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void anOutageIsLoggedOnceAtItsBeginningAndOnceAtItsEnd() {
        Lease lease = rig.held(LONG);
        rig.redis.fails("renew", new TransportException("down", false, null));
        rig.pass(Duration.ofMinutes(4));
        assertThat(rig.renewalFailed).hasSizeGreaterThan(2);
        assertThat(log.at(Level.WARN)).singleElement().asString().contains("lock 'a'", "down");
        assertThat(log.at(Level.INFO)).isEmpty();
        answered();
        rig.pass(Duration.ofMinutes(10));
        assertThat(log.at(Level.INFO)).singleElement().asString().contains("confirmed again", "'a'");
        assertThat(lease.isHeld()).isTrue();
        rig.redis.fails("renew", new TransportException("down", false, null));
        rig.pass(Duration.ofMinutes(4));
        assertThat(log.at(Level.WARN)).as("another outage").hasSize(2);
    }

    /** Redis came back after a failover without the rights of the user: the remedy is another one. */
    @Test
    void anotherReasonIsAnotherOutage() {
        Lease lease = rig.held(LONG);
        rig.redis.fails("renew", new TransportException("down", false, null));
        rig.pass(Duration.ofSeconds(205));
        answered();
        rig.pass(Duration.ofSeconds(10));
        assertThat(log.at(Level.INFO)).hasSize(1);
        rig.redis.fails("renew", new RedisErrorException("NOPERM no right"));
        rig.held();
        rig.pass(Duration.ofSeconds(15));
        assertThat(outages()).hasSize(2).last().asString().contains("NOPERM", "docs/operations.md, section 2");
        rig.redis.fails("renew", new RedisErrorException("OOM command not allowed"));
        rig.pass(Duration.ofSeconds(5));
        assertThat(outages()).as("without an end of the one before").hasSize(3);
        rig.redis.fails("renew", new RedisErrorException("NOPERM no right"));
        rig.pass(Duration.ofSeconds(5));
        assertThat(outages()).as("two reasons that alternate").hasSize(3);
        assertThat(lease.isHeld()).isTrue();
    }

    private List<String> outages() {
        return log.at(Level.WARN).stream()
                .filter(line -> line.startsWith("a renewal"))
                .toList();
    }
}

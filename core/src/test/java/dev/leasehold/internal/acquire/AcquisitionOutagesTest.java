package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.leasehold.Lease;
import dev.leasehold.LeaseholdException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.LogLines;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Acquisitions that Redis refuses are told to the log and to health, and not only to their callers. */
class AcquisitionOutagesTest {

    private static final String FULL = "OOM command not allowed when used memory > 'maxmemory'.";
    private static final String FORBIDDEN = "NOPERM this user has no permissions to run the 'pexpireat' command";
    private static final List<String> SCRIPTS = List.of("acquire", "acquire_free");

    private final EngineRig rig = new EngineRig();

    @RegisterExtension
    final LogLines log = new LogLines("dev.leasehold.acquisitions");

    private void refused(String error) {
        SCRIPTS.forEach(script -> rig.redis.fails(script, new RedisErrorException(error)));
        fails();
    }

    private void fails() {
        assertThatThrownBy(() -> rig.lock().tryAcquire()).isInstanceOf(LeaseholdException.class);
    }

    private void answered(Function<ScriptCall, List<String>> role) {
        rig.redis.answers("acquire_free", call -> rig.redis.reply("undecided"));
        rig.redis.answers("acquire", role);
    }

    private Lease granted() {
        answered(call -> rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros())));
        return rig.held();
    }

    private List<String> refusals() {
        return rig.engine.events().refusal().map(Finding::text).stream().toList();
    }

    @Test
    void anOutageIsLoggedWhenItBeginsAndWhenALockIsGrantedAgain() {
        refused(FULL);
        for (int i = 0; i < 100; i++) {
            rig.pass(Duration.ofMillis(200));
            fails();
        }
        assertThat(log.at(Level.WARN)).singleElement().asString().contains("lock 'a'", "OOM", "raise maxmemory");
        assertThat(log.at(Level.INFO)).isEmpty();
        granted();
        assertThat(log.at(Level.INFO)).singleElement().asString().contains("grants", "again, after 20.0 s");
    }

    /** A right may be missing for a grant only; and another reason needs another remedy. */
    @Test
    void aBusyLockEndsNoRefusalAndAnotherReasonIsAnotherOutage() {
        refused(FORBIDDEN);
        answered(call -> rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(rig.lock().tryAcquire()).isEmpty();
        refused(FULL);
        refused(FORBIDDEN);
        assertThat(log.at(Level.WARN)).hasSize(2).first().asString().contains("docs/operations.md, section 2");
        assertThat(log.at(Level.INFO)).isEmpty();
    }

    /** Other data in one key says nothing about Redis, and the caller is told. */
    @Test
    void whatConcernsOneLockIsNoOutage() {
        answered(call -> rig.redis.reply("foreign", "a string"));
        fails();
        assertThat(log.all()).isEmpty();
    }

    @Test
    void healthKnowsOfARefusalThatLasts() {
        refused(FULL);
        assertThat(refusals()).as("perhaps of one lock, or one node").isEmpty();
        rig.pass(Duration.ofSeconds(10));
        fails();
        assertThat(refusals()).singleElement().asString().contains("for 10.0 s", "out of memory");
        granted();
        assertThat(refusals()).isEmpty();
    }

    /** Without traffic nobody would ever find out that it is over. */
    @Test
    void healthForgetsARefusalThatNobodyMetForAMinute() {
        refused(FULL);
        rig.pass(Duration.ofSeconds(59));
        assertThat(refusals()).hasSize(1);
        rig.pass(Duration.ofSeconds(1));
        assertThat(refusals()).isEmpty();
    }

    /** Health asks Redis itself whether it answers. */
    @Test
    void healthDoesNotRememberASilence() {
        refused("LOADING Redis is loading the dataset in memory");
        rig.pass(Duration.ofSeconds(30));
        fails();
        assertThat(log.at(Level.WARN)).hasSize(1);
        assertThat(refusals()).isEmpty();
        answered(call -> rig.redis.reply("busy", "30000000", "7", "0"));
        assertThat(rig.lock().tryAcquire()).isEmpty();
        assertThat(log.at(Level.INFO)).singleElement().asString().contains("answers");
    }
}

package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedRedisTest {

    private static final String KEY = "leasehold:{a}";

    private final ManualClock clock = ManualClock.create();
    private final SimulatedRedis redis = SimulatedRedis.create(clock);

    private Object run(String... args) {
        return redis.execute(List.of(args));
    }

    private List<String> eval(Script script, String... args) {
        return redis.eval(new ScriptCall(script, List.of(KEY), List.of(args), 0));
    }

    private List<String> acquire(String id) {
        return eval(AcquireScript.SCRIPT, id, id, "30000000", "9007199254740991", "0", "60000", "1@h main", "");
    }

    @Test
    void theCoresScriptsRun() {
        assertThat(acquire("A")).startsWith("granted");
        assertThat(acquire("B")).startsWith("busy");
        assertThat(eval(RenewScript.SCRIPT, "A", "30000000", "60000")).startsWith("renewed");
        assertThat(eval(InspectScript.SCRIPT)).startsWith("lock").contains("h:A");
        assertThat(eval(ReleaseScript.SCRIPT, "A", "0", "60000")).startsWith("released");
        assertThat(redis.hash(KEY)).containsOnlyKeys("v", "last");
        clock.advance(Duration.ofMinutes(2));
        assertThat(redis.keys()).isEmpty();
    }
}

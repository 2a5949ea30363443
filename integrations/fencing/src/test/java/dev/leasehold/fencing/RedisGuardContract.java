package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a fence in Redis, with data beside it that a script writes in the same step. */
abstract class RedisGuardContract extends NamedGuardContract {

    abstract TestTransport transport();

    /** Sends a command to the same server. */
    abstract @Nullable Object command(String... args);

    final RedisGuard guard() {
        return RedisGuard.over(transport());
    }

    @Override
    void write(String resource, long token, String value) {
        assertThat(guard().run(resource, token, "SET", data(resource), value)).containsExactly("OK");
    }

    static String data(String resource) {
        return "data of " + resource;
    }

    @Override
    @Nullable
    String value(String resource) {
        return (String) command("GET", data(resource));
    }

    @Override
    boolean oneStep() {
        return true;
    }

    @Override
    void writeUnreachably(String resource, long token) {
        RedisGuard.over(TestTransport.toNowhere()).run(resource, token, "SET", "a", "b");
    }

    @Override
    Class<? extends Exception> ownError() {
        return TransportException.class;
    }

    @Test
    void admissionAloneAndRunShareTheFence() {
        guard().admit("a", 7);
        assertThatThrownBy(() -> guard().run("a", 6, "SET", "k", "late")).isInstanceOf(StaleTokenException.class);
        guard().run("a", 8, "SET", "k", "v");
        assertThatThrownBy(() -> guard().admit("a", 7)).isInstanceOf(StaleTokenException.class);
        assertThat(command("GET", "k")).isEqualTo("v");
    }

    @Test
    void aReadIsGuardedTooSoAHolderThatReadBeforeALaterOneWasAdmittedCannotWrite() {
        RedisGuard guard = guard();
        guard.run("a", 7, "SET", "counter", "1");
        assertThat(guard.run("a", 8, "GET", "counter")).containsExactly("1");
        // The earlier holder has read 1. Without the guard it would now write 2 over the value that the later one
        // writes.
        assertThatThrownBy(() -> guard.run("a", 7, "SET", "counter", "2")).isInstanceOf(StaleTokenException.class);
        assertThatThrownBy(() -> guard.run("a", 7, "GET", "counter")).isInstanceOf(StaleTokenException.class);
    }

    @Test
    void answersOfEveryKindAreReturnedAsTexts() {
        RedisGuard guard = guard();
        assertThat(guard.run("a", 1, "GET", "k")).containsExactly((String) null);
        assertThat(guard.run("a", 1, "SET", "k", "-")).containsExactly("OK");
        assertThat(guard.run("a", 1, "GET", "k")).containsExactly("-");
        assertThat(guard.run("a", 1, "SET", "n", "9007199254740990")).containsExactly("OK");
        assertThat(guard.run("a", 1, "INCR", "n")).containsExactly("9007199254740991");
        assertThat(guard.run("a", 1, "HSET", "h", "f", "1", "g", "\u5f69\u7968\n"))
                .containsExactly("2");
        assertThat(guard.run("a", 1, "HMGET", "h", "g", "none", "f")).containsExactly("\u5f69\u7968\n", null, "1");
        assertThat(guard.run("a", 1, "HGETALL", "none")).isEmpty();
    }

    @Test
    void aFailedCommandThrowsTheErrorOfRedisAndWritesNothing() {
        command("HSET", "h", "f", "v");
        assertThatThrownBy(() -> guard().run("a", 1, "INCR", "h"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThatThrownBy(() -> guard().run("a", 1, "NOSUCHCOMMAND", "h")).isInstanceOf(RedisErrorException.class);
        assertThat(command("HGET", "h", "f")).isEqualTo("v");
    }

    @Test
    void theFenceIsOneStringKeyWithoutExpiryNamedAfterTheResource() {
        guard().admit("lottery:2026-11-21", 1_763_690_400_123_456L);
        assertThat(command("GET", "leasehold-fence:{lottery:2026-11-21}")).isEqualTo("1763690400123456");
        assertThat(command("PTTL", "leasehold-fence:{lottery:2026-11-21}")).isEqualTo(-1L);
        guard().admit("a{b} %", 1);
        assertThat(command("GET", "leasehold-fence:{a%7Bb%7D%20%25}")).isEqualTo("1");
        guard().keyPrefix("mine").admit("a", 1);
        assertThat(command("GET", "mine:{a}")).isEqualTo("1");
    }

    @Test
    void everyUseOfAFenceRestartsItsExpiry() {
        RedisGuard forgetful = guard().keepFor(Duration.ofDays(1));
        for (int use = 0; use < 2; use++) {
            forgetful.admit("a", 8);
            assertThat((Long) command("PTTL", "leasehold-fence:{a}")).isBetween(86_000_000L, 86_400_000L);
            command("PEXPIRE", "leasehold-fence:{a}", "10000");
        }
        assertThatThrownBy(() -> forgetful.admit("a", 7)).isInstanceOf(StaleTokenException.class);
        assertThat((Long) command("PTTL", "leasehold-fence:{a}"))
                .as("a refusal changes nothing")
                .isLessThanOrEqualTo(10_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "seven", "-1", "1.5", "0x10", "12345678901234567", "1e3"})
    void aForeignValueUnderTheKeyOfTheFenceIsRefusedAndUnchanged(String foreign) {
        command("SET", "leasehold-fence:{a}", foreign);
        assertThatThrownBy(() -> guard().run("a", 7, "SET", "k", "v"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessageStartingWith("FENCE ");
        assertThat(command("GET", "leasehold-fence:{a}")).isEqualTo(foreign);
        assertThat(command("GET", "k")).isNull();
    }

    @Test
    void anotherTypeUnderTheKeyOfTheFenceIsRefusedAndUnchanged() {
        command("HSET", "leasehold-fence:{a}", "f", "v");
        assertThatThrownBy(() -> guard().run("a", 7, "SET", "k", "v"))
                .isInstanceOf(RedisErrorException.class)
                .hasMessageContaining("WRONGTYPE");
        assertThat(command("HGET", "leasehold-fence:{a}", "f")).isEqualTo("v");
        assertThat(command("GET", "k")).isNull();
    }

    @Test
    void optionsThatBreakTheirRuleAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> guard().keyPrefix("a{b"));
        assertThatIllegalArgumentException().isThrownBy(() -> guard().keyPrefix(""));
        assertThatIllegalArgumentException().isThrownBy(() -> guard().keepFor(Duration.ofMillis(999)));
        assertThatIllegalArgumentException().isThrownBy(() -> guard().commandTimeout(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> guard().run("a", 1, "", "k"));
        assertThatIllegalArgumentException().isThrownBy(() -> guard().run("a", 1, "GET", ""));
    }
}

package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Renewals of several locks in one call: one answer for all, or one for each. */
@WithRedis
class RenewManyScriptIT {

    private static final long LEASE = 30 * Bench.SECOND;
    private static final Duration MEMORY = Duration.ofSeconds(60);
    private static final LockKey MISSING = LockKey.of(new KeyPrefix("leasehold"), "missing");
    private static final AcquisitionId OF_MISSING = new AcquisitionId("m1");

    private final EmbeddedRedis redis;
    private Bench one;
    private Bench other;

    RenewManyScriptIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void open() {
        one = new Bench(redis, "one", MEMORY);
        other = new Bench(redis, "other", MEMORY);
        one.acquire("a1").lasting(LEASE).now();
        other.acquire("b1").lasting(LEASE).now();
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private List<String> renew(long micros, RenewHolds.Entry... entries) {
        LeaseSpan span = new LeaseSpan(micros * 1000);
        return one.run(one.scripts.call(new RenewHolds(span, List.of(entries), 1)));
    }

    private RenewHolds.Entry ofOne() {
        return new RenewHolds.Entry(one.key, new AcquisitionId("a1"));
    }

    private RenewHolds.Entry ofOther() {
        return new RenewHolds.Entry(other.key, new AcquisitionId("b1"));
    }

    @Test
    void aConfirmationOnlyReads() {
        Map<String, String> before = other.fields();
        long expiry = other.expiry();
        assertThat(renew(0, ofOne(), ofOther())).hasSize(2).startsWith("all");
        assertThat(renew(0, ofOther())).hasSize(2).startsWith("all");
        assertThat(other.fields()).isEqualTo(before);
        assertThat(other.expiry()).isEqualTo(expiry);
    }

    @Test
    void aConfirmationSaysWhatIsMissing() {
        RenewHolds.Entry missing = new RenewHolds.Entry(MISSING, OF_MISSING);
        RenewHolds.Entry taken = new RenewHolds.Entry(one.key, OF_MISSING);
        List<String> reply = renew(0, ofOne(), missing, taken);
        assertThat(reply.subList(2, 8)).containsExactly("renewed", "0", "gone", "free", "gone", "taken");
        one.run(one.scripts.call(new RequestRelease(one.key, Bench.EVER, 1)));
        reply = renew(0, ofOne(), ofOther());
        assertThat(reply.subList(2, 6)).containsExactly("asked", "0", "renewed", "0");
    }

    @Test
    void holdsWithTheRequestedLengthShareOneAnswer() {
        for (long requested : new long[] {LEASE, 2 * LEASE, 3 * LEASE}) {
            Map<String, String> before = other.fields();
            String since = before.get("h:b1").split(":")[2];
            List<String> reply = renew(requested, ofOne(), ofOther());
            assertThat(reply).hasSize(2).startsWith("all");
            long now = Long.parseLong(reply.get(1));
            before.put("h:b1", now + ":" + requested + ":" + since);
            before.remove("ex");
            assertThat(other.fields()).containsAllEntriesOf(before);
            assertThat(one.end("a1")).isEqualTo(now + requested);
            assertThat(other.expiry()).isGreaterThanOrEqualTo(other.expiryFor(now + requested));
        }
    }

    /** A renewal for the same length sets the expiry ahead, and those that follow leave it. */
    @Test
    void theExpiryIsSetAheadForRenewalsToCome() {
        long now = Long.parseLong(renew(LEASE, ofOne(), ofOther()).get(1));
        long ahead = other.expiry();
        assertThat(ahead).isGreaterThanOrEqualTo(2 * other.expiryFor(now + LEASE) - now / Bench.MILLI);
        assertThat(other.field("ex")).isEqualTo(Long.toString(ahead));
        other.past(now + 5 * Bench.MILLI);
        assertThat(renew(LEASE, ofOne(), ofOther())).hasSize(2);
        assertThat(other.expiry()).isEqualTo(ahead);
        other.put("ex", other.expiryFor(now));
        renew(LEASE, ofOne(), ofOther());
        assertThat(other.expiry()).isGreaterThan(ahead);
        assertThat(other.field("ex")).isEqualTo(Long.toString(other.expiry()));
    }

    /** The position of a waiter outlives two of its polls: the expiry of such a lock is never ahead. */
    @Test
    void theExpiryOfALockWithWaitersIsNotSetAhead() {
        other.acquire("c1").waiting("C", 0).now();
        long now = Long.parseLong(renew(LEASE, ofOne(), ofOther()).get(1));
        assertThat(other.fields()).doesNotContainKey("ex");
        assertThat(other.expiry()).isBetween(other.expiryFor(now + LEASE), other.expiryFor(now + LEASE) + 3);
    }

    /** Redis refuses the first write of a script, unless it sets an expiry: a renewal must not fail for that. */
    @Test
    void aFullMemoryRefusesNoRenewalWhoseExpiryIsSetAhead() {
        renew(LEASE, ofOne(), ofOther());
        for (int i = 0; i < 40; i++) {
            one.command("SET", "filler:" + i, "x".repeat(100_000));
        }
        redis.command("CONFIG", "SET", "maxmemory", "3mb");
        try {
            assertThatThrownBy(() -> one.command("SET", "more", "x")).hasMessageStartingWith("OOM");
            List<String> reply = renew(LEASE, ofOne(), ofOther());
            assertThat(reply).hasSize(2).startsWith("all");
            assertThat(one.end("a1")).isEqualTo(Long.parseLong(reply.get(1)) + LEASE);
        } finally {
            redis.command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    @Test
    void aLaterEndStaysAndIsReportedForEach() {
        other.renew("b1", 10 * LEASE);
        long end = other.end("b1");
        List<String> reply = renew(LEASE, ofOne(), ofOther());
        long left = end - Long.parseLong(reply.get(1));
        assertThat(reply.subList(2, 6))
                .containsExactly("renewed", Long.toString(LEASE), "renewed", Long.toString(left));
        assertThat(reply).hasSize(6).startsWith("each");
        assertThat(other.end("b1")).isEqualTo(end);
    }

    @Test
    void aMissingHoldIsReportedForEach() {
        assertThat(renew(LEASE, ofOne(), new RenewHolds.Entry(MISSING, OF_MISSING)))
                .startsWith("each")
                .endsWith("renewed", Long.toString(LEASE), "gone", "free");
    }

    /** A hold of an unusual width: written by another client, or by the clock of a test. */
    @Test
    void aHoldIsReadWhateverItsWidth() {
        String usual = Long.toString(one.end("a1") - LEASE);
        for (String from : List.of("0" + usual, "000" + usual, "99999999999999999")) {
            one.put("h:a1", from + ":" + LEASE + ":7");
            List<String> reply = renew(LEASE, ofOne(), ofOther());
            assertThat(reply).as(from).hasSize(2).startsWith("all");
            assertThat(one.field("h:a1")).as(from).isEqualTo(reply.get(1) + ":" + LEASE + ":7");
        }
    }

    @Test
    void anEndTooFarAheadIsSetRightAlsoWhenItKeepsItsLength() {
        one.writtenAhead("a1", Bench.HOUR);
        List<String> reply = renew(LEASE, ofOne(), ofOther());
        assertThat(one.end("a1")).isEqualTo(Long.parseLong(reply.get(1)) + LEASE);
    }
}

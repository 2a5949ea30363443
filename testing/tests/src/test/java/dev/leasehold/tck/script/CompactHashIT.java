package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** Finding 25 (a): one value above 64 bytes turns the small hash into a table of three times its size. */
@WithRedis
class CompactHashIT {

    private static final long LONGEST = 365 * 24 * Bench.HOUR;

    private final EmbeddedRedis redis;
    private final SecureRandom random = new SecureRandom();

    CompactHashIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    private String id() {
        return AcquisitionId.next(random).value();
    }

    @Test
    void aLockStaysCompactWithTheLongestOfEverything() {
        try (Bench lock = new Bench(redis)) {
            Holder longest = new Holder("p".repeat(500), "\u4e2d".repeat(500), "l".repeat(500));
            lock.acquire(id()).now();
            lock.force();
            lock.put("last", (1L << 53) - 2);
            for (int i = 0; i < 4; i++) {
                lock.acquire(id())
                        .as("o".repeat(44))
                        .lasting(LONGEST)
                        .by(longest)
                        .now();
                lock.release(id(), lock.time() + LONGEST);
            }
            String last = id();
            lock.acquire(last).as("o".repeat(44)).lasting(LONGEST).by(longest).now();
            lock.renew(last, LONGEST);
            assertThat(lock.fields()).hasSize(4 + 5 * 3 + 4 + 1);
            assertThat(lock.fields().values())
                    .allSatisfy(value ->
                            assertThat(value.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(64));
            assertThat((String) lock.command("OBJECT", "ENCODING", lock.key.key()))
                    .isIn("listpack", "ziplist");
        }
    }

    @Test
    void aHashedOwnerStaysCompactToo() {
        try (Bench lock = new Bench(redis)) {
            lock.acquire(id()).as("o".repeat(512)).now();
            assertThat((String) lock.command("OBJECT", "ENCODING", lock.key.key()))
                    .isIn("listpack", "ziplist");
        }
    }
}

package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.WaitStrategy;
import dev.leasehold.interop.Formats;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plain locks and the locks of other languages under one key: redis-py and node's redlock. Each counts up by reading and
 * writing apart, so that a count is lost where two are inside.
 */
@Tag("full")
class PlainLockInteropIT {

    private static final int TIMES = 200;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String KEY = "interop:{é}:lock";
    private static final String COUNTER = "interop:counter";
    private static final LockOptions OPTIONS = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(10))
            .waitStrategy(WaitStrategy.polling(Duration.ofMillis(2)))
            .build();

    /** The programs of the other languages connect by the port alone. */
    @RegisterExtension
    static final EmbeddedRedisExtension SERVER =
            EmbeddedRedisExtension.perClass(EmbeddedRedis.builder().withoutPassword());

    private final EmbeddedRedis redis = SERVER.server();

    @Test
    void weAndRedisPyExcludeEachOther() throws Exception {
        countTogether(List.of("/usr/bin/python3", resource("lock.py").toString()), "redis-py");
    }

    @Test
    void weAndRedlockOfNodeExcludeEachOther(@TempDir Path directory) throws Exception {
        for (String file : List.of("package.json", "lock.js")) {
            Files.copy(resource(file), directory.resolve(file));
        }
        Process npm = new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(npm.waitFor()).as("npm install: %s", said).isZero();
        countTogether(List.of("node", directory.resolve("lock.js").toString()), "redlock");
    }

    private static Path resource(String name) throws Exception {
        return Path.of(PlainLockInteropIT.class.getResource("/interop/" + name).toURI());
    }

    private void countTogether(List<String> program, String library) throws Exception {
        redis.flush();
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(Integer.toString(redis.port()), KEY, COUNTER));
        Process theirs = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (Leasehold leasehold = Leasehold.connect(redis.uri());
                BufferedReader said =
                        new BufferedReader(new InputStreamReader(theirs.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("ready");
            DistributedLock ours = leasehold.lock(KEY, Formats.plain()).with(OPTIONS);
            int busy = 0;
            for (int i = 0; i < TIMES; i++) {
                busy += countUp(ours);
                if (i % 5 == 0) {
                    long seen = count();
                    await().atMost(LIMIT).pollInterval(Duration.ofMillis(2)).until(() -> count() > seen);
                }
            }
            redis.command("SET", COUNTER + ":stop", "1");
            String[] words = said.readLine().split(" ", -1);
            assertThat(words)
                    .as("name, version, and how often it has counted")
                    .hasSize(3)
                    .startsWith(library);
            assertThat(theirs.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(count()).isEqualTo(TIMES + Long.parseLong(words[2]));
            assertThat(busy).as("how often theirs was inside when ours came").isPositive();
            assertThat(redis.command("EXISTS", KEY)).isEqualTo(0L);
        } finally {
            theirs.destroyForcibly();
        }
    }

    private long count() {
        Object seen = redis.command("GET", COUNTER);
        return seen == null ? 0 : Long.parseLong(seen.toString());
    }

    /** Returns 1 if the other was inside. */
    private int countUp(DistributedLock lock) throws InterruptedException {
        Lease lease = lock.tryAcquire().orElse(null);
        int busy = lease == null ? 1 : 0;
        try (Lease inside = lease == null ? lock.acquire() : lease) {
            redis.command("SET", COUNTER, Long.toString(count() + 1));
            inside.ensureHeld();
        }
        return busy;
    }
}

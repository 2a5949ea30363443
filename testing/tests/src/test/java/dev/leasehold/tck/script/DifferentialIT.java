package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.script.AcquireFreeScript;
import dev.leasehold.internal.script.AcquireManyScript;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.ChangePermitsScript;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.script.DowngradeScript;
import dev.leasehold.internal.script.ForceReleaseScript;
import dev.leasehold.internal.script.ForeignScripts;
import dev.leasehold.internal.script.GoOnScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.LatchScripts;
import dev.leasehold.internal.script.LeaveScript;
import dev.leasehold.internal.script.LookManyScript;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewManyScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.internal.script.RequestReleaseScript;
import dev.leasehold.internal.script.ResumeScript;
import dev.leasehold.spi.Script;
import dev.leasehold.testkit.EmbeddedRedis;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the simulated Redis with a real one: the same scripts with the same arguments at the same moments give
 * the same replies and leave the same keys behind. Replay a seed by {@code -Dleasehold.seed=<seed>}.
 */
class DifferentialIT {

    /** Whether as much is tried as a night has time for. */
    static final boolean NIGHTLY =
            System.getProperty("leasehold.tck.set", "default").equals("nightly");

    private static final int STEPS = NIGHTLY ? 225_000 : 25_000;
    /** The rarest result occurs some 4 times in 10,000 steps, and one of the two seeds is a new one each time. */
    private static final int AT_LEAST = NIGHTLY ? 50 : 1;

    private static final List<Script> SCRIPTS = List.of(
            AcquireScript.SCRIPT,
            AcquireScript.NAMED,
            AcquireScript.SHARED,
            AcquireScript.PERMITS,
            AcquireFreeScript.SCRIPT,
            AcquireManyScript.SCRIPT,
            RenewScript.SCRIPT,
            RenewManyScript.SCRIPT,
            RenewManyScript.CONFIRM,
            ReleaseScript.SCRIPT,
            CombinedScript.SCRIPT,
            GoOnScript.SCRIPT,
            GoOnScript.Retain.SCRIPT,
            DowngradeScript.SCRIPT,
            ChangePermitsScript.SCRIPT,
            ResumeScript.SCRIPT,
            RequestReleaseScript.SCRIPT,
            LeaveScript.SCRIPT,
            LookManyScript.SCRIPT,
            ForceReleaseScript.SCRIPT,
            InspectScript.SCRIPT,
            InspectScript.Many.SCRIPT,
            ForeignScripts.PLAIN.acquire(),
            ForeignScripts.PLAIN.renew(),
            ForeignScripts.PLAIN.renewMany(),
            ForeignScripts.PLAIN.release(),
            ForeignScripts.PLAIN.forceRelease(),
            ForeignScripts.PLAIN.inspect(),
            ForeignScripts.REDISSON.acquire(),
            ForeignScripts.REDISSON.renew(),
            ForeignScripts.REDISSON.renewMany(),
            ForeignScripts.REDISSON.release(),
            ForeignScripts.REDISSON.forceRelease(),
            ForeignScripts.REDISSON.inspect(),
            LatchScripts.SET,
            LatchScripts.COUNT_DOWN,
            LatchScripts.LOOK,
            QuorumScripts.ACQUIRE,
            QuorumScripts.RAISE,
            QuorumScripts.JOIN);
    static final List<String> NAMES = SCRIPTS.stream().map(Script::name).toList();
    private static final Path SOURCES = Path.of("../../core/src/main/resources/dev/leasehold/internal/script");
    private static final Pattern RETURN = Pattern.compile("^-- RETURN ([a-z]+)", Pattern.MULTILINE);

    @Test
    void repliesAndKeysAreTheSame() throws Exception {
        Map<String, Integer> seen = new TreeMap<>();
        List<Long> seeds = seeds();
        ExecutorService walkers = Executors.newFixedThreadPool(seeds.size());
        try {
            List<Future<Map<String, Integer>>> walks = new ArrayList<>();
            for (long seed : seeds) {
                walks.add(walkers.submit(() -> walk(seed)));
            }
            for (Future<Map<String, Integer>> walk : walks) {
                walk.get().forEach((code, times) -> seen.merge(code, times, Integer::sum));
            }
        } finally {
            walkers.shutdown();
        }
        Map<String, Integer> times = new TreeMap<>();
        codes().forEach(code -> times.put(code, seen.getOrDefault(code, 0)));
        assertThat(times)
                .allSatisfy((code, count) -> assertThat(count)
                        .as("how often '%s' was compared with the seeds %s", code, seeds)
                        .isGreaterThanOrEqualTo(AT_LEAST));
    }

    @Test
    void noScriptIsLeftOut() throws Exception {
        try (Stream<Path> files = Files.list(SOURCES)) {
            assertThat(SCRIPTS)
                    .extracting(Script::name)
                    .containsExactlyInAnyOrderElementsOf(
                            files.map(file -> file.getFileName().toString())
                                    .filter(file -> file.endsWith(".lua"))
                                    .map(file -> file.replace(".lua", ""))
                                    .toList());
        }
    }

    private static Map<String, Integer> walk(long seed) {
        Map<String, Integer> seen = new TreeMap<>();
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                DifferentialWalk walk = new DifferentialWalk(redis, seed, seen)) {
            walk.run(STEPS);
        }
        return seen;
    }

    private static List<Long> seeds() {
        Long given = Long.getLong("leasehold.seed");
        return given != null ? List.of(given, given) : List.of(20_261_121L, new Random().nextLong());
    }

    /** Returns what must be compared: every return value that the headers of the scripts name, such as {@code acquire granted}. */
    private static List<String> codes() {
        List<String> codes = new ArrayList<>();
        for (Script script : SCRIPTS) {
            Matcher matcher = RETURN.matcher(script.body());
            while (matcher.find()) {
                codes.add(script.name() + " " + matcher.group(1));
            }
        }
        // It contains the header of acquire, too, but requests no permits.
        codes.remove(QuorumScripts.ACQUIRE.name() + " permits");
        // Of hashes larger than those of a walk; LargeHashIT has one.
        codes.remove(ForceReleaseScript.SCRIPT.name() + " more");
        for (String outcome : List.of("granted", "released", "busy", "undecided")) {
            codes.add("combined " + outcome);
        }
        for (String outcome : List.of("renewed", "asked", "ended", "gone", "foreign", "failed")) {
            codes.add("renew_many " + outcome);
            codes.add("confirm_many " + outcome);
        }
        for (String outcome : List.of("untried", "failed")) {
            codes.add("acquire_many " + outcome);
        }
        for (String outcome : List.of("head", "next", "stays", "asks", "failed")) {
            codes.add("look_many " + outcome);
        }
        codes.add("numbers above 2^31");
        codes.add("numbers above 10^14");
        for (String outcome : List.of("renewed", "gone", "foreign")) {
            codes.add("plain_renew_many " + outcome);
            codes.add("redisson_renew_many " + outcome);
        }
        assertThat(codes).as("return values in the headers").hasSizeGreaterThan(20);
        return codes;
    }
}

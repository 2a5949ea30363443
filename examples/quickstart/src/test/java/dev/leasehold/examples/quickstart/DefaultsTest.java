package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.time.SuspensionWatch;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables of defaults in the handbook match the code. {@link DefaultsIT} checks the number of connections. */
class DefaultsTest {

    private static final String SCHEDULE = "internal.renew.RenewalSchedule";
    private static final String WAITING = "internal.wait.WaitSchedule";
    private static final Set<String> INSTALLATIONS = Set.of("xml", "gradle");
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long FOR_EVER = TimeUnit.DAYS.toNanos(1);

    private final LockOptions options = LockOptions.defaults();
    private final LeaseholdBuilder builder = Leasehold.builder();

    @ParameterizedTest
    @EnumSource
    void theTableMatchesTheCode(Handbook handbook) {
        Map<String, List<String>> documented = new HashMap<>();
        for (Markdown.Row row : handbook.rowsWithId()) {
            if (row.id().startsWith("command-") || row.id().startsWith("exit-")) {
                continue;
            }
            List<String> values = Quantities.of(row.cells().get(1));
            values.addAll(Quantities.of(row.cells().get(2)).stream()
                    .filter(value -> Character.isDigit(value.charAt(0)))
                    .toList());
            documented.put(row.id(), values);
        }
        assertThat(documented.remove("connections")).hasSize(1);
        assertThat(documented.remove("connections-jedis"))
                .containsExactly(mostConnections("internal.redis.blocking.ConnectionPool"));
        assertThat(documented).containsExactlyInAnyOrderEntriesOf(expected());
    }

    private Map<String, List<String>> expected() {
        Map<String, List<String>> values = new HashMap<>(renewal());
        values.put("lease", List.of(Quantities.of(options.leaseTime())));
        values.put("lease-min", List.of(Quantities.of(LockOptions.MIN_LEASE_TIME), shortestRenewed()));
        values.put(
                "lease-max",
                List.of(time("maxLeaseTime"), Quantities.of(LockOptions.MAX_LEASE_TIME), Quantities.of((Duration)
                        Reflected.constant("LeaseholdBuilder", "QUORUM_MAX_LEASE_TIME"))));
        values.put("max-hold", List.of(options.maxHold() == null ? "none" : "some"));
        values.put("long-hold", List.of(constant("renew.Watchdog", "LONG_HOLD_LEASES")));
        values.put("polling", List.of(Quantities.of(options.waitStrategy().interval()), "50 %"));
        values.put("look", looks());
        values.put("queue", List.of(lua("position", "MOST_WAITERS"), lua("position", "MOST_FAIR_WAITERS")));
        values.put(
                "lapse",
                List.of(Quantities.of(Duration.ofMillis(Long.parseLong(lua("queue", "HEARTBEAT_TIMEOUT")) / 1000))));
        values.put(
                "fair",
                List.of(Quantities.of(
                        Duration.ofMillis(Long.parseLong(lua("wake", "RESERVED_IN_A_FAIR_QUEUE")) / 1000))));
        values.put(
                "reserve",
                List.of(
                        Long.parseLong(lua("wake", "LONG_HOLD")) / 1000 + " ms",
                        lua("wake", "MOST_OVERTAKEN"),
                        Long.parseLong(lua("wake", "RESERVED")) / 1000 + " ms"));
        values.put(
                "run",
                List.of(
                        Quantities.of(Duration.ofNanos(Long.parseLong(constant("lease.ProcessHold", "RUN_NANOS")))),
                        constant("lease.ProcessHold", "TOKENS_PER_WAITER"),
                        constant("lease.ProcessHold", "MAX_TOKENS")));
        values.put(
                "passing",
                List.of(
                        constant("wait.LocalHold", "MAX_BARGES"),
                        Quantities.of(Duration.ofNanos(Long.parseLong(constant("wait.LocalHold", "BARGING_NANOS")))),
                        Quantities.of(Duration.ofNanos(Long.parseLong(constant("wait.LocalHandOff", "SHORT_NANOS"))))));
        values.put("tries", List.of(unlimited(options.waitStrategy().maxTries())));
        values.put("interrupt", List.of(options.interruptOnLoss() ? "on" : "off"));
        values.put("label", List.of(options.label() == null ? "none" : "some", maxLabel() + " bytes"));
        values.put(
                "retain",
                List.of(
                        options.retainFor() == null ? "none" : "some",
                        Quantities.of(LockOptions.MIN_RETAIN_TIME),
                        Quantities.of(LockOptions.MAX_RETAIN_TIME)));
        values.put("min-hold", List.of(options.minHold() == null ? "none" : "some"));
        values.put("replicas", List.of(options.durability().enabled() ? "some" : "none"));
        values.put("drift", drift());
        values.put("suspension", List.of(SuspensionWatch.THRESHOLD_MILLIS + " ms"));
        values.put("connect", List.of(time("connectTimeout")));
        values.put("command", List.of(time("commandTimeout")));
        values.put("outage", List.of(time("outageTolerance")));
        values.put("rememberTokens", List.of(time("rememberTokens"), "1 s"));
        values.put("prefix", List.of(String.valueOf(Reflected.field(builder, "keyPrefix"))));
        values.put("name", List.of("leasehold"));
        values.put("credentials", List.of(Reflected.field(builder, "credentials") == null ? "none" : "some"));
        values.put("preflight", List.of(preflight()));
        values.put("name-bytes", List.of(Names.MAX_BYTES + " bytes"));
        values.put("tick", List.of(constant("time.WheelTimer", "TICK_MILLIS") + " ms"));
        return values;
    }

    private Map<String, List<String>> renewal() {
        assertThat(options.renewal().ratio()).isEqualTo(1.0 / 3);
        String jitter = Math.round(100 * (double) Reflected.constant(SCHEDULE, "MAX_JITTER")) + " %";
        Duration before = (Duration) Reflected.constant("Renewal", "MIN_INTERVAL");
        return Map.of(
                "renewal", List.of("1/3", jitter),
                "renewal-times", List.of(unlimited(Renewal.whileHeld().times())),
                "renewal-before", List.of(Quantities.of(before)),
                "renewal-rest", List.of(Quantities.of(LockOptions.MIN_TIME_FOR_RENEWAL)),
                "renewal-timeout",
                        List.of(
                                "1/" + MINUTE / Reflected.number(SCHEDULE, "timeout", MINUTE, FOR_EVER),
                                Quantities.ofNanos(Reflected.number(SCHEDULE, "timeout", 1L, FOR_EVER))),
                "renewal-retry",
                        List.of(
                                "1/" + part(TimeUnit.SECONDS.toNanos(1), 0.5),
                                Quantities.ofNanos(Reflected.number(SCHEDULE, "retryDelay", 1L, 0.5)),
                                Quantities.ofNanos(Reflected.number(SCHEDULE, "retryDelay", FOR_EVER, 0.5)),
                                "50 %"));
    }

    /** The shortest lease that the default renewal permits. */
    private static String shortestRenewed() {
        long millis = LockOptions.MIN_TIME_FOR_RENEWAL.toMillis() * 3 / 2;
        LockOptions.builder().leaseTime(Duration.ofMillis(millis)).build();
        assertThatThrownBy(() -> LockOptions.builder()
                        .leaseTime(Duration.ofMillis(millis - 1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class);
        return millis + " ms";
    }

    private static long part(long lease, double jitter) {
        return lease / Reflected.number(SCHEDULE, "retryDelay", lease, jitter);
    }

    private static List<String> drift() {
        long least = Reflected.number("internal.lease.Validity", "drift", 0L);
        long ofMinute = Reflected.number("internal.lease.Validity", "drift", MINUTE) - least;
        return List.of(100 * ofMinute / MINUTE + " %", Quantities.ofNanos(least));
    }

    private String preflight() {
        return Reflected.field(builder, "preflight") == LeaseholdBuilder.Preflight.WARN ? "logged" : "not logged";
    }

    private static List<String> looks() {
        return List.of(
                Quantities.ofNanos((long) Reflected.constant(WAITING, "POLL_NANOS")),
                Quantities.ofNanos((long) Reflected.constant(WAITING, "STANDBY_NANOS")),
                Math.round(100 * (double) Reflected.constant(WAITING, "POLL_JITTER")) + " %");
    }

    /** Returns a constant of a part of the scripts. */
    private static String lua(String part, String constant) {
        String source = Documents.read(
                Documents.ROOT.resolve("core/src/main/resources/dev/leasehold/internal/script/part/" + part + ".lua"));
        Matcher line = Pattern.compile("local " + constant + " = (\\d+)").matcher(source);
        assertThat(line.find()).as("%s in %s.lua", constant, part).isTrue();
        return line.group(1);
    }

    private static String unlimited(int number) {
        return number == Integer.MAX_VALUE ? "unlimited" : String.valueOf(number);
    }

    private static Object maxLabel() {
        return Reflected.constant("OptionRules", "MAX_LABEL_BYTES");
    }

    private static String constant(String className, String field) {
        return String.valueOf(Reflected.constant("internal." + className, field));
    }

    private String time(String field) {
        return Quantities.of((Duration) Reflected.field(builder, field));
    }

    @Test
    void jitterOfRetriesAndPollingIsHalfOfTheMeanBothWays() {
        long mean = Reflected.number(SCHEDULE, "retryDelay", MINUTE, 0.5);
        assertThat(Reflected.number(SCHEDULE, "retryDelay", MINUTE, 0.0)).isEqualTo(mean / 2);
        assertThat(Reflected.number(SCHEDULE, "retryDelay", MINUTE, 1.0)).isEqualTo(mean * 3 / 2);
    }

    private static String mostConnections(String pool) {
        try {
            Field most = Class.forName("dev.leasehold." + pool).getDeclaredField("MOST");
            most.setAccessible(true);
            return String.valueOf(most.get(null));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("the adapter no longer has this constant", e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theInstallationHasTheVersionsOfTheBuild(Handbook handbook) {
        String pom = Documents.read(Documents.ROOT.resolve("pom.xml"));
        List<String> installations = handbook.blocks().stream()
                .filter(block -> INSTALLATIONS.contains(block.language()))
                .map(Markdown.Block::text)
                .toList();
        for (String client : List.of("lettuce", "jedis", "spring-data-redis")) {
            assertThat(installations)
                    .filteredOn(block -> block.matches("(?s).*leasehold-" + client + "[:<].*"))
                    .isNotEmpty()
                    .allSatisfy(block -> assertThat(block)
                            .containsPattern(exactly(between(pom, "<version>", "</version>")))
                            .containsPattern(
                                    exactly(between(pom, "<" + client + ".version>", "</" + client + ".version>"))));
        }
    }

    /** Matches a version in the syntax of Maven or of Gradle. */
    private static Pattern exactly(String version) {
        return Pattern.compile("[:>]" + Pattern.quote(version) + "['<]");
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to, start));
    }
}

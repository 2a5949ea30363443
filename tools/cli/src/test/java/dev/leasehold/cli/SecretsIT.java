package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.CliResult;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A password is in nothing that the command line prints, and not in the environment of a command that {@code run} starts. */
@WithRedis
class SecretsIT {

    private static final String FIRST = "s3cBegin";
    private static final String LAST = "s3cFinish";

    /** What a URI may have in a password as it is, besides letters and digits; and other characters, encoded. */
    private static final String IN_URI = FIRST + "-._~!$&'()*+,;=:é彩%22%40%3a%2F%3f%23%25%5C%20%F0%9F%94%92" + LAST;

    static final String PASSWORD = FIRST + "-._~!$&'()*+,;=:é彩\"@:/?#%\\ 🔒" + LAST;

    private final EmbeddedRedis redis;
    private final String address;
    private final String uri;

    SecretsIT(EmbeddedRedis redis) {
        this.redis = redis;
        address = redis.host() + ":" + redis.port();
        uri = "redis://app:" + IN_URI + "@" + address;
    }

    @BeforeEach
    void addUser() {
        redis.command("ACL", "SETUSER", "app", "on", ">" + PASSWORD, "~*", "&*", "+@all");
    }

    @AfterEach
    void removeUser() {
        redis.command("ACL", "DELUSER", "app");
    }

    static void assertNoSecret(String out, String err) {
        assertThat(out).doesNotContain(FIRST, LAST);
        assertThat(err).doesNotContain(FIRST, LAST);
    }

    private static void assertNoSecret(CliResult cli) {
        assertNoSecret(cli.out(), cli.err());
    }

    @Test
    void inspectionShowsTheAddressThatTheConnectorHasParsed() {
        for (String[] command : new String[][] {
            {"doctor"}, {"doctor", "--json"}, {"ls"}, {"ls", "--json"}, {"top"}, {"show", "job"}, {"deadlocks"}
        }) {
            CliResult cli = CliResult.of(
                    Stream.concat(Stream.of(command), Stream.of("--redis", uri)).toArray(String[]::new));
            assertThat(cli.exitCode()).as(cli.err()).isIn(0, 1);
            assertNoSecret(cli);
        }
        assertThat(CliResult.of("doctor", "--redis", uri).out()).startsWith("redis://" + address + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "top", "doctor", "deadlocks", "console", "demo"})
    void noFailureShowsIt(String command) {
        for (String wrong : List.of(
                // Refused, out of reach, of no use.
                uri.replace(LAST, LAST + "x"),
                uri.replace(address, redis.host() + ":1"),
                uri + "/" + "x",
                "redis-sentinel://app:" + IN_URI + "@" + redis.host() + ":1?sentinelMasterId=main&sentinelPassword="
                        + IN_URI.replace("&", "%26"))) {
            CliResult cli = CliResult.of(command, "--debug", "--redis", wrong);
            assertThat(cli.exitCode()).as(cli.err()).isIn(64, 69);
            assertNoSecret(cli);
        }
    }

    /** Whether a URI may have the character or not: the parser quotes what it cannot parse. */
    @Test
    void noCharacterMakesAnUnreadableUriShown() {
        List<String> characters = Stream.concat(
                        IntStream.rangeClosed(' ', '~').mapToObj(Character::toString),
                        Stream.of("é", "彩", "🔒", "\u0085"))
                .toList();
        for (String c : characters) {
            String password = FIRST + c + LAST;
            for (String text : List.of(
                    "redis://app:" + password + "@127.0.0.1:1",
                    "redis://app:" + password + "^@127.0.0.1:1",
                    "redis-sentinel://127.0.0.1:1?sentinelMasterId=main&sentinelPassword=" + password + "^")) {
                assertNoSecret(CliResult.of("ls", "--debug", "--redis", text));
                // It belongs behind --redis.
                assertNoSecret(CliResult.of("ls", "--debug", text));
                assertNoSecret(CliResult.of("ls", "--debug", "--sort", text));
                assertNoSecret(CliResult.of("top", "--debug", "--interval", text));
            }
        }
    }

    @Test
    void aCommandUnderALockDoesNotInheritIt() {
        Map<String, String> environment = Map.of("LEASEHOLD_REDIS", uri, "OTHER", "kept");
        try (CliProcess cli = CliProcess.start(environment, "", "run", "--debug", "job", "--", "env")) {
            assertThat(cli.exitCode()).as(cli.err()).isZero();
            assertThat(cli.out())
                    .contains("OTHER=kept\n", "LEASEHOLD_LOCK=job\n")
                    .doesNotContain("LEASEHOLD_REDIS");
            assertNoSecret(cli.out(), cli.err());
        }
    }

    @Test
    void aCommandThatCallsLeaseholdGetsItIfTheRunSaysSo() {
        Map<String, String> environment = Map.of("LEASEHOLD_REDIS", "redis://127.0.0.1:1");
        try (CliProcess cli = CliProcess.start(
                environment, "", "run", "--pass-redis", "--redis", uri, "job", "--", "printenv", "LEASEHOLD_REDIS")) {
            assertThat(cli.exitCode()).as(cli.err()).isZero();
            assertThat(cli.out()).isEqualTo(uri + "\n");
        }
    }

    /** It would find the server of this machine instead of the one of the enclosing run, and its locks would exclude nobody. */
    @Test
    void aCommandThatCallsLeaseholdWithoutItIsRefused() {
        try (CliProcess cli = CliProcess.start(Map.of("LEASEHOLD_RUN", "0123"), "", "ls")) {
            assertThat(cli.exitCode()).isEqualTo(64);
            cli.assertOneLineError("--pass-redis", "--redis");
        }
    }

    @Test
    void theConsoleNamesTheAddressOnly() {
        try (CliProcess cli = CliProcess.start(Map.of("LEASEHOLD_REDIS", uri), "", "console", "--debug")) {
            cli.awaitOut("Ctrl-C");
            assertThat(cli.out()).startsWith("The console of redis://" + address + " is at\n");
            assertNoSecret(cli.out(), cli.err());
        }
    }
}

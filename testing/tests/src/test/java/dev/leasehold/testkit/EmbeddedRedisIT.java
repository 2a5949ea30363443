package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisIT {

    @Test
    void answersOnItsPortOfTheLoopbackAddress() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(URI.create(redis.uri()))
                    .hasScheme("redis")
                    .hasHost("127.0.0.1")
                    .hasPort(redis.port());
            assertThat(redis.info("server"))
                    .containsEntry("process_id", String.valueOf(redis.pid()))
                    .containsEntry("tcp_port", String.valueOf(redis.port()));
            assertThat(redis.command("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
        }
    }

    @Test
    void runsTheExecutableThatWasGivenWithItsEnvironment(@TempDir Path directory) throws IOException {
        Path executable = directory.resolve("my-server");
        Files.writeString(
                executable,
                "#!/bin/sh\necho \"$GREETING, of $0\" >greeting\nexec '" + RedisBinary.locate() + "' \"$@\"\n");
        Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwx------"));
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .executable(executable)
                .environment("GREETING", "good day")
                .start()) {
            assertThat(dataDirectory(redis).resolveSibling("greeting"))
                    .content()
                    .isEqualTo("good day, of " + executable + "\n");
            assertThat(redis.info("server")).containsEntry("process_id", String.valueOf(redis.pid()));
        }
        assertThatThrownBy(() -> EmbeddedRedis.builder()
                        .executable(directory.resolve("no-server"))
                        .start())
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("no-server");
    }

    @Test
    void listensOnAUnixSocketThatGoesWithIt() {
        Path socket;
        try (EmbeddedRedis redis =
                EmbeddedRedis.builder().unixSocket().password("p@ss").start()) {
            assertThat(redis.socketUri()).startsWith("redis-socket://:p%40ss@/");
            socket = Path.of(redis.socketUri().substring(redis.socketUri().lastIndexOf('@') + 1));
            assertThat(socket).exists();
            redis.restart();
            assertThat(socket).exists();
        }
        assertThat(socket).doesNotExist();
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThatIllegalStateException().isThrownBy(redis::socketUri).withMessageContaining("unixSocket()");
        }
    }

    @Test
    void givesAnswersOfEveryKind() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(redis.command("SET", "key", "gr\u00fcn\r\n")).isEqualTo("OK");
            assertThat(redis.command("GET", "key")).isEqualTo("gr\u00fcn\r\n");
            assertThat(redis.command("GET", "missing")).isNull();
            assertThat(redis.command("INCR", "count")).isEqualTo(1L);
            assertThat(redis.command("MGET", "count", "missing")).isEqualTo(Arrays.asList("1", null));
            assertThat(redis.command("BLPOP", "missing", "0.01")).isNull();
            assertThat(redis.command("EVAL", "return {1, {'a', redis.error_reply('BAD one')}, 2}", "0"))
                    .isEqualTo(List.of(1L, List.of("a", "BAD one"), 2L));
            assertThatThrownBy(() -> redis.command("HGET", "key", "field"))
                    .isInstanceOfSatisfying(
                            RedisReplyException.class,
                            e -> assertThat(e.prefix()).isEqualTo("WRONGTYPE"));
        }
    }

    @Test
    void countsTheCommandsOfOthersOnly() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            assertThat(redis.commandCounts()).isEmpty();
            redis.resetStats();
            redis.command("PING");
            try (RespClient client = new RespClient("127.0.0.1", redis.port(), TestLimits.ANSWER)) {
                client.command("AUTH", redis.password());
                client.command("PING");
                client.command("EVAL", "return redis.call('SET', KEYS[1], 'x')", "1", "key");
                client.command("CONFIG", "GET", "port");
            }
            assertThat(redis.commandCounts())
                    .isEqualTo(Map.of("auth", 1L, "ping", 1L, "eval", 1L, "set", 1L, "config|get", 1L));
            redis.resetStats();
            assertThat(redis.commandCounts()).isEmpty();
            assertThat(redis.commandCounts()).isEmpty();
        }
    }

    @Test
    void isGoneAfterClosingAndSoAreItsFiles() {
        EmbeddedRedis redis = EmbeddedRedis.start();
        Path data = dataDirectory(redis);
        long pid = redis.pid();
        assertThat(data).isDirectory();

        redis.close();
        redis.close();

        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(data.getParent()).doesNotExist();
        assertThat(redis.isRunning()).isFalse();
        assertThatIllegalStateException().isThrownBy(redis::pause).withMessageContaining("closed");
        assertThatIllegalStateException().isThrownBy(() -> redis.command("PING"));
    }

    @Test
    void restartsOnItsPortWithItsData() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            int port = redis.port();
            long pid = redis.pid();
            redis.command("SET", "key", "value");

            redis.restart();

            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(redis.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void restartsWithoutItsDataAfterAnEmptyRestart() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().appendOnly().start()) {
            redis.command("SET", "key", "value");
            redis.command("SAVE");

            redis.restartEmpty();

            assertThat(redis.command("GET", "key")).isNull();
        }
    }

    @Test
    void losesWhatWasNotSavedWhenKilled() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            long pid = redis.pid();
            redis.command("SET", "saved", "1");
            redis.command("SAVE");
            redis.command("SET", "unsaved", "1");

            redis.kill();

            assertThat(redis.isRunning()).isFalse();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(EmbeddedRedisException.class);
            assertThatCode(redis::kill).doesNotThrowAnyException();
            redis.restart();
            assertThat(redis.command("MGET", "saved", "unsaved")).isEqualTo(Arrays.asList("1", null));
        }
    }

    @Test
    void losesNothingWhenKilledWithAnAppendOnlyFile() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().appendOnly().start()) {
            redis.command("SET", "key", "value");
            redis.kill();
            redis.restart();
            assertThat(redis.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void savesOnAStopIfConfiguredToEvenWhenPaused() {
        try (EmbeddedRedis redis =
                EmbeddedRedis.builder().config("save", "3600", "1").start()) {
            redis.command("SET", "key", "value");
            redis.pause();
            redis.stop();
            assertThat(redis.isRunning()).isFalse();
            redis.restart();
            assertThat(redis.command("GET", "key")).isEqualTo("value");
        }
    }

    /** A server answers INFO while it loads, and everything else with LOADING. */
    @Test
    void waitsUntilTheDataIsLoaded() {
        EmbeddedRedisBuilder slowToLoad = EmbeddedRedis.builder()
                .config("loading-process-events-interval-bytes", "1024")
                .config("rdbcompression", "no")
                .config("key-load-delay", "10000");
        try (EmbeddedRedis redis = slowToLoad.start()) {
            for (int i = 0; i < 30; i++) {
                redis.command("SET", "key" + i, "x".repeat(1024));
            }
            redis.restart();
            assertThat(redis.command("EXISTS", "key29")).isEqualTo(1L);
        }
    }

    @Test
    void answersNothingWhilePausedAndContinuesAfterwards() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                RespClient client = new RespClient("127.0.0.1", redis.port(), TestLimits.SILENCE)) {
            client.command("AUTH", redis.password());
            redis.pause();
            assertThat(redis.isPaused()).isTrue();
            assertThat(redis.isRunning()).isTrue();
            assertThatThrownBy(() -> client.command("INCR", "count")).hasMessageContaining("timed out");

            redis.resume();

            assertThat(redis.isPaused()).isFalse();
            TestLimits.await()
                    .untilAsserted(
                            () -> assertThat(redis.command("GET", "count")).isEqualTo("1"));
        }
    }

    @Test
    void endsAPausedServerToo() {
        EmbeddedRedis redis = EmbeddedRedis.start();
        redis.pause();
        redis.restartEmpty();
        redis.pause();
        redis.stop();
        redis.restart();
        redis.pause();
        long pid = redis.pid();
        redis.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void noticesThatTheServerEndedByItself() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            long pid = redis.pid();
            try (RespClient client = new RespClient("127.0.0.1", redis.port(), TestLimits.ANSWER)) {
                client.command("AUTH", redis.password());
                assertThatThrownBy(() -> client.command("SHUTDOWN", "NOSAVE")).isInstanceOf(IOException.class);
            }
            TestLimits.await().until(() -> !redis.isRunning());
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(redis::pause).hasMessageContaining("not running");
        }
    }

    @Test
    void requiresThePassword() throws IOException {
        String password = "p@ss w/%\"\\\u00e9";
        try (EmbeddedRedis redis = EmbeddedRedis.builder().password(password).start();
                RespClient client = new RespClient("127.0.0.1", redis.port(), TestLimits.ANSWER)) {
            assertThatThrownBy(() -> client.command("PING")).hasMessageStartingWith("NOAUTH");
            assertThat(URI.create(redis.uri()).getUserInfo()).isEqualTo(":" + password);
            assertThat(client.command("AUTH", password)).isEqualTo("OK");
            assertThat(redis.command("PING")).isEqualTo("PONG");
            assertThat(redis.toString()).doesNotContain(password);
        }
    }

    @Test
    void holdsAclUsersToTheirRules() throws IOException {
        EmbeddedRedisBuilder builder =
                EmbeddedRedis.builder().user("reader", "on", ">secret", "~lh:*", "+@read", "+auth");
        try (EmbeddedRedis redis = builder.start();
                RespClient client = new RespClient("127.0.0.1", redis.port(), TestLimits.ANSWER)) {
            assertThat(URI.create(redis.uri("reader", "secret")).getUserInfo()).isEqualTo("reader:secret");
            client.command("AUTH", "reader", "secret");
            assertThat(client.command("GET", "lh:key")).isNull();
            assertThatThrownBy(() -> client.command("GET", "other")).hasMessageStartingWith("NOPERM");
            assertThatThrownBy(() -> client.command("SET", "lh:key", "1")).hasMessageStartingWith("NOPERM");
        }
    }

    @Test
    void allowsDebugOnlyIfConfigured() {
        try (EmbeddedRedis plain = EmbeddedRedis.start();
                EmbeddedRedis debug =
                        EmbeddedRedis.builder().enableDebugCommand().start()) {
            assertThatThrownBy(() -> plain.command("DEBUG", "SLEEP", "0"))
                    .hasMessageContaining("DEBUG command not allowed");
            assertThat(debug.command("DEBUG", "SLEEP", "0")).isEqualTo("OK");
        }
    }

    @Test
    void keepsAGivenDirectory(@TempDir Path directory) {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().directory(directory).start()) {
            redis.command("SET", "key", "value");
            redis.restart();
        }
        assertThat(directory.resolve("dump.rdb")).exists();
        try (EmbeddedRedis redis = EmbeddedRedis.builder().directory(directory).start()) {
            assertThat(redis.command("GET", "key")).isEqualTo("value");
        }
    }

    @Test
    void reportsWhyItDidNotStart() {
        assertThatThrownBy(() ->
                        EmbeddedRedis.builder().config("maxmemory", "much").start())
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("maxmemory \"much\"")
                .hasMessageContaining("argument must be a memory value");
    }

    @Test
    void doesNotTakeThePortOfAnother() {
        try (EmbeddedRedis first = EmbeddedRedis.start()) {
            assertThatThrownBy(() -> EmbeddedRedis.builder().port(first.port()).start())
                    .isInstanceOf(EmbeddedRedisException.class)
                    .hasMessageContaining("in use");
            assertThat(first.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void leavesNoFilesBehindWhenItDidNotStart(@TempDir Path missing) {
        Path gone = missing.resolve("gone");
        assertThatThrownBy(() -> EmbeddedRedis.builder().directory(gone).start())
                .hasMessageContaining("No such file or directory");
        TestLimits.await().until(() -> configurationsThatName(gone).isEmpty());
    }

    /** Other tests on this machine have such directories, too, so they cannot be counted. */
    private static List<Path> configurationsThatName(Path directory) throws IOException {
        try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(f -> f.getFileName().toString().matches("leasehold-redis-\\d+"))
                    .map(f -> f.resolve("redis.conf"))
                    .filter(config -> names(config, directory))
                    .toList();
        }
    }

    private static boolean names(Path config, Path directory) {
        try {
            return Files.readString(config).contains(directory.toString());
        } catch (IOException deletedMeanwhile) {
            return false;
        }
    }

    static Path dataDirectory(EmbeddedRedis redis) {
        return Path.of(String.valueOf(((List<?>) redis.command("CONFIG", "GET", "dir")).get(1)));
    }
}

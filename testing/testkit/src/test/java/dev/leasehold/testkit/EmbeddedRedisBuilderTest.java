package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedRedisBuilderTest {

    private final EmbeddedRedisBuilder builder = EmbeddedRedis.builder();

    @Test
    void writesOneDirectiveALineWhateverTheValue() {
        String config = builder.config("maxmemory", "3mb")
                .config("save", "60", "1")
                .password("a\r\nport 1 \"\\")
                .render(1, 1, Path.of("/data"), Path.of("/log"), "admin");
        assertThat(config.lines())
                .contains("maxmemory \"3mb\"", "save \"60\" \"1\"", "requirepass \"a\\x0d\\x0aport 1 \\x22\\x5c\"")
                .doesNotContain("port 1 \"\\\"");
    }

    @Test
    void hasARandomPasswordUnlessItIsToHaveAnotherOrNone() {
        assertThat(builder.password())
                .matches("[0-9a-f]{32}")
                .isNotEqualTo(EmbeddedRedis.builder().password());
        assertThat(builder.password("secret").password()).isEqualTo("secret");
        assertThat(builder.withoutPassword().password()).isNull();
        assertThat(builder.render(1, 1, Path.of("/data"), Path.of("/log"), "admin"))
                .doesNotContain("requirepass");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "port",
                "DIR",
                "requirepass",
                "user",
                "aclfile",
                "daemonize",
                "logfile",
                "bind",
                "tls-port",
                "unixsocket"
            })
    void refusesWhatItSetsItself(String directive) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.config(directive, "x"))
                .withMessageContaining(directive);
    }

    @Test
    void hasASocketBesideTheLogIfItIsToHaveOne() {
        assertThat(builder.render(1, 1, Path.of("/data"), Path.of("/run/log"), "admin"))
                .doesNotContain("unixsocket");
        assertThat(builder.unixSocket()
                        .render(1, 1, Path.of("/data"), Path.of("/run/log"), "admin")
                        .lines())
                .contains("unixsocket \"/run/redis.sock\"", "unixsocketperm 700");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A B", "1A", "A=B"})
    void refusesWhatIsNoVariableOfAnEnvironment(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.environment(name, "x"))
                .withMessageContaining("environment variable");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "save\n", "x\"y"})
    void refusesWhatIsNoDirective(String directive) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.config(directive, "x"));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void refusesAPortThatIsNone(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.port(port))
                .withMessageContaining(String.valueOf(port));
    }
}

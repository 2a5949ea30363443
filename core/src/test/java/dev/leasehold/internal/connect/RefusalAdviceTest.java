package dev.leasehold.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A right is advised only if it would help. */
class RefusalAdviceTest {

    private static String advice(String refusal) {
        return RefusalAdvice.of(new RedisErrorException(refusal), "Grant +info.");
    }

    @Test
    void aMissingRightIsToBeGranted() {
        assertThat(advice("NOPERM this user has no permissions to run the 'info' command"))
                .isEqualTo("Grant +info.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'INFO', with args beginning with: 'server' ",
                "ERR Unknown Redis command called from script script: 0f, on @user_script:7.",
                "ERR Error running script (call to f_0f): @user_script:7: Unknown Redis command called from Lua script"
            })
    void noRightHelpsAgainstACommandThatTheServerDoesNotKnow(String refusal) {
        assertThat(advice(refusal)).contains("undo its rename-command").doesNotContain("Grant");
    }
}

package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.redis.path.Failures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisErrorExceptionTest {

    private static final String READ_ONLY = "READONLY You can't write against a read only replica.";

    /** Redis 6.2 answers so: whoever looks for a server that takes no writes must recognize it there, too. */
    @ParameterizedTest
    @ValueSource(strings = {"", "-"})
    void anErrorInsideAScriptIsWithoutTheFrameOfRedisSix(String minus) {
        RedisErrorException error = new RedisErrorException(
                "ERR Error running script (call to f_8ce84000): @user_script:778: @user_script: 778: " + minus
                        + READ_ONLY);
        assertThat(error).hasMessage(READ_ONLY);
        assertThat(error.code()).isEqualTo("READONLY");
        assertThat(Failures.isFormerPrimary(error)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                READ_ONLY,
                "NOSCRIPT",
                "",
                "ERR Error running script (call to f_0f): @user_script:7: Unknown Redis command called from Lua script"
            })
    void anyOtherReplyIsTheMessage(String reply) {
        assertThat(new RedisErrorException(reply)).hasMessage(reply);
    }

    /** A server without AUTH, or before a proxy that hides it, quotes the password. */
    @Test
    void theArgumentsOfAnUnknownCommandAreLeftOut() {
        RedisErrorException error =
                new RedisErrorException("ERR unknown command 'AUTH', with args beginning with: 'app' 's3cr3t' ");
        assertThat(error).hasMessage("ERR unknown command 'AUTH'");
        assertThat(error.toString()).doesNotContain("s3cr3t");
    }

    @Test
    void theCodeIsTheFirstWord() {
        assertThat(new RedisErrorException("OOM command not allowed").code()).isEqualTo("OOM");
        assertThat(new RedisErrorException("NOSCRIPT").code()).isEqualTo("NOSCRIPT");
    }
}

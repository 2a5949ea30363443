package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.redis.path.Failures;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisErrorExceptionTest {

    private static final String READ_ONLY = "READONLY You can't write against a read only replica";

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

    /** A message went on with ". Check user, password and rights", and so had two full stops. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGPASS invalid username-password pair or user is disabled",
                "READONLY You can't write against a read only replica",
                "ERR and so on.."
            })
    void aReplyIsPartOfASentenceAndHasNoFullStopAtItsEnd(String reply) {
        assertThat(new RedisErrorException(reply + ".")).hasMessage(reply.endsWith(".") ? reply + "." : reply);
        assertThat(new TransportException(reply + ".", true, null))
                .hasMessage(new RedisErrorException(reply + ".").getMessage());
    }

    /** A server without AUTH, or before a proxy that hides it, quotes the password. */
    @Test
    void theArgumentsOfAnUnknownCommandAreLeftOut() {
        RedisErrorException error =
                new RedisErrorException("ERR unknown command 'AUTH', with args beginning with: 'app' 's3cr3t' ");
        assertThat(error).hasMessage("ERR unknown command 'AUTH'");
        assertThat(error.toString()).doesNotContain("s3cr3t");
    }

    /** Neither Redis nor a proxy need quote a command as Redis does. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command `AUTH`, with args beginning with: `app`, `s3cr3t`, ",
                "ERR Unknown command \"AUTH app s3cr3t\"",
                "ERR unknown command: AUTH app s3cr3t",
                "ERR unknown command, with args: s3cr3t"
            })
    void soAreThoseThatAreQuotedInAnotherWay(String reply) {
        RedisErrorException error = new RedisErrorException(reply);
        assertThat(error).hasMessageNotContaining("s3cr3t").hasMessageNotContaining("app");
        assertThat(error.isUnknownCommand()).isTrue();
    }

    @Test
    void aReplyIsCutAndItsControlCharactersAreEscaped() {
        String shown = new RedisErrorException("ERR \u001b[2J\n\\" + "x".repeat(5000)).getMessage();
        assertThat(shown).startsWith("ERR \\u001b[2J\\u000a\\x").hasSizeLessThan(2100);
        assertThat(new RedisErrorException(shown)).hasMessage(shown);
    }

    @Test
    void theFullStopOfARefusedLoginIsLeftOut() {
        String reply = "WRONGPASS invalid username-password pair or user is disabled";
        assertThat(RedisErrorException.ofLogin(reply + ".")).hasMessage(reply);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGPASS invalid username-password pair or user is disabled",
                "NOAUTH Authentication required",
                "ERR max number of clients reached",
                "NOPERM this user has no permissions to run the 'client|setname' command",
                "ERR AUTH <password> called without any password configured for the default user"
            })
    void whatServersAnswerToALoginIsTheMessage(String reply) {
        assertThat(RedisErrorException.ofLogin(reply)).hasMessage(reply);
        assertThat(RedisErrorException.ofLogin(reply + " s3cr3t")).hasMessage(reply);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WRONGPASS not s3cr3t", "ERR s3cr3t", "s3cr3t", "S3CR3T", "ERR unknown command 's3cr3t'"})
    void ofAnyOtherAnswerToALoginTheCodeIsLeft(String reply) {
        RedisErrorException error = RedisErrorException.ofLogin(reply);
        assertThat(error.code()).isIn("WRONGPASS", "ERR");
        assertThat(error.getMessage()).doesNotContainIgnoringCase("s3cr3t");
    }

    @Test
    void anIdOfAHoldIsNotRepeated() {
        assertThat(new RedisErrorException("ERR no 1 h:0123456789-bcdefghijk_ 30000000"))
                .hasMessage("ERR no 1 h:01234567... 30000000");
        for (String whole : List.of(
                "MOVED 7 my-redis-cluster-00001:6379",
                "NOPERM User orders-service-locks-1 has no permissions to run the 'eval' command",
                "ERR script: 0f13bdb4927a7229a890260f769c29088e680062, on @user_script:7")) {
            assertThat(new RedisErrorException(whole)).hasMessage(whole);
        }
    }

    @Test
    void theCodeIsTheFirstWord() {
        assertThat(new RedisErrorException("OOM command not allowed").code()).isEqualTo("OOM");
        assertThat(new RedisErrorException("NOSCRIPT").code()).isEqualTo("NOSCRIPT");
    }
}

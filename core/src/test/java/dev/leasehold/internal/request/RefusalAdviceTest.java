package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.RedisErrorException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A right is advised only if it would help. */
class RefusalAdviceTest {

    private static String ofScript(String refusal) {
        return RefusalAdvice.ofScript(new RedisErrorException(refusal));
    }

    private static String advice(String refusal) {
        return RefusalAdvice.of(new RedisErrorException(refusal), "Grant +info.");
    }

    private static String ofLogin(String refusal) {
        return RefusalAdvice.ofLogin(new RedisErrorException(refusal), "Check the password in the URI");
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGPASS invalid username-password pair or user is disabled.",
                "NOAUTH Authentication required."
            })
    void noRightHelpsAUserThatRedisDoesNotKnow(String refusal) {
        assertThat(ofScript(refusal)).contains("user name", "password").doesNotContain("Grant");
        assertThat(advice(refusal)).contains("user name", "password").doesNotContain("Grant");
        assertThat(ofLogin(refusal)).isEqualTo("Check the password in the URI");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
                "LOADING Redis is loading the dataset in memory",
                "ERR max number of clients reached"
            })
    void neitherARightNorAPasswordHelpsAgainstAStateThatPasses(String refusal) {
        assertThat(advice(refusal)).contains("try again").doesNotContain("Grant");
        assertThat(ofLogin(refusal)).contains("try again").doesNotContain("password");
    }

    @Test
    void noRightHelpsAgainstAnErrorThatNobodyKnows() {
        assertThat(advice("SOMETHING new")).contains("log of Redis").doesNotContain("Grant");
        assertThat(advice("OOM command not allowed when used memory > 'maxmemory'."))
                .contains("maxmemory")
                .doesNotContain("Grant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR invalid password", "DENIED Redis is running in protected mode", "NOPERM this user"})
    void anyOtherRefusalOfALoginMayBeOneOfItsPassword(String refusal) {
        assertThat(ofLogin(refusal)).isEqualTo("Check the password in the URI");
    }

    @ParameterizedTest
    @CsvSource({
        "NOPERM User app has no permissions to run the 'evalsha' command, app",
        "NOPERM this user has no permissions to run the 'eval' command or its subcommand, <user>"
    })
    void aUserThatMayRunNoScriptsNeedsBothCommands(String refusal, String user) {
        assertThat(ofScript(refusal))
                .startsWith("Every lock needs scripts. ")
                .contains("ACL SETUSER " + user + " +eval +evalsha;");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'EVALSHA', with args beginning with: '0f' '1' ",
                "ERR unknown command `EVAL`, with args beginning with: `local`, "
            })
    void noRightHelpsAgainstAServerWithoutScripts(String refusal) {
        assertThat(ofScript(refusal))
                .startsWith("Every lock needs scripts. The server does not know the command: undo its rename-command")
                .doesNotContain("ACL");
    }

    /** The check of a server without scripts said "offers it..". */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'EVALSHA', with args beginning with: '0f' '1' ",
                "ERR unknown command 'GET', with args beginning with: 'a' ",
                "NOPERM User app has no permissions to run the 'evalsha' command",
                "NOPERM User app has no permissions to run the 'get' command",
                "NOAUTH Authentication required."
            })
    void anAdviceHasNoFullStopAtItsEnd(String refusal) {
        assertThat(ofScript(refusal)).doesNotEndWith(".");
    }

    @Test
    void aRightThatAScriptLacksIsNoneToRunScripts() {
        assertThat(ofScript("ERR The user executing the script can't run this command or subcommand script: 0f"))
                .doesNotContain("eval")
                .contains("docs/operations.md");
    }
}

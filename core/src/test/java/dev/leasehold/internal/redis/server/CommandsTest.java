package dev.leasehold.internal.redis.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsTest {

    @Test
    void aScriptIsCalledByItsDigestOrByItsSource() {
        ScriptCall call =
                new ScriptCall(new Script("name", "return 1", "digest"), List.of("k1", "k2"), List.of("a1"), 1);
        assertThat(new ScriptWords(call, false)).containsExactly("EVALSHA", "digest", "2", "k1", "k2", "a1");
        assertThat(new ScriptWords(call, true)).containsExactly("EVAL", "return 1", "2", "k1", "k2", "a1");
    }

    @Test
    void theReplyOfAScriptIsAFlatListOfStrings() {
        assertThat(ScriptWords.strings(Arrays.asList("a", 42L, null))).containsExactly("a", "42", "");
        assertThat(ScriptWords.strings(List.of(List.of(1L, 2L), 3L))).containsExactly("1", "2", "3");
        assertThat(ScriptWords.strings("OK")).containsExactly("OK");
        assertThat(ScriptWords.strings(-1L)).containsExactly("-1");
        assertThat(ScriptWords.strings(null)).containsExactly("");
        assertThat(ScriptWords.strings(List.of())).isEmpty();
    }

    @Test
    void aFlatListOfStringsIsNotCopied() {
        List<String> reply = List.of("a", "b");
        assertThat(ScriptWords.strings(reply)).isSameAs(reply);
    }

    @Test
    void anErrorWithinTheReplyIsTheErrorOfTheCall() {
        RedisErrorException error = new RedisErrorException("ERR no");
        assertThatThrownBy(() -> ScriptWords.strings(List.of("a", error))).isSameAs(error);
    }

    @Test
    void waitingForReplicasOrDisksIsSentAsRedisDefinesIt() {
        // WAIT numreplicas timeout; WAITAOF numlocal numreplicas timeout.
        assertThat(WaitCommand.of(false, 2, 150).words()).containsExactly("WAIT", "2", "150");
        assertThat(WaitCommand.of(true, 0, 2000).words()).containsExactly("WAITAOF", "1", "0", "2000");
    }

    @Test
    void onDiskNoReplicaCountsWithoutTheServerItself() {
        assertThat(counted(false, 2L)).isEqualTo(2);
        assertThat(counted(false, 0L)).isZero();
        assertThat(counted(true, List.of(1L, 0L))).isEqualTo(1);
        assertThat(counted(true, List.of(1L, 2L))).isEqualTo(3);
        assertThat(counted(true, List.of(0L, 2L))).isZero();
    }

    private static long counted(boolean onDisk, Object reply) {
        WaitCommand command = WaitCommand.of(onDisk, 1, 1);
        command.answered(reply);
        return command.join();
    }
}

package dev.leasehold.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.ErrorTable.Reaction;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The replies are as servers give them: 7.0.15 unless said otherwise. */
class ErrorTableTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            RETRY         | BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.
            RETRY         | UNKILLABLE Sorry the script already executed write commands against the dataset.
            RETRY         | LOADING Redis is loading the dataset in memory
            RETRY         | MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.
            RETRY         | READONLY You can't write against a read only replica. script: 0f, on @user_script:9.
            RETRY         | MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist
            RETRY         | NOREPLICAS Not enough good replicas to write. script: 0f, on @user_script:76.
            RETRY         | MOVED 3999 127.0.0.1:6381
            RETRY         | ASK 3999 127.0.0.1:6381
            RETRY         | TRYAGAIN Multiple keys request during rehashing of slot
            RETRY         | CLUSTERDOWN The cluster is down
            OUT_OF_MEMORY | OOM command not allowed when used memory > 'maxmemory'. script: 0f, on @user_script:76.
            NOT_PERMITTED | NOPERM User app has no permissions to run the 'evalsha' command
            NOT_PERMITTED | NOAUTH Authentication required.
            NOT_PERMITTED | WRONGPASS invalid username-password pair or user is disabled.
            NOT_PERMITTED | ERR The user executing the script can't run this command or subcommand script: 0f, on @user_script:7.
            NOT_PERMITTED | ERR ACL failure in script: User app has no permissions to run the 'hset' command script: 0f
            REFUSED       | ERR unknown command 'EVALSHA'
            REFUSED       | WRONGTYPE Operation against a key holding the wrong kind of value
            REFUSED       | SOMETHING new
            REFUSED       | ERR user_script:38: attempt to compare nil with number script: 0f, on @user_script:38.
            """)
    void everyReplyHasItsReaction(Reaction reaction, String reply) {
        assertThat(ErrorTable.of(new RedisErrorException(reply))).isEqualTo(reaction);
    }

    /** Redis 6.2 hides the code of what failed inside a script. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            OUT_OF_MEMORY | -OOM command not allowed when used memory > 'maxmemory'.
            RETRY         | -READONLY You can't write against a read only replica.
            RETRY         | -NOREPLICAS Not enough good replicas to write.
            RETRY         | -MISCONF Redis is configured to save RDB snapshots
            NOT_PERMITTED | The user executing the script can't run this command or subcommand
            REFUSED       | WRONGTYPE Operation against a key holding the wrong kind of value
            """)
    void whatAnOlderServerSaysInsideAScriptIsUnderstood(Reaction reaction, String inside) {
        String reply = "ERR Error running script (call to f_6b1bf486c81ceb7edf3c093f4c48582e38c0e791): "
                + "@user_script:76: @user_script: 76: " + inside;
        assertThat(ErrorTable.of(new RedisErrorException(reply))).isEqualTo(reaction);
    }

    @Test
    void anErrorOfAKnownKindComesBeforeTheFirstWriteAndAnyOtherMayComeAfter() {
        assertThat(Failures.maybeExecuted(new RedisErrorException("OOM x"))).isFalse();
        assertThat(Failures.maybeExecuted(new RedisErrorException("LOADING x"))).isFalse();
        assertThat(Failures.maybeExecuted(new RedisErrorException("NOPERM x"))).isFalse();
        assertThat(Failures.maybeExecuted(new RedisErrorException("SOMETHING new")))
                .isTrue();
        assertThat(Failures.maybeExecuted(Failures.timedOut(5))).isTrue();
        assertThat(Failures.maybeExecuted(new TransportException("refused", false, null)))
                .isFalse();
    }

    @Test
    void whatAnAdapterForgotToTranslateMayHaveBeenExecuted() {
        RedisErrorException error = new RedisErrorException("OOM x");
        assertThat(Failures.unwrap(new CompletionException(new ExecutionException(error))))
                .isSameAs(error);
        assertThat(Failures.unwrap(new CancellationException())).isInstanceOf(TransportException.class);
        RuntimeException odd = Failures.unwrap(new CompletionException(new IllegalStateException("odd")));
        assertThat(odd).isInstanceOf(TransportException.class).hasMessageContaining("odd");
        assertThat(Failures.maybeExecuted(odd)).isTrue();
        assertThat(Failures.maybeExecuted(Failures.unwrap(null))).isTrue();
    }
}

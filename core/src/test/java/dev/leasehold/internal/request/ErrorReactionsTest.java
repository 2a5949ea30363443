package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.request.ErrorReactions.Reaction;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the reactions with the table in {@code docs/operations.md}, whose replies are those of real servers. */
class ErrorReactionsTest {

    private static final Pattern ROW = Pattern.compile(
            "\\| (?:`([A-Z]+)`|any other) \\| `([^`]+)` \\| ([^|]+) \\| (?:yes )?\\| (?:-|\\[.+) \\| `\\w+#\\w+` \\|");

    private static final String UNKNOWN_COMMAND =
            "ERR unknown command 'EVAL', with args beginning with: '-- a script local now = redis.call('TIME') ' ";

    /** A row: the first word, a reply, and the reaction. */
    record Row(String code, String reply, Reaction reaction) {

        static Row of(MatchResult row) {
            String code = row.group(1) == null ? "" : row.group(1);
            return new Row(code, row.group(2), reaction(row.group(3)));
        }

        private static Reaction reaction(String documented) {
            if (documented.startsWith("tried again")) {
                return Reaction.RETRY;
            }
            if (documented.startsWith("`RedisOutOfMemoryException`")) {
                return Reaction.OUT_OF_MEMORY;
            }
            assertThat(documented).startsWith("`LockUnavailableException`");
            return documented.contains("section 2") ? Reaction.NOT_PERMITTED : Reaction.REFUSED;
        }
    }

    static List<Row> table() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(root.resolve(".ci"))) {
            root = root.getParent();
        }
        String document = Files.readString(root.resolve("docs/operations.md"));
        List<String> lines = document.substring(document.indexOf("<!-- errors -->"))
                .lines()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
        List<Row> rows = lines.stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(Row::of)
                .toList();
        assertThat(rows).hasSameSizeAs(lines).hasSizeGreaterThan(20);
        return rows;
    }

    @ParameterizedTest
    @MethodSource("table")
    void everyReplyHasTheReactionThatIsDocumented(Row row) {
        RedisErrorException error = new RedisErrorException(row.reply());
        assertThat(ErrorReactions.of(error)).isEqualTo(row.reaction());
        if (!row.code().isEmpty()) {
            assertThat(error.code()).isEqualTo(row.code());
        }
    }

    @Test
    void everyFirstWordWithAReactionOfItsOwnIsDocumented() throws IOException {
        assertThat(table())
                .extracting(Row::code)
                .containsAll(ErrorReactions.codes())
                .contains("NOPERM", "NOAUTH", "WRONGPASS");
    }

    @Test
    void aBugOfAScriptIsRefused() {
        String bug = "ERR user_script:38: attempt to compare nil with number script: 0f, on @user_script:38.";
        assertThat(ErrorReactions.of(new RedisErrorException(bug))).isEqualTo(Reaction.REFUSED);
    }

    /** Redis 6.2 hides the code of an error inside a script. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            OUT_OF_MEMORY | -OOM command not allowed when used memory > 'maxmemory'.
            RETRY         | -READONLY You can't write against a read only replica.
            RETRY         | -NOREPLICAS Not enough good replicas to write.
            RETRY         | -MISCONF Redis is configured to save RDB snapshots
            RETRY         | Lua script attempted to access a non local key in a cluster node
            NOT_PERMITTED | The user executing the script can't run this command or subcommand
            REFUSED       | WRONGTYPE Operation against a key holding the wrong kind of value
            """)
    void anErrorInsideAScriptOfAnOlderServerHasTheSameReaction(Reaction reaction, String inside) {
        String reply = "ERR Error running script (call to f_6b1bf486c81ceb7edf3c093f4c48582e38c0e791): "
                + "@user_script:76: @user_script: 76: " + inside;
        assertThat(ErrorReactions.of(new RedisErrorException(reply))).isEqualTo(reaction);
    }

    @Test
    void anUnknownCommandIsShownWithoutTheScriptThatFollowedIt() {
        assertThat(RequestFailures.reason(new RedisErrorException(UNKNOWN_COMMAND)))
                .isEqualTo("ERR unknown command 'EVAL'");
    }

    @Test
    void anErrorOfAKnownKindPrecedesTheFirstWriteAndAnyOtherMayFollowIt() {
        assertThat(RequestFailures.maybeExecuted(new RedisErrorException("OOM x")))
                .isFalse();
        assertThat(RequestFailures.maybeExecuted(new RedisErrorException("LOADING x")))
                .isFalse();
        assertThat(RequestFailures.maybeExecuted(new RedisErrorException("NOPERM x")))
                .isFalse();
        assertThat(RequestFailures.maybeExecuted(new RedisErrorException(UNKNOWN_COMMAND)))
                .isFalse();
        assertThat(RequestFailures.maybeExecuted(new RedisErrorException("SOMETHING new")))
                .isTrue();
        assertThat(
                        RequestFailures.maybeExecuted(
                                new RedisErrorException(
                                        "ERR Script attempted to access a non local key in a cluster node script: 0f, on @user_script:1.")))
                .isTrue();
        assertThat(RequestFailures.maybeExecuted(new RedisErrorException("UNBLOCKED force unblock")))
                .isTrue();
        assertThat(RequestFailures.maybeExecuted(RequestFailures.timedOut(5))).isTrue();
        assertThat(RequestFailures.maybeExecuted(new TransportException("refused", false, null)))
                .isFalse();
    }

    @Test
    void aRequestWhoseFailureAnAdapterDidNotTranslateMayHaveBeenExecuted() {
        RedisErrorException error = new RedisErrorException("OOM x");
        assertThat(RequestFailures.unwrap(new CompletionException(new ExecutionException(error))))
                .isSameAs(error);
        assertThat(RequestFailures.unwrap(new CancellationException())).isInstanceOf(TransportException.class);
        RuntimeException odd = RequestFailures.unwrap(new CompletionException(new IllegalStateException("odd")));
        assertThat(odd).isInstanceOf(TransportException.class).hasMessageContaining("odd");
        assertThat(RequestFailures.maybeExecuted(odd)).isTrue();
        assertThat(RequestFailures.maybeExecuted(RequestFailures.unwrap(null))).isTrue();
    }
}

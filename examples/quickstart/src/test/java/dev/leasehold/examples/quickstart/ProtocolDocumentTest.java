package dev.leasehold.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.spi.RedisErrorException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/protocol.md} describes the scripts, keys, owners and errors of the code. */
class ProtocolDocumentTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final Markdown document = Documents.withPages("docs/protocol.md");

    @Test
    void everyScriptIsListedWithItsHeader() {
        Map<String, String> documented = new TreeMap<>();
        document.marked("header")
                .forEach(block -> documented.put(block.marker().substring("header: ".length()), block.text()));
        Map<String, String> headers = new TreeMap<>();
        LuaFiles.names().forEach(name -> headers.put(name, LuaFiles.header(name)));
        assertThat(documented).containsExactlyEntriesOf(headers);
    }

    @Test
    void everyAnswerOfAcquireIsExplained() {
        Set<String> answers = Stream.of("acquire", "acquire_free", "acquire_named", "acquire_shared", "acquire_permits")
                .flatMap(script -> LuaFiles.header(script).lines())
                .filter(line -> line.startsWith("-- RETURN "))
                .map(line -> line.substring("-- RETURN ".length(), line.indexOf(',')))
                .collect(Collectors.toSet());
        Set<String> explained = document.rows().stream()
                .flatMap(row -> codes(row.cells().get(0)).stream())
                .collect(Collectors.toSet());
        assertThat(answers).contains("granted", "undecided", "permits").isSubsetOf(explained);
    }

    @Test
    void namesBecomeKeysAsInTheTable() {
        List<Markdown.Row> rows = document.rowsWithId().stream()
                .filter(row -> row.id().startsWith("key-"))
                .toList();
        assertThat(rows)
                .hasSize(4)
                .allSatisfy(row -> assertThat(LockKey.of(
                                        new KeyPrefix("leasehold"),
                                        code(row.cells().get(0)))
                                .key())
                        .isEqualTo(code(row.cells().get(1))));
    }

    @Test
    void ownersOfUpTo44BytesArePlainAndLongerOnesAreHashed() {
        assertThat(document.text()).contains("up to 44 bytes");
        assertThat(OwnerKey.named("o".repeat(44)).field()).isEqualTo("n:" + "o".repeat(44));
        assertThat(OwnerKey.named("o".repeat(45)).field()).matches("n#[A-Za-z0-9_-]{43}");
    }

    @Test
    void everyErrorIsHandledAsInTheTable() {
        assertThat(codes(row("retry"))).containsExactlyInAnyOrderElementsOf(errorCodes("TRANSIENT"));
        assertThat(codes(row("rights")))
                .filteredOn(code -> new RedisErrorException(code + " refused").refusesUser())
                .containsExactlyInAnyOrder("NOPERM", "NOAUTH", "WRONGPASS");
        assertThat(codes(row("oom"))).contains("OOM");
    }

    private static Set<String> errorCodes(String constant) {
        return ((Set<?>) Reflected.constant("internal.request.ErrorReactions", constant))
                .stream().map(String::valueOf).collect(Collectors.toSet());
    }

    private String row(String id) {
        return document.rowsWithId().stream()
                .filter(row -> row.id().equals(id))
                .map(row -> row.cells().get(0))
                .findFirst()
                .orElseThrow();
    }

    private static String code(String cell) {
        return codes(cell).iterator().next();
    }

    private static Set<String> codes(String cell) {
        Set<String> found = new HashSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }
}

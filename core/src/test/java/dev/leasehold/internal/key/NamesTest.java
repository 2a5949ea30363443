package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    private static final Pattern SAFE_KEY = Pattern.compile("[A-Za-z0-9._:/@,+=~%-]+");
    private static final int[] AWKWARD = {
        '{', '}', '%', '\n', '\r', '\t', 0x1b, 0x7f, ' ', '*', '?', '[', ']', '\\', '\'', '"', 0x85, 0xa0, 0x200b,
        0x200e, 0x202e, 0x2028, 0x2029, 0x2066, 0xfeff, 0xe9, 0x4e2d, 0x1f512, 0x10ffff, 0xe000, 0x378, 0xfdd0
    };

    private final Random random = new Random(20_261_121);

    private String name() {
        int points = random.nextInt(1, 40);
        StringBuilder name = new StringBuilder();
        while (points-- > 0) {
            name.appendCodePoint(
                    switch (random.nextInt(4)) {
                        case 0 -> AWKWARD[random.nextInt(AWKWARD.length)];
                        case 1 -> anyScalar();
                        default -> random.nextInt(0x21, 0x7f);
                    });
        }
        return name.toString();
    }

    private int anyScalar() {
        int point = random.nextInt(1, 0x110000);
        return point >= 0xd800 && point <= 0xdfff ? point - 0x800 : point;
    }

    @Test
    void everyNameComesBackFromItsKeyAndTheKeyHasOnlySafeCharacters() {
        for (int i = 0; i < 20_000; i++) {
            String name = name();
            String encoded = Names.percentEncode(Names.check("lock name", name));
            assertThat(encoded).matches(SAFE_KEY).matches("(%[0-9A-F]{2}|[^%])+");
            assertThat(Names.percentDecode(encoded)).isEqualTo(name);
        }
    }

    @Test
    void differentNamesNeverShareAKey() {
        Set<String> names = new HashSet<>();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            String name = name();
            names.add(name);
            keys.add(Names.percentEncode(Names.check("lock name", name)));
        }
        assertThat(keys).hasSameSizeAs(names);
        // No silent normalization: e with acute accent as one character and as two are two names.
        assertThat(Names.percentEncode("\u00e9".getBytes(StandardCharsets.UTF_8)))
                .isNotEqualTo(Names.percentEncode("e\u0301".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void lettersDigitsAndCommonSignsStayReadable() {
        String plain = "ABCxyz019-_.:/@,+=~";
        assertThat(Names.percentEncode(plain.getBytes(StandardCharsets.UTF_8))).isEqualTo(plain);
        assertThat(Names.percentEncode("lottery {2026}\n100%".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("lottery%20%7B2026%7D%0A100%25");
    }

    @Test
    void whatIsEscapedHasNoControlFormatOrSeparatorCharacterLeft() {
        for (int i = 0; i < 20_000; i++) {
            String escaped = Names.escape(name());
            assertThat(escaped.codePoints().filter(NamesTest::forges).toArray())
                    .as(escaped)
                    .isEmpty();
        }
    }

    private static boolean forges(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }

    @Test
    void aForgedLogLineStaysOnItsLine() {
        assertThat(Names.escape("a\r\n2026-11-21 ERROR all is lost\u202e"))
                .isEqualTo("a\\u000d\\u000a2026-11-21 ERROR" + " all is lost\\u202e");
        assertThat(Names.escape("\\u000a")).as("no escape can be forged").isEqualTo("\\u005cu000a");
        assertThat(Names.escape("\ud800")).as("half of a surrogate pair").isEqualTo("\\ud800");
    }

    @Test
    void whatIsShownIsCut() {
        assertThat(Names.escape("a".repeat(100))).isEqualTo("a".repeat(100));
        assertThat(Names.escape("a".repeat(101))).isEqualTo("a".repeat(100) + "...");
    }

    @Test
    void aNameMayHave512BytesAndNoMore() {
        assertThat(Names.check("lock name", "\u4e2d".repeat(170) + "ab")).hasSize(512);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("lock name", "\u4e2d".repeat(171)))
                .withMessageContaining("lock name")
                .withMessageContaining("513 bytes")
                .withMessageContaining("512")
                .withMessageContaining("hash");
    }

    @Test
    void anEmptyNameIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("lock name", ""))
                .withMessageContaining("lock name is empty")
                .withMessageContaining("1 to 512");
    }

    @Test
    void aNameWithNulIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("owner", "a\0b"))
                .withMessageContaining("owner 'a\\u0000b'")
                .withMessageContaining("NUL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\udc00b", "\udc00\ud800", "x\ud83d"})
    void aNameWithHalfASurrogatePairIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Names.check("lock name", name))
                .withMessageContaining("surrogate")
                .withMessageContaining("\\ud");
    }
}

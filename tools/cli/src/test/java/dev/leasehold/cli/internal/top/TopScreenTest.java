package dev.leasehold.cli.internal.top;

import static dev.leasehold.cli.internal.LockInfos.NOON;
import static dev.leasehold.cli.internal.LockInfos.held;
import static dev.leasehold.cli.internal.LockInfos.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.LockInfos;
import dev.leasehold.cli.internal.LockOrder;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.cli.internal.top.Line.Style;
import dev.leasehold.cli.internal.top.TopModelTest.SettableClock;
import dev.leasehold.inspect.LockInfo;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopScreenTest {

    /** Clears the screen, forges a line, and reverses the reading direction. */
    private static final String HOSTILE = "a\u001b[2J\nroot\u202E\\b";

    private final SettableClock clock = new SettableClock(NOON.plusSeconds(60));
    private final TopModel model = new TopModel(clock);
    private final TopControls controls = new TopControls(LockOrder.NAME, "");
    private final TopScreen screen = new TopScreen("redis://one:6379", Duration.ofSeconds(2), ZoneOffset.UTC);

    @Test
    void drawsTotalsAndATable() {
        read(held("order-17", 1, 50, 20, waiter(58)), held("report", 2, 10));
        clock.advance(Duration.ofSeconds(2));
        read(held("order-17", 3, 61, 20, waiter(58)), held("report", 2, 10));
        assertThat(texts(120, 9))
                .containsExactly(
                        "redis://one:6379  12:01:02  every 2 s  by name",
                        "2 held, 1 waiting, 0.5 hand-offs/s, oldest hold 52 s, longest wait 4 s",
                        "NAME      KIND  OWNER    HOST    PID   THREAD  AGE   LEFT  WAITERS  LONGEST WAIT",
                        "order-17  lock  owner-3  host-1  4711  main    1 s   20 s  1        4 s",
                        "report    lock  owner-2  host-1  4711  main    52 s  30 s  0        -",
                        "",
                        "",
                        "",
                        "1-2 of 2   q quit  s sort  / filter  arrows, PgUp, PgDn scroll");
        assertThat(draw(120, 9))
                .extracting(Line::style)
                .startsWith(Style.BOLD, Style.PLAIN, Style.REVERSE, Style.PLAIN, Style.PLAIN);
    }

    @Test
    void drawsAnEmptyServerAndNoReadingAtAll() {
        assertThat(texts(80, 24)).hasSize(24).element(1).isEqualTo("reading the locks ...");
        read();
        assertThat(texts(80, 24))
                .element(1)
                .isEqualTo("0 held, 0 waiting, - hand-offs/s, oldest hold -, longest wait -");
        assertThat(texts(80, 24)).element(23).asString().startsWith("0 of 0 ");
    }

    /** Every terminal that a user can make, down to none at all, with names of each width and a server that is gone. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fitsEveryScreen(boolean gone) {
        read(
                held("彩票".repeat(40), 1, 0, waiter(3)),
                held(HOSTILE.repeat(10), 2, 0),
                held("e\u0301".repeat(30), 3, 0),
                held("x", 4, 0),
                LockInfos.unknown("y"));
        if (gone) {
            model.failed("connection refused: " + HOSTILE);
        }
        controls.press(Key.character('/'));
        for (int width = 0; width <= 140; width++) {
            for (int height = 0; height <= 12; height++) {
                List<Line> lines = draw(width, height);
                assertThat(lines).hasSizeLessThanOrEqualTo(height);
                for (Line line : lines) {
                    assertThat(Text.width(line.text()))
                            .as("%d x %d: %s", width, height, line)
                            .isLessThanOrEqualTo(width);
                    assertThat(line.text().codePoints()).noneMatch(Character::isISOControl);
                }
            }
        }
    }

    /** Any client can choose the name of a lock, so the terminal must not receive it unescaped. */
    @Test
    void escapesNamesFiltersAndProblems() {
        read(held(HOSTILE, 1, 0));
        model.failed(HOSTILE);
        HOSTILE.codePoints().forEach(c -> controls.press(Key.character(c)));
        controls.press(Key.character('/'));
        HOSTILE.codePoints().forEach(c -> controls.press(Key.character(c)));
        String all = String.join("|", texts(400, 10));
        assertThat(all).contains("a\\u001b[2J\\u000aroot\\u202e\\\\b  lock", "/a\\u001b[2J\\u000aroot\\u202e\\\\b_");
        assertThat(all.codePoints()).noneMatch(c -> Character.isISOControl(c) || c == 0x202E);
    }

    @Test
    void alignsColumnsBehindWideCharacters() {
        read(held("彩票", 1, 0), held("lottery", 2, 0));
        List<String> lines = texts(120, 10);
        assertThat(lines.get(3)).startsWith("lottery  lock");
        assertThat(lines.get(4)).startsWith("彩票     lock");
    }

    @Test
    void cutsAWideCharacterAtTheEdgeAsAWhole() {
        assertThat(Text.cut("彩票彩票", 8)).isEqualTo("彩票彩票");
        assertThat(Text.cut("彩票彩票", 7)).isEqualTo("彩票彩~");
        assertThat(Text.cut("彩票彩票", 6)).isEqualTo("彩票~");
        assertThat(Text.cut("彩", 1)).isEqualTo("~");
        assertThat(Text.cut("彩", 0)).isEmpty();
    }

    @Test
    void aNarrowScreenCutsNamesAndThenOmitsColumns() {
        read(held("a-name-of-a-lock-that-is-long", 1, 0, waiter(3)));
        assertThat(texts(90, 10).get(2))
                .startsWith("NAME  ")
                .contains("KIND", "OWNER", "HOST", "PID", "THREAD", "AGE", "LEFT", "WAITERS", "LONGEST WAIT");
        assertThat(texts(90, 10).get(3)).startsWith("a-name-").contains("~  lock");
        assertThat(texts(60, 10).get(2))
                .contains("NAME", "AGE", "LEFT", "WAITERS", "LONGEST WAIT")
                .doesNotContain("HOST");
        assertThat(texts(24, 10).get(2).split(" +")).containsExactly("NAME", "AGE", "WAITERS");
        assertThat(texts(5, 10).get(3)).isEqualTo("a-na~");
    }

    @Test
    void aShortScreenStillShowsALock() {
        read(held("order-17", 1, 0));
        assertThat(texts(80, 3)).hasSize(3).element(2).asString().startsWith("order-17");
        assertThat(texts(80, 1)).hasSize(1).element(0).asString().startsWith("1 held");
    }

    @Test
    void scrolls() {
        model.read(LockInfos.many(100), List.of());
        draw(80, 14);
        controls.press(Key.of(Key.Kind.PAGE_DOWN));
        draw(80, 14);
        controls.press(Key.of(Key.Kind.PAGE_DOWN));
        List<String> lines = texts(80, 14);
        assertThat(lines.get(3)).startsWith("lock-020");
        assertThat(lines.get(12)).startsWith("lock-029");
        assertThat(lines.get(13)).startsWith("21-30 of 100 ");
    }

    @Test
    void dimsTheLastStateWhileRedisGivesNoAnswer() {
        read(held("order-17", 1, 0));
        model.failed("connection refused");
        clock.advance(Duration.ofSeconds(5));
        List<Line> lines = draw(100, 10);
        assertThat(lines.get(2)).isEqualTo(new Line("Redis gives no answer (5 s): connection refused", Style.REVERSE));
        assertThat(lines.get(4).text()).startsWith("order-17");
        assertThat(lines.get(4).style()).isEqualTo(Style.DIM);
        read(held("order-17", 1, 0));
        assertThat(texts(100, 10).get(2)).startsWith("NAME");
        assertThat(draw(100, 10).get(3).style()).isEqualTo(Style.PLAIN);
    }

    @Test
    void namesTheServersThatAreMissing() {
        model.read(LockInfos.named("order-17"), List.of("10.0.0.7:6379"));
        assertThat(texts(100, 10).get(2)).isEqualTo("without the locks of 10.0.0.7:6379, which gives no answer");
    }

    @Test
    void withoutAScreenItDrawsAllRowsAtTheirFullWidth() {
        model.read(LockInfos.many(100), List.of());
        assertThat(screen.drawAll(model, controls))
                .hasSize(103)
                .last()
                .asString()
                .startsWith("lock-099");
    }

    private void read(LockInfo... locks) {
        model.read(Arrays.asList(locks), List.of());
    }

    private List<Line> draw(int width, int height) {
        return screen.draw(model, controls, width, height);
    }

    private List<String> texts(int width, int height) {
        return draw(width, height).stream().map(Line::text).toList();
    }
}

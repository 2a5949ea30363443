package dev.leasehold.cli.internal.top;

import static dev.leasehold.cli.internal.LockInfos.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.LockInfos;
import dev.leasehold.cli.internal.LockOrder;
import dev.leasehold.cli.internal.top.Key.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopControlsTest {

    private final TopControls controls = new TopControls(LockOrder.NAME, "");

    @Test
    void leavesByQAndCtrlC() {
        assertThat(controls.press(Key.character('q'))).isFalse();
        assertThat(controls.press(Key.of(Kind.INTERRUPT))).isFalse();
        assertThat(controls.press(Key.of(Kind.END_OF_INPUT))).isFalse();
        assertThat(controls.press(Key.character('x'))).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void noOtherKeyLeaves(Kind kind) {
        assertThat(controls.press(Key.of(kind))).isEqualTo(kind != Kind.INTERRUPT && kind != Kind.END_OF_INPUT);
    }

    @Test
    void changesTheOrder() {
        press('s');
        assertThat(controls.order()).isEqualTo(LockOrder.AGE);
        press('s');
        press('s');
        press('s');
        assertThat(controls.order()).isEqualTo(LockOrder.NAME);
    }

    @Test
    void aFilterAppliesWhileItIsTyped() {
        type("/ord");
        assertThat(controls.isEditing()).isTrue();
        assertThat(select("Order-1", "order-2", "report")).containsExactly("Order-1", "order-2");
        type("er-2");
        assertThat(select("Order-1", "order-2", "report")).containsExactly("order-2");
        press(Kind.ENTER);
        assertThat(controls.isEditing()).isFalse();
        assertThat(controls.filter()).isEqualTo("order-2");
    }

    @Test
    void qAndSAreCharactersInAFilter() {
        type("/qs/");
        assertThat(controls.filter()).isEqualTo("qs/");
        assertThat(controls.order()).isEqualTo(LockOrder.NAME);
        assertThat(controls.press(Key.of(Kind.INTERRUPT))).isFalse();
    }

    @Test
    void escapeDropsTheChangeAndThenTheFilter() {
        type("/ab");
        press(Kind.ENTER);
        type("/c");
        press(Kind.ESCAPE);
        assertThat(controls.filter()).isEqualTo("ab");
        press(Kind.ESCAPE);
        assertThat(controls.filter()).isEmpty();
    }

    @Test
    void backspaceDeletesOneCharacterOfAnyPlane() {
        type("/a");
        controls.press(Key.character(0x1F512));
        press(Kind.BACKSPACE);
        assertThat(controls.filter()).isEqualTo("a");
        press(Kind.BACKSPACE);
        press(Kind.BACKSPACE);
        assertThat(controls.filter()).isEmpty();
        assertThat(controls.isEditing()).isTrue();
    }

    @Test
    void scrollsWithinTheRows() {
        assertThat(controls.scroll(25, 10)).isZero();
        assertThat(after(Kind.UP)).isZero();
        assertThat(after(Kind.DOWN)).isEqualTo(1);
        assertThat(after(Kind.PAGE_DOWN)).isEqualTo(11);
        assertThat(after(Kind.PAGE_DOWN)).isEqualTo(15);
        assertThat(after(Kind.DOWN)).isEqualTo(15);
        assertThat(after(Kind.PAGE_UP)).isEqualTo(5);
        assertThat(after(Kind.HOME)).isZero();
        assertThat(after(Kind.END)).isEqualTo(15);
        assertThat(controls.scroll(3, 10)).isZero();
    }

    private int after(Kind kind) {
        press(kind);
        return controls.scroll(25, 10);
    }

    private void type(String text) {
        text.chars().forEach(this::press);
    }

    private void press(int character) {
        assertThat(controls.press(Key.character(character))).isTrue();
    }

    private void press(Kind kind) {
        assertThat(controls.press(Key.of(kind))).isTrue();
    }

    private List<String> select(String... names) {
        List<LockRow> rows = LockInfos.named(names).stream()
                .map(lock -> LockRow.of(lock, NOON))
                .toList();
        return controls.select(rows).stream().map(row -> row.lock().name()).toList();
    }
}

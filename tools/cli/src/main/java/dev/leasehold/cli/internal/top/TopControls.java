package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.LockOrder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the user chose: order, filter, and the first row on the screen. Not thread-safe. */
final class TopControls {

    private LockOrder order;
    private String filter;
    private @Nullable String edited;
    private int first;
    private int rows;
    private int page = 1;

    /**
     * Creates the choices that the command line gives.
     *
     * @param order the order of the locks
     * @param filter a part of the names to show; empty for all
     */
    TopControls(LockOrder order, String filter) {
        this.order = order;
        this.filter = filter;
    }

    LockOrder order() {
        return order;
    }

    /** Returns the filter that applies: the edited one, so that its effect shows while the user types. */
    String filter() {
        return edited == null ? filter : edited;
    }

    boolean isEditing() {
        return edited != null;
    }

    /** Returns the rows that match the filter, in order. */
    List<LockRow> select(List<LockRow> all) {
        String part = filter().toLowerCase(Locale.ROOT);
        return all.stream()
                .filter(row -> row.lock().name().toLowerCase(Locale.ROOT).contains(part))
                .sorted((a, b) -> order.comparator().compare(a.lock(), b.lock()))
                .toList();
    }

    /**
     * Fits the first row to a screen.
     *
     * @param all the number of rows that match
     * @param visible the number of rows that the screen shows
     * @return the index of the first row to draw
     */
    int scroll(int all, int visible) {
        rows = all;
        page = Math.max(1, visible);
        moveTo(first);
        return first;
    }

    /** Applies a key. Returns false if the user leaves. */
    boolean press(Key key) {
        switch (key.kind()) {
            case INTERRUPT, END_OF_INPUT -> {
                return false;
            }
            case UP -> moveTo(first - 1);
            case DOWN -> moveTo(first + 1);
            case PAGE_UP -> moveTo(first - page);
            case PAGE_DOWN -> moveTo(first + page);
            case HOME -> moveTo(0);
            case END -> moveTo(rows);
            case CHARACTER, ENTER, ESCAPE, BACKSPACE -> {
                return edited == null ? command(key) : edit(key, edited);
            }
            case UNKNOWN -> {}
        }
        return true;
    }

    private boolean command(Key key) {
        if (key.kind() == Key.Kind.ESCAPE) {
            filter = "";
        }
        switch (key.character()) {
            case 'q', 'Q' -> {
                return false;
            }
            case 's' -> order = order.next();
            case '/' -> edited = filter;
            default -> {}
        }
        return true;
    }

    private boolean edit(Key key, String text) {
        switch (key.kind()) {
            case ENTER -> {
                filter = text;
                edited = null;
            }
            case ESCAPE -> edited = null;
            case BACKSPACE ->
                edited = text.isEmpty() ? text : text.substring(0, text.offsetByCodePoints(text.length(), -1));
            case CHARACTER -> edited = text + Character.toString(key.character());
            default -> {}
        }
        return true;
    }

    private void moveTo(int row) {
        first = Math.max(0, Math.min(row, rows - page));
    }
}

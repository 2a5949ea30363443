package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.Durations;
import dev.leasehold.cli.internal.LockText;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.cli.internal.top.Line.Style;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Draws the live view as lines of text that fit a screen. It prints nothing itself. */
final class TopScreen {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    /** A screen with fewer rows has no line of keys. */
    private static final int ROWS_WITH_KEYS = 6;

    /** A screen with fewer rows has no title either. */
    private static final int ROWS_WITH_TITLE = 5;

    private final String address;
    private final Duration interval;
    private final ZoneId zone;

    /**
     * Creates a drawing for a server.
     *
     * @param address the servers in printable form
     * @param interval the time between two readings
     * @param zone the time zone of the user
     */
    TopScreen(String address, Duration interval, ZoneId zone) {
        this.address = address;
        this.interval = interval;
        this.zone = zone;
    }

    /** Draws at most {@code height} lines, each at most {@code width} columns wide. */
    List<Line> draw(TopModel model, TopControls controls, int width, int height) {
        Snapshot snapshot = model.snapshot();
        List<LockRow> rows = controls.select(snapshot == null ? List.of() : snapshot.rows());
        List<Line> lines = new ArrayList<>(header(model, snapshot, controls));
        if (height < ROWS_WITH_TITLE) {
            lines.remove(0);
        }
        boolean keys = height >= ROWS_WITH_KEYS;
        int visible = Math.max(0, height - lines.size() - 1 - (keys ? 1 : 0));
        int first = controls.scroll(rows.size(), visible);
        List<LockRow> shown = rows.subList(first, Math.min(rows.size(), first + visible));
        lines.addAll(table(shown, width, model.outage() == null ? Style.PLAIN : Style.DIM));
        if (keys) {
            while (lines.size() < height - 1) {
                lines.add(new Line("", Style.PLAIN));
            }
            lines.add(new Line(keys(controls, first, shown.size(), rows.size()), Style.BOLD));
        }
        return lines.stream()
                .limit(Math.max(0, height))
                .map(line -> new Line(Text.cut(line.text(), Math.max(0, width)), line.style()))
                .toList();
    }

    /** Draws all rows at their full widths, for an output that is no screen. */
    List<String> drawAll(TopModel model, TopControls controls) {
        Snapshot snapshot = model.snapshot();
        List<LockRow> rows = controls.select(snapshot == null ? List.of() : snapshot.rows());
        List<Line> lines = new ArrayList<>(header(model, snapshot, controls));
        lines.addAll(table(rows, Integer.MAX_VALUE, Style.PLAIN));
        return lines.stream().map(Line::text).toList();
    }

    private static List<Line> table(List<LockRow> rows, int width, Style style) {
        List<Line> lines = new ArrayList<>();
        ColumnLayout layout = ColumnLayout.of(rows, width);
        lines.add(new Line(layout.header(), Style.REVERSE));
        rows.forEach(row -> lines.add(new Line(layout.row(row), style)));
        return lines;
    }

    private List<Line> header(TopModel model, @Nullable Snapshot snapshot, TopControls controls) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line(title(snapshot, controls), Style.BOLD));
        lines.add(new Line(snapshot == null ? "reading the locks ..." : totals(snapshot), Style.PLAIN));
        TopModel.Outage outage = model.outage();
        if (outage != null) {
            String time = Durations.format(model.outageTime());
            lines.add(new Line("Redis gives no answer (" + time + "): " + Text.line(outage.problem()), Style.REVERSE));
        } else if (snapshot != null && !snapshot.missing().isEmpty()) {
            String missing = String.join(", ", snapshot.missing());
            lines.add(
                    new Line("without the locks of " + Text.line(missing) + ", which gives no answer", Style.REVERSE));
        }
        return lines;
    }

    private String title(@Nullable Snapshot snapshot, TopControls controls) {
        String time = snapshot == null ? "" : "  " + TIME.format(snapshot.at().atZone(zone));
        String filter = controls.filter().isEmpty() ? "" : "  filter '" + Text.name(controls.filter()) + "'";
        return address + time + "  every " + Durations.format(interval) + "  by " + controls.order() + filter;
    }

    private static String totals(Snapshot snapshot) {
        Double rate = snapshot.handOffsPerSecond();
        return snapshot.held() + " held, " + snapshot.waiting() + " waiting, "
                + (rate == null ? "-" : String.format(Locale.ROOT, "%.1f", rate)) + " hand-offs/s, oldest hold "
                + LockText.time(snapshot.oldestHold()) + ", longest wait " + LockText.time(snapshot.longestWait());
    }

    private static String keys(TopControls controls, int first, int shown, int all) {
        if (controls.isEditing()) {
            return "/" + Text.name(controls.filter()) + "_   Enter keeps the filter, Esc drops the change";
        }
        String range = shown == 0 ? "0 of " + all : (first + 1) + "-" + (first + shown) + " of " + all;
        return range + "   q quit  s sort  / filter  arrows, PgUp, PgDn scroll";
    }
}

package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.Durations;
import dev.leasehold.cli.internal.LockText;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.inspect.LockInfo;
import java.util.List;
import java.util.function.Function;

/** The columns of the table of locks, from left to right. */
enum Column {
    NAME("NAME", 0, 8, row -> Text.name(row.lock().name())),
    KIND("KIND", 4, Column.FIXED, row -> LockText.kind(row.lock())),
    OWNER("OWNER", 6, 6, row -> owner(row.lock())),
    HOST("HOST", 8, 6, row -> LockText.orDash(row.lock().host())),
    PID("PID", 5, Column.FIXED, row -> LockText.pid(row.lock().pid())),
    THREAD("THREAD", 7, 6, row -> LockText.orDash(row.lock().thread())),
    AGE("AGE", 1, Column.FIXED, row -> LockText.time(row.age())),
    LEFT("LEFT", 3, Column.FIXED, row -> Durations.format(row.lock().left())),
    WAITERS("WAITERS", 1, Column.FIXED, row -> String.valueOf(row.waiters())),
    LONGEST_WAIT("LONGEST WAIT", 2, Column.FIXED, row -> LockText.time(row.longestWait()));

    /** The least width of a column whose cells are not cut. */
    static final int FIXED = Integer.MAX_VALUE;

    private final String title;
    private final int rank;
    private final int least;
    private final Function<LockRow, String> cell;

    /**
     * Creates a column.
     *
     * @param title its title
     * @param rank the column with the highest rank is the first that a narrow screen omits
     * @param least the least width to which its cells may be cut, or {@link #FIXED}
     * @param cell the printable text for a lock
     */
    Column(String title, int rank, int least, Function<LockRow, String> cell) {
        this.title = title;
        this.rank = rank;
        this.least = least;
        this.cell = cell;
    }

    String title() {
        return title;
    }

    int rank() {
        return rank;
    }

    String cell(LockRow row) {
        return cell.apply(row);
    }

    /** Returns the width of the widest cell or of the title. */
    int width(List<LockRow> rows) {
        return rows.stream().mapToInt(row -> Text.width(cell(row))).reduce(Text.width(title), Math::max);
    }

    /** Returns the width to which the cells may be cut, given their full width. */
    int leastWidth(int full) {
        return Math.min(least, full);
    }

    /** Returns the owner that the caller named; the id of an acquisition tells a reader nothing. */
    private static String owner(LockInfo lock) {
        return lock.ownerNamed() ? Text.name(lock.owner()) : "-";
    }
}

package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.Durations;
import dev.leasehold.cli.internal.LockText;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.inspect.LockInfo;
import java.util.List;

/** The columns of the table of locks, from left to right. */
enum Column {
    NAME("NAME", 0, 8),
    KIND("KIND", 4, Column.FIXED),
    OWNER("OWNER", 6, 6),
    HOST("HOST", 8, 6),
    PID("PID", 5, Column.FIXED),
    THREAD("THREAD", 7, 6),
    AGE("AGE", 1, Column.FIXED),
    LEFT("LEFT", 3, Column.FIXED),
    WAITERS("WAITERS", 1, Column.FIXED),
    LONGEST_WAIT("LONGEST WAIT", 2, Column.FIXED);

    /** The least width of a column whose cells are not cut. */
    static final int FIXED = Integer.MAX_VALUE;

    private final String title;
    private final int rank;
    private final int least;

    /**
     * Creates a column.
     *
     * @param title its title
     * @param rank the column with the highest rank is the first that a narrow screen omits
     * @param least the least width to which its cells may be cut, or {@link #FIXED}
     */
    Column(String title, int rank, int least) {
        this.title = title;
        this.rank = rank;
        this.least = least;
    }

    String title() {
        return title;
    }

    int rank() {
        return rank;
    }

    /** Returns the printable text for a lock. */
    String cell(LockRow row) {
        LockInfo lock = row.lock();
        return switch (this) {
            case NAME -> Text.name(lock.name());
            case KIND -> LockText.kind(lock);
            // The id of an acquisition tells a reader nothing.
            case OWNER -> lock.ownerNamed() ? Text.name(lock.owner()) : "-";
            case HOST -> LockText.orDash(lock.host());
            case PID -> LockText.pid(lock.pid());
            case THREAD -> LockText.orDash(lock.thread());
            case AGE -> LockText.time(row.age());
            case LEFT -> Durations.format(lock.left());
            case WAITERS -> String.valueOf(row.waiters());
            case LONGEST_WAIT -> LockText.time(row.longestWait());
        };
    }

    /** Returns the width of the widest cell or of the title. */
    int width(List<LockRow> rows) {
        return rows.stream().mapToInt(row -> Text.width(cell(row))).reduce(Text.width(title), Math::max);
    }

    /** Returns the width to which the cells may be cut, given their full width. */
    int leastWidth(int full) {
        return Math.min(least, full);
    }
}

package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of your own, guarded by a {@link JdbcFenceColumn}. Immutable, and safe for use by any thread.
 *
 * <p>Everything that the database reports comes as its own {@link SQLException}. A row that does not exist is refused as
 * such, and is no stale token.
 */
public final class JdbcFencedRow {

    private final JdbcFenceColumn column;
    private final List<Object> key;

    JdbcFencedRow(JdbcFenceColumn column, List<Object> key) {
        this.column = column;
        this.key = key;
    }

    /**
     * Writes to the row and raises its fence, in one statement, unless the token is stale. Needs no transaction, and may be
     * part of one. If what is written was computed from what was read before, {@link #admit} comes before the reading.
     *
     * @param connection the connection
     * @param token the fencing token of the holder's lease
     * @param assignments what stands after SET, such as {@code "winners = ?, drawn = ?"}. It is code: never put data into it
     * @param values for its question marks, in their order; as {@link java.sql.PreparedStatement#setObject} takes them
     * @throws StaleTokenException if the row has seen a higher token; nothing was written
     * @throws NoSuchElementException if there is no such row; nothing was written
     * @throws IllegalArgumentException if the token breaks its rule, or there are no assignments; nothing was sent
     * @throws IllegalStateException if the key columns fit several rows. All of them were written, so roll back
     * @throws SQLException what the database reports
     */
    public void update(Connection connection, long token, String assignments, @Nullable Object... values)
            throws SQLException {
        Inputs.checkToken(token);
        if (assignments.isBlank()) {
            throw new IllegalArgumentException("there are no assignments to write: use admit to raise the fence alone");
        }
        write(connection, token, assignments, values);
    }

    /**
     * Raises the fence, unless the token is stale, and so locks the row until the transaction ends: what is read afterwards
     * in the same transaction cannot be changed by an earlier holder any more, nor by a later one before the end.
     *
     * @param connection in a transaction, which neither begins nor ends here
     * @param token the fencing token of the holder's lease
     * @throws StaleTokenException if the row has seen a higher token; nothing was changed. Roll back
     * @throws NoSuchElementException if there is no such row
     * @throws IllegalArgumentException if the token breaks its rule; nothing was sent
     * @throws IllegalStateException if the connection commits each statement by itself, so that nothing would be guarded;
     *     or if the key columns fit several rows. Roll back
     * @throws SQLException what the database reports
     */
    public void admit(Connection connection, long token) throws SQLException {
        Inputs.checkToken(token);
        JdbcCalls.requireTransaction(connection);
        write(connection, token, "");
    }

    private void write(Connection connection, long token, String assignments, @Nullable Object... values)
            throws SQLException {
        List<@Nullable Object> parameters = new ArrayList<>();
        for (Object value : values) {
            parameters.add(value);
        }
        parameters.add(token);
        parameters.addAll(key);
        parameters.add(token);
        String sql = column.write(assignments);
        for (int round = 0; round < JdbcCalls.ROUNDS; round++) {
            int written = JdbcCalls.update(connection, sql, parameters);
            if (written == 1) {
                return;
            }
            if (written > 1) {
                throw new IllegalStateException("the key columns of " + shown() + " fit " + written
                        + " rows, all of which were written: roll back, and name columns that tell rows apart");
            }
            refuseIfStale(connection, token);
        }
        throw JdbcCalls.notVisible(column.describe(key), null);
    }

    /** Finds out why no row was written. Returns if nothing speaks against it any more, as after a rollback of others. */
    private void refuseIfStale(Connection connection, long token) throws SQLException {
        JdbcCalls.Seen seen = JdbcCalls.look(connection, column.look(), key);
        if (!seen.exists()) {
            throw new NoSuchElementException(
                    "there is no row " + shown() + ", so nothing was written: insert it first");
        }
        if (seen.highest() > token) {
            throw new StaleTokenException(column.describe(key), token, seen.highest());
        }
    }

    private String shown() {
        return "'" + Inputs.escape(column.describe(key)) + "'";
    }
}

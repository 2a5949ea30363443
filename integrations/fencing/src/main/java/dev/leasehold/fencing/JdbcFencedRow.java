package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of your own, guarded by a {@link JdbcFenceColumn}. Immutable and thread-safe.
 *
 * <p>Errors of the database are thrown as its own {@link SQLException}. A row that does not exist gives a
 * {@link NoSuchElementException}, not a {@link StaleTokenException}.
 */
public final class JdbcFencedRow {

    private final JdbcFenceColumn column;
    private final List<Object> key;

    JdbcFencedRow(JdbcFenceColumn column, List<Object> key) {
        this.column = column;
        this.key = key;
    }

    /**
     * Writes to the row and raises its fence, in one statement, unless the token is stale. Works with and without a
     * transaction. If the new values depend on values read before, call {@link #admit} before the read.
     *
     * @param connection the connection
     * @param token the fencing token of the holder's lease
     * @param assignments the text after SET, such as {@code "winners = ?, drawn = ?"}. It is code: never put data into
     *     it
     * @param values the values of its parameters, in their order, as {@link java.sql.PreparedStatement#setObject}
     *     accepts them
     * @throws StaleTokenException if the row has seen a higher token; nothing was written
     * @throws NoSuchElementException if the row does not exist; nothing was written
     * @throws IllegalArgumentException if the token breaks its rule, or there are no assignments; nothing was sent
     * @throws IllegalStateException if the key columns match several rows. All of them were written, so roll back
     * @throws SQLException if the database reports an error
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
     * Raises the fence, unless the token is stale, and so locks the row until the transaction ends. An earlier holder
     * can no longer change the values that the transaction reads afterwards, and a later holder can change them only
     * after the end.
     *
     * @param connection a connection in a transaction, which this method neither begins nor ends
     * @param token the fencing token of the holder's lease
     * @throws StaleTokenException if the row has seen a higher token; nothing was changed. Roll back
     * @throws NoSuchElementException if the row does not exist
     * @throws IllegalArgumentException if the token breaks its rule; nothing was sent
     * @throws IllegalStateException if the connection is in auto-commit mode, in which nothing would be guarded, or if
     *     the key columns match several rows. Roll back
     * @throws SQLException if the database reports an error
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
                throw new IllegalStateException("the key columns of " + shown() + " match " + written
                        + " rows, all of which were written: roll back, and name columns that identify one row");
            }
            refuseIfStale(connection, token);
        }
        throw JdbcCalls.notVisible(column.describe(key), null);
    }

    /**
     * Finds out why no row was written. Returns if the write may succeed now, as after a rollback of another
     * transaction.
     */
    private void refuseIfStale(Connection connection, long token) throws SQLException {
        JdbcCalls.Seen seen = JdbcCalls.query(connection, column.query(), key);
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

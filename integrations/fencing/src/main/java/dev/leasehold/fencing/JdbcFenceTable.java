package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Guards all writes of a transaction by a table of fences beside the data: one row for each resource, inserted at its
 * first use. For data in several rows or tables, and for rows that are deleted and inserted. For one row that can have
 * another column, {@link JdbcFenceColumn} is simpler.
 *
 * <pre>{@code
 * CREATE TABLE leasehold_fence (name VARCHAR(512) PRIMARY KEY, fence BIGINT NOT NULL)
 * }</pre>
 *
 * <p>Call {@link #admit(Connection, String, long)} as the first statement of a transaction, before any read. It raises
 * the fence, and so locks the fence's row until the transaction ends. Another transaction with a different token waits
 * for that row, and is then refused or admitted according to the committed token. So reads and writes of an admitted
 * transaction are those of the latest holder, if every transaction that writes the same data begins with {@code admit}.
 * A rollback also undoes the raising. Transactions that admit several resources should do so in the same order, to
 * avoid deadlocks.
 *
 * <p>This class never deletes rows: a deleted row is a lost fence. Names must be compared exactly, so choose a
 * case-sensitive collation. Tested with H2 and PostgreSQL, under READ COMMITTED and REPEATABLE READ. Any other database
 * must have savepoints, and its driver must report how many rows a statement matched, not how many it changed.
 * Transactions over several databases (XA) have no savepoints: insert the rows in advance there.
 *
 * <p>Immutable and thread-safe. Errors of the database are thrown as its own {@link SQLException}.
 */
public final class JdbcFenceTable {

    private final String raise;
    private final String query;
    private final String insert;

    private JdbcFenceTable(String table, String nameColumn, String fenceColumn) {
        raise = "UPDATE " + table + " SET " + fenceColumn + " = ? WHERE " + nameColumn + " = ? AND " + fenceColumn
                + " <= ?";
        query = "SELECT " + fenceColumn + " FROM " + table + " WHERE " + nameColumn + " = ?";
        insert = "INSERT INTO " + table + " (" + nameColumn + ", " + fenceColumn + ") VALUES (?, ?)";
    }

    /**
     * Creates a guard from an existing table with the columns {@code name}, its primary key, and {@code fence}.
     *
     * @param table the table's name, as in a statement: with a schema and in quotes if needed
     * @return the guard
     * @throws IllegalArgumentException if the name is no SQL identifier
     */
    public static JdbcFenceTable named(String table) {
        return named(table, "name", "fence");
    }

    /**
     * Creates a guard from an existing table.
     *
     * @param table the table's name, as in a statement: with a schema and in quotes if needed
     * @param nameColumn the column of names, with a primary key or unique constraint
     * @param fenceColumn the column of tokens, a 64-bit integer
     * @return the guard
     * @throws IllegalArgumentException if a name is no SQL identifier
     */
    public static JdbcFenceTable named(String table, String nameColumn, String fenceColumn) {
        return new JdbcFenceTable(SqlName.table(table), SqlName.column(nameColumn), SqlName.column(fenceColumn));
    }

    /**
     * Admits a holder to the transaction of this connection, and raises the fence in it.
     *
     * @param connection a connection in a transaction, which this method neither begins nor ends
     * @param resource the name of the guarded resource; by convention the name of the lock
     * @param token the fencing token of the holder's lease
     * @throws StaleTokenException if a higher token was seen; nothing was changed. Roll back
     * @throws IllegalArgumentException if the name or the token breaks its rule; nothing was sent
     * @throws IllegalStateException if the connection is in auto-commit mode, in which nothing would be guarded
     * @throws SQLException if the database reports an error. Repeat the transaction after a
     *     {@link java.sql.SQLTransactionRollbackException}, or the driver's exception with SQL state 40001
     */
    public void admit(Connection connection, String resource, long token) throws SQLException {
        Inputs.checkResource(resource);
        Inputs.checkToken(token);
        JdbcCalls.requireTransaction(connection);
        SQLException duplicate = null;
        for (int round = 0; round < JdbcCalls.ROUNDS; round++) {
            if (JdbcCalls.update(connection, raise, List.of(token, resource, token)) > 0) {
                return;
            }
            JdbcCalls.Seen seen = JdbcCalls.query(connection, query, List.of(resource));
            if (seen.highest() > token) {
                throw new StaleTokenException(resource, token, seen.highest());
            }
            if (!seen.exists()) {
                duplicate = insert(connection, resource, token);
                if (duplicate == null) {
                    return;
                }
            }
        }
        throw JdbcCalls.notVisible(resource, duplicate);
    }

    /**
     * Inserts the row at the first use of a name. Of two transactions that insert at the same time, the later waits for
     * the earlier, and finds its row.
     *
     * @return null if the row was inserted, else the constraint violation, which shows that the row exists
     */
    private @Nullable SQLException insert(Connection connection, String resource, long token) throws SQLException {
        // PostgreSQL aborts the whole transaction after an error, unless there is a savepoint before it.
        Savepoint before = connection.setSavepoint();
        try {
            JdbcCalls.update(connection, insert, List.of(resource, token));
            return null;
        } catch (SQLException e) {
            connection.rollback(before);
            if (!String.valueOf(e.getSQLState()).startsWith("23")) {
                throw e;
            }
            return e;
        }
    }

    /**
     * Returns a guard on the same table for work outside the database, with a transaction of its own for each
     * admission. It shares its rows with {@link #admit(Connection, String, long)}.
     *
     * @param dataSource the source of connections; the guard closes each connection that it opens
     * @return the guard
     */
    public JdbcGuard over(DataSource dataSource) {
        return new JdbcGuard(this, dataSource);
    }
}

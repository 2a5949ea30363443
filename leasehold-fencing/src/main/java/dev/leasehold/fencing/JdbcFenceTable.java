package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Guards whatever a transaction does, by a table of fences beside the data: one row for each resource, made at its first
 * use. For data of several rows or tables, and for rows that come and go; for one row with a column to spare,
 * {@link JdbcFenceColumn} is simpler.
 *
 * <pre>{@code
 * CREATE TABLE leasehold_fence (name VARCHAR(512) PRIMARY KEY, fence BIGINT NOT NULL)
 * }</pre>
 *
 * <p>{@link #admit(Connection, String, long)} is the first statement of a transaction, before anything is read. It raises
 * the fence, and so locks its row until the transaction ends. Whoever comes with another token meanwhile waits at that
 * row, and is then refused or admitted by what was committed. So reads and writes of an admitted transaction are those of
 * the latest holder, as long as every transaction that writes the same data begins like that. If the transaction is rolled
 * back, so is the raising. Transactions that admit several resources should do so in the same order, or the database
 * may find them in a deadlock.
 *
 * <p>Rows are never deleted here: a row that is deleted is a fence that is forgotten. Names must be compared as they are,
 * so choose a collation that tells capitals apart. Tested with H2 and PostgreSQL, under READ COMMITTED and REPEATABLE
 * READ; any other database must have savepoints, and its driver must report how many rows a statement found, not how
 * many it changed. Transactions over several databases (XA) have no savepoints: insert the rows beforehand there.
 *
 * <p>Immutable, and safe for use by any thread. Everything that the database reports comes as its own
 * {@link SQLException}.
 */
public final class JdbcFenceTable {

    private final String raise;
    private final String look;
    private final String insert;

    private JdbcFenceTable(String table, String nameColumn, String fenceColumn) {
        raise = "UPDATE " + table + " SET " + fenceColumn + " = ? WHERE " + nameColumn + " = ? AND " + fenceColumn
                + " <= ?";
        look = "SELECT " + fenceColumn + " FROM " + table + " WHERE " + nameColumn + " = ?";
        insert = "INSERT INTO " + table + " (" + nameColumn + ", " + fenceColumn + ") VALUES (?, ?)";
    }

    /**
     * A table that exists, with the columns {@code name}, its primary key, and {@code fence}.
     *
     * @param table its name, as in a statement: with a schema before it, and in quotes, if need be
     * @return the guard
     * @throws IllegalArgumentException if that is no SQL identifier
     */
    public static JdbcFenceTable named(String table) {
        return named(table, "name", "fence");
    }

    /**
     * A table that exists.
     *
     * @param table its name, as in a statement: with a schema before it, and in quotes, if need be
     * @param nameColumn the column of names, on which a primary key or unique constraint lies
     * @param fenceColumn the column of tokens, a 64-bit integer
     * @return the guard
     * @throws IllegalArgumentException if one of these is no SQL identifier
     */
    public static JdbcFenceTable named(String table, String nameColumn, String fenceColumn) {
        return new JdbcFenceTable(SqlName.table(table), SqlName.column(nameColumn), SqlName.column(fenceColumn));
    }

    /**
     * Admits a holder to the transaction of this connection, and raises the fence in it.
     *
     * @param connection in a transaction, which neither begins nor ends here
     * @param resource the name of what is guarded; by convention that of the lock
     * @param token the fencing token of the holder's lease
     * @throws StaleTokenException if a higher token was seen; nothing was changed. Roll back
     * @throws IllegalArgumentException if the name or the token breaks its rule; nothing was sent
     * @throws IllegalStateException if the connection commits each statement by itself, so that nothing would be guarded
     * @throws SQLException what the database reports. A {@link java.sql.SQLTransactionRollbackException}, or whatever the
     *     driver has for SQL state 40001, asks to repeat the transaction
     */
    public void admit(Connection connection, String resource, long token) throws SQLException {
        Inputs.checkResource(resource);
        Inputs.checkToken(token);
        JdbcCalls.requireTransaction(connection);
        SQLException twin = null;
        for (int round = 0; round < JdbcCalls.ROUNDS; round++) {
            if (JdbcCalls.update(connection, raise, List.of(token, resource, token)) > 0) {
                return;
            }
            JdbcCalls.Seen seen = JdbcCalls.look(connection, look, List.of(resource));
            if (seen.highest() > token) {
                throw new StaleTokenException(resource, token, seen.highest());
            }
            if (!seen.exists()) {
                twin = insert(connection, resource, token);
                if (twin == null) {
                    return;
                }
            }
        }
        throw JdbcCalls.notVisible(resource, twin);
    }

    /**
     * The first use of a name. Two may come to this at once; the later waits for the earlier, and finds its row.
     *
     * @return null if the row was inserted, else the violation that shows that it is there
     */
    private @Nullable SQLException insert(Connection connection, String resource, long token) throws SQLException {
        // PostgreSQL gives up the whole transaction after an error, unless there is a savepoint before it.
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
     * The same table as a guard for work that is done elsewhere, with a transaction of its own for each admission. It
     * shares its rows with {@link #admit(Connection, String, long)}.
     *
     * @param dataSource where connections come from; each is closed again
     * @return the guard
     */
    public JdbcGuard over(DataSource dataSource) {
        return new JdbcGuard(this, dataSource);
    }
}

package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Stores the highest tokens in a {@link JdbcFenceTable}, in transactions of its own: for a {@link FencingFilter} whose
 * service runs in several instances. For work in the same database, prefer {@link JdbcFenceTable#admit} in the
 * transaction of the work.
 *
 * <p>Thread-safe if the data source is. Each admission opens a connection, commits and closes it. After a serialization
 * failure, which occurs under an isolation level above READ COMMITTED, the transaction is repeated, up to 10 times.
 */
public final class JdbcGuard implements FencingGuard {

    /** A transaction fails only because another succeeded, so this many fail only under a heavy load. */
    private static final int TRIES = 10;

    private final JdbcFenceTable table;
    private final DataSource dataSource;

    JdbcGuard(JdbcFenceTable table, DataSource dataSource) {
        this.table = table;
        this.dataSource = dataSource;
    }

    /**
     * {@inheritDoc}
     *
     * @throws StaleTokenException {@inheritDoc}
     * @throws IllegalArgumentException {@inheritDoc}
     * @throws SQLException if the database or the data source reports an error, which says nothing about the token
     */
    @Override
    public void admit(String resource, long token) throws SQLException {
        Inputs.checkResource(resource);
        Inputs.checkToken(token);
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            try {
                admit(connection, resource, token);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                undo(connection, autoCommit, e);
                throw e;
            }
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        }
    }

    private void admit(Connection connection, String resource, long token) throws SQLException {
        for (int again = TRIES - 1; ; again--) {
            try {
                table.admit(connection, resource, token);
                return;
            } catch (SQLException e) {
                if (again == 0 || !JdbcCalls.REPEAT.equals(e.getSQLState())) {
                    throw e;
                }
                connection.rollback();
            }
        }
    }

    /** Restores the connection, as the pool's next user expects it unchanged. */
    private static void undo(Connection connection, boolean autoCommit, Exception reason) {
        try {
            connection.rollback();
            if (autoCommit) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException alsoFailed) {
            reason.addSuppressed(alsoFailed);
        }
    }
}

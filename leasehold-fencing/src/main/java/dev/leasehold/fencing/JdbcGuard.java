package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Keeps the highest tokens in a {@link JdbcFenceTable}, in transactions of its own: for a {@link FencingFilter} whose
 * service runs in several instances. Work in the same database is better guarded in its own transaction, by
 * {@link JdbcFenceTable#admit}.
 *
 * <p>Safe for use by any thread, if the data source is. Each admission takes a connection, commits and closes it; if the
 * database asks for it, under an isolation above READ COMMITTED, the transaction is repeated, up to 10 times.
 */
public final class JdbcGuard implements FencingGuard {

    /** Whenever one has to be repeated another has got through, so this many are in vain only under a heavy load. */
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
     * @throws SQLException what the database or the data source reports; says nothing about the token
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

    /** Whoever gets the connection from its pool next expects it as it was. */
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

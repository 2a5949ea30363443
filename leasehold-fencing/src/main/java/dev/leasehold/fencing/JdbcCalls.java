package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the guards of a database have in common. */
final class JdbcCalls {

    /**
     * How often a statement is tried that found nothing although nothing speaks against it: once more is enough when a row
     * came between the statement and the look.
     */
    static final int ROUNDS = 3;

    /** The SQL state for transactions that are in each other's way and succeed when repeated: a serialization failure. */
    static final String REPEAT = "40001";

    private JdbcCalls() {}

    /**
     * What is stored for a resource.
     *
     * @param exists whether there is a row
     * @param highest the highest token, 0 if there is none yet
     */
    record Seen(boolean exists, long highest) {}

    static int update(Connection connection, String sql, List<? extends @Nullable Object> parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    static Seen look(Connection connection, String sql, List<? extends @Nullable Object> parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet row = statement.executeQuery()) {
                boolean exists = row.next();
                return new Seen(exists, exists ? row.getLong(1) : 0);
            }
        }
    }

    private static void bind(PreparedStatement statement, List<? extends @Nullable Object> parameters)
            throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
    }

    /** A fence that is raised alone guards what follows in its transaction; without one it guards nothing. */
    static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection commits every statement by itself, so a later holder could"
                    + " come between this one and the next: begin a transaction, by setAutoCommit(false) or as your"
                    + " framework does");
        }
    }

    /** The row is there, and the transaction cannot see it as it is: its snapshot is older. */
    static SQLException notVisible(String resource, @Nullable SQLException cause) {
        return new SQLTransactionRollbackException(
                "the fence of '" + Inputs.escape(resource) + "' was changed after the snapshot of this transaction,"
                        + " which cannot tell whether the token is stale: roll back, and repeat the transaction",
                REPEAT,
                cause);
    }
}

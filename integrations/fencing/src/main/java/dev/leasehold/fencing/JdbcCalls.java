package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements and errors that the guards of a database share. */
final class JdbcCalls {

    /**
     * The number of times a statement is tried if it found no row although none forbids it. A second try is enough if a
     * row was inserted between the statement and the query.
     */
    static final int ROUNDS = 3;

    /** The SQL state of a serialization failure: the transactions conflict, and succeed when repeated. */
    static final String REPEAT = "40001";

    private JdbcCalls() {}

    /**
     * The stored fence of a resource.
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

    static Seen query(Connection connection, String sql, List<? extends @Nullable Object> parameters)
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

    /** Refuses auto-commit: raising the fence guards the rest of its transaction, and without one it guards nothing. */
    static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection is in auto-commit mode, so a later holder could be admitted"
                    + " between this statement and the next: begin a transaction, by setAutoCommit(false) or with your"
                    + " framework");
        }
    }

    /** Returns the error for a row that the transaction cannot see in its present state, as its snapshot is older. */
    static SQLException notVisible(String resource, @Nullable SQLException cause) {
        return new SQLTransactionRollbackException(
                "the fence of '" + Inputs.escape(resource) + "' was changed after the snapshot of this transaction,"
                        + " so the token cannot be checked: roll back, and repeat the transaction",
                REPEAT,
                cause);
    }
}

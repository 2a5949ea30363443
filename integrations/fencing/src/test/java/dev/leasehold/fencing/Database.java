package dev.leasehold.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A database for the tests of guards, with the tables from their documentation. */
abstract class Database {

    abstract DataSource dataSource();

    /** Returns a data source that cannot be reached. */
    abstract DataSource unreachable();

    /** Returns how many transactions wait for a lock of another. */
    abstract String countOfWaiting();

    void createTables() throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE leasehold_fence (name VARCHAR(512) PRIMARY KEY, fence BIGINT NOT NULL)");
            statement.execute("CREATE TABLE item (name VARCHAR(512) PRIMARY KEY, content VARCHAR(512))");
            statement.execute("CREATE TABLE row_item (name VARCHAR(512) PRIMARY KEY, content VARCHAR(512))");
            // As documented, to an existing table.
            statement.execute("ALTER TABLE row_item ADD COLUMN fence BIGINT");
            statement.execute(
                    "CREATE TABLE seat (hall INTEGER, seat INTEGER, guest VARCHAR(20), fence BIGINT, PRIMARY KEY (hall, seat))");
            statement.execute("INSERT INTO seat (hall, seat) VALUES (1, 1), (1, 2), (2, 1)");
        }
    }

    boolean somebodyWaits() throws SQLException {
        return !"0".equals(single(countOfWaiting()));
    }

    Connection transaction() throws SQLException {
        Connection connection = dataSource().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** A use of a connection. */
    interface Use {
        void of(Connection connection) throws Exception;
    }

    /** Runs a transaction that sees the data as of its first statement. */
    void inSnapshot(Use use) throws Exception {
        try (Connection connection = dataSource().getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            try {
                use.of(connection);
            } finally {
                connection.rollback();
                connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            }
        }
    }

    void execute(String sql, @Nullable Object... parameters) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            execute(connection, sql, parameters);
        }
    }

    static void execute(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.executeUpdate();
        }
    }

    @Nullable
    String single(String sql, Object... parameters) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            return single(connection, sql, parameters);
        }
    }

    static @Nullable String single(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}

package dev.leasehold.examples.fencing;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.fencing.JdbcFenceColumn;
import dev.leasehold.fencing.JdbcFenceTable;
import dev.leasehold.fencing.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Data in a database that refuses a holder whose lease is over. */
public final class InDatabase {

    private final Leasehold leasehold;
    private final DataSource dataSource;

    /**
     * Uses existing tables.
     *
     * @param leasehold the client of the locks
     * @param dataSource the database of the tables
     */
    public InDatabase(Leasehold leasehold, DataSource dataSource) {
        this.leasehold = leasehold;
        this.dataSource = dataSource;
    }

    String column(String winners) throws SQLException, InterruptedException {
        // example: fence-column
        JdbcFenceColumn lottery = JdbcFenceColumn.of("lottery", "fence", "draw_day"); // table, column, key
        try (Lease lease = leasehold.lock("lottery:2026-11-21").acquire();
                Connection connection = dataSource.getConnection()) {
            lottery.row("2026-11-21").update(connection, lease.fencingToken(), "winners = ?", winners);
            return "drawn";
        } catch (StaleTokenException e) {
            return "another instance has the lock, and has written: " + e.getMessage();
        }
        // end
    }

    void table() throws SQLException, InterruptedException {
        // example: fence-table
        JdbcFenceTable fences = JdbcFenceTable.named("leasehold_fence");
        try (Lease lease = leasehold.lock("stock:17").acquire();
                Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                fences.admit(connection, lease.name(), lease.fencingToken()); // before anything is read
                writeStock(connection, readStock(connection) - 1);
                connection.commit();
            } catch (SQLException | RuntimeException e) { // also a StaleTokenException
                connection.rollback();
                throw e;
            }
        }
        // end
    }

    private static int readStock(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT pieces FROM stock WHERE item = 17");
                ResultSet row = query.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void writeStock(Connection connection, int left) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE stock SET pieces = ? WHERE item = 17")) {
            update.setInt(1, left);
            update.executeUpdate();
        }
    }
}

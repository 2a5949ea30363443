package dev.leasehold.examples.quickstart;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A table that a lock guards, and that checks the fencing token itself. */
public final class WinnerTable {

    private final Connection connection;

    /**
     * Uses an existing table.
     *
     * @param connection a connection to the table's database
     */
    public WinnerTable(Connection connection) {
        this.connection = connection;
    }

    // example: fencing
    /** Writes the winners, unless a holder with a higher token was here before. */
    boolean write(String day, String winners, long token) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(
                "UPDATE lottery SET winners = ?, fence = ? WHERE draw_day = ? AND fence <= ?")) {
            update.setString(1, winners);
            update.setLong(2, token);
            update.setString(3, day);
            update.setLong(4, token);
            return update.executeUpdate() == 1;
        }
    }
    // end
}

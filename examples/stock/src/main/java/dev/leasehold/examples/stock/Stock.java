package dev.leasehold.examples.stock;

import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;
import dev.leasehold.fencing.JdbcFenceColumn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The stock of the items: read and written under a lock, and guarded in the database by the lock's token. */
@Component
class Stock {

    private static final JdbcFenceColumn STOCK = JdbcFenceColumn.of("stock", "fence", "item");

    private final DataSource dataSource;
    private final Counters counters;
    private final String process;

    Stock(DataSource dataSource, Counters counters, @Value("${stock.process}") String process) {
        this.dataSource = dataSource;
        this.counters = counters;
        this.process = process;
    }

    /** Sells one piece to an order. A repeated order takes no second piece. */
    @Lock(name = "stock:#{#item}", waitTime = "2s", leaseTime = "2s")
    public Answer sell(String order, int item) throws SQLException {
        counters.count("entered");
        long token = CurrentLease.get().fencingToken();
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try {
                // Before the first read, so that no earlier holder writes after it.
                STOCK.row(item).admit(connection, token);
                Answer answer = sell(connection, order, item, token);
                connection.commit();
                counters.count(answer.name());
                return answer;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private Answer sell(Connection connection, String order, int item, long token) throws SQLException {
        if (isTaken(connection, order)) {
            return Answer.REPEATED;
        }
        int left = left(connection, item);
        if (left == 0) {
            return Answer.SOLD_OUT;
        }
        STOCK.row(item).update(connection, token, "remaining = ?", left - 1);
        take(connection, order, item, token);
        return Answer.SOLD;
    }

    private static boolean isTaken(Connection connection, String order) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM orders WHERE id = ?")) {
            query.setString(1, order);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    private static int left(Connection connection, int item) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT remaining FROM stock WHERE item = ?")) {
            query.setInt(1, item);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private void take(Connection connection, String order, int item, long token) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO orders (id, item, process, fence) VALUES (?, ?, ?, ?)")) {
            insert.setString(1, order);
            insert.setInt(2, item);
            insert.setString(3, process);
            insert.setLong(4, token);
            insert.executeUpdate();
        }
    }
}

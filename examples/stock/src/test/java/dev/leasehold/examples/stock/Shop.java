package dev.leasehold.examples.stock;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.h2.tools.Server;

/** The database that all instances share: H2 as a server, in this process. */
final class Shop implements AutoCloseable {

    private final Server server;
    private final String url;
    private final Connection connection;

    Shop(int items, int pieces) throws SQLException {
        String name = "stock-" + UUID.randomUUID();
        connection = DriverManager.getConnection("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", "");
        server = Server.createTcpServer("-tcpPort", "0").start();
        url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:" + name;
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE stock (item INT PRIMARY KEY, remaining INT NOT NULL,"
                    + " fence BIGINT DEFAULT 0 NOT NULL)");
            statement.execute("CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, item INT NOT NULL,"
                    + " process VARCHAR(40) NOT NULL, fence BIGINT NOT NULL)");
            for (int item = 0; item < items; item++) {
                statement.execute("INSERT INTO stock (item, remaining) VALUES (" + item + ", " + pieces + ")");
            }
        }
    }

    String url() {
        return url;
    }

    /** Returns the remaining pieces of each item. */
    Map<Integer, Integer> remaining() throws SQLException {
        return numbers("SELECT item, remaining FROM stock");
    }

    /** Returns the number of orders of each item. */
    Map<Integer, Integer> sold() throws SQLException {
        return numbers("SELECT s.item, COUNT(o.id) FROM stock s LEFT JOIN orders o ON o.item = s.item GROUP BY s.item");
    }

    private Map<Integer, Integer> numbers(String sql) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(sql)) {
            Map<Integer, Integer> numbers = new TreeMap<>();
            while (row.next()) {
                numbers.put(row.getInt(1), row.getInt(2));
            }
            return numbers;
        }
    }

    Set<String> orders() throws SQLException {
        return orders("SELECT id FROM orders");
    }

    Set<String> ordersOf(String process) throws SQLException {
        return orders("SELECT id FROM orders WHERE process = '" + process + "'");
    }

    private Set<String> orders(String sql) throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery(sql)) {
            Set<String> orders = new HashSet<>();
            while (row.next()) {
                orders.add(row.getString(1));
            }
            return orders;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.stop();
    }
}

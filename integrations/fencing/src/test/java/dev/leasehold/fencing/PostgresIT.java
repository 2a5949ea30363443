package dev.leasehold.fencing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The guards of a database, on a PostgreSQL server on a free port. PostgreSQL refuses to run as root; root starts it in
 * a user namespace by {@code unshare}, which the system must allow.
 */
class PostgresIT {

    private static final Postgres DATABASE = new Postgres();

    @BeforeAll
    static void start() throws IOException, SQLException {
        DATABASE.server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(new File("target/postgres"))
                .start();
        PGConnectionPoolDataSource connections = new PGConnectionPoolDataSource();
        connections.setURL(DATABASE.server.getJdbcUrl("postgres", "postgres"));
        DATABASE.pool = JdbcConnectionPool.create(connections);
        DATABASE.createTables();
    }

    @AfterAll
    static void stop() throws IOException {
        DATABASE.pool.dispose();
        DATABASE.server.close();
    }

    private static final class Postgres extends Database {

        private EmbeddedPostgres server;
        private JdbcConnectionPool pool;

        @Override
        DataSource dataSource() {
            return pool;
        }

        @Override
        DataSource unreachable() {
            PGSimpleDataSource nowhere = new PGSimpleDataSource();
            // A privileged port on which no server listens.
            nowhere.setPortNumbers(new int[] {1});
            return nowhere;
        }

        @Override
        String countOfWaiting() {
            return "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        }
    }

    @Nested
    class Guard extends JdbcGuardContract {
        @Override
        Database database() {
            return DATABASE;
        }
    }

    @Nested
    class FenceTable extends JdbcFenceTableContract {
        @Override
        Database database() {
            return DATABASE;
        }
    }

    @Nested
    class FencedRow extends JdbcFencedRowContract {
        @Override
        Database database() {
            return DATABASE;
        }
    }
}

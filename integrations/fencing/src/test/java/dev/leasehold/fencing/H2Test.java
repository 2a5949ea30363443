package dev.leasehold.fencing;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The guards of a database, in H2. */
class H2Test {

    private static final H2 DATABASE = new H2();

    @BeforeAll
    static void create() throws SQLException {
        DATABASE.createTables();
    }

    @AfterAll
    static void drop() throws SQLException {
        DATABASE.execute("SHUTDOWN");
    }

    private static final class H2 extends Database {

        @Override
        DataSource dataSource() {
            return at("jdbc:h2:mem:fencing;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
        }

        @Override
        DataSource unreachable() {
            return at("jdbc:h2:mem:nowhere;IFEXISTS=TRUE");
        }

        private static DataSource at(String url) {
            JdbcDataSource dataSource = new JdbcDataSource();
            dataSource.setURL(url);
            return dataSource;
        }

        @Override
        String countOfWaiting() {
            // H2 does not show a session as blocked if it inserts a key that another has inserted and not committed.
            return "SELECT count(*) FROM INFORMATION_SCHEMA.SESSIONS"
                    + " WHERE BLOCKER_ID IS NOT NULL OR EXECUTING_STATEMENT LIKE 'INSERT INTO leasehold_fence%'";
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

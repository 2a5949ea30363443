package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of a fence in a column of the guarded row itself. */
abstract class JdbcFencedRowContract extends FencingGuardContract {

    private static final JdbcFenceColumn ITEMS = JdbcFenceColumn.of("row_item", "fence", "name");
    private static final JdbcFenceColumn SEATS = JdbcFenceColumn.of("seat", "fence", "hall", "seat");

    abstract Database database();

    @Override
    String resource() throws Exception {
        String resource = super.resource();
        database().execute("INSERT INTO row_item (name) VALUES (?)", resource);
        return resource;
    }

    @Override
    void write(String resource, long token, String value) throws Exception {
        try (Connection connection = database().dataSource().getConnection()) {
            ITEMS.row(resource).update(connection, token, "content = ?", value);
        }
    }

    @Override
    @Nullable
    String value(String resource) throws Exception {
        return database().single("SELECT content FROM row_item WHERE name = ?", resource);
    }

    @Override
    boolean oneStep() {
        return true;
    }

    @Test
    void aMissingRowIsNoStaleToken() throws Exception {
        assertThatThrownBy(() -> write("nobody's\n", 1, "never"))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining("row_item[name=nobody's\\u000a]");
        try (Connection connection = database().transaction()) {
            assertThatThrownBy(() -> ITEMS.row("nobody's").admit(connection, 1))
                    .isInstanceOf(NoSuchElementException.class);
        }
    }

    @Test
    void anUnreachableDatabaseThrowsItsOwnErrorAndNoStaleToken() throws Exception {
        Connection lost = database().dataSource().getConnection();
        lost.close();
        JdbcFencedRow row = ITEMS.row("a");
        assertThatThrownBy(() -> row.update(lost, 1, "content = ?", "never")).isInstanceOf(SQLException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> row.update(lost, 0, "content = ?", "never"));
        assertThatIllegalArgumentException().isThrownBy(() -> row.admit(lost, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> row.update(lost, 1, " "));
    }

    @Test
    void noOtherHolderWritesUntilTheTransactionOfAnAdmittedReaderEnds() throws Exception {
        // A read-modify-write: without the admission both would read 'old', and one update would be lost.
        String resource = resource();
        write(resource, 1, "old");
        try (Connection earlier = database().transaction()) {
            ITEMS.row(resource).admit(earlier, 7);
            String read = Database.single(earlier, "SELECT content FROM row_item WHERE name = ?", resource);
            CompletableFuture<Void> later = inThread(() -> {
                try (Connection connection = database().transaction()) {
                    ITEMS.row(resource).admit(connection, 8);
                    String then = Database.single(connection, "SELECT content FROM row_item WHERE name = ?", resource);
                    ITEMS.row(resource).update(connection, 8, "content = ?", then + ", 8");
                    connection.commit();
                }
            });
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> database().somebodyWaits() || later.isCompletedExceptionally());
            ITEMS.row(resource).update(earlier, 7, "content = ?", read + ", 7");
            earlier.commit();
            later.get(20, TimeUnit.SECONDS);
        }
        assertThat(value(resource)).isEqualTo("old, 7, 8");
    }

    @Test
    void aHolderThatReadBeforeALaterOneWasAdmittedCannotWrite() throws Exception {
        String resource = resource();
        try (Connection connection = database().transaction()) {
            ITEMS.row(resource).admit(connection, 7);
            connection.commit();
        }
        String read = value(resource);
        write(resource, 8, "later");
        assertThatThrownBy(() -> write(resource, 7, read + ", and more")).isInstanceOf(StaleTokenException.class);
        assertThat(value(resource)).isEqualTo("later");
    }

    @Test
    void aReaderWithoutATransactionIsRefused() throws Exception {
        String resource = resource();
        try (Connection connection = database().dataSource().getConnection()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> ITEMS.row(resource).admit(connection, 1));
        }
    }

    @Test
    void severalColumnsMayBeTheKeyAndValuesMayBeNull() throws Exception {
        try (Connection connection = database().dataSource().getConnection()) {
            SEATS.row(1, 2).update(connection, 8, "guest = ?", "Ann");
            SEATS.row(1, 2).update(connection, 8, "guest = ?", (Object) null);
            SEATS.row(2, 1).update(connection, 1, "guest = 'Bob'");
            assertThatThrownBy(() -> SEATS.row(1, 2).update(connection, 7, "guest = ?", "late"))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("seat[hall=1, seat=2]");
        }
        assertThat(database().single("SELECT guest FROM seat WHERE fence = 1")).isEqualTo("Bob");
        assertThat(database().single("SELECT guest FROM seat WHERE fence = 8")).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> SEATS.row(1)).withMessageContaining("[hall, seat]");
    }

    @Test
    void keyColumnsThatMatchSeveralRowsAreRefusedAfterTheWrite() throws Exception {
        try (Connection connection = database().transaction()) {
            JdbcFencedRow hall = JdbcFenceColumn.of("seat", "fence", "hall").row(1);
            assertThatIllegalStateException()
                    .isThrownBy(() -> hall.update(connection, LARGEST, "guest = ?", "everybody"))
                    .withMessageContaining("2 rows");
            connection.rollback();
        }
    }
}

package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of a fence beside the data, in the transaction that writes them. */
abstract class JdbcFenceTableContract extends NamedGuardContract {

    private static final JdbcFenceTable TABLE = JdbcFenceTable.named("leasehold_fence");

    abstract Database database();

    @Override
    void write(String resource, long token, String value) throws Exception {
        try (Connection connection = database().transaction()) {
            TABLE.admit(connection, resource, token);
            put(connection, resource, value);
            connection.commit();
        }
    }

    private static void put(Connection connection, String resource, String value) throws SQLException {
        Database.execute(connection, "DELETE FROM item WHERE name = ?", resource);
        Database.execute(connection, "INSERT INTO item (name, content) VALUES (?, ?)", resource, value);
    }

    @Override
    @Nullable
    String value(String resource) throws Exception {
        return database().single("SELECT content FROM item WHERE name = ?", resource);
    }

    @Override
    boolean oneStep() {
        return true;
    }

    @Override
    void writeUnreachably(String resource, long token) throws Exception {
        // Without a connection there is nothing to call, so this uses one that was lost.
        Connection connection = database().transaction();
        connection.close();
        TABLE.admit(connection, resource, token);
    }

    @Override
    Class<? extends Exception> ownError() {
        return SQLException.class;
    }

    /** Starts a second transaction, which waits for the first one, which was admitted. */
    private CompletableFuture<Void> startBlocked(String resource, long token, String append) {
        CompletableFuture<Void> second = FencingGuardContract.inThread(() -> {
            try (Connection connection = database().transaction()) {
                TABLE.admit(connection, resource, token);
                String read = Database.single(connection, "SELECT content FROM item WHERE name = ?", resource);
                put(connection, resource, read + append);
                connection.commit();
            }
        });
        await().atMost(Duration.ofSeconds(20))
                .until(() -> database().somebodyWaits() || second.isCompletedExceptionally());
        return second;
    }

    @ParameterizedTest(name = "used before: {0}")
    @ValueSource(booleans = {true, false})
    void aLaterHolderWaitsForAnEarlierTransactionAndReadsWhatItWrote(boolean usedBefore) throws Exception {
        // Reads under the lease present the token too; otherwise a read-modify-write could lose an update.
        String resource = resource();
        if (usedBefore) {
            write(resource, 1, "old");
        }
        try (Connection earlier = database().transaction()) {
            TABLE.admit(earlier, resource, 7);
            CompletableFuture<Void> later = startBlocked(resource, 8, ", then 8");
            put(earlier, resource, "7");
            earlier.commit();
            later.get(20, TimeUnit.SECONDS);
        }
        assertThat(value(resource)).isEqualTo("7, then 8");
    }

    @ParameterizedTest(name = "used before: {0}")
    @ValueSource(booleans = {true, false})
    void anEarlierHolderIsRefusedWhileALaterOneHasATransaction(boolean usedBefore) throws Exception {
        String resource = resource();
        if (usedBefore) {
            write(resource, 1, "old");
        }
        try (Connection later = database().transaction()) {
            TABLE.admit(later, resource, 8);
            CompletableFuture<Void> earlier = startBlocked(resource, 7, "late");
            put(later, resource, "8");
            later.commit();
            assertThatThrownBy(() -> earlier.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("8");
        }
        assertThat(value(resource)).isEqualTo("8");
    }

    @ParameterizedTest(name = "used before: {0}")
    @ValueSource(booleans = {true, false})
    void aTransactionThatIsRolledBackHasNotRaisedTheFence(boolean usedBefore) throws Exception {
        String resource = resource();
        if (usedBefore) {
            write(resource, 1, "old");
        }
        try (Connection later = database().transaction()) {
            TABLE.admit(later, resource, 8);
            CompletableFuture<Void> earlier = startBlocked(resource, 7, ", then 7");
            put(later, resource, "8");
            later.rollback();
            earlier.get(20, TimeUnit.SECONDS);
        }
        assertThat(value(resource)).isEqualTo((usedBefore ? "old" : "null") + ", then 7");
    }

    @Test
    void aConnectionInAutoCommitModeIsRefused() throws Exception {
        try (Connection connection = database().dataSource().getConnection()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> TABLE.admit(connection, resource(), 1))
                    .withMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void aSnapshotFromBeforeTheLaterHolderMustRepeatTheTransaction() throws Exception {
        for (boolean usedBefore : new boolean[] {true, false}) {
            String resource = resource();
            if (usedBefore) {
                write(resource, 1, "old");
            }
            database().inSnapshot(snapshot -> {
                Database.single(snapshot, "SELECT count(*) FROM leasehold_fence");
                write(resource, 8, "later");
                assertThatThrownBy(() -> TABLE.admit(snapshot, resource, 7)).satisfies(this::assertRepeat);
                snapshot.rollback();
                assertThatThrownBy(() -> TABLE.admit(snapshot, resource, 7)).isInstanceOf(StaleTokenException.class);
            });
            assertThat(value(resource)).isEqualTo("later");
        }
    }

    private void assertRepeat(Throwable e) {
        assertThat(e).isInstanceOf(SQLException.class);
        assertThat(((SQLException) e).getSQLState()).isEqualTo("40001");
    }

    @Test
    void theColumnsMayHaveOtherNames() throws Exception {
        database().execute("CREATE TABLE \"Odd fences\" (\"of what\" VARCHAR(512) UNIQUE, token BIGINT)");
        JdbcFenceTable odd = JdbcFenceTable.named("\"Odd fences\"", "\"of what\"", "token");
        try (Connection connection = database().transaction()) {
            odd.admit(connection, "a", 8);
            assertThatThrownBy(() -> odd.admit(connection, "a", 7)).isInstanceOf(StaleTokenException.class);
            connection.rollback();
        }
    }
}

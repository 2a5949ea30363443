package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of tokens in a table, for work outside the database. */
abstract class JdbcGuardContract extends NamedGuardContract {

    private static final JdbcFenceTable TABLE = JdbcFenceTable.named("leasehold_fence");

    private final Map<String, String> values = new ConcurrentHashMap<>();

    abstract Database database();

    @Override
    void write(String resource, long token, String value) throws Exception {
        // A new guard for each admission, as if each request reached another instance of the service.
        TABLE.over(database().dataSource()).admit(resource, token);
        values.put(resource, value);
    }

    @Override
    @Nullable
    String value(String resource) {
        return values.get(resource);
    }

    @Override
    boolean oneStep() {
        return false;
    }

    @Override
    void writeUnreachably(String resource, long token) throws Exception {
        TABLE.over(database().unreachable()).admit(resource, token);
    }

    @Override
    Class<? extends Exception> ownError() {
        return SQLException.class;
    }

    @Test
    void aConnectionReturnsToItsPoolUnchanged() throws Exception {
        for (boolean autoCommit : new boolean[] {true, false}) {
            try (Connection connection = database().dataSource().getConnection()) {
                connection.setAutoCommit(autoCommit);
                JdbcGuard guard = TABLE.over(lending(connection));
                String resource = resource();
                guard.admit(resource, 8);
                assertThat(database().single("SELECT fence FROM leasehold_fence WHERE name = ?", resource))
                        .isEqualTo("8");
                assertThatThrownBy(() -> guard.admit(resource, 7)).isInstanceOf(StaleTokenException.class);
                assertThat(connection.getAutoCommit()).isEqualTo(autoCommit);
                // Neither a refusal nor an admission leaves a row lock behind.
                write(resource, 9, "next");
            }
        }
    }

    @Test
    void aTransactionIsRepeatedAfterASerializationFailure() throws Exception {
        for (boolean usedBefore : new boolean[] {true, false}) {
            String resource = resource();
            if (usedBefore) {
                write(resource, 1, "");
            }
            database().inSnapshot(snapshot -> {
                JdbcGuard guard = TABLE.over(lending(snapshot));
                try (Connection other = database().transaction()) {
                    TABLE.admit(other, resource, 7);
                    CompletableFuture<Void> held = inThread(() -> guard.admit(resource, 8));
                    await().atMost(Duration.ofSeconds(20))
                            .until(() -> database().somebodyWaits() || held.isCompletedExceptionally());
                    other.commit();
                    held.get(20, TimeUnit.SECONDS);
                }
            });
            assertThatThrownBy(() -> write(resource, 7, "late")).isInstanceOf(StaleTokenException.class);
        }
    }

    @Test
    void aMissingTableIsTheDatabasesOwnError() {
        JdbcGuard guard = JdbcFenceTable.named("no_such_table").over(database().dataSource());
        assertThatThrownBy(() -> guard.admit("a", 1))
                .isInstanceOf(SQLException.class)
                .satisfies(e -> assertThat(e.getMessage()).containsIgnoringCase("no_such_table"));
    }

    /** Returns a pool of one connection, which ignores close(). */
    private static DataSource lending(Connection connection) {
        Connection lent = proxy(
                Connection.class,
                (method, args) -> method.getName().equals("close") ? null : method.invoke(connection, args));
        return proxy(DataSource.class, (method, args) -> lent);
    }

    /** Handles a call of an interface's method. */
    private interface Answer {
        @Nullable
        Object to(java.lang.reflect.Method method, Object @Nullable [] args) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
            try {
                return answer.to(method, args);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}

package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that refuse to run scripts, for a user or for all: each refusal names the command, the user and the remedy. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class ScriptRightsContract extends ContractBase {

    private static final String USER = "app";

    /** Returns the user in an advice. */
    private String advised() {
        return way().knowsUser() ? USER : "<user>";
    }

    private String refusal(String command) {
        return "NOPERM " + (way().knowsUser() ? "User " + USER : "this user") + " has no permissions to run the '"
                + command + "' command";
    }

    /** Where requests may arrive twice, no refusal excludes that another copy is granted. */
    private boolean isFinal(LockUnavailableException refusal) {
        return refusal.mayBeTaken() != sendsAtMostOnce();
    }

    /** Returns the URI for a user that has all rights but this one. */
    private String without(String right) {
        server().command("ACL", "SETUSER", USER, "reset", "on", ">p", "~*", "&*", "+@all", right);
        return server().uri(USER, "p");
    }

    /** Removes the user, which other contracts do not know. */
    @AfterEach
    protected void removeUser() {
        server().command("ACL", "DELUSER", USER);
    }

    private static LockUnavailableException refused(DistributedLock lock) {
        return catchThrowableOfType(LockUnavailableException.class, lock::tryAcquire);
    }

    private static Finding danger(Leasehold client) {
        return Diagnostics.of(client).findings().stream()
                .filter(finding -> finding.level() == Level.DANGER)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"-@scripting,evalsha,+eval +evalsha", "-evalsha,evalsha,+evalsha", "-eval,eval,+eval"})
    void theCheckAtConnectRefusesAUserWithoutTheRightToRunScripts(String right, String command, String missing) {
        String uri = without(right);
        String refusal = refusal(command);
        String remedy = "Let an administrator run ACL SETUSER " + advised() + " " + missing
                + "; docs/operations.md, section 2, lists all rights.";
        // Then the server knows all scripts, which run without EVAL until it forgets them.
        client(server().uri(), builder -> builder.preflight(Preflight.WARN));
        for (Preflight preflight : List.of(Preflight.WARN, Preflight.REFUSE)) {
            assertThatThrownBy(() -> client(uri, builder -> builder.preflight(preflight)))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageStartingWith("the preflight refuses this Redis: ")
                    .hasMessageContainingAll(refusal, remedy);
        }
        server().command("SCRIPT", "FLUSH");
        Finding danger = danger(client(uri, builder -> {}));
        assertThat(danger.subject()).isEqualTo("scripts");
        assertThat(danger.text()).contains(refusal);
        assertThat(danger.remedy()).isEqualTo(remedy);
    }

    @ParameterizedTest
    @CsvSource({"-@scripting,evalsha", "-evalsha,evalsha", "-eval,eval"})
    void withoutThatCheckTheFirstRequestIsRefusedBeforeAnythingIsHeld(String right, String command) {
        server().command("SCRIPT", "FLUSH");
        Leasehold client = client(without(right), builder -> {});
        String refusal = refusal(command) + ". ";
        String remedy = "Every lock needs scripts. Let an administrator run ACL SETUSER " + advised()
                + " +eval +evalsha;" + " docs/operations.md, section 2, lists all rights";
        String name = name();
        for (DistributedLock lock :
                List.of(client.lock(name), client.lock(name, Formats.plain()), client.lock(name, Formats.redisson()))) {
            assertThat(refused(lock))
                    .hasMessageEndingWith(refusal + remedy)
                    .matches(this::isFinal, "nothing was granted");
        }
        DistributedLatch latch = Latches.of(client).latch(name);
        assertThatThrownBy(() -> latch.trySet(1, Duration.ofMinutes(1)))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContainingAll(refusal, remedy);
        assertThat(exists(key(name)) || exists(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-script", "-script|load"})
    void theRightToManageScriptsIsNotNeeded(String right) throws Exception {
        server().command("SCRIPT", "FLUSH");
        Leasehold client = client(without(right), builder -> builder.preflight(Preflight.REFUSE));
        try (Lease lease = client.lock(name()).acquire()) {
            assertThat(lease.extend(Duration.ofSeconds(40))).isTrue();
            assertThat(Diagnostics.of(client).findings()).noneMatch(finding -> finding.level() == Level.DANGER);
        }
    }

    /** As services do that do not offer scripts, or rename their commands. */
    @ParameterizedTest
    @ValueSource(strings = {"EVAL", "EVALSHA"})
    void aServerThatDoesNotKnowTheCommandIsRefusedForThat(String command) {
        try (EmbeddedRedis without =
                EmbeddedRedis.builder().config("rename-command", command, "").start()) {
            String refusal = "ERR unknown command '" + command
                    + "'. Every lock needs scripts. The server does not know the command:"
                    + " undo its rename-command, or use a service that offers it";
            assertThatThrownBy(() -> client(without.uri(), builder -> builder.preflight(Preflight.WARN)))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageStartingWith("the preflight refuses this Redis: ")
                    .hasMessageContaining(refusal);
            Leasehold client = client(without.uri(), builder -> {});
            assertThat(danger(client).subject()).isEqualTo("scripts");
            String name = name();
            assertThat(refused(client.lock(name)))
                    .hasMessageContaining(refusal)
                    .matches(this::isFinal, "nothing was granted");
            assertThat(without.command("EXISTS", key(name))).isEqualTo(0L);
        }
    }
}

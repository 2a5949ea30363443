package dev.leasehold.testkit;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Slots that are moving from one primary to another. Thread-safe for different slots. */
final class SlotMigrations {

    private static final String BATCH = "100";
    private static final String TIMEOUT_MILLIS = "5000";

    private final ClusterTopology topology;
    private final String adminPassword;
    private final Map<Integer, Migration> underWay = new ConcurrentHashMap<>();

    private record Migration(EmbeddedRedis from, EmbeddedRedis to) {}

    SlotMigrations(ClusterTopology topology, String adminPassword) {
        this.topology = topology;
        this.adminPassword = adminPassword;
    }

    /** Returns the slots whose migration is not finished. */
    Set<Integer> slots() {
        return underWay.keySet();
    }

    void begin(int slot, EmbeddedRedis to) {
        EmbeddedRedis from = topology.ownerOf(slot);
        String target = topology.idOf(to);
        if (from == to) {
            throw new IllegalArgumentException("Slot " + slot + " is on " + to + " already.");
        }
        if (!topology.isPrimary(to)) {
            throw new IllegalArgumentException(to + " is a replica: only a primary can have slots.");
        }
        if (underWay.putIfAbsent(slot, new Migration(from, to)) != null) {
            throw new IllegalStateException(
                    "Slot " + slot + " is being migrated already; finish that with finishMigration(" + slot + ").");
        }
        try {
            to.command("CLUSTER", "SETSLOT", String.valueOf(slot), "IMPORTING", topology.idOf(from));
            from.command("CLUSTER", "SETSLOT", String.valueOf(slot), "MIGRATING", target);
        } catch (RuntimeException notBegun) {
            underWay.remove(slot);
            throw notBegun;
        }
    }

    void moveKeys(int slot) {
        Migration migration = underWay(slot);
        boolean movedAny = true;
        for (List<String> keys = keysIn(slot, migration.from());
                !keys.isEmpty();
                keys = keysIn(slot, migration.from())) {
            boolean moved = "OK".equals(move(keys, migration));
            // Keys that expire meanwhile are not listed the second time.
            if (!moved && !movedAny) {
                throw new EmbeddedRedisException("The keys of slot " + slot + " cannot be moved: " + migration.from()
                        + " lists them but does not find them. Are they not UTF-8?");
            }
            movedAny = moved;
        }
    }

    private Object move(List<String> keys, Migration migration) {
        String[] command = Stream.concat(
                        Stream.of(
                                "MIGRATE",
                                migration.to().host(),
                                String.valueOf(migration.to().port()),
                                "",
                                "0",
                                TIMEOUT_MILLIS,
                                "AUTH2",
                                EmbeddedRedis.ADMIN,
                                adminPassword,
                                "KEYS"),
                        keys.stream())
                .toArray(String[]::new);
        return String.valueOf(migration.from().command(command));
    }

    private static List<String> keysIn(int slot, EmbeddedRedis node) {
        Object keys = node.command("CLUSTER", "GETKEYSINSLOT", String.valueOf(slot), BATCH);
        return keys instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
    }

    void finish(int slot) {
        Migration migration = underWay(slot);
        Object left = migration.from().command("CLUSTER", "COUNTKEYSINSLOT", String.valueOf(slot));
        if (!Long.valueOf(0).equals(left)) {
            throw new IllegalStateException("Slot " + slot + " still has " + left + " keys on " + migration.from()
                    + "; move them with moveKeys(" + slot + ") first.");
        }
        String target = topology.idOf(migration.to());
        // The new owner first: at every moment the slot has an owner. The new owner raises its epoch, which
        // convinces the others.
        Stream.concat(
                        Stream.of(migration.to(), migration.from()),
                        topology.reachable().stream().filter(topology::isPrimary))
                .distinct()
                .forEach(node -> node.command("CLUSTER", "SETSLOT", String.valueOf(slot), "NODE", target));
        underWay.remove(slot);
        topology.await(
                "all nodes know that slot " + slot + " moved to " + migration.to(),
                () -> topology.isAgreed() && topology.ownerOf(slot) == migration.to());
    }

    private Migration underWay(int slot) {
        Migration migration = underWay.get(ClusterSlots.require(slot));
        if (migration == null) {
            throw new IllegalStateException(
                    "Slot " + slot + " is not being migrated; begin with beginMigration(" + slot + ", node).");
        }
        return migration;
    }
}

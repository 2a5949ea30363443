package dev.leasehold.benchmarks.subject;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Leasehold's scripts before they were composed of parts, read from a directory: {@code prelude.lua} precedes
 * {@code acquire.lua} and {@code release.lua}, and with {@code renewal.lua} and {@code renew_each.lua} it precedes
 * {@code renew_many.lua}.
 */
public final class OldScriptsSubject implements BatchRenewer {

    /** The name in the tables. */
    public static final String NAME = "Old scripts";

    private static final String LEASE_MICROS = "30000000";
    private static final String RETENTION_MILLIS = "60000";
    private static final String ANY_TIME = Long.toString(1L << 52);

    private final SecureRandom random = new SecureRandom();
    private final BareConnection connection;
    private final String acquire;
    private final String release;
    private final String renewMany;

    /** Connects, and loads the scripts of this directory. */
    public OldScriptsSubject(String uri, Path directory) {
        String acquireBody = body(directory, "prelude", "acquire");
        String releaseBody = body(directory, "prelude", "release");
        String renewManyBody = body(directory, "prelude", "renewal", "renew_each", "renew_many");
        connection = new BareConnection(uri);
        acquire = connection.load(acquireBody);
        release = connection.load(releaseBody);
        renewMany = connection.load(renewManyBody);
    }

    private static String body(Path directory, String... files) {
        return Arrays.stream(files)
                .map(file -> read(directory.resolve(file + ".lua")))
                .collect(Collectors.joining("\n"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        return new OldGrip("old:{" + lock + "}", AcquisitionId.next(random).value());
    }

    @Override
    public void renew(List<Grip> grips) {
        List<String> args = new ArrayList<>(List.of(LEASE_MICROS, RETENTION_MILLIS));
        List<String> keys = new ArrayList<>();
        for (Grip grip : grips) {
            if (grip instanceof OldGrip own) {
                keys.add(own.key);
                args.add(own.id);
            }
        }
        expect("all", connection.list(renewMany, keys.toArray(String[]::new), args.toArray(String[]::new)));
    }

    private static void expect(String wanted, List<String> answer) {
        if (!answer.get(0).equals(wanted)) {
            throw new IllegalStateException("an old script answered " + answer + " instead of '" + wanted + "'");
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    private final class OldGrip implements Grip {

        private final String key;
        private final String id;
        private final String[] keys;
        private final String[] acquireArgs;
        private final String[] releaseArgs;
        private boolean held;

        OldGrip(String key, String id) {
            this.key = key;
            this.id = id;
            keys = new String[] {key};
            String holder = new Holder(
                            ProcessHandle.current().pid() + "@localhost",
                            Thread.currentThread().getName(),
                            "")
                    .who();
            // id, owner, lease, notAfter, floor, retention, holder, label, channel, place, tokens, fair
            acquireArgs =
                    new String[] {id, id, LEASE_MICROS, ANY_TIME, "0", RETENTION_MILLIS, holder, "", "", "0", "1", "0"};
            // id, notAfter, retention, sure
            releaseArgs = new String[] {id, "0", RETENTION_MILLIS, "1"};
        }

        @Override
        public void acquire() {
            while (!tryAcquire()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean tryAcquire() {
            held = connection.list(acquire, keys, acquireArgs).get(0).equals("granted");
            return held;
        }

        @Override
        public boolean held() {
            return held;
        }

        @Override
        public void release() {
            held = false;
            expect("released", connection.list(release, keys, releaseArgs));
        }
    }
}

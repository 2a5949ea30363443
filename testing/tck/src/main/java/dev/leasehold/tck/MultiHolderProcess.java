package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Another JVM that holds several locks acquired together, and that a test can kill. It ends with the JVM that
 * started it.
 */
final class MultiHolderProcess implements AutoCloseable {

    private final ChildJvm jvm;

    /** Starts a JVM that acquires the locks, and waits until it holds them. */
    MultiHolderProcess(String address, Duration lease, List<String> names) {
        List<String> args = new ArrayList<>(List.of(address, lease.toString()));
        args.addAll(names);
        this.jvm = new ChildJvm(MultiHolderProcess.class, args);
        String unused = jvm.answerTo("holding");
    }

    /** Kills the process (SIGKILL). */
    void kill() throws InterruptedException {
        jvm.kill();
    }

    @Override
    public void close() {
        jvm.close();
    }

    /** Runs the other process, with URI, lease time and names. */
    public static void main(String[] args) throws Exception {
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.parse(args[1])).build();
        List<String> names = List.of(args).subList(2, args.length);
        try (Leasehold leasehold = Site.connect(args[0]);
                MultiLease lease = leasehold.allOf(names).with(options).acquire()) {
            ChildJvm.serve("holding " + lease.name(), question -> "what?");
        }
    }
}

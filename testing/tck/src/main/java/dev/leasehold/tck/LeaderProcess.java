package dev.leasehold.tck;

import dev.leasehold.LockOptions;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Another JVM that takes part in an election, and that a test can kill and freeze. It prints
 * {@code elected <token>} and {@code demoted <token> <reason>} by itself, and ends with the JVM that started it.
 */
final class LeaderProcess {

    private LeaderProcess() {}

    static ChildJvm start(String address, String name, Duration lease) {
        return new ChildJvm(LeaderProcess.class, List.of(address, name, lease.toString()));
    }

    /** Returns the token in a printed line. */
    static long token(String said) {
        return Long.parseLong(said.substring(said.indexOf(' ') + 1));
    }

    /**
     * Runs the other process. It answers {@code leads}.
     *
     * @param args address, name and lease time
     * @throws Exception any failure
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.parse(args[2])).build();
        Candidacy candidacy = Elections.of(Site.connect(args[0]))
                .election(args[1])
                .with(options)
                .stand(new LeaderListener() {
                    @Override
                    public void onElected(Term term) {
                        out.println("elected " + term.fencingToken());
                    }

                    @Override
                    public void onDemoted(Term term, DemotionReason reason) {
                        out.println("demoted " + term.fencingToken() + " " + reason);
                    }
                });
        ChildJvm.serve("standing", question -> Boolean.toString(candidacy.isLeader()));
        Runtime.getRuntime().halt(0);
    }
}

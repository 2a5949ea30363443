package dev.leasehold.tck;

import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Another JVM that counts a latch down, or waits for it, and that a test can kill. It ends with the JVM that
 * started it.
 */
final class CountingProcess {

    private CountingProcess() {}

    static ChildJvm start(String address, String name) {
        ChildJvm jvm = new ChildJvm(CountingProcess.class, List.of(address, name));
        jvm.answerTo("ready");
        return jvm;
    }

    /**
     * Runs the other process. On {@code wait} it begins to wait; any other line is the id of a count-down, answered
     * with the remaining count.
     *
     * @param args address and name
     * @throws Exception any failure
     */
    public static void main(String[] args) throws Exception {
        DistributedLatch latch = Latches.of(Site.connect(args[0])).latch(args[1]);
        ChildJvm.serve("ready 0", question -> {
            if (question.equals("wait")) {
                CompletionStage<Boolean> unused = latch.awaitAsync();
                return "begun";
            }
            return Integer.toString(latch.countDown(question));
        });
        Runtime.getRuntime().halt(0);
    }
}

package dev.leasehold.cli.internal.demo;

import dev.leasehold.Leasehold;
import java.util.List;

/**
 * What one thread of {@code demo --keep} does until its process ends.
 *
 * @param process the number of its process, from 1
 * @param thread the name of the thread, which inspection shows
 * @param stage tasks of the second stage start when all of the first have their locks, so that they wait for them
 * @param locks the names of the locks, whose keys are deleted at the end
 * @param work the work
 */
record SampleTask(int process, String thread, Stage stage, List<String> locks, Work work) {

    /** When a task starts. */
    enum Stage {
        HOLDER,
        WAITER
    }

    /** The work of a task. It returns only by an exception. */
    interface Work {
        /**
         * Works until the process ends.
         *
         * @param leasehold the client of the process
         * @param acquired run each time the task has its lock
         */
        void run(Leasehold leasehold, Runnable acquired) throws InterruptedException;
    }
}

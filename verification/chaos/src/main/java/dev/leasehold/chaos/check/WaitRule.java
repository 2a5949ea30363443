package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * C8. No deadlock is reported, for no worker waits for a lock while it holds another. A latch opens after its last count-down begins. A wait ends within its time, whatever happens to Redis. A fair lock is granted first to the client that began
 * to wait earlier, judged where no fault interfered: a dead process lapses after 7 s.
 */
final class WaitRule {

    /** A client that began so much earlier certainly registered earlier. */
    private static final long EARLIER = 500_000_000L;

    /** A new process loads classes in all its threads at once, and sends its requests with a delay. */
    private static final long WARM = 3_000_000_000L;

    private static final long FELT = 8_000_000_000L;
    /**
     * Above every wait time, on a busy machine too: a request that is later than this was not overtaken by this
     * one.
     */
    private static final long LONGEST = 60_000_000_000L;

    private final Course course;
    private final Verdict verdict;

    WaitRule(Course course, Verdict verdict) {
        this.course = course;
        this.verdict = verdict;
    }

    void check() {
        for (Event event : course.events) {
            if (event.what() == What.DEADLOCK) {
                verdict.violate(
                        true,
                        new Violation(Rule.C8, event.at(), "a deadlock was reported: " + event.note(), List.of(event)));
            } else if (event.is(What.OPENED) && event.value() > 0) {
                verdict.violate(
                        true,
                        new Violation(
                                Rule.C8,
                                event.at(),
                                event.lock() + " opened " + event.value() + " count-downs early",
                                List.of(event)));
            }
        }
        for (Op op : course.ops()) {
            long bound = course.later(op.process(), op.invoked.at(), op.timeLimit() + Course.SLACK);
            // The first of a thread is busy with loading classes.
            if (op.id().endsWith(".0") || course.death(op.process()) <= bound || course.ended <= bound) {
                continue;
            }
            verdict.judge(Rule.C8);
            if (op.at() > bound) {
                violate(op, "the wait of " + op.id() + " did not end within its time", op.events);
            }
        }
        course.byLock.forEach((lock, ops) -> {
            if (lock.startsWith("fair")) {
                turns(ops);
            }
        });
    }

    /** Checks a list that is in the order of outcomes. */
    private void turns(List<Op> ops) {
        for (int n = 0; n < ops.size(); n++) {
            Op late = ops.get(n);
            if (!late.granted()) {
                continue;
            }
            for (int later = n + 1; later < ops.size(); later++) {
                Op early = ops.get(later);
                if (early.outcome == null || early.at() > late.at() + LONGEST) {
                    break;
                }
                if (course.age(early.process(), early.invoked.at()) > WARM
                        && early.invoked.at() + EARLIER < late.invoked.at()
                        && early.at() > late.at()
                        // A waiter that is about to give up may poll for the last time 100 ms before.
                        && early.invoked.at() + early.timeLimit() > late.at() + EARLIER
                        && !course.faulty(early.invoked.at() - FELT, late.at())) {
                    List<Event> excerpt = new ArrayList<>(early.events);
                    excerpt.addAll(late.events);
                    excerpt.sort(Comparator.comparingLong(Event::at));
                    violate(late, late.id() + " overtook " + early.id(), excerpt);
                }
            }
        }
    }

    private void violate(Op op, String text, List<Event> excerpt) {
        verdict.violate(true, new Violation(Rule.C8, op.at(), text, excerpt));
    }
}

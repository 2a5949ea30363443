package dev.leasehold.simulation;

import dev.leasehold.internal.lease.LeaseEvent;
import dev.leasehold.internal.lease.LeaseState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** The engine's own transition table, compared with the edges that a run took. */
final class TransitionTable {

    private TransitionTable() {}

    /** Returns whether the table lists the edge. */
    static boolean legal(int edge) {
        LeaseState state = Edges.state(edge);
        LeaseEvent event = Edges.event(edge);
        try {
            Method next = Class.forName(LeaseState.class.getPackageName() + ".Transitions")
                    .getDeclaredMethod("next", LeaseState.class, LeaseEvent.class);
            next.setAccessible(true);
            next.invoke(null, state, event);
            return true;
        } catch (InvocationTargetException e) {
            return false;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the transition table is not where it was", e);
        }
    }

    /**
     * Returns edges that were taken and should not be, or the other way round.
     *
     * @param all whether all should have been taken
     */
    static List<String> compare(long[] met, boolean all) {
        List<String> wrong = new ArrayList<>();
        for (int edge = 0; edge < met.length; edge++) {
            String name = Edges.name(edge);
            boolean excused = Edges.UNREACHABLE.containsKey(name);
            if (!legal(edge) && met[edge] > 0) {
                wrong.add("the illegal edge " + name + " was met");
            } else if (all && legal(edge) && met[edge] == 0 && !excused) {
                wrong.add("the edge " + name + " was never taken");
            } else if (met[edge] > 0 && excused) {
                wrong.add("the edge " + name + " was taken, although it is listed as unreachable");
            }
        }
        return wrong;
    }

    static String summary(long[] met) {
        StringBuilder text = new StringBuilder("edges of the transition table, and how often each was taken:\n");
        for (int edge = 0; edge < met.length; edge++) {
            if (legal(edge)) {
                String name = Edges.name(edge);
                String reason = Edges.UNREACHABLE.getOrDefault(name, "");
                text.append(String.format("  %-32s %10d %s%n", name, met[edge], reason));
            }
        }
        return text.toString();
    }
}

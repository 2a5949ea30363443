package dev.leasehold.chaos.work;

import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;

/** The libraries that can take part. */
public final class Contenders {

    private Contenders() {}

    /** Half of the processes use Redisson, and the others its format. */
    public static final String SHARED = "leasehold+redisson";

    /** Returns whether the process retains its holds between two uses, where it may: a third of the processes do. */
    private static boolean retains(Order order) {
        boolean may = order.uris().size() == 1 && order.replicas() == 0;
        return may && isOneOf(order, 3);
    }

    private static boolean isOneOf(Order order, int several) {
        String number = order.process().replaceAll("\\D", "");
        return !number.isEmpty() && Long.parseLong(number) % several == 0;
    }

    private static LeaseholdContender leasehold(Order order, HistoryFile history, boolean shared) {
        return new LeaseholdContender(
                order.uris(), order.replicas(), !shared && retains(order), shared, waits -> deadlock(history, waits));
    }

    /** Connects a client of Leasehold that is used once, and retains nothing. */
    static Contender connectOnce(Order order, HistoryFile history) {
        return new LeaseholdContender(order.uris(), order.replicas(), false, false, waits -> deadlock(history, waits));
    }

    private static void deadlock(HistoryFile history, String waits) {
        history.add(System.nanoTime(), "", "", What.DEADLOCK, 0, waits);
    }

    /** Connects; the history receives what a client finds out by itself. */
    static Contender connect(Order order, HistoryFile history) {
        return switch (order.library()) {
            case "leasehold" -> leasehold(order, history, false);
            case SHARED ->
                isOneOf(order, 2) ? new RedissonContender(order.uris().get(0), true) : leasehold(order, history, true);
            case "redisson" -> new RedissonContender(order.uris().get(0), false);
            case "redisson-fenced" -> new RedissonContender(order.uris().get(0), true);
            case "spring-integration" -> new SpringContender(order.uris().get(0));
            default -> throw new IllegalArgumentException("no library is called " + order.library());
        };
    }
}

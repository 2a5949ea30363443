package dev.leasehold.chaos.work;

import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;

/** The libraries that can take part. */
final class Contenders {

    private Contenders() {}

    /** Returns whether the process retains its holds between two uses, where it may: a third of the processes do. */
    private static boolean retains(Order order) {
        String number = order.process().replaceAll("\\D", "");
        boolean may = order.uris().size() == 1 && order.replicas() == 0;
        return may && !number.isEmpty() && Long.parseLong(number) % 3 == 0;
    }

    /** Connects; the history receives what a client finds out by itself. */
    static Contender connect(Order order, HistoryFile history) {
        return switch (order.library()) {
            case "leasehold" ->
                new LeaseholdContender(
                        order.uris(),
                        order.replicas(),
                        retains(order),
                        waits -> history.add(System.nanoTime(), "", "", What.DEADLOCK, 0, waits));
            case "redisson" -> new RedissonContender(order.uris().get(0), false);
            case "redisson-fenced" -> new RedissonContender(order.uris().get(0), true);
            case "spring-integration" -> new SpringContender(order.uris().get(0));
            default -> throw new IllegalArgumentException("no library is called " + order.library());
        };
    }
}

package dev.leasehold.chaos.work;

/** The libraries that can take part. */
final class Contenders {

    private Contenders() {}

    static Contender connect(Order order) {
        return switch (order.library()) {
            case "leasehold" -> new LeaseholdContender(order.uris(), order.replicas());
            case "redisson" -> new RedissonContender(order.uris().get(0), false);
            case "redisson-fenced" -> new RedissonContender(order.uris().get(0), true);
            case "spring-integration" -> new SpringContender(order.uris().get(0));
            default -> throw new IllegalArgumentException("no library is called " + order.library());
        };
    }
}

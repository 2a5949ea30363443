package dev.leasehold.benchmarks.scenario;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The number of channels and patterns to which the connections of a server are subscribed, all together. */
final class Subscriptions {

    private static final Pattern EACH = Pattern.compile(" (?:sub|psub|ssub)=(\\d+)");

    private Subscriptions() {}

    static long count(EmbeddedRedis redis) {
        return in(String.valueOf(redis.command("CLIENT", "LIST")));
    }

    static long in(String clients) {
        Matcher matcher = EACH.matcher(clients);
        long sum = 0;
        while (matcher.find()) {
            sum += Long.parseLong(matcher.group(1));
        }
        return sum;
    }
}

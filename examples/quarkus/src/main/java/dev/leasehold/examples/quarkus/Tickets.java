package dev.leasehold.examples.quarkus;

import dev.leasehold.annotation.Lock;
import io.quarkus.redis.datasource.ReactiveRedisDataSource;
import io.quarkus.redis.datasource.RedisDataSource;
import io.quarkus.redis.datasource.value.ReactiveValueCommands;
import io.quarkus.redis.datasource.value.ValueCommands;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** The tickets that were sold. To read the last number and to write the next are two steps, which need the lock. */
@ApplicationScoped
class Tickets {

    private final ValueCommands<String, Long> numbers;
    private final ReactiveValueCommands<String, Long> reactiveNumbers;

    Tickets(RedisDataSource redis, ReactiveRedisDataSource reactive) {
        this.numbers = redis.value(Long.class);
        this.reactiveNumbers = reactive.value(Long.class);
    }

    // example: quarkus-lock
    @Lock(name = "concert:#{#concert}", waitTime = "30s") // one sale for a concert at a time
    long sell(String concert) {
        long next = 1 + orZero(numbers.get("sold:" + concert));
        numbers.set("sold:" + concert, next);
        return next;
    }
    // end

    // example: quarkus-reactive
    @Lock(name = "concert:#{#concert}", waitTime = "30s")
    Uni<Long> sellReactively(String concert) {
        return reactiveNumbers
                .get("sold:" + concert)
                .map(last -> 1 + orZero(last))
                .call(next -> reactiveNumbers.set("sold:" + concert, next));
    }
    // end

    private static long orZero(Long number) {
        return number == null ? 0 : number;
    }
}

package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.annotation.LockGate;
import java.time.Duration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The beans of an application with a client; closing them waits until every call has ended. */
final class LockedBeans implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    LockedBeans(Leasehold leasehold, Class<?> configuration) {
        context.registerBean(Leasehold.class, () -> leasehold);
        context.register(configuration);
        context.refresh();
    }

    <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    void publish(Object event) {
        context.publishEvent(event);
    }

    @Override
    public void close() throws InterruptedException {
        assertThat(get(LockGate.class).awaitEmpty(LONG))
                .as("every call has ended")
                .isTrue();
        context.close();
    }
}

package dev.leasehold.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.inspect.Inspector;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Three probes of each instance every ten seconds logged a thousand lines an hour. */
class LeaseholdHealthTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.health");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private boolean away;
    private @Nullable Finding refusal;

    @BeforeEach
    void capture() {
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    /** A client whose Redis answers or not. */
    private Leasehold client() {
        Inspector inspector = proxy(Inspector.class, called -> {
            if (called.equals("ping") && away) {
                throw new LockUnavailableException("", true, "no answer", null);
            }
            return null;
        });
        Diagnostics diagnostics =
                proxy(Diagnostics.class, called -> called.equals("refusal") ? Optional.ofNullable(refusal) : List.of());
        return proxy(Leasehold.class, called -> called.equals("unwrap") ? diagnostics : inspector);
    }

    private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.apply(method.getName())));
    }

    /** Redis answers, but refuses every lock: no probe may say that all is well. The client has logged it. */
    @Test
    void refusedAcquisitionsAreAnOutageToo() {
        LeaseholdHealth health = new LeaseholdHealth(client(), new HeldLeases());
        refusal = new Finding(Finding.Level.DANGER, "acquisitions", "It is out of memory.", "Raise maxmemory.");
        assertThatThrownBy(health::details)
                .isInstanceOf(LockUnavailableException.class)
                .hasMessage("It is out of memory. Raise maxmemory.");
        refusal = null;
        assertThat(health.details()).containsEntry("held", 0);
        assertThat(lines.list).isEmpty();
    }

    @Test
    void anOutageIsOneLineWhenItBeginsAndOneWhenItEnds() {
        LeaseholdHealth health = new LeaseholdHealth(client(), new HeldLeases());
        for (int outage = 0; outage < 2; outage++) {
            away = true;
            for (int probe = 0; probe < 3; probe++) {
                assertThatThrownBy(health::details).isInstanceOf(LockUnavailableException.class);
            }
            away = false;
            assertThat(health.details()).containsEntry("held", 0);
            health.details();
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getLevel)
                .containsExactly(Level.WARN, Level.INFO, Level.WARN, Level.INFO);
    }
}

package dev.leasehold.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.Lock.OnBusy;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot work fails the build, with all errors together. An IT, to run in the JVM of the other applications. */
class LockCheckIT {

    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.withoutRedis(
                    Order.class, Desk.class, NoBean.class, Till.class, Base.class, Overriding.class)
            .assertException(LockCheckIT::hasAllErrors);

    private static void hasAllErrors(Throwable failure) {
        assertThat(failure)
                .hasMessageContaining("Desk.secret() is private")
                .hasMessageContaining("Desk.common() is static")
                .hasMessageContaining("Desk.last() is final")
                .hasMessageContaining("#basket is no parameter; there are #order")
                .hasMessageContaining("Order has no public property number")
                .hasMessageContaining("Desk.future() returns a Future, whose end cannot be observed."
                        + " Return a CompletionStage, CompletableFuture, Uni or Multi")
                .hasMessageContaining("Desk.lease() cannot work: leaseTime")
                .hasMessageContaining("fallback 'nowhere' does not exist")
                .hasMessageContaining("NoBean.pay is not a method of a bean")
                .hasMessageContaining("Till.pay is a method of an interface")
                .hasMessageContaining("Base.pay is overridden in")
                .hasMessageNotContaining("Desk.valid");
    }

    @Test
    void failsTheBuild() {
        fail("the application was built");
    }

    @ApplicationScoped
    static class Desk {

        @Lock("secret")
        private void secret() {}

        @Lock("common")
        static void common() {}

        @Lock("last")
        final void last() {}

        @Lock("order:#{#basket.id}")
        void unknownParameter(Order order) {}

        @Lock("order:#{#order.number}")
        void unknownProperty(Order order) {}

        @Lock("future")
        Future<String> future() {
            return CompletableFuture.completedFuture("");
        }

        @Lock(name = "lease", leaseTime = "30")
        void lease() {}

        @Lock(name = "fallback", onBusy = OnBusy.FALLBACK, fallback = "nowhere")
        void fallback() {}

        @Lock(name = "valid:#{#order.id}", leaseTime = "${desk.lease}")
        void valid(Order order) {}
    }

    static class NoBean {

        @Lock("pay")
        void pay() {}
    }

    interface Till {

        @Lock("pay")
        void pay();
    }

    static class Base {

        @Lock("pay")
        void pay() {}
    }

    @ApplicationScoped
    static class Overriding extends Base {

        @Override
        void pay() {}
    }
}

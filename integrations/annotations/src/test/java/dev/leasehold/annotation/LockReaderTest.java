package dev.leasehold.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LockOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the annotation means without a framework, and which of its uses are errors. */
class LockReaderTest {

    /** An adapter that observes stages and Reactor's types. */
    private static class Plain implements LockDialect {
        @Override
        public Set<LockedMethod.Result> results() {
            return EnumSet.range(LockedMethod.Result.PLAIN, LockedMethod.Result.FLUX);
        }

        @Override
        public String resolve(String text) {
            return text.replace("${wait}", "7s");
        }
    }

    private static Method method(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static LockedMethod read(Class<?> type, String name, LockDialect dialect) {
        Method method = method(type, name);
        return new LockReader(method, type, method.getAnnotation(Lock.class), LockOptions.defaults(), dialect).read();
    }

    private static List<String> problems(String name, LockDialect dialect) {
        try {
            read(Wrong.class, name, dialect);
            return List.of();
        } catch (LockSetupException e) {
            return e.problems();
        }
    }

    static class Works {
        @Lock("a:#{#id}")
        public void byValue(String id) {}

        @Lock(name = "a", waitTime = "${wait}", leaseTime = "PT4S", onBusy = Lock.OnBusy.FALLBACK, fallback = "instead")
        public String withFallback(String id) {
            return "";
        }

        private String instead(String id) {
            return "";
        }

        @Lock("a")
        public CompletionStage<String> stage() {
            throw new UnsupportedOperationException();
        }

        @Lock("a")
        public Mono<String> mono() {
            return Mono.empty();
        }

        @Lock("a")
        public Publisher<String> publisher() {
            return Flux.empty();
        }
    }

    static class Wrong {
        @Lock(name = "a", waitTime = "999999999999999d")
        public void overflows() {}

        @Lock(value = "a", name = "b")
        public void twice() {}

        @Lock("a")
        public Flow.Publisher<String> flow() {
            throw new UnsupportedOperationException();
        }

        @Lock("a")
        public Mono<String> mono() {
            return Mono.empty();
        }

        @Lock(name = "a", release = Lock.Release.AFTER_TRANSACTION)
        public void afterTransaction() {}

        @Lock("a:#{#id.missing}")
        public void unknownProperty(String id) {}

        @Lock(name = "a", onBusy = Lock.OnBusy.FALLBACK, fallback = "returnsAnother")
        public String fallback() {
            return "";
        }

        Long returnsAnother() {
            return 1L;
        }
    }

    @Test
    void attributesAndTheirPlaceholdersAreRead() {
        LockedMethod method = read(Works.class, "withFallback", new Plain());
        assertThat(method.waitTime()).isEqualTo(Duration.ofSeconds(7));
        assertThat(method.options()).isNotNull();
        assertThat(method.options().leaseTime()).isEqualTo(Duration.ofSeconds(4));
        assertThat(method.fallback()).isEqualTo(method(Works.class, "instead"));
        assertThat(method.shown()).isEqualTo("Works.withFallback(String)");
        LockedMethod byValue = read(Works.class, "byValue", new Plain());
        assertThat(byValue.names()).hasToString("[a:#{#id}]");
        assertThat(byValue.options()).isNull();
    }

    @Test
    void theResultSaysWhenTheMethodHasEnded() {
        assertThat(read(Works.class, "byValue", new Plain()).result()).isEqualTo(LockedMethod.Result.PLAIN);
        assertThat(read(Works.class, "stage", new Plain()).result()).isEqualTo(LockedMethod.Result.STAGE);
        assertThat(read(Works.class, "mono", new Plain()).result()).isEqualTo(LockedMethod.Result.MONO);
        assertThat(read(Works.class, "publisher", new Plain()).result()).isEqualTo(LockedMethod.Result.FLUX);
    }

    @Test
    void aMistakeIsReportedWithItsRemedy() {
        assertThat(problems("twice", new Plain()))
                .containsExactly("Wrong.twice() has value and name, which are the same. Write one of them");
        assertThat(problems("flow", new Plain()))
                .singleElement()
                .asString()
                .contains("returns a Publisher, whose end cannot be observed")
                .endsWith("Return a CompletionStage, CompletableFuture, Mono or Flux");
        assertThat(problems("unknownProperty", new Plain()))
                .singleElement()
                .asString()
                .contains("java.lang.String has no public property missing");
        assertThat(problems("fallback", new Plain())).singleElement().asString().contains("returns Long");
    }

    @Test
    void aDurationThatIsTooLongIsRefusedAndNeverOverflows() {
        assertThat(problems("overflows", new Plain()))
                .singleElement()
                .asString()
                .contains("waitTime '999999999999999d' is not a duration");
    }

    @Test
    void whatTheAdapterDoesNotObserveIsRefused() {
        LockDialect stagesOnly = () -> EnumSet.of(LockedMethod.Result.PLAIN, LockedMethod.Result.STAGE);
        assertThat(problems("mono", new Plain())).isEmpty();
        assertThat(problems("mono", stagesOnly))
                .singleElement()
                .asString()
                .endsWith("Return a CompletionStage or CompletableFuture");
        assertThat(problems("afterTransaction", new Plain()))
                .singleElement()
                .asString()
                .contains("the end of a transaction cannot be observed here");
        assertThat(problems("afterTransaction", new Plain() {
                    @Override
                    public boolean knowsTransactions() {
                        return true;
                    }
                }))
                .isEmpty();
    }

    @Test
    void allProblemsAreInOneException() {
        assertThatThrownBy(() -> {
                    throw new LockSetupException(List.of("one", "two"));
                })
                .hasMessage("Invalid uses of @Lock:\n- one\n- two");
    }
}

package dev.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.annotation.Lock;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.javapoet.ClassName;

/** The hints for a native image; the test builds no image. */
class LockHintsTest {

    public record Order(String id) {}

    static class Work {
        @Lock(name = "order:#{#order.id}", onBusy = Lock.OnBusy.FALLBACK, fallback = "instead")
        public String pay(Order order) {
            return "paid";
        }

        String instead(Order order, LockNotAcquiredException busy) {
            return "busy";
        }
    }

    static class Plain {
        public void work() {}
    }

    @Test
    void theAnnotationIsRegistered() {
        RuntimeHints hints = new RuntimeHints();
        new LockHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Lock.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Lock.class)).accepts(hints);
    }

    @Test
    void methodsFallbacksAndArgumentsOfLockedBeansAreRegistered() throws Exception {
        RuntimeHints hints = hintsOf(Work.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(
                                Work.class.getDeclaredMethod("instead", Order.class, LockNotAcquiredException.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Order.class.getMethod("id")))
                .accepts(hints);
    }

    @Test
    void otherBeansGetNoHints() {
        assertThat(contribution(Plain.class)).isNull();
    }

    private static RuntimeHints hintsOf(Class<?> type) {
        DefaultGenerationContext context = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("planted", "Application")), new InMemoryGeneratedFiles());
        contribution(type).applyTo(context, null);
        return context.getRuntimeHints();
    }

    /** Returns the registrar as Spring finds it, through aot.factories. */
    private static BeanRegistrationAotContribution contribution(Class<?> type) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition("bean", new RootBeanDefinition(type));
        BeanRegistrationAotProcessor processor =
                AotServices.factories().load(BeanRegistrationAotProcessor.class).asList().stream()
                        .filter(LockedBeanHints.class::isInstance)
                        .findFirst()
                        .orElseThrow();
        return processor.processAheadOfTime(RegisteredBean.of(beans, "bean"));
    }
}

package dev.leasehold.spring;

import dev.leasehold.annotation.LockGate;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotationMetadata;

/** Defines the beans of {@link EnableLocks}. */
final class LockRegistrar implements ImportBeanDefinitionRegistrar {

    private static final String PREFIX = "dev.leasehold.spring.";

    LockRegistrar() {}

    @Override
    public void registerBeanDefinitions(AnnotationMetadata configuration, BeanDefinitionRegistry registry) {
        MergedAnnotation<EnableLocks> enabled = configuration.getAnnotations().get(EnableLocks.class);
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        if (enabled.getBoolean("proxyTargetClass")) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
        }
        RootBeanDefinition advisor = infrastructure(LockAdvisor.class);
        advisor.getPropertyValues().add("order", enabled.getInt("order"));
        register(registry, "lockAdvisor", advisor);
        register(registry, "lockVerifier", infrastructure(LockVerifier.class));
        register(registry, "lockGate", infrastructure(LockGate.class));
        if (SpringCalls.TRANSACTIONS) {
            register(registry, "transactionPhases", infrastructure(TransactionPhases.class));
        }
    }

    private static RootBeanDefinition infrastructure(Class<?> type) {
        RootBeanDefinition definition = new RootBeanDefinition(type);
        definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
        return definition;
    }

    private static void register(BeanDefinitionRegistry registry, String name, BeanDefinition definition) {
        if (!registry.containsBeanDefinition(PREFIX + name)) {
            registry.registerBeanDefinition(PREFIX + name, definition);
        }
    }
}

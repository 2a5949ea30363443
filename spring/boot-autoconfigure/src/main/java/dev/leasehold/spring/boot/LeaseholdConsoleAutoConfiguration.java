package dev.leasehold.spring.boot;

import dev.leasehold.Leasehold;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleDispatcher;
import jakarta.servlet.Servlet;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of the console under {@code /leasehold}, if {@code leasehold.console.enabled=true} and leasehold-console is
 * present. It is a servlet on the port of the application, also if the actuator has a port of its own: there are the users, their
 * roles and their sessions. Without Spring Security the application does not start, unless
 * {@code leasehold.console.allow-without-security=true}.
 */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnProperty(prefix = "leasehold.console", name = "enabled")
@ConditionalOnBean(Leasehold.class)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdConsoleAutoConfiguration {

    /** The name of Spring Security's filter in every version. */
    private static final String SECURITY = "springSecurityFilterChain";

    LeaseholdConsoleAutoConfiguration() {}

    /** The servlet. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Console.class, Servlet.class, ServletRegistrationBean.class})
    static class InServletApplication {

        @Bean(destroyMethod = "close")
        Console leaseholdConsole(Leasehold leasehold) {
            return Console.over(leasehold);
        }

        @Bean
        ConsoleStreams leaseholdConsoleStreams() {
            return new ConsoleStreams();
        }

        @Bean
        ServletRegistrationBean<ConsoleServlet> leaseholdConsoleServlet(
                Console console, ConsoleStreams streams, LeaseholdProperties properties, BeanFactory beans) {
            if (!properties.console().allowWithoutSecurity() && !beans.containsBean(SECURITY)) {
                throw new ConsoleSetupException(
                        "leasehold.console.enabled=true serves the console of locks on the port of this application, which has no"
                                + " Spring Security: there is no bean " + SECURITY
                                + ". Everybody who reaches the port could read the names and the holders of all locks.",
                        "Add spring-boot-starter-security. If something else protects /leasehold, such as a proxy before the"
                                + " application, set leasehold.console.allow-without-security=true.");
            }
            checkReaders(properties.console());
            ConsoleServlet servlet =
                    new ConsoleServlet(new ConsoleDispatcher(console), streams, new ConsoleUsers(properties.console()));
            ServletRegistrationBean<ConsoleServlet> registration =
                    new ServletRegistrationBean<>(servlet, ConsoleServlet.PATH + "/*");
            registration.setName("leaseholdConsole");
            return registration;
        }

        /** To have signed in is not enough: in many applications every customer has. */
        private static void checkReaders(LeaseholdProperties.Console console) {
            boolean role = StringUtils.hasText(console.role());
            if (role && console.allowEveryUser()) {
                throw new ConsoleSetupException(
                        "leasehold.console.role demands a role of those who read the console of locks, and"
                                + " leasehold.console.allow-every-user=true demands none.",
                        "Remove one of them.");
            }
            if (!role && !console.allowEveryUser() && !console.allowWithoutSecurity()) {
                throw new ConsoleSetupException(
                        "leasehold.console.enabled=true serves the names, holders, hosts and threads of all locks, and no property"
                                + " says which users may read them.",
                        "Set leasehold.console.role to the role of those who may, such as OPERATOR. If every user who signs in may,"
                                + " set leasehold.console.allow-every-user=true.");
            }
        }
    }

    /** A reactive application has no servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class InReactiveApplication {

        @Bean
        static BeanFactoryPostProcessor leaseholdConsoleInReactiveApplication() {
            return beans -> {
                throw new ConsoleSetupException(
                        "leasehold.console.enabled=true needs a servlet application, and this is a reactive one.",
                        "Remove the property, and use \"leasehold console\" of the command line instead.");
            };
        }
    }

    /** The property is set, and the module is missing. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication
    @ConditionalOnMissingClass("dev.leasehold.console.Console")
    static class WithoutItsModule {

        @Bean
        static BeanFactoryPostProcessor leaseholdConsoleWithoutItsModule() {
            return beans -> {
                throw new ConsoleSetupException(
                        "leasehold.console.enabled=true needs the module leasehold-console, which is not on the class path.",
                        "Add the dependency dev.leasehold:leasehold-console, or remove the property.");
            };
        }
    }
}

package dev.leasehold.spring.boot;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CookieCsrfTokenRepository;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.security.web.csrf.CsrfTokenRequestAttributeHandler;
import org.springframework.security.web.csrf.CsrfTokenRequestHandler;
import org.springframework.security.web.csrf.XorCsrfTokenRequestAttributeHandler;

/** Applications that differ in their security. */
public final class ConsoleApplications {

    /** A user whose name would forge a line of the log. */
    static final String HOSTILE_USER = "eve\nWARN Console, user 'olga'";

    private ConsoleApplications() {}

    /** What all have. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Users {
        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("olga")
                            .password("{noop}secret")
                            .roles("OPERATOR")
                            .build(),
                    User.withUsername(HOSTILE_USER)
                            .password("{noop}secret")
                            .roles("OPERATOR")
                            .build(),
                    User.withUsername("ulf")
                            .password("{noop}secret")
                            .roles("USER")
                            .build(),
                    User.withUsername("carl")
                            .password("{noop}secret")
                            .roles("CUSTOMER")
                            .build());
        }
    }

    /** With the protection against CSRF as it is by default. */
    @Configuration(proxyBeanMethods = false)
    public static class Secured extends Users {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutCsrf extends Users {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    /** Lets only operators read what the actuator shows of locks. */
    @Configuration(proxyBeanMethods = false)
    static class GuardedActuator extends Users {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/actuator/leasehold/**")
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    /** Can end the sessions of all users. */
    @Configuration(proxyBeanMethods = false)
    static class WithSessions extends Secured {
        @Bean
        Sessions sessions() {
            return new Sessions();
        }
    }

    /** The sessions of an application. */
    static final class Sessions implements HttpSessionListener {
        private final Set<HttpSession> open = ConcurrentHashMap.newKeySet();

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            open.add(event.getSession());
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            open.remove(event.getSession());
        }

        void end() {
            Set.copyOf(open).forEach(HttpSession::invalidate);
        }
    }

    /** Takes the token of a header as the cookie has it, as csrf.spa() of Spring Security 7. */
    @Configuration(proxyBeanMethods = false)
    static class ForSinglePage extends Users {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.csrfTokenRepository(CookieCsrfTokenRepository.withHttpOnlyFalse())
                            .csrfTokenRequestHandler(new PlainHeader()))
                    .build();
        }
    }

    private static final class PlainHeader implements CsrfTokenRequestHandler {
        private final CsrfTokenRequestHandler masked = new XorCsrfTokenRequestAttributeHandler();
        private final CsrfTokenRequestHandler plain = new CsrfTokenRequestAttributeHandler();

        @Override
        public void handle(HttpServletRequest request, HttpServletResponse response, Supplier<CsrfToken> token) {
            masked.handle(request, response, token);
        }

        @Override
        public String resolveCsrfTokenValue(HttpServletRequest request, CsrfToken token) {
            boolean header = request.getHeader(token.getHeaderName()) != null;
            return (header ? plain : masked).resolveCsrfTokenValue(request, token);
        }
    }

    /** Its security does not cover the path of the console. */
    @Configuration(proxyBeanMethods = false)
    static class LeftOpen extends Users {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.securityMatcher("/orders/**")
                    .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    /** Permits the path of the console to operators only. */
    @Configuration(proxyBeanMethods = false)
    static class ForOperators extends Users {
        @Bean
        SecurityFilterChain chain(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/leasehold/**")
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .authenticated())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }
}

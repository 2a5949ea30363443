package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Leasehold;
import dev.leasehold.console.Browser;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The page of the console in a browser, behind the login of an application. */
@Tag("full")
@WithRedis
class ConsolePageIT {

    private final EmbeddedRedis redis;
    private final Browser browser = Browser.open("en");
    private ConfigurableApplicationContext application;

    ConsolePageIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @AfterEach
    void stop() {
        browser.close();
        if (application != null) {
            application.close();
        }
    }

    private void open(Class<?> type) throws InterruptedException {
        application = new SpringApplicationBuilder(type)
                .properties(
                        "server.port=0",
                        "server.servlet.context-path=/shop",
                        "leasehold.uri=" + redis.uri(),
                        "leasehold.shutdown.timeout=0",
                        "leasehold.console.enabled=true",
                        "leasehold.console.role=USER",
                        "leasehold.console.actions-role=OPERATOR")
                .run();
        application.getBean(Leasehold.class).lock("job").acquire();
        browser.go(URI.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port")
                + "/shop/leasehold"));
    }

    private void signIn(String user) {
        browser.type("input[name=username]", user);
        browser.type("input[name=password]", "secret");
        browser.click("button[type=submit]");
    }

    @ParameterizedTest
    @ValueSource(classes = {ConsoleApplications.Secured.class, ConsoleApplications.ForSinglePage.class})
    void takesALockAwayWithTheProtectionAgainstCsrf(Class<?> type) throws InterruptedException {
        open(type);
        signIn("olga");
        browser.awaitText("tbody .lock-link", "job");
        browser.click("tbody .lock-link");
        browser.click("button[data-action=take]");
        browser.type("#action-name", "job");
        browser.type("#action-reason", "it hangs");
        browser.click("dialog button[type=submit]");
        browser.awaitText("#toast", "was taken away from its holder");
        browser.awaitText(".chip", "free");
        assertThat(application.getBean(Leasehold.class).lock("job").inspect()).isEmpty();
    }

    @Test
    void showsThatTheSessionHasEndedAndContinuesAfterSigningIn() throws InterruptedException {
        open(ConsoleApplications.WithSessions.class);
        signIn("ulf");
        browser.awaitText("tbody .lock-link", "job");
        application.getBean(ConsoleApplications.Sessions.class).end();
        browser.awaitText("main", "reload the page and sign in");
        browser.go(URI.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port")
                + "/shop/leasehold/"));
        signIn("ulf");
        browser.awaitText("tbody .lock-link", "job");
    }

    @Test
    void anActionAfterTheEndOfTheSessionSaysSo() throws InterruptedException {
        open(ConsoleApplications.WithSessions.class);
        signIn("olga");
        browser.awaitText("tbody .lock-link", "job");
        browser.click("tbody .lock-link");
        browser.click("button[data-action=take]");
        browser.type("#action-name", "job");
        browser.type("#action-reason", "it hangs");
        application.getBean(ConsoleApplications.Sessions.class).end();
        browser.click("dialog button[type=submit]");
        browser.awaitText("#toast", "This page has no session");
        assertThat(application.getBean(Leasehold.class).lock("job").inspect()).isPresent();
    }
}

package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The page in a real browser. Writes screenshots of every screen to {@code target/screenshots}. */
@Tag("full")
@WithRedis
class ConsoleBrowserIT {

    private static final Duration LIMIT = Browser.LIMIT;
    private static final String HOSTILE = "<script>alert(1)</script>";
    private static final String CONTROLS = "a\u0007b\u202Ec\\d";
    private static final String CONTROLS_SHOWN = "a\\u0007b\\u202ec\\\\d";
    private static final LockOptions LONG =
            LockOptions.builder().leaseTime(Duration.ofMinutes(5)).build();

    private static Browser browser;

    private final List<Leasehold> clients = new ArrayList<>();
    private EmbeddedRedis redis;
    private Leasehold leasehold;
    private Leasehold other;
    private Console console;
    private ConsoleServer server;

    @BeforeAll
    static void openBrowser() {
        browser = Browser.open("en-US");
    }

    @AfterAll
    static void closeBrowser() {
        browser.close();
    }

    @BeforeEach
    void start(EmbeddedRedis running) throws Exception {
        redis = running;
        leasehold = client();
        other = client();
        console = Console.over(leasehold);
        server = ConsoleServer.start(console, 0, true);
        browser.prefer("light");
        browser.go(server.uri());
        browser.awaitText("h1", "Held locks");
    }

    private Leasehold client() {
        Leasehold client = Leasehold.connect(redis.uri());
        clients.add(client);
        return client;
    }

    @AfterEach
    void stop() {
        List<String> complaints = browser.complaints();
        browser.forgetCookies();
        server.close();
        console.close();
        clients.forEach(Leasehold::close);
        assertThat(complaints)
                .filteredOn(line -> !line.contains("Failed to load resource"))
                .isEmpty();
    }

    /** Runs on a thread of this name, which inspection then shows. */
    private static <T> T on(String thread, Callable<T> work) {
        return begin(thread, work).join();
    }

    /** Begins on a thread of this name; a wait that the end of the test interrupts completes with an exception. */
    private static <T> CompletableFuture<T> begin(String thread, Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable body = () -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        };
        new Thread(body, thread).start();
        return result;
    }

    private void populate() {
        on("settlement-1", () -> other.lock("settlement:2026-11").with(LONG).acquire());
        on("worker-3", () -> other.lock("order:1017").ownedBy("billing").acquire());
        on(
                "http-nio-8080-exec-7",
                () -> other.lock("inventory/warehouse-3")
                        .with(LockOptions.builder()
                                .label("4bf92f3577b34da6a3ce929d0e0e4736")
                                .build())
                        .acquire());
        on("draw", () -> other.lock("彩票:2026-11-21").acquire());
        on("reader-1", () -> other.readWriteLock("catalogue").readLock().acquire());
        on("pool-1", () -> other.semaphore("gpu", 4).acquire());
        on("nightly", () -> other.lock(HOSTILE).acquire());
        on("nightly", () -> other.lock(CONTROLS).acquire());
        for (int i = 1; i <= 3; i++) {
            Leasehold waiter = client();
            begin("worker-" + (3 + i), () -> waiter.lock("order:1017").acquire());
        }
        begin("settlement-2", () -> leasehold.lock("settlement:2026-11").acquire());
    }

    @Test
    void theAddressLosesItsTokenAndWorksOnce() {
        assertThat(browser.address()).endsWith("/#/now");
        browser.awaitText("h2", "No lock is held");
        assertThat(URI.create(browser.address()).getPath()).matches("/[\\w-]{43}/");
        browser.screenshots("now-empty");
        browser.forgetCookies();
        browser.go(URI.create("about:blank"));
        browser.go(server.uri());
        browser.awaitText("main", "works once, in one browser");
        browser.screenshots("no-session");
    }

    @Test
    void showsHeldLocksByAge() {
        populate();
        browser.awaitText(".count", "8 held, 4 waiting");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(browser.texts("tbody .lock-link"))
                        .containsExactly(
                                "settlement:2026-11",
                                "order:1017",
                                "inventory/warehouse-3",
                                "彩票:2026-11-21",
                                "catalogue",
                                "gpu",
                                HOSTILE,
                                CONTROLS_SHOWN));
        String row = browser.texts("tbody tr").get(1);
        assertThat(row)
                .contains(
                        "billing",
                        "thread worker-3",
                        "process " + ProcessHandle.current().pid());
        assertThat(browser.texts("tbody tr").get(2)).contains("4bf92f3577b34da6a3ce929d0e0e4736");
        browser.awaitText("footer", "commands/s, a refresh every 1.0 s");
        browser.screenshots("now");
    }

    /** Writes how soon the rows are painted and how smoothly the page moves beside the screenshots. */
    @Test
    void showsTenThousandLocks() throws Exception {
        List<CompletableFuture<Lease>> acquired = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            acquired.add(other.lock("lock-" + i).with(LONG).acquireAsync().toCompletableFuture());
        }
        acquired.forEach(CompletableFuture::join);
        try (Console shown = Console.over(leasehold);
                ConsoleServer served = ConsoleServer.start(shown, 0, false)) {
            browser.go(URI.create("about:blank"));
            browser.go(served.uri());
            browser.awaitText(".count", "10,000 held");
            assertThat(browser.texts("tbody tr")).hasSize(200);
            browser.writeSmoothness("now-10000");
            browser.awaitText(".note", "The oldest 200 of 10,000 are shown");
            Matcher load = Pattern.compile("about ([\\d.]+) commands/s")
                    .matcher(browser.texts("footer").get(0));
            assertThat(load.find()).isTrue();
            assertThat(Double.parseDouble(load.group(1))).isBetween(1.0, 200.0);
        }
    }

    @Test
    void theTimeLeftMovesBetweenRefreshes() {
        on("main", () -> other.lock("moving").with(LONG).acquire());
        browser.awaitText("tbody .lock-link", "moving");
        String before = browser.find(".bar").getAttribute("aria-valuenow");
        await().atMost(LIMIT).until(() -> !before.equals(browser.find(".bar").getAttribute("aria-valuenow")));
        // A refresh may correct the time left by so much that the bar is full again.
        await().atMost(LIMIT)
                .until(() -> browser.find(".fill").getCssValue("transform").startsWith("matrix(0.9"));
    }

    @Test
    void updatesWhenAnotherProcessTakesALock() throws Exception {
        browser.awaitText("h2", "No lock is held");
        Process holder = Holder.start(redis.uri(), "elsewhere");
        try {
            browser.awaitText("tbody .lock-link", "elsewhere");
            browser.awaitText("tbody", "process " + holder.pid());
        } finally {
            holder.getOutputStream().close();
        }
        browser.awaitText("h2", "No lock is held");
    }

    @Test
    void searchesNames() {
        populate();
        browser.awaitText(".count", "8 held");
        browser.press("/");
        assertThat(browser.focused().getAttribute("id")).isEqualTo("search");
        browser.press("ORDER");
        browser.awaitText(".count", "1 of 8 held match");
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(browser.texts("tbody .lock-link")).containsExactly("order:1017"));
        browser.press("-nothing");
        browser.awaitText("h2", "No held lock matches");
    }

    @Test
    void showsHostileNamesAsText() {
        on(
                "main",
                () -> other.lock(HOSTILE)
                        .ownedBy("<img src=x onerror=alert(2)>")
                        .acquire());
        on("main", () -> other.lock(CONTROLS).acquire());
        browser.awaitText("tbody .lock-link", HOSTILE);
        browser.awaitText("tbody .lock-link", CONTROLS_SHOWN);
        browser.awaitText("tbody", "<img src=x onerror=alert(2)>");
        assertThat(browser.run("return document.querySelectorAll('main script, main img').length"))
                .isEqualTo(0L);
        browser.click("tbody tr:first-child .lock-link");
        browser.awaitText("h1", HOSTILE);
        browser.awaitText(".chip", "held");
    }

    @Test
    void showsOneLockWithQueueAndTimeline() {
        for (int i = 1; i <= 6; i++) {
            int n = i;
            Lease lease = on("worker-" + (n % 3), () -> other.lock("order:1017").acquire());
            browser.show("#/lock/order%3A1017");
            await().atMost(LIMIT).until(() -> browser.texts("svg rect.tenure").size() == n);
            lease.release();
            browser.awaitText(".chip", "free");
        }
        populate();
        browser.awaitText(".holder", "billing");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(browser.texts("table[aria-label='Queue'] tbody td:first-child"))
                        .containsExactly("1", "2", "3"));
        assertThat(browser.texts("table[aria-label='Queue'] tbody").get(0))
                .contains("thread worker-4", "thread worker-5", "thread worker-6", "the lock");
        assertThat(browser.texts("table[aria-label='Timeline'] tbody tr")).hasSize(7);
        browser.screenshots("lock");
    }

    @Test
    void showsABusyName() {
        browser.show("#/heat");
        populate();
        browser.awaitText("tbody", "order:1017");
        await().atMost(LIMIT).until(() -> browser.texts("tbody tr").get(0).contains("100%"));
        assertThat(browser.texts("tbody .lock-link").get(0)).isEqualTo("order:1017");
        browser.screenshots("heat");
    }

    @Test
    void showsADeadlockOfTwoProcesses() throws Exception {
        Process one = Holder.start(redis.uri(), "stock:7");
        Process two = Holder.start(redis.uri(), "<b>stock</b>");
        try {
            browser.show("#/waits");
            browser.awaitText("h2", "Nobody waits");
            for (String name : List.of("stock:7", "<b>stock</b>")) {
                await().atMost(LIMIT).until(() -> leasehold.lock(name).inspect().isPresent());
            }
            Holder.acquire(one, "<b>stock</b>");
            browser.awaitText("tbody .lock-link", "<b>stock</b>");
            browser.awaitText(".count", "1 waiting, deadlocks: 0");
            populate();
            Holder.acquire(two, "stock:7");
            browser.awaitText(".deadlock h2", "Deadlock");
            browser.awaitText(".deadlock li", "process " + one.pid());
            browser.awaitText(".picture", "<b>stock</b>");
            assertThat(browser.texts("svg .arrow.red")).hasSize(2);
            assertThat(browser.run("return document.querySelectorAll('main b').length"))
                    .isEqualTo(0L);
            browser.open(".deadlock summary", ".deadlock pre", "acquire");
            // What others do meanwhile does not close it.
            begin("settlement-3", () -> leasehold.lock("settlement:2026-11").acquire());
            browser.awaitText("tbody", "settlement-3");
            browser.awaitText(".deadlock pre", "acquire");
            browser.screenshots("waits");
        } finally {
            one.destroyForcibly();
            two.destroyForcibly();
        }
    }

    @Test
    void showsManyWaitersOfOneLockWithoutDrawingEach() {
        on("main", () -> other.lock("job").with(LONG).acquire());
        for (int i = 0; i < 20; i++) {
            begin("worker-" + i, () -> leasehold.lock("job").acquire());
        }
        browser.show("#/waits");
        browser.awaitText(".count", "20 waiting, deadlocks: 0");
        browser.awaitText("svg .more", "+14");
        assertThat(browser.texts("svg .party")).hasSize(7);
        browser.screenshots("waits-many");
    }

    @Test
    void showsTheServers() {
        browser.show("#/servers");
        browser.awaitText(".finding", "maxmemory-policy");
        browser.awaitText(".count", "Checked");
        browser.screenshots("servers");
    }

    @Test
    void asksTheHolderToRelease() throws Exception {
        CompletableFuture<Boolean> asked = new CompletableFuture<>();
        Lease lease = other.lock("job")
                .with(LockOptions.builder().leaseTime(Duration.ofSeconds(15)).build())
                .acquire();
        lease.onReleaseRequested(request -> asked.complete(true));
        browser.show("#/lock/job");
        browser.awaitText(".chip", "held");
        browser.click("button[data-action=release]");
        browser.type("#action-name", "jo");
        browser.type("#action-reason", "deployment");
        assertThat(browser.find("dialog button[type=submit]").isEnabled()).isFalse();
        browser.type("#action-name", "b");
        browser.screenshots("dialog");
        browser.press(Keys.ENTER);
        browser.awaitText("#toast", "The holder of job was asked to release it.");
        assertThat(asked).succeedsWithin(LIMIT);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void takesALockAwayAfterItsNameWasTypedIn() throws Exception {
        other.lock(CONTROLS).with(LONG).acquire();
        browser.awaitText("tbody .lock-link", CONTROLS_SHOWN);
        browser.click("tbody .lock-link");
        browser.click("button[data-action=take]");
        browser.type("#action-name", CONTROLS_SHOWN);
        browser.type("#action-reason", "the holder hangs");
        browser.click("dialog button[type=submit]");
        browser.awaitText("#toast", "was taken away from its holder");
        browser.awaitText(".chip", "free");
        assertThat(leasehold.lock(CONTROLS).inspect()).isEmpty();
    }

    @Test
    void escapeLeavesTheDialogAndNothingIsDone() throws Exception {
        other.lock("job").with(LONG).acquire();
        browser.show("#/lock/job");
        browser.click("button[data-action=take]");
        browser.press(Keys.ESCAPE);
        await().atMost(LIMIT).until(() -> browser.texts("dialog").isEmpty());
        assertThat(leasehold.lock("job").inspect()).isPresent();
    }

    @Test
    void showsNoActionsUnlessTheyAreOpen() throws Exception {
        other.lock("job").with(LONG).acquire();
        try (Console closed = Console.over(leasehold);
                ConsoleServer served = ConsoleServer.start(closed, 0, false)) {
            browser.go(served.uri());
            browser.awaitText("tbody .lock-link", "job");
            browser.click("tbody .lock-link");
            browser.awaitText(".chip", "held");
            assertThat(browser.texts("button[data-action]")).isEmpty();
        }
    }

    @Test
    void switchesTheLanguage() {
        populate();
        browser.awaitText("tbody .lock-link", "order:1017");
        browser.click("#language");
        browser.awaitText("h1", "被持有的锁");
        browser.awaitText(".count", "持有 8 把，等待 4 个");
        assertThat(browser.find("html").getAttribute("lang")).isEqualTo("zh-CN");
        browser.screenshots("now-zh");
        browser.show("#/servers");
        browser.awaitText("h1", "服务器");
        browser.click("#language");
        browser.awaitText("h1", "Servers");
    }

    @Test
    void beginsInTheLanguageOfTheBrowser() throws Exception {
        try (Browser chinese = Browser.open("zh-CN");
                Console shown = Console.over(leasehold);
                ConsoleServer served = ConsoleServer.start(shown, 0, false)) {
            chinese.go(served.uri());
            chinese.awaitText("h2", "没有锁被持有");
        }
    }

    @Test
    void followsThePreferredColoursUntilTheSwitchIsUsed() {
        assertThat(theme()).isEqualTo("light");
        browser.prefer("dark");
        await().atMost(LIMIT).until(() -> theme().equals("dark"));
        browser.click("#theme");
        assertThat(theme()).isEqualTo("light");
        browser.prefer("light");
        browser.prefer("dark");
        assertThat(theme()).isEqualTo("light");
    }

    private static String theme() {
        return String.valueOf(browser.run("return document.documentElement.dataset.theme"));
    }

    @Test
    void keepsTheLastStateWhileRedisIsGoneAndRecovers() {
        populate();
        browser.awaitText(".count", "8 held");
        redis.kill();
        browser.awaitText("#banner", "Redis does not answer. This is the state of");
        assertThat(browser.texts("tbody .lock-link")).contains("order:1017");
        browser.screenshots("redis-gone");
        redis.restart();
        await().atMost(LIMIT).until(() -> !browser.find("#banner").isDisplayed());
    }

    @Test
    void saysThatRedisHasNeverAnswered() throws Exception {
        redis.kill();
        try (Console shown = Console.over(leasehold);
                ConsoleServer served = ConsoleServer.start(shown, 0, false)) {
            browser.go(served.uri());
            browser.awaitText("h2", "Redis does not answer");
            browser.screenshots("redis-never");
            redis.restart();
            browser.awaitText("h2", "No lock is held");
        }
    }

    @Test
    void saysThatTheConsoleIsGone() {
        populate();
        browser.awaitText(".count", "8 held");
        server.close();
        browser.awaitText("#banner", "The console does not answer. This is the state of");
        assertThat(browser.texts("tbody .lock-link")).contains("order:1017");
    }

    @Test
    void isUsableByKeyboard() {
        on("main", () -> other.lock("job").with(LONG).acquire());
        browser.awaitText("tbody .lock-link", "job");
        browser.press("2");
        browser.awaitText("h1", "Who waits for whom");
        browser.press("3");
        browser.awaitText("h1", "Busy locks");
        browser.press("4");
        browser.awaitText("h1", "Servers");
        browser.press("1");
        browser.awaitText("tbody .lock-link", "job");
        await().atMost(LIMIT).until(() -> {
            browser.press(Keys.TAB);
            return "job".equals(browser.focused().getText());
        });
        browser.press(Keys.ENTER);
        browser.awaitText("h1", "job");
    }

    /** A button, link, field, table or bar without a name says nothing to a screen reader. */
    @Test
    void everythingHasAName() {
        populate();
        for (String screen : List.of("#/now", "#/lock/order%3A1017", "#/waits", "#/heat", "#/servers")) {
            browser.show(screen);
            browser.awaitText("main", screen.equals("#/servers") ? "maxmemory-policy" : "order:1017");
            assertThat(browser.run(
                            "return [...document.querySelectorAll('a, button, input, nav, table, [role=meter], svg[role=img]')]"
                                    + ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()))"
                                    + ".map(e => e.outerHTML)"))
                    .isEqualTo(List.of());
        }
    }
}

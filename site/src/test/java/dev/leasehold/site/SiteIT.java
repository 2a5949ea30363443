package dev.leasehold.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.console.Browser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The site that {@code site/build} makes, in a real browser. Writes screenshots to {@code target/screenshots}. */
@Tag("full")
class SiteIT {

    private static final String PAGES = """
            index.html | Leasehold | home
            zh/index.html | Leasehold | home-zh
            tutorial/first-lock.html | Your first lock | tutorial
            zh/tutorial/first-lock.html | 第一把锁 | tutorial-zh
            how-to/fencing-token.html | Fence a database write | how-to
            zh/how-to/fencing-token.html | 用栅栏令牌保护数据库写入 | how-to-zh
            reference/defaults.html | Options and defaults | reference
            zh/reference/defaults.html | 选项与默认值 | reference-zh
            explanation/how-it-works.html | How it works | explanation
            zh/explanation/how-it-works.html | 工作原理 | explanation-zh
            """;

    private static StaticFiles files;
    private static Browser browser;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        Process build = new ProcessBuilder("./build").redirectErrorStream(true).start();
        String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(build.waitFor()).as("site/build: %s", said).isZero();
        files = StaticFiles.of(Path.of("dist"));
        browser = Browser.open("en-US");
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
            files.close();
        }
    }

    @BeforeEach
    void light() {
        browser.prefer("light");
        browser.wide();
    }

    @AfterEach
    void nothingCameFromElsewhereOrFailed() {
        browser.forgetCookies();
        List<?> requested = (List<?>) browser.run("return performance.getEntriesByType('resource').map(e => e.name)");
        assertThat(requested)
                .isNotEmpty()
                .allSatisfy(address -> assertThat(address.toString())
                        .matches(name -> name.startsWith(files.page("").toString()) || name.startsWith("data:")));
        assertThat(browser.complaints()).isEmpty();
    }

    private static void open(String page, String title) {
        browser.go(files.page(page));
        browser.awaitText("h1", title);
        // Until the scripts of the page have taken over, its buttons do nothing.
        await().atMost(Browser.LIMIT)
                .until(
                        () -> browser.run("return document.querySelector('#app').__vue_app__ !== undefined"),
                        done -> done.equals(true));
    }

    /** Writes what the window shows once nothing in it moves or fades any more. */
    private static void screenshot(String name) {
        await().atMost(Browser.LIMIT)
                .until(() -> browser.run("return document.getAnimations().length"), running -> running.equals(0L));
        browser.screenshot(name);
    }

    private static boolean isDark() {
        return (boolean) browser.run("return document.documentElement.classList.contains('dark')");
    }

    private static long widthBeyondTheWindow() {
        return (long) browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
    }

    /** By how much the picture of the home page is below the first 800 pixels; 0 on other pages. */
    private static long pictureBelowTheFirstScreen() {
        return (long) browser.run("const picture = document.querySelector('.first-screen img');"
                + "return picture === null ? 0 : Math.round(picture.getBoundingClientRect().bottom + scrollY) - 800");
    }

    @ParameterizedTest
    @CsvSource(textBlock = PAGES, delimiter = '|')
    void aPageFitsIntoEveryWindowAndItsPicturesAreThere(String page, String title, String name) {
        open(page, title);
        for (String colours : List.of("light", "dark")) {
            browser.prefer(colours);
            await().atMost(Browser.LIMIT).until(() -> isDark() == colours.equals("dark"));
            browser.wide();
            screenshot(name + "-" + colours);
            assertThat(widthBeyondTheWindow()).isZero();
            assertThat(pictureBelowTheFirstScreen()).isNotPositive();
            assertThat(browser.texts(".VPNavBarMenuLink.active")).hasSize(page.endsWith("index.html") ? 0 : 1);
            browser.narrow();
            screenshot(name + "-" + colours + "-narrow");
            assertThat(widthBeyondTheWindow()).isZero();
        }
        assertThat((List<?>)
                        browser.run("return [...document.images].filter(i => i.naturalWidth === 0).map(i => i.src)"))
                .isEmpty();
        assertThat(browser.run("return document.documentElement.lang"))
                .isEqualTo(page.startsWith("zh/") ? "zh-CN" : "en");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            index.html | frozen | search
            zh/index.html | 看门狗 | search-zh
            """, delimiter = '|')
    void theSearchFindsPages(String page, String words, String name) {
        open(page, "Leasehold");
        browser.click(".VPNavBarSearch button");
        browser.awaitText(".VPLocalSearchBox", "");
        browser.type(".VPLocalSearchBox input", words);
        await().atMost(Browser.LIMIT)
                .until(() -> browser.texts(".VPLocalSearchBox .result"), results -> results.size() > 2);
        screenshot(name);
        browser.click(".VPLocalSearchBox .result");
        browser.awaitText(".vp-doc", words);
        assertThat(browser.address()).isNotEqualTo(files.page(page).toString());
    }

    @Test
    void theSwitchOfColoursIsKept() {
        open("explanation/how-it-works.html", "How it works");
        assertThat(isDark()).isFalse();
        browser.click(".VPNavBarAppearance .VPSwitchAppearance");
        await().atMost(Browser.LIMIT).until(SiteIT::isDark);
        browser.run("document.querySelector('.vp-doc img').scrollIntoView()");
        screenshot("switched-to-dark");
        open("reference/defaults.html", "Options and defaults");
        assertThat(isDark()).isTrue();
        assertThat(browser.run("return getComputedStyle(document.documentElement).colorScheme"))
                .isEqualTo("dark");
        browser.click(".VPNavBarAppearance .VPSwitchAppearance");
        await().atMost(Browser.LIMIT).until(() -> !isDark());
    }

    @ParameterizedTest
    @CsvSource({"protocol.html, zh/protocol.html", "how-to/leases.html, zh/how-to/leases.html"})
    void theMenuOfLanguagesLeadsToTheSamePage(String english, String chinese) {
        browser.go(files.page(english));
        browser.awaitText("h1", "");
        assertThat(browser.run("return [...document.querySelectorAll('.VPNavBarTranslations a')].map(a => a.href)"))
                .isEqualTo(List.of(files.page(chinese).toString()));
        browser.go(files.page(chinese));
        browser.awaitText("h1", "");
    }

    /** The check of the build, on a page with one of each mistake. */
    @Test
    void theCheckFindsWhatIsWrong(@TempDir Path planted) throws IOException, InterruptedException {
        open("index.html", "Leasehold");
        Files.writeString(planted.resolve("index.html"), """
                <a href="#gone">a</a><a href="/gone.html">b</a><img src="//cdn.example/a.png" alt="a > b">
                <link rel="stylesheet" href="https://cdn.example/a.css"><p style="background: url(https://cdn.example/b.png)">
                """);
        Files.writeString(planted.resolve("a.css"), """
                @import "https://cdn.example/c.css";
                @import url('//cdn.example/f.css');
                a { background: url(//cdn.example/d.png) }
                """);
        Files.createDirectory(planted.resolve("api"));
        Files.writeString(
                planted.resolve("api/index.html"), "<p id=\"&lt;init&gt;()\">a</p><a href=\"#%3Cinit%3E()\">b</a>");
        Files.writeString(planted.resolve("a.js"), "fetch('https://cdn.example/e.json'); import('./a.js')");
        Process check = new ProcessBuilder("node", "check.mjs", planted.toString()).start();
        String said = new String(check.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).isEqualTo(1);
        assertThat(said.lines())
                .containsExactly(
                        "a.css loads //cdn.example/d.png from the network",
                        "a.css loads //cdn.example/f.css from the network",
                        "a.css loads https://cdn.example/c.css from the network",
                        "a.js loads https://cdn.example/e.json from the network",
                        "index.html does not link to /api/index.html, although the site has Javadoc",
                        "index.html links to #gone, but index.html has no such anchor",
                        "index.html links to /gone.html, which is not there",
                        "index.html loads //cdn.example/a.png from the network",
                        "index.html loads https://cdn.example/a.css from the network",
                        "index.html loads https://cdn.example/b.png from the network",
                        "zh/index.html does not link to /api/index.html, although the site has Javadoc");
    }
}

package dev.leasehold.console;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;

/** Debian's chromium without a window. The tests of leasehold-spring-boot-autoconfigure and of the site use it, too. */
public final class Browser implements AutoCloseable {

    public static final Duration LIMIT = Duration.ofSeconds(60);

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 800;
    private static final int NARROW_WIDTH = 390;
    private static final int NARROW_HEIGHT = 844;
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    public static Browser open(String language) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium").toString());
        options.addArguments(
                "--headless=new",
                // Chromium's own sandbox does not work for root, as whom CI runs.
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--lang=" + language,
                "--window-size=" + WIDTH + "," + HEIGHT);
        options.setExperimentalOption("prefs", Map.of("intl.accept_languages", language));
        options.setCapability("goog:loggingPrefs", Map.of(LogType.BROWSER, "ALL"));
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").toFile())
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.size(WIDTH, HEIGHT);
        return browser;
    }

    private static Path program(String name) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(name + " is not installed"));
    }

    public void go(URI address) {
        driver.get(address.toString());
    }

    public String address() {
        return driver.getCurrentUrl();
    }

    /** Opens a screen of the page by its address behind the #. */
    void show(String screen) {
        driver.executeScript("location.hash = arguments[0]", screen);
    }

    public Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    public WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    /** Returns what the shown elements say, all of one moment. */
    public List<String> texts(String css) {
        Object texts = driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())"
                        + ".map(e => e.innerText ?? e.textContent)",
                css);
        return ((List<?>) texts).stream().map(String::valueOf).toList();
    }

    /** Waits until an element is shown with this text somewhere in it. */
    public void awaitText(String css, String text) {
        await().atMost(LIMIT).until(() -> texts(css).stream().anyMatch(shown -> shown.contains(text)));
    }

    /** Clicks an element once it is there; a refresh may have replaced the one found first. */
    public void click(String css) {
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> {
                    find(css).click();
                    return true;
                });
    }

    /** Clicks an element until another one shows a text: a refresh may have replaced what was opened first. */
    public void open(String css, String opened, String text) {
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> {
                    if (texts(opened).stream().noneMatch(shown -> shown.contains(text))) {
                        find(css).click();
                    }
                    return texts(opened).stream().anyMatch(shown -> shown.contains(text));
                });
    }

    public void type(String css, String text) {
        find(css).sendKeys(text);
    }

    void press(Keys key) {
        driver.switchTo().activeElement().sendKeys(key);
    }

    void press(String keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    /** Makes the browser prefer light or dark colours. */
    public void prefer(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    private void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    public void narrow() {
        size(NARROW_WIDTH, NARROW_HEIGHT);
    }

    public void wide() {
        size(WIDTH, HEIGHT);
    }

    /** Writes what the window shows. */
    public void screenshot(String name) {
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the screen in light and dark colours, and on a narrow window. */
    void screenshots(String name) {
        prefer("light");
        screenshot(name + "-light");
        prefer("dark");
        screenshot(name + "-dark");
        prefer("light");
        narrow();
        screenshot(name + "-narrow");
        wide();
    }

    /** Watches the page for some refreshes, and writes when the first states were shown, and what held the page up. */
    void writeSmoothness(String name) throws IOException {
        Object figures = driver.executeAsyncScript("""
                const done = arguments[0];
                const seen = { tasks: [] };
                new PerformanceObserver((list) => list.getEntries().forEach((entry) => seen.tasks.push(entry.duration)))
                  .observe({ type: 'longtask', buffered: true });
                const frames = [];
                const start = performance.now();
                let last = start;
                const frame = (now) => {
                  frames.push(now - last);
                  last = now;
                  if (now - start < 10000) {
                    requestAnimationFrame(frame);
                  } else {
                    frames.sort((a, b) => a - b);
                    const states = performance.getEntriesByName('leasehold-state').map((mark) => Math.round(mark.startTime));
                    done(`states shown ${states.slice(0, 3).join(', ')} ms after the beginning of the load; in 10 s `
                      + `${frames.length} frames, the longest ${Math.round(frames.at(-1))} ms, `
                      + `p99 ${Math.round(frames[Math.floor(frames.length * 0.99)])} ms; `
                      + `tasks of more than 50 ms since the load: ${seen.tasks.map(Math.round).join(', ') || 'none'}`);
                  }
                };
                requestAnimationFrame(frame);
                """);
        Files.createDirectories(SCREENSHOTS);
        Files.writeString(SCREENSHOTS.resolve(name + ".txt"), figures + "\n");
    }

    /** Returns what the console of the browser said since the last call: refusals of the policy, and errors of scripts. */
    public List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    public void forgetCookies() {
        driver.manage().deleteAllCookies();
        driver.executeScript("localStorage.clear()");
    }

    @Override
    public void close() {
        driver.quit();
    }
}

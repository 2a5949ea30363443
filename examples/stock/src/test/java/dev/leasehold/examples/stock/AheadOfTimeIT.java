package dev.leasehold.examples.stock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.File;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * The application works with beans processed ahead of time, as by {@code process-aot} of Boot's plugin, and started
 * with {@code -Dspring.aot.enabled=true}. The test builds no native image.
 */
@WithRedis
class AheadOfTimeIT {

    @TempDir
    Path directory;

    @Tag("long")
    @Test
    void theApplicationSellsWithBeansProcessedAheadOfTime(EmbeddedRedis redis) throws Exception {
        Path sources = Files.createDirectory(directory.resolve("sources"));
        Path resources = Files.createDirectory(directory.resolve("resources"));
        Path classes = Files.createDirectory(directory.resolve("classes"));
        String classPath = System.getProperty("java.class.path");
        run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                SpringApplicationAotProcessor.class.getName(),
                StockApplication.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "dev.leasehold",
                "stock",
                "--stock.process=ahead",
                "--stock.database=jdbc:h2:mem:none");
        assertThat(classes.resolve("dev/leasehold/examples/stock"))
                .as("the proxy of the locked bean")
                .isDirectoryContaining("glob:**Stock$$SpringCGLIB*");
        compile(sources, classes, classPath);

        try (Shop shop = new Shop(1, 1);
                StockProcess process = StockProcess.start(
                        "ahead",
                        shop.url(),
                        redis,
                        HttpClient.newHttpClient(),
                        String.join(File.pathSeparator, classes.toString(), resources.toString(), classPath),
                        true)) {
            process.awaitReady();
            HttpResponse<String> sold = process.order("first", 0).join();
            assertThat(sold.body()).isEqualTo("SOLD");
            assertThat(process.order("second", 0).join().body()).isEqualTo("SOLD_OUT");
            assertThat(process.counters()).containsEntry("entered", 2L);
        }
    }

    private static void compile(Path sources, Path classes, String classPath) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-nowarn", "-d", classes.toString(), "-cp"));
        arguments.add(classes + File.pathSeparator + classPath);
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}

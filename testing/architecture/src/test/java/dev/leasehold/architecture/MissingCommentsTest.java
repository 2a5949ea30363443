package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.junit.jupiter.api.Test;

/** Every visible element has a comment. */
class MissingCommentsTest {
    private static final String PLANTED = """
            package planted;
            public final class Planted {
                public static final int LIMIT = 1;
                Planted() {}
                public void act() {}
                @Override
                public String toString() {
                    Object local = new Object() {
                        public void inside() {}
                    };
                    return "";
                }
                /** Described. */
                public void described() {}
                public interface Face {
                    void look();
                }
                public record Point(int x) {
                    public Point {}
                }
                private static final class Hidden {
                    public void act() {}
                }
            }
            """;

    @Test
    void areNowhereInThePublishedPackages() {
        List<Path> sources = Repository.publishedModules().stream()
                .map(module -> Repository.folder(module).resolve("src/main/java"))
                .filter(Files::isDirectory)
                .flatMap(root -> exported(root, ".java"))
                .toList();
        assertThat(sources).isNotEmpty();
        assertThat(MissingComments.in(sources)).isEmpty();
    }

    @Test
    void areNowhereInPublicKotlin() {
        List<Path> sources = Repository.publishedModules().stream()
                .map(module -> Repository.folder(module).resolve("src/main/java"))
                .filter(Files::isDirectory)
                .flatMap(root -> exported(root, ".kt"))
                .toList();
        assertThat(sources).isNotEmpty();
        assertThat(sources.stream()
                        .flatMap(file -> MissingKotlinComments.in(file.toString(), Repository.read(file)).stream()))
                .isEmpty();
    }

    @Test
    void areFoundInKotlinWhereTheyArePlanted() {
        assertThat(MissingKotlinComments.in("Planted.kt", """
                        /** Described. */
                        @Suppress("x")
                        public fun described(): Int = 1

                        public fun planted(): Int = 1

                        internal fun hidden(): Int = 1
                        /** Described. */
                        public class Described {
                            public val planted: Int = 1
                        }
                        """))
                .containsExactly(
                        "Planted.kt:5: public fun planted(): Int = 1 has no comment",
                        "Planted.kt:10: public val planted: Int = 1 has no comment");
    }

    private static Stream<Path> exported(Path root, String ending) {
        try (Stream<Path> files = Files.walk(root)) {
            return files
                    .filter(file -> file.toString().endsWith(ending))
                    .filter(file ->
                            !Unit.isInternal(root.relativize(file).toString().replace('/', '.')))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void areFoundWhereTheyArePlanted() throws IOException {
        JavaFileObject source = new SimpleJavaFileObject(URI.create("Planted.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return PLANTED;
            }
        };
        assertThat(MissingComments.in(List.of(source)))
                .containsExactly(
                        "Planted.java:2: Planted has no comment",
                        "Planted.java:3: LIMIT has no comment",
                        "Planted.java:5: act has no comment",
                        "Planted.java:15: Face has no comment",
                        "Planted.java:16: look has no comment",
                        "Planted.java:18: Point has no comment");
    }
}

package dev.leasehold.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.architecture.sample.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SignaturesTest {
    private static final String PACKAGE = "dev.leasehold.architecture.sample.";

    @Test
    void showAllThatUsersCanSeeAndNothingElse() {
        assertThat(text().lines())
                .containsExactly(
                        "public abstract class Sample<T extends Comparable<? super T>> extends Hidden"
                                + " implements AutoCloseable",
                        "    public static final int LIMIT",
                        "    protected @Nullable String label",
                        "    protected Sample(int[])",
                        "    public abstract <E extends java.io.IOException> java.util.List<? extends T>"
                                + " all(java.util.Map<String, @Nullable T>, E[]) throws E",
                        "    public String fromAbove()",
                        "    protected void inherited(java.util.function.Consumer<?>)",
                        "    @Deprecated public final @Nullable String old()",
                        "public static enum Sample.Kind",
                        "    enum constant FAIR",
                        "    enum constant PLAIN",
                        "    public boolean fair()",
                        "public static record Sample.Point(int x, @Nullable String name)",
                        "    public Point(int)",
                        "    public Point(int, @Nullable String)",
                        "public static final class Sample.Round implements Sample.Shape",
                        "    public Round()",
                        "public static sealed interface Sample.Shape permits Sample.Round",
                        "    default int corners()",
                        "    static Sample.Shape round()");
    }

    private static String text() {
        Signatures signatures = new Signatures(c -> c.getName().startsWith(PACKAGE));
        List<String> lines = Stream.concat(Stream.of(Sample.class), Arrays.stream(Sample.class.getDeclaredClasses()))
                .sorted((a, b) -> a.getName().compareTo(b.getName()))
                .filter(signatures::isVisible)
                .flatMap(c -> signatures.of(c).stream())
                .toList();
        return String.join("\n", lines).replace(PACKAGE, "");
    }

    @Test
    void thatChangedAreShownUnderTheirClassWithTheWayToAcceptThem() {
        List<String> promised = List.of("public class A", "    void stays()", "    void goes()", "", "public class B");
        List<String> actual = List.of("public class A", "    void stays()", "    int comes()", "", "public class B");
        assertThat(PublicSignaturesTest.complaint("leasehold-core", promised, actual))
                .contains("  public class A\n-     void goes()\n+     int comes()\n\nIf")
                .contains("api/leasehold-core.txt")
                .contains(PublicSignaturesTest.ACCEPT);
        assertThat(PublicSignaturesTest.complaint("leasehold-core", promised, promised))
                .isEmpty();
    }

    @Test
    void ofANewClassAppearUnderTheirOwnHeading() {
        List<String> promised = List.of("# module", "", "public class A");
        List<String> actual = List.of("# module", "", "public class New", "    void comes()", "", "public class A");
        assertThat(LineDiff.of(promised, actual))
                .contains("+ public class New", "+     void comes()")
                .noneMatch(line -> line.contains("public class A"));
    }
}

package dev.leasehold.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.places.Place0000;
import dev.leasehold.spi.TimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is said of the place where a lease was taken, which whoever forgot to release it looks for. */
class CallSitesTest {

    private static final String PLACE = Place0000.class.getName();

    private static final long INTERVAL = 1_000_000;

    private long now;
    private long step = INTERVAL;

    private final CallSites sites = new CallSites(new TimeSource() {
        @Override
        public long nanoTime() {
            now += step;
            return now;
        }

        @Override
        public long wallMillis() {
            throw new UnsupportedOperationException();
        }
    });

    /** A lease that is leaked in a busy client is as likely as not one of the place that was looked up last. */
    @Test
    void withinAMillisecondOnePlaceIsLookedUp() {
        String place = Place0000.take(sites::here);
        step = INTERVAL - 1;
        assertThat(Place0000.take(sites::here, 0)).isEqualTo("a place that was not recorded, perhaps " + place);
        step = INTERVAL;
        assertThat(Place0000.take(sites::here, 0)).endsWith("(Place0000.java:28)");
    }

    /** One more frame of the engine, and one of its lambdas: neither is shown. */
    private String throughTheEngine() {
        Supplier<String> deeper = () -> sites.here();
        return deeper.get();
    }

    @Test
    void theFirstFrameOutsideOfTheEngineIsShownWithItsLine() {
        assertThat(Place0000.take(sites::here)).isEqualTo(PLACE + ".take(Place0000.java:23)");
        assertThat(Place0000.take(this::throughTheEngine)).isEqualTo(PLACE + ".take(Place0000.java:23)");
    }

    @Test
    void methodsOfOneNameAreToldApart() {
        // Both call at the same index of their code, so that only their parameters differ.
        assertThat(Place0000.take(sites::here)).endsWith("(Place0000.java:23)");
        assertThat(Place0000.take(sites::here, 0)).endsWith("(Place0000.java:28)");
        assertThat(Place0000.take(sites::here)).endsWith("(Place0000.java:23)");
    }

    @Test
    void twoCallsOfOneMethodAreToldApart() {
        assertThat(Place0000.takeTwice(sites::here))
                .containsExactly(PLACE + ".takeTwice(Place0000.java:39)", PLACE + ".takeTwice(Place0000.java:40)");
    }

    @Test
    void aCallFromALambdaIsShownByTheClassThatWroteIt() {
        assertThat(Place0000.takeInLambda(sites::here))
                .startsWith(PLACE + ".lambda$takeInLambda$")
                .endsWith("(Place0000.java:33)");
    }

    @Test
    void aPlaceIsResolvedOnce() {
        Place0000 place = new Place0000(sites::here);
        assertThat(place.get()).isSameAs(place.get());
    }

    @Test
    void aThousandPlacesAreKeptAndTheOthersAreShownAllTheSame() throws Exception {
        List<Supplier<String>> places = new ArrayList<>();
        for (int i = 1; i <= 1001; i++) {
            places.add(another(i));
        }
        List<String> shown = places.stream().map(Supplier::get).toList();
        assertThat(shown).doesNotHaveDuplicates().allMatch(text -> text.endsWith(".get(Place0000.java:18)"));
        for (int i = 0; i < 1000; i++) {
            assertThat(places.get(i).get()).isSameAs(shown.get(i));
        }
        // Resolved anew: nothing more is kept.
        assertThat(places.get(1000).get()).isEqualTo(shown.get(1000)).isNotSameAs(shown.get(1000));
    }

    /** A place in a class of its own, as code that is generated has them. */
    private Supplier<String> another(int number) throws ReflectiveOperationException, IOException {
        String name = PLACE.replace("0000", String.format(Locale.ROOT, "%04d", number));
        byte[] code = Objects.requireNonNull(read(Place0000.class.getResourceAsStream("Place0000.class")));
        String renamed =
                new String(code, StandardCharsets.ISO_8859_1).replace(PLACE.replace('.', '/'), name.replace('.', '/'));
        ClassLoader loader = new ClassLoader(null, getClass().getClassLoader()) {
            @Override
            protected Class<?> findClass(String wanted) {
                byte[] bytes = renamed.getBytes(StandardCharsets.ISO_8859_1);
                return defineClass(wanted, bytes, 0, bytes.length);
            }
        };
        Supplier<String> here = sites::here;
        @SuppressWarnings("unchecked")
        Supplier<String> place = (Supplier<String>)
                loader.loadClass(name).getConstructor(Supplier.class).newInstance(here);
        return place;
    }

    private static byte[] read(InputStream in) throws IOException {
        try (in) {
            return in.readAllBytes();
        }
    }
}

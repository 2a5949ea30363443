package dev.leasehold.architecture.sample;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Something of everything that a public signature can consist of. */
@SuppressWarnings("unused")
public abstract class Sample<T extends Comparable<? super T>> extends Hidden implements AutoCloseable {
    public static final int LIMIT = 3;
    protected @Nullable String label;
    private int secret;

    protected Sample(int[] numbers) {}

    Sample(String invisible) {}

    public abstract <E extends IOException> List<? extends T> all(Map<String, @Nullable T> map, E... errors) throws E;

    @Deprecated
    public final @Nullable String old() {
        return label;
    }

    protected void inherited(Consumer<?> consumer) {}

    void invisible() {}

    public record Point(int x, @Nullable String name) {
        public Point(int x) {
            this(x, null);
        }
    }

    public enum Kind {
        PLAIN,
        FAIR {
            @Override
            public boolean fair() {
                return true;
            }
        };

        public boolean fair() {
            return false;
        }
    }

    public sealed interface Shape permits Round {
        default int corners() {
            return 0;
        }

        static Shape round() {
            return new Round();
        }
    }

    public static final class Round implements Shape {
        protected void unreachable() {}
    }

    static final class Invisible {}
}

package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.StoreRequest;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScriptBindingsTest {

    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(Duration.ofSeconds(60)), true);

    /** Returns the classes of a package, which lie beside one of them. */
    private static List<Class<?>> classesBeside(Class<?> one) throws Exception {
        Path directory =
                Path.of(one.getResource(one.getSimpleName() + ".class").toURI()).getParent();
        List<Class<?>> classes = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                String name = file.getFileName().toString().replace(".class", "");
                if (!name.equals("package-info")) {
                    classes.add(Class.forName(one.getPackageName() + "." + name));
                }
            }
        }
        return classes;
    }

    private static List<Class<?>> requests() throws Exception {
        List<Class<?>> requests = new ArrayList<>();
        for (Class<?> beside : List.of(InspectLock.class, QuorumRequest.class)) {
            classesBeside(beside).stream()
                    .filter(type -> type.isRecord() && StoreRequest.class.isAssignableFrom(type))
                    .forEach(requests::add);
        }
        return requests;
    }

    /** Creates a request without values: any failure but the refusal shows that there is a script. */
    private static StoreRequest<?> empty(Class<?> request) throws Exception {
        Class<?>[] types = Arrays.stream(request.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        Constructor<?> constructor = request.getDeclaredConstructor(types);
        return (StoreRequest<?>) constructor.newInstance(Arrays.stream(types)
                .map(type -> type == boolean.class
                        ? (Object) false
                        : type == int.class ? (Object) 0 : type == long.class ? 0L : null)
                .toArray());
    }

    @Test
    void everyRequestHasAScript() throws Exception {
        assertThat(requests())
                .hasSizeGreaterThanOrEqualTo(21)
                .allSatisfy(request -> assertThat(refusalOf(request))
                        .as(request.getSimpleName())
                        .isNull());
    }

    private static UnsupportedOperationException refusalOf(Class<?> request) throws Exception {
        StoreRequest<?> empty = empty(request);
        try {
            SCRIPTS.call(empty);
        } catch (UnsupportedOperationException refusal) {
            return refusal;
        } catch (RuntimeException missingValue) {
            return null;
        }
        return null;
    }
}

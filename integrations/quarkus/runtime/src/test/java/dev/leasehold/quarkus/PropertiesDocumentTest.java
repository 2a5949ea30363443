package dev.leasehold.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of properties in docs/quarkus.md has those of the code, with their defaults. */
class PropertiesDocumentTest {

    private static final Pattern ROW =
            Pattern.compile("^\\| `(quarkus\\.leasehold\\.[a-z.-]+)` \\| (?:`([^`]+)`)?.*$", Pattern.MULTILINE);

    @Test
    void theTableHasEveryPropertyWithItsDefault() throws Exception {
        Map<String, String> documented = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../../../docs/quarkus.md")));
        while (row.find()) {
            documented.put(row.group(1), row.group(2) == null ? "" : row.group(2));
        }
        Map<String, String> actual = new TreeMap<>();
        collect("quarkus.leasehold.", LeaseholdBuildTimeConfig.class, actual);
        collect("quarkus.leasehold.", LeaseholdRuntimeConfig.class, actual);
        assertThat(documented).isEqualTo(actual);
    }

    private static void collect(String prefix, Class<?> type, Map<String, String> to) {
        for (Method property : type.getDeclaredMethods()) {
            String name =
                    prefix + property.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
            if (property.getReturnType().isMemberClass()
                    && property.getReturnType().getDeclaringClass() == type) {
                collect(name + ".", property.getReturnType(), to);
            } else if (!property.isDefault() && !property.isSynthetic()) {
                WithDefault value = property.getAnnotation(WithDefault.class);
                to.put(name, value == null ? "" : value.value());
            }
        }
    }
}

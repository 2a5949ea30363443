package dev.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of properties in docs/micronaut.md has those of the code, with their defaults. */
class PropertiesDocumentTest {

    private static final Pattern ROW =
            Pattern.compile("^\\| `(leasehold\\.[a-z.-]+)` \\| (?:`([^`]+)`)?.*$", Pattern.MULTILINE);

    @Test
    void theTableHasEveryPropertyWithItsDefault() throws Exception {
        Map<String, String> documented = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(Path.of("../../docs/micronaut.md")));
        while (row.find()) {
            documented.put(row.group(1), row.group(2) == null ? "" : row.group(2));
        }
        Map<String, String> actual = new TreeMap<>(Map.of("leasehold.enabled", "true"));
        collect("leasehold.", LeaseholdConfiguration.class, actual);
        assertThat(documented).isEqualTo(actual);
    }

    private static void collect(String prefix, Class<?> type, Map<String, String> to) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + NameUtils.hyphenate(component.getName());
            if (component.getType().isRecord()) {
                collect(name + ".", component.getType(), to);
            } else {
                Bindable bindable = component.getAccessor().getAnnotation(Bindable.class);
                to.put(name, bindable == null ? "" : bindable.defaultValue());
            }
        }
    }
}
